import type { Comment } from './comment.ts';
import type { Place } from './places.ts';
import { createSegments, type Segment } from './segments.ts';

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
  const isCounted = (each: Comment | undefined) => each?.is_trashed === false && !unlisted.has(each.id);

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
      const shown = shownIds(root.id).filter((id) => isCounted(comments.get(id)));
      const rest = all - shown.length;
      if (rest <= 0) return undefined;
      const { seenCount } = of(root.id);
      return { count: rest, isNew: seenCount !== undefined && all - seenCount === rest };
    },

    /** How many comments some threads have with all answers; undefined where they are not all of `count`. */
    totalOf(roots: readonly Segment[], count: number): number | undefined {
      const ids = roots.flatMap((each) => each.ids);
      const known = ids.map((id) => comments.get(id)).filter((each) => each !== undefined);
      const threads = known.filter(isCounted).length;
      if (threads !== count) return undefined;
      return known.reduce((sum, each) => sum + (each.reply_count ?? 0), threads);
    },

    /** Forgets a thread that is gone. */
    forget: (root: number) => threads.delete(root),
  };
}
