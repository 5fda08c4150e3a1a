import type { Comment } from './comment.ts';
import { type Compare, createSegments } from './segments.ts';

/**
 * The state of the comments of an app, apart from the page that shows it: which comments are known and shown, in which
 * order, and what waits. What arrives while somebody reads is never shown by itself, so nothing moves: new comments wait
 * until `reveal`, and new answers are counted as the rest of their thread. Edits, reactions and removals are applied where
 * they are.
 */

/** The order of the threads. Answers are always in the order in which they were written. */
export type Order = 'newest' | 'oldest' | 'liked';

/** A comment at its place. Its object is the same until something in it or below it changes. */
export type Place = {
  readonly comment: Comment;
  /** 0 for one that answers none, at most `depthMax`. */
  readonly depth: number;
  /** Whom it answers, where its place does not show it. */
  readonly answered: Comment | undefined;
  readonly answers: readonly Place[];
  /** The answers of a thread that are not shown; only at its beginning. */
  readonly rest: { readonly count: number; readonly isNew: boolean } | undefined;
};

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

/** Deeper answers are drawn below one another, with the name of whom they answer. */
const depthMax = 3;
/** How many new threads are shown at once. Hundreds would stop the page, and are more than anybody has asked for. */
const revealedMax = 25;

const byTime: Compare = (a, b) => a - b;
const compares: Readonly<Record<Order, Compare | undefined>> = {
  newest: (a, b) => b - a,
  oldest: byTime,
  liked: undefined,
};

const idsOf = (comments: readonly Comment[]) => comments.map(({ id }) => id);

type Answers = {
  readonly segments: ReturnType<typeof createSegments>;
  readonly waiting: Set<number>;
  /** How many answers there were when all of them were last shown; undefined before. */
  seenCount: number | undefined;
};

/** A thread list in an order. `change` is called after each change; `isLive` when nobody here has asked for it. */
export type Thread = ReturnType<typeof createThread>;

/** Creates the empty state of the comments of an app. */
export function createThread(order: Order, change: (isLive?: boolean) => void = () => undefined) {
  const comments = new Map<number, Comment>();
  const compare = compares[order];
  const roots = createSegments(compare ?? byTime);
  /** The order of the server, where it is not that of the ids. */
  let liked: readonly number[] = [];
  let likedNext: string | undefined;
  const waiting = new Set<number>();
  const answers = new Map<number, Answers>();
  const places = new Map<number, Place>();
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
    // Lists have the place alone of what waits for approval and has answers.
    if ((comment.is_trashed && known?.is_held) || isNewer(comment.id)) return;
    const { replies: _, ...own } = comment;
    if (known === undefined || JSON.stringify(known) !== JSON.stringify(own)) comments.set(comment.id, own);
  }

  function answersOf(root: number): Answers {
    let found = answers.get(root);
    if (found === undefined) {
      found = { segments: createSegments(byTime), waiting: new Set(), seenCount: undefined };
      answers.set(root, found);
    }
    return found;
  }

  function forget(id: number): void {
    comments.delete(id);
    waiting.delete(id);
    answers.delete(id);
    places.delete(id);
  }

  /** Forgets what a list has no more. What waits for approval is in no list; it stays for its author. */
  function drop(id: number, list: ReturnType<typeof createSegments>): void {
    if (isNewer(id) || comments.get(id)?.is_held) list.put(id);
    else forget(id);
  }

  /** How many answers of a thread are known and shown. Places of removed comments do not count. */
  function shownCount(root: number): number {
    const { segments, waiting: later } = answersOf(root);
    return segments
      .all()
      .flatMap(({ ids }) => ids)
      .filter((id) => !later.has(id) && comments.get(id)?.is_trashed === false).length;
  }

  function restOf(root: Comment): Place['rest'] {
    const all = root.reply_count ?? 0;
    const rest = all - shownCount(root.id);
    if (rest <= 0) return undefined;
    const { seenCount } = answersOf(root.id);
    return { count: rest, isNew: seenCount !== undefined && all - seenCount === rest };
  }

  /** Takes answers of a thread; those that appear among known ones wait. */
  function takeAnswers(root: number, page: AnswerPage, isLive: boolean): void {
    const of = answersOf(root);
    const data = page.data.filter((each) => !isRemoved(each));
    const { added, removed } = of.segments.take({ ...page, ids: idsOf(data) });
    for (const comment of data) keep(comment);
    for (const id of removed) drop(id, of.segments);
    if (isLive) for (const id of added) of.waiting.add(id);
    const known = comments.get(root);
    if (known !== undefined && restOf(known) === undefined) of.seenCount = known.reply_count ?? 0;
  }

  function takeFirstAnswers({ id, replies, reply_count: all = 0 }: Comment, isLive: boolean): void {
    if (replies === undefined) return;
    const shown = replies.filter((reply) => !reply.is_trashed).length;
    const hasMore = shown < all;
    takeAnswers(id, { data: replies, hasMore }, isLive);
  }

  function takeLiked(page: ThreadPage, isLive: boolean): void {
    const known = new Set(liked);
    const added = idsOf(page.data).filter((id) => !known.has(id));
    if (isLive) for (const id of added) waiting.add(id);
    else likedNext = page.next;
    liked = [...liked, ...added];
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
      if (compare === undefined) takeLiked({ ...page, data }, isLive);
      else {
        const hasMore = page.next !== undefined;
        const { added, removed } = roots.take({ ids: idsOf(data), from: page.from, hasMore });
        for (const id of removed) drop(id, roots);
        if (isLive) for (const id of added) waiting.add(id);
      }
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
      const { id, root_id: root } = comment;
      const isKnown = comments.has(id);
      since = changes;
      keep(comment);
      changes += 1;
      changed.set(id, changes);
      if (root !== undefined) {
        const of = answersOf(root);
        of.segments.put(id);
        of.waiting.delete(id);
        const parent = comments.get(root);
        if (!isKnown && parent !== undefined)
          comments.set(root, { ...parent, reply_count: (parent.reply_count ?? 0) + 1 });
      } else {
        if (compare === undefined) liked = liked.includes(id) ? liked : [id, ...liked];
        else roots.put(id);
        waiting.delete(id);
        if (!isKnown) count += 1;
      }
      change();
    },

    /** Takes a comment away that is gone. */
    remove(id: number): void {
      const root = comments.get(id)?.root_id;
      const gone = new Set([id]);
      if (root !== undefined) answersOf(root).segments.remove(gone);
      roots.remove(gone);
      liked = liked.filter((each) => each !== id);
      forget(id);
      changes += 1;
      changed.set(id, changes);
      change();
    },

    /** Shows what waits: the answers of one thread, or the first new threads; the others are read when somebody wants more. */
    reveal(root?: number): void {
      if (root === undefined) {
        const ids = roots.all().flatMap((each) => each.ids);
        const later = ids.filter((id) => waiting.has(id)).slice(revealedMax);
        roots.remove(new Set(later), true);
        later.forEach(forget);
      }
      (root === undefined ? waiting : answersOf(root).waiting).clear();
      change();
    },

    /** Shows a comment that is known, whether it waits or not, with its thread. */
    show(id: number): void {
      const root = comments.get(id)?.root_id ?? id;
      waiting.delete(root);
      answersOf(root).waiting.delete(id);
      change();
    },

    /** A comment that is known. */
    get: (id: number) => comments.get(id),

    /** Whether a comment is known and does not wait. */
    isShown(id: number): boolean {
      const comment = comments.get(id);
      if (comment === undefined) return false;
      const { root_id: root } = comment;
      return root === undefined ? !waiting.has(id) : thread.isShown(root) && !answersOf(root).waiting.has(id);
    },

    /** The app that the comments are of; undefined where there are none. */
    appId: () => [...comments.values()][0]?.app_id,

    /** How many new threads wait. */
    waitingCount: () => waiting.size,

    /** The ids of the threads that are known, in parts without holes. */
    segments: () =>
      compare === undefined ? [{ ids: liked, hasMore: likedNext !== undefined }] : roots.all(),

    /** The known answers of a thread, in parts without holes. */
    answerSegments: (root: number) => answersOf(root).segments.all(),

    /** Where the list of liked threads continues. */
    next: () => likedNext,

    /** How many comments there are with all answers; undefined while only the server can count them. */
    total(): number | undefined {
      const ids = thread.segments().flatMap((each) => each.ids);
      const known = ids.map((id) => comments.get(id)).filter((each) => each !== undefined);
      const threads = known.filter((each) => !each.is_trashed).length;
      if (threads !== count) return undefined;
      return known.reduce((sum, each) => sum + (each.reply_count ?? 0), threads);
    },

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
    const { segments, waiting: later } = answersOf(root);
    const ids = segments.all().flatMap((each) => each.ids.filter((id) => !later.has(id)));
    const drafts = new Map<number, Draft>();
    const top: Draft = { comment, depth: 0, answered: undefined, answers: [], list: undefined };
    drafts.set(root, top);
    for (const id of ids) {
      const answer = comments.get(id);
      if (answer === undefined) continue;
      const parent = drafts.get(answer.reply_to_id ?? root);
      // The answered one may not be known yet, or be drawn as deep as it goes.
      const above = parent === undefined || parent.depth === depthMax ? (parent?.list ?? top) : parent;
      const answered = above === parent ? undefined : comments.get(answer.reply_to_id ?? root);
      const draft: Draft = { comment: answer, depth: above.depth + 1, answered, answers: [], list: above };
      above.answers.push(draft);
      drafts.set(id, draft);
    }
    return settle(top, restOf(comment));
  }

  function settle({ comment, depth, answered, answers: drafts }: Draft, rest: Place['rest']): Place {
    const below = drafts.map((draft) => settle(draft, undefined));
    const known = places.get(comment.id);
    const isSame =
      known !== undefined &&
      known.comment === comment &&
      known.depth === depth &&
      known.answered === answered &&
      known.rest?.count === rest?.count &&
      known.rest?.isNew === rest?.isNew &&
      known.answers.length === below.length &&
      below.every((place, index) => place === known.answers[index]);
    if (isSame) return known;
    const place = { comment, depth, answered, answers: below, rest };
    places.set(comment.id, place);
    return place;
  }

  return thread;
}

type Draft = {
  readonly comment: Comment;
  readonly depth: number;
  readonly answered: Comment | undefined;
  readonly answers: Draft[];
  /** In whose answers it is drawn. */
  readonly list: Draft | undefined;
};
