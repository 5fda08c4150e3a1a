import type { nothing, TemplateResult } from 'lit/html.js';
import type { Failure } from '../api.ts';
import type { Server } from '../connection.ts';
import type { Translate } from '../texts/texts.ts';
import type { Comment } from '../thread/comment.ts';
import type { Reading } from '../thread/reading.ts';
import type { Thread } from '../thread/thread.ts';

/** What a reader wants to do: write, answer a comment, react to it with an emoji, vote for an option, or do something else. */
export type Intent = 'write' | 'answer' | 'react' | 'vote' | 'more';

/** `<confab-comments>` as its comments, and the parts that are loaded later, use it. */
export type CommentsHost = HTMLElement & {
  readonly server: Server;
  /** The id or uid of the app. */
  readonly app: string;
  readonly thread: Thread;
  readonly reading: Reading;
  readonly extensions: readonly Extension[];
  /** The language of the page around it, such as `en-GB`. */
  readonly language: string;
  readonly t: Translate;
  /** Keeps the place of what is read until a change is drawn; undefined until a change was heard of. */
  keepPlace: ((root: ParentNode, drawn: Promise<void>) => Promise<void>) | undefined;
  /** Draws how many people are here, in the header; undefined where that is not known, and where it is the reader alone. */
  presence: (() => TemplateResult) | undefined;
  /** Reads other threads than all of the app, where the element shows few of them. */
  reads?(reading: Reading, thread: Thread): Reading;
  /** What is sent with a comment that begins a thread. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Notes when a thread comes near the screen. */
  observe(comment: HTMLElement): void;
  /** Says something to users of a screen reader, when what they are hearing has ended; where `isShown`, to everybody for some seconds. */
  announce(text: string, options?: { readonly isShown?: boolean }): void;
  /** Says to everybody why something was not done; without a failure, that there was no answer. */
  explain(failure?: Failure): void;
  /** Shows a comment at its place, loads what it takes, and moves the focus there. Resolves to whether it is there. */
  show(id: number): Promise<boolean>;
  /** Adds what a part brings. An extension is added once. */
  extend(extension: Extension): void;
  /** Asks the reader to sign in. Resolves to whether they are signed in. */
  signIn(): Promise<boolean>;
  /** Hears of the changes of an app that was not there before. */
  followAgain(): void;
  /** Draws again what has changed, except for comments that are as they were. */
  redraw(): Promise<void>;
  /** Draws everything again, after something has changed on which extensions depend. */
  redrawAll(): void;
};

/** What a part adds to the comments. It is asked again whenever they are drawn. */
export type Extension = {
  /** In the header, after the heading. */
  header?(host: CommentsHost): TemplateResult | typeof nothing;
  /** Below the text of a comment, in a row: buttons. */
  actions?(host: CommentsHost, comment: Comment): TemplateResult | typeof nothing;
  /** In the menu of a comment, which "⋯" opens: buttons. */
  menu?(host: CommentsHost, comment: Comment): TemplateResult | typeof nothing;
  /** In place of the text of a comment, while it is edited. Undefined shows the text. */
  body?(host: CommentsHost, comment: Comment): TemplateResult | undefined;
  /** Below a comment, above its answers: the form of an answer. Without a comment, above the list. */
  form?(host: CommentsHost, comment: Comment | undefined): TemplateResult | typeof nothing;
  /** Called when the first comments of another app, order or person are shown. */
  read?(host: CommentsHost): void;
  /** Whether what a button below a comment opens is open. */
  isOpen?(host: CommentsHost, comment: Comment, intent: Intent): boolean;
};
