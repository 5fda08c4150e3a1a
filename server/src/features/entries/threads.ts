import { limits } from 'confab-contract/fields.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import type { ReadableThread } from '../../access/entry/entry-access.ts';
import { readList } from '../../db/list.ts';
import { countOf } from '../../db/tallies.ts';
import { type Json, json, jsonArray } from '../../kernel/json.ts';
import { envelope, type ListQuery, type PageAnswer, refusal } from '../../kernel/page.ts';
import type { EntryRead } from './entries.ts';
import { renderEntries } from './entry-view.ts';
import { type EntryRange, listEntriesIn, parentOf, withContents } from './list.ts';
import { findPlainPage } from './plain-page.ts';
import { firstReplies, threadList } from './threads.store.ts';

/**
 * Threads: the comments of a parent that answer none, each with the first of its thread, and what is below a comment. Both
 * read an index that has just what is shown, so a page costs the same however many answers there are and however deep
 * they are.
 */

type Listing = EntryRead & { readonly list: ListQuery };
type ThreadQuery = { readonly thread?: 'roots'; readonly replies?: number };

/** The comments of a parent: its threads where they are asked for, and otherwise all in one list. */
export async function listComments(
  call: Listing & { readonly query: ThreadQuery },
  range: Exclude<EntryRange, { readonly visible: unknown }>,
): Promise<PageAnswer> {
  const { query, list } = call;
  if (query.thread === undefined) {
    if (query.replies !== undefined) throw refusal('replies', 'needs thread=roots');
    return await listEntriesIn(call, 'comment', range);
  }
  if ('below' in range) throw refusal('thread', 'needs an app with comments, a file or a post');
  return await listRoots(call, range, repliesOf(query, list));
}

/** How many comments of each thread to show. Throws `invalid_query` for what no list of threads can do. */
function repliesOf({ replies = limits.repliesDefault }: ThreadQuery, list: ListQuery): number {
  const other = list.q !== undefined ? 'q' : list.tag !== undefined ? 'tag' : undefined;
  if (other !== undefined || list.trashed !== false)
    throw refusal(other ?? 'trashed', 'cannot be combined with thread');
  if (list.order.field !== 'id' && list.order.field !== 'reaction_count')
    throw refusal('order_by', 'must be id or reaction_count with thread');
  if (list.top * replies > limits.repliesInPageMax)
    throw refusal('replies', `times top must be at most ${limits.repliesInPageMax}`);
  return replies;
}

async function listRoots(
  call: Listing,
  range: Parameters<typeof parentOf>[0],
  repliesMax: number,
): Promise<PageAnswer> {
  const { read, list } = call;
  const [parentType, { id: parentId }] = parentOf(range);
  const parent = { parentType, parentId };
  const plain = await findPlainPage(call, { kind: 'comment', ...parent, replies: repliesMax });
  if (plain !== undefined) return plain;
  const { rows, count, next } = await readList(read, threadList, {
    list,
    settings: { scope: 'roots' },
    parameters: { ...parent, commentId: 0 },
    // Comments answer or begin a thread.
    storedCount: async () => {
      const [all, answers] = await Promise.all(
        ['comment', 'answer'].map((kind) => countOf(read, { ...parent, kind }, false)),
      );
      return (all ?? 0) - (answers ?? 0);
    },
  });
  const roots = await withContents(read, rows);
  const answered = repliesMax === 0 ? [] : roots.filter(({ replyCount }) => replyCount > 0);
  const replies =
    answered.length === 0
      ? []
      : await read.all(firstReplies, { rootIds: answered.map(({ id }) => id), top: repliesMax });
  const replyRows = await withContents(
    read,
    replies.sort((one, other) => one.id - other.id),
  );
  const items = await renderThread(call, [...roots, ...replyRows]);
  const below = Map.groupBy(
    replyRows.map(({ rootId }, index) => ({ rootId, item: items[roots.length + index] ?? '' })),
    ({ rootId }) => rootId,
  );
  return envelope(list, {
    items: roots.map(({ id }, index) => {
      const first = (below.get(id) ?? []).map(({ item }) => item);
      return `${items[index]?.slice(0, -1)},"replies":${jsonArray(first)}}`;
    }),
    count,
    next,
  });
}

/** What is below a comment. */
export async function listBelow(call: Listing, { comment }: ReadableThread): Promise<PageAnswer> {
  const { read, list } = call;
  const { rows, count, next } = await readList(read, threadList, {
    list,
    settings: { scope: comment.rootId === null ? 'thread' : 'replies' },
    parameters: { parentType: '', parentId: 0, commentId: comment.id },
    storedCount: async () => comment.replyCount,
  });
  const comments = await withContents(read, rows);
  return envelope(list, { items: await renderThread(call, comments), count, next });
}

type Shown = Awaited<ReturnType<typeof withContents<Row>>>[number];
type Row = Parameters<typeof withContents>[1][number] & {
  readonly appId: number;
  readonly replyToId: number | null;
  readonly rootId: number | null;
  readonly createdAt: number;
  readonly trashedAt: number | null;
};

/** Comments of threads, and in the place of those that are gone what is left of them. */
async function renderThread(call: Listing, rows: readonly Shown[]): Promise<Json[]> {
  const entries = rows.filter(({ trashedAt }) => trashedAt === null);
  const rendered = await renderEntries(call, { kind: 'comment', entries, expand: call.list.expand });
  const byId = new Map(entries.map(({ id }, index) => [id, rendered[index] as Json]));
  return rows.map((row) => byId.get(row.id) ?? renderPlace(row));
}

function renderPlace({ id, appId, replyToId, rootId, replyCount, createdAt }: Shown): Json {
  return json(
    JSON.stringify({
      id,
      reply_count: replyCount,
      app_id: appId,
      ...(replyToId === null ? {} : { reply_to_id: replyToId }),
      ...(rootId === null ? {} : { root_id: rootId }),
      tags: [],
      attachment_count: 0,
      option_count: 0,
      created_at: timestamp(createdAt),
      is_trashed: true,
      attachments: [],
      options: [],
      reactions: [],
    }),
  );
}
