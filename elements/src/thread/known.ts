import type { Comment } from './comment.ts';

/** The comments that are known, by their id, and what was changed here that an answer under way does not know. */
export type Known = ReturnType<typeof createKnown>;

/** Creates the empty store of comments. */
export function createKnown() {
  const comments = new Map<number, Comment>();
  /**
   * What waits for approval and was put here, while no list has had it since. Lists have it for its author, who may have
   * put it before or after, and never for a moderator, who looks at it. So it is not counted before a list has it.
   */
  const unlisted = new Set<number>();
  /** What was written or removed here, with the number of the change. An answer that was under way then is older. */
  const changed = new Map<number, number>();
  let changes = 0;
  let since = 0;

  const isNewer = (id: number) => (changed.get(id) ?? 0) > since;

  /** Keeps a comment. One that says the same stays the same object. */
  function keep(comment: Comment): void {
    const known = comments.get(comment.id);
    // To a moderator, lists have the place alone of what waits for approval and has answers.
    if ((comment.is_trashed && unlisted.has(comment.id)) || isNewer(comment.id)) return;
    const { replies: _, ...own } = comment;
    if (known === undefined || JSON.stringify(known) !== JSON.stringify(own)) comments.set(comment.id, own);
  }

  function change(id: number): void {
    changes += 1;
    changed.set(id, changes);
  }

  return {
    comments,
    unlisted,

    /** How often something was written or removed here. */
    changes: () => changes,

    /** From now on what is taken comes from an answer that was asked for when `changes` was so much. */
    askedAt(at: number): void {
      since = at;
    },

    /** Whether a comment was removed here after the answer was asked for. */
    isRemoved: ({ id }: Comment) => isNewer(id) && !comments.has(id),

    /** Whether a comment stays although the list that was just read has it no more. */
    stays: (id: number) => isNewer(id) || unlisted.has(id),

    /** Keeps what a list has. */
    keepListed(listed: readonly Comment[]): void {
      for (const comment of listed) {
        if (!comment.is_trashed) unlisted.delete(comment.id);
        keep(comment);
      }
    },

    /** Keeps a comment that was just written or asked for. Returns whether it adds one to what the server has counted. */
    put(comment: Comment): boolean {
      const { id, is_held: isHeld = false } = comment;
      const known = comments.get(id);
      since = changes;
      keep(comment);
      if (!isHeld) unlisted.delete(id);
      else if (known?.is_held !== true) unlisted.add(id);
      change(id);
      return known === undefined && !isHeld;
    },

    /** Notes that a comment was removed here. */
    remove: change,

    /** Forgets a comment that is gone. */
    forget(id: number): void {
      comments.delete(id);
      unlisted.delete(id);
    },
  };
}
