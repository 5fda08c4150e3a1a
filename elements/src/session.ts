import type { Failure } from './api.ts';
import { loadKeeping } from './parts.ts';

/**
 * Who is signed in. Where the server signs visitors in, the session is kept in the storage of the page's own origin and
 * shared by its tabs; where storage is blocked it lasts as long as the page. The ways of signing in are in `sign-in/` and end
 * in `keep`. Where the site has users of its own, it gives tokens for them, of which nothing is kept.
 */

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
  /** Why somebody who has come back to the page from signing in is not signed in. */
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
  /** Calls a listener whenever somebody else may be signed in, or nobody, or is shown otherwise. Returns what ends that. */
  subscribe(listener: () => void): () => void;
};

type Keeping = Awaited<ReturnType<typeof loadKeeping>>;

/** The session at the server with an address. What is needed only where there is one is in `sign-in/keeping.ts`. */
export function createSession(url: string): Session {
  const name = `confab ${url}`;
  const listeners = new Set<() => void>();
  let kept = read(name);
  let source: TokenSource | undefined;
  let failure: Failure | undefined;
  /** What is kept is of this page alone. */
  let isAlone = false;
  let beginning: Promise<void> | undefined;

  function change(to: Kept | undefined): void {
    kept = to;
    for (const listener of [...listeners]) listener();
  }

  function follow(): void {
    if (!isAlone) change(read(name));
  }

  function begin(task: (part: Keeping) => Promise<Failure | undefined>): void {
    const began = loadKeeping()
      .then(task)
      // It is told on the console.
      .catch(() => undefined)
      .then((reason) => {
        failure = reason;
        if (beginning === began) beginning = undefined;
        change(kept);
      });
    beginning = began;
  }

  const session: Session = {
    get user() {
      return kept?.user;
    },
    get isKnown() {
      return beginning === undefined;
    },
    get source() {
      return source;
    },
    get failure() {
      return failure;
    },
    kept() {
      follow();
      return kept;
    },
    async token() {
      await beginning;
      return kept && (await (await loadKeeping()).freshToken(url, session, kept));
    },
    async refuse(token) {
      return await (await loadKeeping()).replace(url, session, token);
    },
    keep(to) {
      if (source === undefined) isAlone = !write(name, to);
      change(to);
    },
    useSite(given) {
      if (given === source) return;
      const isAsked = source !== undefined && kept !== undefined;
      source = given;
      isAlone = true;
      if (isAsked) return;
      kept = undefined;
      begin((part) => part.beginBySite(url, session));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  // A page that the browser had put away has heard of nothing.
  for (const event of ['storage', 'pageshow']) addEventListener(event, follow);
  const [before, code] = location.hash.split('#confab-code=');
  if (code !== undefined && before === '') {
    history.replaceState(history.state, '', location.pathname + location.search);
    begin((part) => part.comeBack(url, session, code));
  }
  return session;
}

/** What is kept under a name in the storage of the page's origin. */
export function read(name: string): Kept | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined;
  } catch {
    // Storage is blocked, or somebody else has written to it.
    return undefined;
  }
}

/** Returns whether it is kept: not where storage is blocked or full. */
function write(name: string, kept: Kept | undefined): boolean {
  try {
    if (kept === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}
