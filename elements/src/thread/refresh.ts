import type { Failure } from '../api.ts';
import type { Reading } from './reading.ts';
import type { Thread } from './thread.ts';

/** The most requests with which one change is read. What is further away is read when it is looked at. */
const requestsMax = 4;

/**
 * Reads again what is shown near some threads, and what is at the end of the list that grows. Resolves to why it could not.
 */
export async function refresh(
  { thread, reading }: { readonly thread: Thread; readonly reading: Reading },
  near: ReadonlySet<number>,
): Promise<Failure | undefined> {
  const { order } = thread;
  const starts = new Set<number | undefined>(order === 'oldest' ? [] : [undefined]);
  const segments = thread.segments();
  const end = segments.findIndex(({ hasMore }) => !hasMore);
  if (order === 'oldest' && (end >= 0 || segments.length === 0)) starts.add(segments[end]?.ids.at(-1));
  if (order !== 'liked') for (const start of pagesOf(thread, near, reading.threadsInPage)) starts.add(start);
  for (const start of [...starts].slice(0, requestsMax)) {
    const failure = await reading.threads(start, { isLive: true });
    if (failure !== undefined) return failure;
  }
  const pages = [...near].flatMap((root) => pagesOfAnswers(thread, root, reading));
  let requests = 0;
  for (const { root, from } of pages.sort((a, b) => a.number - b.number)) {
    // A removed answer on a page far down would stay for as long as the thread is read.
    if (requests >= requestsMax && !hasGone(thread, root)) continue;
    requests += 1;
    const failure = await reading.answersAfter(root, from, { isLive: true });
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/**
 * The pages of the known answers of a thread, each with the id after which it begins. The list of threads has the first few
 * answers of each, so a thread of which no more are known has none.
 */
function pagesOfAnswers(thread: Thread, root: number, { answersInPage, moreAnswers }: Reading) {
  const segments = thread.answerSegments(root);
  if (segments.flatMap(({ ids }) => ids).length <= answersInPage) return [];
  const starts = segments.flatMap(({ ids }) => ids.filter((_, index) => index % moreAnswers === 0));
  return starts.map((id, number) => ({ root, number, from: number === 0 ? undefined : id - 1 }));
}

/** Whether more answers of a thread are known than there are: one of them was removed. */
function hasGone(thread: Thread, root: number): boolean {
  const known = thread.answerSegments(root).flatMap(({ ids }) => ids);
  const isThere = known.filter((id) => thread.get(id)?.is_trashed === false);
  return isThere.length > (thread.get(root)?.reply_count ?? 0);
}

/** The first threads of the pages that have one of these ids, each with the id after which its page begins. */
function pagesOf(thread: Thread, near: ReadonlySet<number>, threadsInPage: number): (number | undefined)[] {
  // What comes before an id in the order of ids: a place to begin at, whether it exists or not.
  const before = (id: number) => (thread.order === 'newest' ? id + 1 : id - 1);
  return thread.segments().flatMap(({ ids }, segment) => {
    const starts: (number | undefined)[] = [];
    for (let at = 0; at < ids.length; at += threadsInPage) {
      const isNear = ids.slice(at, at + threadsInPage).some((id) => near.has(id));
      const isFirst = segment === 0 && at === 0;
      if (isNear) starts.push(isFirst ? undefined : before(ids[at] as number));
    }
    return starts;
  });
}
