import type { Comment, CommentsHost, Failure } from '../shared.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createStore } from './store.ts';

/** What the browser keeps of what is written in an element: drafts, and what is unsent. */

const store = createStore(() => localStorage);

/** What tells this tab from others. A reload keeps it. */
const tab = (() => {
  const name = 'confab-tab';
  const fresh = Math.random().toString(36).slice(2);
  try {
    const known = sessionStorage.getItem(name) ?? fresh;
    sessionStorage.setItem(name, known);
    return known;
  } catch {
    // Storage is blocked.
    return fresh;
  }
})();

/** Makes the app of a page that nobody has commented on. Resolves to why the server refuses it. */
async function makeApp(host: CommentsHost, as: number): Promise<Failure | undefined> {
  const path = `/api/apps/${encodeURIComponent(host.app)}?page=true`;
  // In characters as the server counts them, so that no title is too long.
  const title = [...document.title].slice(0, 200).join('').trim();
  const body = { type: 'comments', ...(title === '' ? {} : { page_title: title }) };
  const answer = await host.server.api.call(path, { method: 'PUT', body, as });
  if (!answer.ok) return answer;
  host.followAgain();
  return undefined;
}

/** Who is signed in at the server of an element. */
export function personOf(host: CommentsHost) {
  const { user } = host.server.session;
  return user === undefined ? undefined : { id: user.id, isVisitor: user.way !== undefined };
}

/** Keeps what is written in an element. `sent` is given what the server has taken, with its key in the outbox. */
export function createKept(host: CommentsHost, sent: (comment: Comment, key: string) => void) {
  let kept: { readonly prefix: string; readonly drafts: Drafts; readonly outbox: Outbox } | undefined;

  /** The drafts and the outbox of the app that the element shows now. */
  function current() {
    const { server, app } = host;
    const prefix = `confab-write ${server.url} ${app} `;
    if (kept?.prefix === prefix) return kept;
    const outbox = createOutbox({
      api: server.api,
      session: server.session,
      store,
      prefix: `${prefix}unsent `,
      path: `/api/apps/${encodeURIComponent(app)}/comments`,
      changed: () => host.redrawAll(),
      sent: (comment, { key }) => sent(comment, key),
      askToSignIn: () => void signIn(),
      isMissing: () => host.reading.isMissing(),
      makeApp: (as) => makeApp(host, as),
    });
    const drafts = createDrafts(store, { prefix, tab, person: () => personOf(host)?.id });
    kept = { prefix, drafts, outbox };
    drafts.adopt();
    outbox.load();
    // Where nothing is left, this removes what says that there is something.
    store.set(prefix, undefined);
    return kept;
  }

  async function signIn(): Promise<void> {
    if (await host.signIn()) await current().outbox.sendAll();
  }

  return {
    prefix: () => current().prefix,
    drafts: () => current().drafts,
    outbox: () => current().outbox,
  };
}
