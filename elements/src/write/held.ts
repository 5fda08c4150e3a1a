import type { Api, Comment } from '../shared.ts';
import type { Store } from './store.ts';

/**
 * The author's own comments that wait for approval. Lists have them for nobody, so what was written is kept here until a
 * moderator has decided.
 */

/** A comment that waits. */
export type Held = {
  readonly id: number;
  /** Its text without markup: HTML comes from the server alone. */
  readonly plain: string;
  readonly replyTo: number | undefined;
  readonly userId: number;
  readonly at: number;
};

/** Creates the list of an app, below a prefix of the store. */
export function createHeld(store: Store, { prefix, api }: { prefix: string; api: Pick<Api, 'call'> }) {
  const nameOf = (id: number) => `${prefix}${id}`;
  const held = {
    /** Those of a user, in the order in which they were written. */
    all: (userId: number | undefined): readonly Held[] =>
      store
        .names(prefix)
        .map((name) => store.get<Held>(name))
        .filter((each) => each !== undefined && each.userId === userId)
        .toSorted((a, b) => (a as Held).id - (b as Held).id) as Held[],

    /** Keeps one that the server has just taken. */
    add({ id, plain = '', reply_to_id: replyTo }: Comment, userId: number): void {
      const kept: Held = { id, plain, replyTo, userId, at: Date.now() };
      store.set(nameOf(id), kept);
    },

    forget: (id: number): void => store.set(nameOf(id), undefined),

    /** Forgets those about which a moderator has decided. */
    async check(userId: number): Promise<void> {
      for (const { id } of held.all(userId)) {
        const answer = await api.call<Comment>(`/api/comments/${id}`, { isFresh: true });
        if (answer.ok ? answer.body.is_held !== true : answer.status === 404) held.forget(id);
      }
    },
  };
  return held;
}
