import type { Api, Comment, CommentsHost } from '../shared.ts';
import type { Store } from './store.ts';

/**
 * The author's own comments that wait for approval. Lists have them for nobody, so their ids are kept here until a moderator
 * has decided, and the comments are asked for when the page is opened.
 */

/** A comment that waits. */
type Held = { readonly id: number; readonly userId: number; readonly at: number };

/** Creates the list of an app, below a prefix of the store. */
export function createHeld(store: Store, { prefix, api }: { prefix: string; api: Pick<Api, 'call'> }) {
  return {
    /** Keeps one that the server has just taken. */
    add: (id: number, userId: number): void => {
      const held: Held = { id, userId, at: Date.now() };
      store.set(prefix + id, held);
    },

    /** Shows those of a user that still wait, and forgets those about which somebody has decided. */
    async show(thread: CommentsHost['thread'], userId: number): Promise<void> {
      for (const name of store.names(prefix)) {
        const held = store.get<Held>(name);
        if (held?.userId !== userId) continue;
        const answer = await api.call<Comment>(`/api/comments/${held.id}`, { isFresh: true });
        if (answer.ok && answer.body.is_held) thread.put(answer.body);
        else if (answer.ok || answer.status === 404) store.set(name, undefined);
      }
    },
  };
}
