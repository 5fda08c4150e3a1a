import {
  type Comment,
  type CommentsHost,
  type Failure,
  html,
  serverHtml,
  type TemplateResult,
} from '../shared.ts';
import type { Choice, Composed, Composer } from './composed.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import type { createHeld } from './held.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createStore } from './store.ts';

/**
 * The writing of one `<confab-comments>`: which forms are open, what is unsent, and the calls that change something. What
 * is drawn of it is in `extension.ts`.
 */

/** What is unfolded below a comment. */
export type Unfolded = 'react' | 'more' | 'report' | 'versions';

export type Writing = ReturnType<typeof createWriting>;

/** How many people and emoji are offered. */
const choicesMax = 6;

const store = createStore(() => localStorage);
const writings = new WeakMap<CommentsHost, Writing>();

/** The writing of an element; there is one. */
export function writingOf(host: CommentsHost): Writing {
  let writing = writings.get(host);
  if (writing === undefined) {
    writing = createWriting(host);
    writings.set(host, writing);
  }
  return writing;
}

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

function createWriting(host: CommentsHost) {
  const open = new Map<string, Comment>();
  const unfolded = new Map<number, Unfolded>();
  const removing = new Map<number, ReturnType<typeof setTimeout>>();
  /** The entity tags of what is being edited, by place. */
  const tags = new Map<string, string>();
  /** What was sent while the list was being read anew, which may not have it. */
  const sent: Comment[] = [];
  let thread: CommentsHost['thread'] | undefined;
  let person = me()?.id;
  let kept:
    | {
        readonly prefix: string;
        readonly drafts: Drafts;
        readonly outbox: Outbox;
      }
    | undefined;
  let features: { readonly userId: number; readonly names: readonly string[] } | undefined;

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
      sent: (comment, { key }) => take(comment, key),
      askToSignIn: () => void signIn(),
      isMissing: () => host.reading.isMissing(),
      makeApp,
    });
    const drafts = createDrafts(store, { prefix, tab, person: () => me()?.id });
    kept = { prefix, drafts, outbox };
    drafts.adopt();
    outbox.load();
    // Where nothing is left, this removes what says that there is something.
    store.set(prefix, undefined);
    return kept;
  }

  /** Uses what keeps the comments that wait for approval, of which most people have none. */
  function withHeld(use: (held: ReturnType<typeof createHeld>) => unknown): void {
    const prefix = `${current().prefix}held `;
    void import('./held.ts').then(
      (part) => use(part.createHeld(store, { prefix, api: host.server.api })),
      () => undefined,
    );
  }

  /** Makes the app of a page that nobody has commented on. Resolves to why the server refuses it. */
  async function makeApp(as: number): Promise<Failure | undefined> {
    const path = `/api/apps/${encodeURIComponent(host.app)}?page=true`;
    const answer = await host.server.api.call(path, {
      method: 'PUT',
      body: { type: 'comments' },
      as,
    });
    if (!answer.ok) return answer;
    host.followAgain();
    return undefined;
  }

  async function signIn(): Promise<void> {
    if (await host.signIn()) await current().outbox.sendAll();
  }

  /** Keeps in mind what waits for approval, which no list has. */
  function keepHeld(comment: Comment): void {
    const user = me();
    if (comment.is_held && user !== undefined) withHeld((held) => held.add(comment.id, user.id));
  }

  /** Shows what the server has taken, and moves the focus there if it was at what waited for that. */
  async function take(comment: Comment, key: string): Promise<void> {
    const isFocused = Boolean(focused()?.closest(`#unsent-${key}`));
    keepHeld(comment);
    sent.push(comment);
    host.thread.put(comment);
    host.announce(host.t(comment.is_held ? 'sentHeld' : 'sent'));
    await drawn();
    if (isFocused)
      find(`#comment-${comment.id}`)?.focus({
        preventScroll: true,
      });
    if (host.thread.order === 'oldest' && comment.root_id === undefined) await host.show(comment.id);
  }

  const find = (selector: string) => host.shadowRoot?.querySelector<HTMLElement>(selector) ?? undefined;
  const composers = () => host.shadowRoot?.querySelectorAll<Composer>('confab-composer') ?? [];
  const focused = () => (host.shadowRoot?.activeElement as HTMLElement | null) ?? undefined;

  /** Comments draw themselves in microtasks, one below the other. */
  async function drawn(): Promise<void> {
    host.redrawAll();
    await new Promise((resolve) => setTimeout(resolve));
  }

  async function focus(selector: string): Promise<void> {
    await drawn();
    find(selector)?.focus();
  }

  function me() {
    const { user } = host.server.session;
    return user === undefined ? undefined : { id: user.id, isVisitor: user.way !== undefined };
  }

  async function featuresOfUser(): Promise<readonly string[]> {
    const answer = await host.server.api.call<string[]>('/api/features/comments');
    return answer.ok ? answer.body : [];
  }

  async function featuresOfVisitor(): Promise<readonly string[]> {
    const answer = await host.server.api.call<{ comment_pictures: string }>('/api/sign-in');
    const which = answer.ok ? answer.body.comment_pictures : 'none';
    const isAmong = which === 'all' || (which === 'confirmed' && host.server.session.user?.way !== 'guest');
    return isAmong ? ['attachments'] : [];
  }

  const writing = {
    host,
    open,
    unfolded,
    removing,
    me,
    focus,
    find,
    drafts: () => current().drafts,
    outbox: () => current().outbox,

    /** Whether somebody is signed in now, whom else it asks to sign in. */
    async isSignedIn(): Promise<boolean> {
      return me() !== undefined || (await host.signIn());
    },

    /** Opens the forms of drafts that are shown, and puts what was just sent into a list that was read anew. */
    catchUp(): void {
      if (thread === host.thread) return;
      thread = host.thread;
      for (const comment of sent) if (thread.get(comment.id) === undefined) thread.put(comment);
      for (const place of current().drafts.places()) {
        const [, kind, id] = /^(to|edit)-(\d+)$/.exec(place) ?? [];
        const comment = id === undefined ? undefined : thread.get(Number(id));
        if (comment === undefined || open.has(place)) continue;
        if (kind === 'to') open.set(place, comment);
        else void writing.edit(comment);
      }
      void writing.learn();
      const user = me();
      if (user !== undefined && store.names(`${current().prefix}held `).length > 0)
        withHeld((held) => held.show(host.thread, user.id));
    },

    /** Learns what the person who is signed in may use. Visitors mention nobody, and upload pictures where they may. */
    async learn(): Promise<void> {
      const user = me();
      if (user === undefined || features?.userId === user.id) return;
      features = { userId: user.id, names: [] };
      const names = user.isVisitor ? await featuresOfVisitor() : await featuresOfUser();
      if (me()?.id !== user.id) return;
      features = { userId: user.id, names };
      for (const each of composers()) void each.redraw();
    },

    hasFeature: (name: string) => features?.userId === me()?.id && features?.names.includes(name) === true,

    async people(begun: string): Promise<readonly Choice[]> {
      if (!writing.hasFeature('mentions')) return [];
      const path = `/api/users/autocomplete?top=${choicesMax}&q=${encodeURIComponent(begun)}`;
      const answer = await host.server.api.call<{ data: { id: number; display_name: string }[] }>(path);
      if (!answer.ok) return [];
      return answer.body.data.map(({ id, display_name: name }) => ({
        label: name,
        text: `[@${name.replace(/[\\[\]]/g, '\\$&')}](@u${id})`,
      }));
    },

    async emoji(begun: string): Promise<readonly Choice[]> {
      // One letter begins too many, and is more often a smiley of two characters.
      if (begun.length < 2) return [];
      const { findEmoji } = await import('./emoji.ts');
      return findEmoji(begun, choicesMax).map(({ emoji, name }) => ({
        label: `${emoji} ${name}`,
        text: emoji,
      }));
    },

    /** Sends what was written, or saves an edit. */
    async send(composed: Composed): Promise<void> {
      const { composer, place, comment, text, blobs } = composed;
      if (place.startsWith('edit-')) return await save(composed);
      const { outbox, drafts } = current();
      const key = outbox.add({ text, blobs, replyTo: comment?.id });
      drafts.forget(place, text);
      composer.clear();
      if (comment !== undefined) {
        open.delete(place);
        await focus(`#unsent-${key}`);
      }
    },

    /** Closes the form at a place, and moves the focus to what opened it. */
    close(place: string): void {
      const comment = open.get(place);
      open.delete(place);
      tags.delete(place);
      const act = place.startsWith('edit-') ? 'more' : 'answer';
      if (comment !== undefined) void focus(`#comment-${comment.id} [data-act=${act}]`);
    },

    answer(comment: Comment): void {
      const place = `to-${comment.id}`;
      if (open.has(place)) return void focus(`[data-place=${place}] textarea`);
      open.set(place, comment);
      void focus(`[data-place=${place}] textarea`);
    },

    /** Opens a comment for editing, as it is now. */
    async edit(comment: Comment): Promise<void> {
      const place = `edit-${comment.id}`;
      const fresh = await read(comment.id, place);
      if (fresh === undefined) return host.explain();
      unfolded.delete(comment.id);
      host.thread.put(fresh);
      open.set(place, fresh);
      await focus(`[data-place=${place}] textarea`);
    },

    /** Shows a text as the server would. Resolves to why it cannot where there is a string. */
    async preview(text: string): Promise<TemplateResult | string> {
      const answer = await host.server.api.call<Comment>('/api/markdown', { method: 'POST', body: { text } });
      if (!answer.ok) return answer.message || host.t('noAnswer');
      return html`<div .innerHTML=${serverHtml(answer.body)}></div>`;
    },

    /** Unfolds something below a comment, or folds it away. */
    unfold(comment: Comment, what: Unfolded): void {
      if (unfolded.get(comment.id) === what) unfolded.delete(comment.id);
      else unfolded.set(comment.id, what);
      host.redrawAll();
    },

    /** Keeps a comment that was to be removed. */
    undo(id: number): void {
      clearTimeout(removing.get(id));
      removing.delete(id);
      void focus(`#comment-${id}`);
    },

    /** Calls the server about a comment, and says why it does not. */
    async call(path: string, body?: object, method: 'POST' | 'DELETE' = 'POST'): Promise<boolean> {
      const answer = await host.server.api.call(path, { method, ...(body === undefined ? {} : { body }) });
      if (!answer.ok) host.explain(answer);
      return answer.ok;
    },

    /** Reads a comment again and shows it. */
    async reread(id: number): Promise<void> {
      const answer = await host.server.api.call<Comment>(`/api/comments/${id}`, { isFresh: true });
      if (answer.ok) host.thread.put(answer.body);
    },
  };

  async function read(id: number, place: string): Promise<Comment | undefined> {
    try {
      const response = await host.server.api.send(`/api/comments/${id}`, { isFresh: true });
      if (!response.ok) return undefined;
      const tag = response.headers.get('etag');
      if (tag !== null) tags.set(place, tag);
      return await response.json();
    } catch {
      return undefined;
    }
  }

  async function save({ composer, place, comment, text, blobs }: Composed): Promise<void> {
    const id = comment?.id ?? 0;
    const tag = tags.get(place);
    composer.problem = undefined;
    const answer = await host.server.api.call<Comment>(`/api/comments/${id}`, {
      method: 'PATCH',
      headers: tag === undefined ? {} : { 'if-match': tag },
      body: { text, ...(blobs.length === 0 ? {} : { blobs }) },
    });
    if (answer.ok) {
      current().drafts.forget(place, text);
      open.delete(place);
      keepHeld(answer.body);
      host.thread.put(answer.body);
      host.announce(host.t(answer.body.is_held ? 'sentHeld' : 'changeSaved'));
      await focus(`#comment-${id}`);
    } else if (answer.status === 412) {
      composer.theirs = (await read(id, place))?.text ?? '';
      host.announce(host.t('changedMeanwhile'));
    } else if (answer.status === 401) {
      composer.problem = host.t('signInToSend');
      if (await host.signIn()) await save({ composer, place, comment, text, blobs });
    } else composer.problem = answer.message || host.t('noAnswer');
  }

  addEventListener('online', () => void current().outbox.sendAll());
  addEventListener('storage', ({ key }) => {
    if (key?.startsWith(current().prefix)) current().outbox.load();
  });

  /** Another person may be signed in: they neither see nor send what the one before has written. */
  function followPerson(): void {
    const { drafts, outbox } = current();
    drafts.adopt();
    outbox.load();
    const before = person;
    person = me()?.id;
    if (before !== undefined && before !== person) {
      sent.length = 0;
      for (const id of [...removing.keys()]) writing.undo(id);
    }
    for (const each of composers())
      if (each.followPerson() && each.place !== undefined) open.delete(each.place);
  }

  host.server.session.subscribe(() => {
    followPerson();
    void current().outbox.sendAll();
    void writing.learn();
    host.redrawAll();
  });
  return writing;
}
