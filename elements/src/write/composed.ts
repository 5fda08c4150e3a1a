import type { Comment, CommentsHost, TemplateResult } from '../shared.ts';
import type { Mentions } from './mentions.ts';
import type { More } from './outbox.ts';

/** `<confab-composer>` and what it has, as those use it that do something with it. */

/** What can be chosen: its name, what is shown of it, and what is written for it. */
export type Choice = {
  readonly label: string;
  readonly shown: TemplateResult;
  readonly text: string;
};

/** What can be chosen for a word of the text. */
export type Choices = {
  readonly all: readonly Choice[];
  readonly selected: number;
  /** Where the word is. */
  readonly start: number;
  readonly end: number;
};

/** A file on its way to the server, or there. */
export type Upload = {
  readonly file: File;
  /** How much of it the server has, from 0 to 1. */
  readonly progress: number;
  /** The id of the blob, once the server has it. */
  readonly blob: number | undefined;
  readonly problem: string | undefined;
  readonly cancel: () => void;
};

/** The files of a comment, in the order in which they were chosen. */
export type Files = readonly Upload[];

/** The field for a comment, an answer or an edit, with what belongs to it. */
export type Composer = HTMLElement & {
  readonly host: CommentsHost;
  /** Where its draft is kept: `new`, `to-12` or `edit-12`. */
  readonly place: string | undefined;
  /** What is answered or edited. */
  readonly comment: Comment | undefined;
  readonly field: HTMLTextAreaElement;
  /** What the field has, as it is kept and sent: with links for the mentions, which `field.value` has as names. */
  text: string;
  choices: Choices | undefined;
  files: Files | undefined;
  problem: string | undefined;
  /** Draws what somebody else has made of the comment meanwhile. */
  theirs: (() => TemplateResult) | undefined;
  /** The preview: what the server has made of the text. */
  shown: TemplateResult | undefined;
  readonly mentions: Mentions;
  send(): void;
  /** Shows the buttons. */
  open(): void;
  /** Empties the field, and closes it where it is the one above the list. */
  clear(): void;
  /** Puts a text into the field as if it were typed, so that the browser can undo it. */
  replace(start: number, end: number, text: string, select?: readonly [number, number]): void;
  /** Shows what the person who is signed in now has written here. Returns whether its text was taken away. */
  followPerson(): boolean;
  redraw(): Promise<void>;
};

/** What a composer has besides its text and its files: a poll, the preview of a link or of the text, the list of emoji. */
export type Addition = {
  /** Called when it is wanted: by its button, by what was typed, or because there is a draft of it. */
  use(): void;
  draw(): TemplateResult | undefined;
  /** What is sent of it; undefined where it cannot be sent as it is, and has said why. */
  fields?(): More | undefined;
  /** Called when the comment was sent or given up. */
  clear(): void;
};

/** What somebody has written and wants to send. */
export type Composed = {
  readonly composer: Composer;
  readonly place: string;
  /** What is answered or edited. */
  readonly comment: Comment | undefined;
  readonly text: string;
  readonly blobs: readonly number[];
  readonly more: More;
};
