import { createAnswers } from './answers.ts';
import type { Comment } from './comment.ts';
import { createPlaces, type Place } from './places.ts';
import { createRoots, type Order } from './roots.ts';

/**
 * The state of the comments of an app, apart from the page that shows it: which comments are known and shown, in which
 * order, and what waits. What arrives while somebody reads is never shown by itself, so nothing moves: new comments wait
 * until `reveal`, and new answers are counted as the rest of their thread. Edits, reactions and removals are applied where
 * they are.
 */

/** What is shown: places, and the threads between them that have not been read, which are after an id. */
export type Shown = Place | { readonly gapAfter: number };

/** A page of threads. Those of `liked` have the cursor of the next page. */
export type ThreadPage = {
  readonly data: readonly Comment[];
  /** How many threads there are in all. */
  readonly count: number;
  /** The id after which it was read; absent for the first page. */
  readonly from?: number | undefined;
  readonly next: string | undefined;
};

/** A page of the answers of a thread: what follows `from`, or the first ones. */
export type AnswerPage = {
  readonly data: readonly Comment[];
  readonly from?: number;
  readonly hasMore: boolean;
};

/** How many new threads are shown at once. Hundreds would stop the page, and are more than anybody has asked for. */
const revealedMax = 25;

const idsOf = (comments: readonly Comment[]) => comments.map(({ id }) => id);

/** Counts another answer of a comment that is known. */
function countUp(comments: Map<number, Comment>, id = 0): void {
  const known = comments.get(id);
  if (known !== undefined) comments.set(id, { ...known, reply_count: (known.reply_count ?? 0) + 1 });
}

/** A thread list in an order. `change` is called after each change; `isLive` when nobody here has asked for it. */
export type Thread = ReturnType<typeof createThread>;

/** Creates the empty state of the comments of an app. */
export function createThread(order: Order, change: (isLive?: boolean) => void = () => undefined) {
  const comments = new Map<number, Comment>();
  const roots = createRoots(order);
  const waiting = new Set<number>();
  /**
   * What waits for approval and was put here, while no list has had it since. Lists have it for its author, who may have
   * put it before or after, and never for a moderator, who looks at it. So it is not counted before a list has it.
   */
  const unlisted = new Set<number>();
  const answers = createAnswers(comments, unlisted);
  const places = createPlaces(comments);
  /** What was written or removed here, with the number of the change. An answer that was under way then is older. */
  const changed = new Map<number, number>();
  let changes = 0;
  let since = 0;
  let count = 0;
  let isRead = false;

  const isNewer = (id: number) => (changed.get(id) ?? 0) > since;

  /** Whether an answer has a comment that was removed here meanwhile. */
  const isRemoved = ({ id }: Comment) => isNewer(id) && !comments.has(id);

  /** Keeps a comment. One that says the same stays the same object. */
  function keep(comment: Comment): void {
    const known = comments.get(comment.id);
    // To a moderator, lists have the place alone of what waits for approval and has answers.
    if ((comment.is_trashed && unlisted.has(comment.id)) || isNewer(comment.id)) return;
    unlisted.delete(comment.id);
    const { replies: _, ...own } = comment;
    if (known === undefined || JSON.stringify(known) !== JSON.stringify(own)) comments.set(comment.id, own);
  }

  function forget(id: number): void {
    comments.delete(id);
    waiting.delete(id);
    unlisted.delete(id);
    answers.forget(id);
    places.forget(id);
  }

  /** Forgets what a list has no more. What waits for approval and was put here stays for whoever put it. */
  function drop(id: number, list: { put(id: number): void }): void {
    if (isNewer(id) || unlisted.has(id)) list.put(id);
    else forget(id);
  }

  /** Takes answers of a thread; those that appear among known ones wait. */
  function takeAnswers(root: number, page: AnswerPage, isLive: boolean): void {
    const of = answers.of(root);
    const data = page.data.filter((each) => !isRemoved(each));
    const { added, removed } = of.segments.take({ ...page, ids: idsOf(data) });
    for (const comment of data) keep(comment);
    for (const id of removed) drop(id, of.segments);
    if (isLive) for (const id of added) of.waiting.add(id);
    const known = comments.get(root);
    if (known !== undefined && answers.restOf(known) === undefined) of.seenCount = known.reply_count ?? 0;
  }

  function takeFirstAnswers({ id, replies, reply_count: all = 0 }: Comment, isLive: boolean): void {
    if (replies === undefined) return;
    const shown = replies.filter((reply) => !reply.is_trashed).length;
    const hasMore = shown < all;
    takeAnswers(id, { data: replies, hasMore }, isLive);
  }

  const thread = {
    order,

    /** Whether the first page has been read. */
    isRead: () => isRead,

    /** How often something was written or removed here; an answer to a request of this moment is older than the next time. */
    changes: () => changes,

    /** Takes a page of threads. `isLive`: it was read again, so what it adds waits. `at`: what `changes` was when it was asked for. */
    take(page: ThreadPage, { isLive = false, at = changes } = {}): void {
      since = at;
      count = page.count;
      const data = page.data.filter((each) => !isRemoved(each));
      const { added, removed } = roots.take({ ids: idsOf(data), from: page.from, next: page.next }, isLive);
      for (const id of removed) drop(id, roots);
      if (isLive) for (const id of added) waiting.add(id);
      for (const comment of data) {
        const isKnown = answers.has(comment.id);
        keep(comment);
        takeFirstAnswers(comment, isLive && isKnown);
      }
      isRead = true;
      change(isLive);
    },

    /** Takes a page of the answers of a thread. */
    takeAnswers(root: number, page: AnswerPage, { isLive = false, at = changes } = {}): void {
      since = at;
      takeAnswers(root, page, isLive);
      change(isLive);
    },

    /** Takes a comment that is shown at once: one that was just written or changed, or that a permalink names. */
    put(comment: Comment): void {
      const { id, root_id: root, is_held: isHeld } = comment;
      const known = comments.get(id);
      const isListed = known?.is_held && !unlisted.has(id);
      const isCounted = !known && !isHeld;
      since = changes;
      keep(comment);
      if (isHeld && !isListed) unlisted.add(id);
      changes += 1;
      changed.set(id, changes);
      if (root !== undefined) {
        const of = answers.of(root);
        of.segments.put(id);
        of.waiting.delete(id);
        if (isCounted) for (const above of new Set([root, comment.reply_to_id])) countUp(comments, above);
      } else {
        roots.put(id);
        waiting.delete(id);
        if (isCounted) count += 1;
      }
      change();
    },

    /** Takes a comment away that is gone. */
    remove(id: number): void {
      const root = comments.get(id)?.root_id;
      const gone = new Set([id]);
      if (root !== undefined) answers.of(root).segments.remove(gone);
      roots.remove(gone);
      forget(id);
      changes += 1;
      changed.set(id, changes);
      change();
    },

    /** Shows what waits: the answers of one thread, or the first new threads; the others are read when somebody wants more. */
    reveal(root?: number): void {
      if (root === undefined) roots.cut([...waiting], revealedMax).forEach(forget);
      (root === undefined ? waiting : answers.of(root).waiting).clear();
      change();
    },

    /** Shows a comment that is known, whether it waits or not, with its thread. */
    show(id: number): void {
      const root = comments.get(id)?.root_id ?? id;
      waiting.delete(root);
      answers.of(root).waiting.delete(id);
      change();
    },

    /** A comment that is known. */
    get: (id: number) => comments.get(id),

    /** Whether a comment is known and does not wait. */
    isShown(id: number): boolean {
      const comment = comments.get(id);
      if (comment === undefined) return false;
      const { root_id: root } = comment;
      return root === undefined
        ? !waiting.has(id)
        : thread.isShown(root) && !answers.of(root).waiting.has(id);
    },

    /** The app that the comments are of; undefined where there are none. */
    appId: () => [...comments.values()][0]?.app_id,

    /** How many new threads wait. */
    waitingCount: () => waiting.size,

    /** The ids of the threads that are known, in parts without holes. */
    segments: roots.segments,

    /** The known answers of a thread, in parts without holes. */
    answerSegments: (root: number) => answers.of(root).segments.all(),

    /** Where the list of liked threads continues. */
    next: roots.next,

    /** How many comments there are with all answers; undefined while only the server can count them. */
    total: () => answers.totalOf(roots.segments(), count),

    /** What is shown, in order. */
    shown(): readonly Shown[] {
      const segments = thread.segments();
      return segments.flatMap(({ ids, hasMore }) => {
        const shown = ids.filter((id) => !waiting.has(id));
        const last = ids.at(-1);
        const found: Shown[] = shown.flatMap((id) => placeOf(id) ?? []);
        if (hasMore && last !== undefined && shown.length > 0) found.push({ gapAfter: last });
        return found;
      });
    },
  };

  /** The place of a thread with its answers. What has not changed is the same object as before. */
  function placeOf(root: number): Place | undefined {
    const comment = comments.get(root);
    if (comment === undefined) return undefined;
    return places.arrange(comment, answers.shownIds(root), answers.restOf(comment));
  }

  return thread;
}
