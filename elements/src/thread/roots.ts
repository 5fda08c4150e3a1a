import { type Compare, createSegments, type PageChange, type Segment } from './segments.ts';

/** The order of the threads. Answers are always in the order in which they were written. */
export type Order = 'newest' | 'oldest' | 'liked';

/** The ids of a page of threads. */
export type PageOfRoots = {
  readonly ids: readonly number[];
  /** The id after which it was read; absent for the first page. */
  readonly from?: number | undefined;
  /** The cursor of the next page; absent for the last one. */
  readonly next: string | undefined;
};

/** Which threads are known, in an order. */
export type Roots = {
  /** The ids, in parts without holes. */
  segments(): readonly Segment[];
  /** The cursor with which the list continues, where it is not made of the last id. */
  next(): string | undefined;
  /** Takes a page; `isLive`: it was read again. */
  take(page: PageOfRoots, isLive: boolean): PageChange;
  /** Adds a thread that was just written. */
  put(id: number): void;
  /** Forgets threads that are gone. */
  remove(gone: ReadonlySet<number>): void;
  /** Keeps the first `max` of these threads and forgets the others, which can be read again. Returns the forgotten ones. */
  cut(ids: readonly number[], max: number): readonly number[];
};

/** Creates the empty list of an order. */
export function createRoots(order: Order): Roots {
  return order === 'liked' ? createLiked() : createOrdered(order === 'oldest' ? byId : (a, b) => b - a);
}

const byId: Compare = (a, b) => a - b;

function createOrdered(compare: Compare): Roots {
  const { all, take, put, remove } = createSegments(compare);
  return {
    segments: all,
    next: () => undefined,
    take: ({ ids, from, next }) => take({ ids, from, hasMore: next !== undefined }),
    put,
    remove,
    cut(ids, max) {
      const chosen = new Set(ids);
      const others = all()
        .flatMap((each) => each.ids)
        .filter((id) => chosen.has(id))
        .slice(max);
      remove(new Set(others), true);
      return others;
    },
  };
}

/** The order of the server, which is not that of the ids. A page says nothing of what it lacks. */
function createLiked(): Roots {
  let ids: readonly number[] = [];
  let next: string | undefined;
  return {
    segments: () => [{ ids, hasMore: next !== undefined }],
    next: () => next,
    take(page, isLive) {
      const added = page.ids.filter((id) => !ids.includes(id));
      if (!isLive) next = page.next;
      ids = [...ids, ...added];
      return { added, removed: [] };
    },
    put(id) {
      if (!ids.includes(id)) ids = [id, ...ids];
    },
    remove(gone) {
      ids = ids.filter((id) => !gone.has(id));
    },
    cut: () => [],
  };
}
