import type { Texts, TokenSource } from '../shared.ts';

/** One of the other elements. */
export type OtherElement = HTMLElement & {
  /** Texts that replace those of the language. */
  texts?: Texts;
  /** Gives tokens for the users of the site, in place of `token-url`. */
  getToken?: Exclude<TokenSource, string>;
  /** The address of a server, which is trusted because code has named it. */
  server?: string;
};
