import type { Api, Failure } from '../api.ts';
import type { Comment } from './comment.ts';
import type { Thread } from './thread.ts';

/**
 * Reads the comments of an app into a thread, page by page. Every page begins after an id or at the beginning, so reading it
 * again says what has changed in it (`refresh.ts`).
 */

/** How many threads a page has, and how many of the first answers of each. */
const threadsInPage = 25;
const answersInPage = 3;
/** How many answers are read at once when somebody wants more of them. */
const moreAnswers = 50;

const orders = { newest: 'id+desc', oldest: 'id', liked: 'reaction_count+desc' } as const;
const lists = { threads: 'listAppComments', answers: 'listReplies' } as const;

type List = { readonly data: readonly Comment[]; readonly count: number };
type Result = Promise<Failure | undefined>;

/** Reads the comments of an app, by its id or uid. Each function resolves to why it could not. */
export type Reading = ReturnType<typeof createReading>;

/** What reads: the calls of the server, and whether the app is made for whoever writes the first comment. */
type Reader = { readonly api: Pick<Api, 'call'>; readonly opens: () => Promise<boolean> };

/** Creates the reader of an app into a thread. */
export function createReading({ api, opens }: Reader, app: string, thread: Thread) {
  const path = `/api/apps/${encodeURIComponent(app)}/comments`;
  const { order } = thread;
  let isWritable = false;
  let isMissing = false;

  async function readThreads(from?: number, { isLive = false } = {}): Result {
    const isFirst = from === undefined;
    const cursor = order === 'liked' ? thread.next() : isFirst ? '' : cursorAfter('threads', from, order);
    const after = cursor && !(isLive && order === 'liked') ? `&after=${cursor}` : '';
    const at = thread.changes();
    const answer = await api.call<List>(
      `${path}?thread=roots&replies=${answersInPage}&expand=created_by,embed&order_by=${orders[order]}&top=${threadsInPage}&page=true${after}`,
      { isFresh: isLive },
    );
    if (!answer.ok) return answer;
    const { body, next } = answer;
    // A page that nobody has commented on has no app yet; the server does not tell it from one that is closed.
    isMissing = answer.isWritable === undefined;
    // A field with a text stays when the app is locked; what is sent then is refused with the reason.
    isWritable ||= answer.isWritable ?? (await opens());
    thread.take({ ...body, from, next }, { isLive, at });
    return undefined;
  }

  async function readAnswers(root: number, from?: number, { isLive = false } = {}): Result {
    const after = from === undefined ? '' : `&after=${cursorAfter('answers', from)}`;
    const at = thread.changes();
    const answer = await api.call<List>(
      `/api/comments/${root}/replies?expand=created_by,embed&top=${moreAnswers}${after}`,
      { isFresh: isLive },
    );
    if (!answer.ok) return answer;
    const page = { data: answer.body.data, hasMore: answer.next !== undefined };
    thread.takeAnswers(root, from === undefined ? page : { ...page, from }, { isLive, at });
    return undefined;
  }

  return {
    threadsInPage,
    answersInPage,
    moreAnswers,

    /** Whether there is no app yet. */
    isMissing: () => isMissing,

    /** Whether people write here, once they have signed in. */
    isWritable: () => isWritable,

    /** Reads the first page, or the page after a thread; what is new in it waits where it `isLive`. */
    threads: readThreads,

    /** Shows what waits of a thread, and reads the first answers that are not known. */
    async answers(root: number): Result {
      thread.reveal(root);
      const known = thread.answerSegments(root);
      const first = known.find(({ hasMore }) => hasMore) ?? known[0];
      return await readAnswers(root, first?.ids.at(-1));
    },

    /** Reads the answers of a thread after an id, or the first ones; what is new in them waits where it `isLive`. */
    answersAfter: readAnswers,

    /** How many comments the app has with all answers; undefined where the server does not say. */
    async count(): Promise<number | undefined> {
      const answer = await api.call<{ counts: number[] }>(`/api/counts?uid=${encodeURIComponent(app)}`);
      return answer.ok ? answer.body.counts[0] : undefined;
    },
  };
}

/** The cursor of what follows an id in a list, in the form of the server (`server/src/http/queries/cursor.ts`). */
function cursorAfter(list: keyof typeof lists, id: number, order: 'newest' | 'oldest' = 'oldest'): string {
  return btoa(JSON.stringify([lists[list], 'id', order === 'newest', 1, id]))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
