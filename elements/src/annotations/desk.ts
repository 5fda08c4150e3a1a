import type { OtherElement } from '../others/element.ts';
import type { nothing, TemplateResult, Translate } from '../shared.ts';
import type { Anchor } from './anchors.ts';
import type { MarkKind } from './marking.ts';
import type { Places, Spot } from './places.ts';
import type { Roots } from './roots.ts';

/** `<confab-annotations>`, as what is drawn in it uses it. */

/** Which threads are shown. */
export type Filter = 'open' | 'resolved' | 'all';

/** The threads of one place, in an element of their own, or the field for the first comment there. */
export type Thread = HTMLElement & { readonly ids: readonly number[]; readonly anchor: Anchor | undefined };

/** What the panel shows: the list of all threads, or those of one place. */
export type View = { readonly list: true } | { readonly thread: Thread; readonly spot: Spot };

/** What a content has: its threads, where they are, and which of them are shown. */
export type Desk = {
  readonly host: OtherElement;
  readonly root: ParentNode;
  readonly t: Translate;
  readonly language: string;
  roots: Roots | undefined;
  places: Places | undefined;
  selecting: Selecting | undefined;
  /** What is marked. */
  marks: ReadonlyMap<MarkKind, readonly Range[]>;
  view: View | undefined;
  filter: Filter | undefined;
  /** What users of a screen reader hear. */
  spoken: string | undefined;
  /** What had the focus before the panel was opened. */
  opener: Element | null | undefined;
  redraw(): Promise<void>;
};

/** What chooses something to comment on: selected text, or a part of the content that the keyboard walks. */
export type Selecting = {
  /** Comments on what is selected. */
  use(): void;
  /** Lets the keyboard walk the parts of the content. */
  choose(): void;
  /** Takes the button away. */
  hide(): void;
  draw(): TemplateResult | typeof nothing;
  /** Called after each drawing. */
  drawn(): void;
  end(): void;
};
