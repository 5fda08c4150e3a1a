import type { Failure } from './api.ts';
import type { Kept, Session, TokenSource } from './connection.ts';
import { type KeepingPart, parts } from './later.ts';

/**
 * Who is signed in. Where the server signs visitors in, the session is kept in the storage of the page's own origin and
 * shared by its tabs; where storage is blocked it lasts as long as the page. The ways of signing in are in `sign-in/` and end
 * in `keep`. Where the site has users of its own, it gives tokens for them, of which nothing is kept.
 */

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

  function begin(task: (part: KeepingPart) => Promise<Failure | undefined>): void {
    const began = parts
      .keeping()
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
      return kept && (await (await parts.keeping()).freshToken(url, session, kept));
    },
    async refuse(token) {
      return await (await parts.keeping()).replace(url, session, token);
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
