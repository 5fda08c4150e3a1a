import type { Api, Failure } from './api.ts';

/** A server as all elements of a page use it, and who is signed in at it: what `server.ts` and `session.ts` make. */

/** The person who is signed in, as the server shows them. */
export type SignedInUser = {
  readonly id: number;
  readonly display_name: string;
  readonly avatar_url?: string;
  /** How a visitor has signed in: `guest`, `email` or the name of a provider. */
  readonly way?: string;
};

/** What is kept of a session. */
export type Kept = {
  readonly access_token: string;
  readonly renewal_secret?: string;
  readonly user: SignedInUser;
  /** When the token was issued, in milliseconds since 1970. */
  readonly issuedAt: number;
  /** How long it is good, in seconds. */
  readonly expires_in: number;
};

/** A token of the site; `expires_in` is in seconds. */
export type SiteToken = string | { readonly access_token: string; readonly expires_in?: number };

/**
 * Where the site gives tokens for its own users: the address that it returns them at, as for `/embed.js`, or a function,
 * which resolves to undefined where nobody is signed in. `isRefused` says that the token before was refused.
 */
export type TokenSource = string | ((isRefused: boolean) => Promise<SiteToken | undefined | null>);

/** The session at one server. */
export type Session = {
  readonly user: SignedInUser | undefined;
  /** Whether it is known who is signed in; not before the site, or the server after signing in, has said it. */
  readonly isKnown: boolean;
  /** Where the site gives tokens for its own users, so that the ways of the server are not for them. */
  readonly source: TokenSource | undefined;
  /** Why a reader who came back from signing in is still not signed in. */
  readonly failure: Failure | undefined;
  /** Who has signed out on this page last. The session of anybody else has only ended, and they are still there. */
  left?: number | undefined;
  /** The token to call with; undefined while nobody is signed in. */
  token(): Promise<string | undefined>;
  /** Gets another token after the server has refused this one. Resolves to whether there is one; without, nobody is signed in. */
  refuse(token: string): Promise<boolean>;
  /** What is kept, also by other tabs. */
  kept(): Kept | undefined;
  /** Keeps a session that has begun or been renewed, or whose user has changed; undefined ends it. */
  keep(kept: Kept | undefined): void;
  /** Takes tokens from the site from now on. Another source of tokens is asked when the next one is needed. */
  useSite(source: TokenSource): void;
  /** Calls a listener when a reader may have signed in or out, or has another name. Returns a function that ends the calls. */
  subscribe(listener: () => void): () => void;
};

/** A server as all elements of a page use it. */
export type Server = {
  /** Its address, with a slash at the end. */
  readonly url: string;
  readonly api: Api;
  readonly session: Session;
};
