import type { Comment, CommentsHost } from '../shared.ts';
import type { Composed } from './composed.ts';
import { composersOf, createFeatures } from './features.ts';
import { createKept, personOf } from './kept.ts';
import { createLoading } from './loading.ts';
import { closeFromOutside, isPopover, type Unfolded } from './popovers.ts';
import { createShown, mark } from './shown.ts';

/**
 * The writing of one `<confab-comments>`: which forms are open, what is unsent, and the calls that change something. What
 * is drawn of it is in `extension.ts`.
 */

export type Writing = ReturnType<typeof createWriting>;

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

function createWriting(host: CommentsHost) {
  const open = new Map<string, Comment>();
  const unfolded = new Map<number, Unfolded>();
  const removing = new Map<number, ReturnType<typeof setTimeout>>();
  const shown = createShown(host);
  const loading = createLoading(host);
  const features = createFeatures(host);
  const me = () => personOf(host);
  const kept = createKept(host, (comment, key) => void take(comment, key));
  const { drafts, outbox } = kept;
  let editing: ReturnType<typeof import('./editing.ts').createEditing> | undefined;
  /** What was sent while the list was being read anew, which may not have it. */
  const sent: Comment[] = [];
  let thread: CommentsHost['thread'] | undefined;
  let person = me()?.id;

  /** Shows what the server has taken with a mark that fades, and moves the focus there from where it was left meanwhile. */
  async function take(comment: Comment, key: string): Promise<void> {
    const focused = host.shadowRoot?.activeElement?.closest(`#unsent-${key}, .account`);
    sent.push(comment);
    host.thread.put(comment);
    host.announce(host.t(comment.is_held ? 'sentHeld' : 'sent'));
    await shown.drawn();
    const article = shown.find(`#comment-${comment.id}`);
    if (focused || document.activeElement === document.body) article?.focus({ preventScroll: true });
    if (article !== undefined) mark(article);
    if (host.thread.order === 'oldest' && comment.root_id === undefined) await host.show(comment.id);
  }

  /** Opens a comment for editing; the part that edits is loaded with the first. */
  async function edit(comment: Comment): Promise<void> {
    const part = await loading.load(import('./editing.ts'));
    editing ??= part?.createEditing({ host, open, unfolded, shown, drafts });
    await editing?.edit(comment);
  }

  const writing = {
    host,
    open,
    unfolded,
    removing,
    me,
    ...shown,
    ...features,
    ...loading,
    edit,
    drafts,
    outbox,

    /** Whether somebody is signed in now, whom else it asks to sign in. */
    async isSignedIn(): Promise<boolean> {
      return me() !== undefined || (await host.signIn());
    },

    /** Opens the forms of drafts that are shown, and puts what was just sent into a list that was read anew. */
    catchUp(): void {
      if (thread === host.thread) return;
      thread = host.thread;
      for (const comment of sent) if (thread.get(comment.id) === undefined) thread.put(comment);
      for (const place of drafts().places()) {
        const [, kind, id] = /^(to|edit)-(\d+)$/.exec(place) ?? [];
        const comment = id === undefined ? undefined : thread.get(Number(id));
        if (comment === undefined || open.has(place)) continue;
        if (kind === 'to') open.set(place, comment);
        else void edit(comment);
      }
      void features.learn();
    },

    /** Sends what was written, or saves an edit. */
    async send(composed: Composed): Promise<void> {
      const { composer, place, comment, text, blobs, more } = composed;
      if (place.startsWith('edit-')) return await editing?.save(composed);
      const fields = comment === undefined ? host.fields : undefined;
      const key = outbox().add({ text, blobs, more: { ...more, ...fields }, replyTo: comment?.id });
      drafts().forget(place, text);
      composer.clear();
      open.delete(place);
      if (comment !== undefined || me() === undefined) await shown.focus(`#unsent-${key}`);
    },

    /** Closes the form at a place, and moves the focus to what opened it. */
    close(place: string): void {
      const comment = open.get(place);
      open.delete(place);
      editing?.forget(place);
      const act = place.startsWith('edit-') ? 'more' : 'answer';
      if (comment !== undefined) void shown.focus(`#comment-${comment.id} [data-act=${act}]`);
    },

    answer(comment: Comment): void {
      const place = `to-${comment.id}`;
      if (open.has(place)) return void shown.focus(`[data-place=${place}] textarea`);
      open.set(place, comment);
      void shown.focus(`[data-place=${place}] textarea`);
    },

    /** Unfolds something below a comment, or folds it away. */
    unfold(comment: Comment, what: Unfolded): void {
      const isOpen = unfolded.get(comment.id) === what;
      if (isPopover(what)) writing.closePopovers();
      if (isOpen) unfolded.delete(comment.id);
      else unfolded.set(comment.id, what);
      host.redrawAll();
    },

    /** Closes the emojis or the menu that is open; where that `isEscape`, the focus goes back to what opened it. */
    closePopovers(isEscape = false): void {
      for (const [id, what] of unfolded)
        if (isPopover(what)) {
          unfolded.delete(id);
          if (isEscape) void shown.focus(`#comment-${id} [data-act=${what}]`);
          else host.redrawAll();
        }
    },

    /** Keeps a comment that was to be removed. */
    undo(id: number): void {
      clearTimeout(removing.get(id));
      removing.delete(id);
      void shown.focus(`#comment-${id}`);
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

  closeFromOutside(writing.closePopovers);
  addEventListener('online', () => void outbox().sendAll());
  addEventListener('storage', ({ key }) => {
    if (key?.startsWith(kept.prefix())) outbox().load();
  });

  /** Another person may be signed in: they neither see nor send what the one before has written. */
  function followPerson(): void {
    drafts().adopt();
    outbox().load();
    const before = person;
    person = me()?.id;
    if (before !== undefined && before !== person) {
      sent.length = 0;
      for (const id of [...removing.keys()]) writing.undo(id);
    }
    for (const each of composersOf(host))
      if (each.followPerson() && each.place !== undefined) open.delete(each.place);
  }

  host.server.session.subscribe(() => {
    followPerson();
    void outbox().sendAll();
    void features.learn();
    host.redrawAll();
  });
  return writing;
}
