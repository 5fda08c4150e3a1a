import { addEnglish, type Comment, type CommentsHost, sheetOf } from '../shared.ts';
import { editingEnglish } from '../texts/editing-english.ts';
import type { Composed } from './composed.ts';
import type { Drafts } from './drafts.ts';
import style from './editing.css';
import type { ShownForms } from './shown.ts';
import { theirs } from './theirs.ts';

addEnglish(editingEnglish);
/** How it looks. */
export const sheet = sheetOf(style);

/** What editing is done with: the forms of an element and what is unfolded in it, and its drafts. */
type Forms = {
  readonly host: CommentsHost;
  readonly open: Map<string, Comment>;
  readonly unfolded: Map<number, unknown>;
  readonly shown: ShownForms;
  drafts(): Drafts;
};

/** Edits comments, each from the state in which it was opened. */
export function createEditing({ host, open, unfolded, shown, drafts }: Forms) {
  /** The entity tags of what is being edited, by place. */
  const tags = new Map<string, string>();

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

  /** Saves an edit, unless somebody else has changed the comment since it was read. */
  async function save({ composer, place, comment, text: written, blobs }: Composed): Promise<void> {
    const id = comment?.id ?? 0;
    const tag = tags.get(place);
    composer.problem = undefined;
    const answer = await host.server.api.call<Comment>(`/api/comments/${id}`, {
      method: 'PATCH',
      headers: tag === undefined ? {} : { 'if-match': tag },
      body: { text: written, ...(blobs.length === 0 ? {} : { blobs }) },
    });
    if (answer.ok) {
      drafts().forget(place, written);
      open.delete(place);
      host.thread.put(answer.body);
      host.announce(host.t(answer.body.is_held ? 'sentHeld' : 'changeSaved'));
      await shown.focus(`#comment-${id}`);
    } else if (answer.status === 412) {
      const text = (await read(id, place))?.text ?? '';
      composer.theirs = () => theirs(composer, text);
      host.announce(host.t('changedMeanwhile'));
    } else if (answer.status === 401) {
      composer.problem = host.t('signInToSend');
      if (await host.signIn()) await save({ composer, place, comment, text: written, blobs, more: {} });
    } else composer.problem = answer.message || host.t('noAnswer');
  }

  return {
    save,

    /** Opens a comment for editing, as it is now. */
    async edit(comment: Comment): Promise<void> {
      const place = `edit-${comment.id}`;
      const fresh = await read(comment.id, place);
      if (fresh === undefined) return host.explain();
      unfolded.delete(comment.id);
      host.thread.put(fresh);
      open.set(place, fresh);
      await shown.focus(`[data-place=${place}] textarea`);
    },

    /** Forgets in which state the comment of a place was opened. */
    forget: (place: string) => tags.delete(place),
  };
}
