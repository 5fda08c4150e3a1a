import { loadRenewal } from './parts.ts';

/**
 * Who is signed in. The session is kept in the storage of the page's own origin and shared by its tabs; where storage is
 * blocked it lasts as long as the page. The ways of signing in are in `sign-in/` and end in `keep`.
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

/** The session at one server. */
export type Session = {
  readonly user: SignedInUser | undefined;
  /** The token to call with; undefined while nobody is signed in. */
  token(): Promise<string | undefined>;
  /** Gets another token after the server has refused this one. Resolves to whether there is one; without, nobody is signed in. */
  refuse(token: string): Promise<boolean>;
  /** What is kept, also by other tabs. */
  kept(): Kept | undefined;
  /** Keeps a session that has begun or been renewed; undefined ends it. */
  keep(kept: Kept | undefined): void;
  /** Calls a listener whenever somebody else, or nobody, is signed in. Returns what ends that. */
  subscribe(listener: () => void): () => void;
};

/** How long before its end a token is renewed, in milliseconds. */
const renewalMs = 60_000;

/** The session at the server with an address. */
export function createSession(url: string): Session {
  const name = `confab ${url}`;
  const listeners = new Set<() => void>();
  let kept = readKept<Kept>(name);

  function change(to: Kept | undefined): void {
    const isOther = to?.user.id !== kept?.user.id;
    kept = to;
    if (isOther) for (const listener of listeners) listener();
  }

  addEventListener('storage', ({ key }) => {
    if (key === name || key === null) change(readKept<Kept>(name));
  });

  const session: Session = {
    get user() {
      return kept?.user;
    },
    kept() {
      const stored = readKept<Kept>(name);
      if (stored !== undefined) change(stored);
      return kept;
    },
    async token() {
      if (kept === undefined) return undefined;
      // A clock that was wrong when the token was issued, or is now, only renews it too early or after a refusal.
      const age = Date.now() - kept.issuedAt;
      const isOld = age < 0 || age > kept.expires_in * 1000 - renewalMs;
      if (isOld && kept.renewal_secret !== undefined) await session.refuse(kept.access_token);
      return kept?.access_token;
    },
    async refuse(token) {
      const { renew } = await loadRenewal();
      return await renew(url, session, token);
    },
    keep(to) {
      write(name, to);
      change(to);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return session;
}

/** What is kept under a name in the storage of the page's origin. */
export function readKept<T>(name: string): T | undefined {
  try {
    const text = localStorage.getItem(name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    // Storage is blocked, or somebody else has written to it.
    return undefined;
  }
}

/** Returns whether it is kept: where storage is blocked, the session lasts as long as the page. */
function write(name: string, kept: Kept | undefined): boolean {
  try {
    if (kept === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}
