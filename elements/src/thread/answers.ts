import type { Comment } from './comment.ts';
import type { Place } from './places.ts';
import { createSegments } from './segments.ts';

/** What is known of the answers of one thread. */
export type Answers = {
  /** The ids that are known, in the order in which they were written. */
  readonly segments: ReturnType<typeof createSegments>;
  /** The ids that are known and wait to be shown. */
  readonly waiting: Set<number>;
  /** How many answers there were when all of them were last shown; undefined before. */
  seenCount: number | undefined;
};

/**
 * Creates what is known of the answers of all threads. `comments` has all that are known, by their id; those that are
 * `unlisted` the server does not count.
 */
export function createAnswers(comments: ReadonlyMap<number, Comment>, unlisted: ReadonlySet<number>) {
  const threads = new Map<number, Answers>();

  function of(root: number): Answers {
    let answers = threads.get(root);
    if (answers === undefined) {
      answers = {
        segments: createSegments((a, b) => a - b),
        waiting: new Set(),
        seenCount: undefined,
      };
      threads.set(root, answers);
    }
    return answers;
  }

  function shownIds(root: number): number[] {
    const { segments, waiting } = of(root);
    return segments.all().flatMap(({ ids }) => ids.filter((id) => !waiting.has(id)));
  }

  return {
    of,

    /** Whether answers of a thread were read. */
    has: (root: number) => threads.has(root),

    /** The ids of the answers of a thread that are known and shown. */
    shownIds,

    /** The answers of a thread that are not shown. Places of removed comments do not count, nor what no list has. */
    restOf(root: Comment): Place['rest'] {
      const all = root.reply_count ?? 0;
      const shown = shownIds(root.id).filter(
        (id) => comments.get(id)?.is_trashed === false && !unlisted.has(id),
      );
      const rest = all - shown.length;
      if (rest <= 0) return undefined;
      const { seenCount } = of(root.id);
      return { count: rest, isNew: seenCount !== undefined && all - seenCount === rest };
    },

    /** Forgets a thread that is gone. */
    forget: (root: number) => threads.delete(root),
  };
}
