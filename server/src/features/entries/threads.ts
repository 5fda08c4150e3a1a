import { limits } from 'confab-contract/fields.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import type { ReadableThread } from '../../access/entry/entry-access.ts';
import type { Read } from '../../db/db.ts';
import { readList } from '../../db/list.ts';
import { countOf } from '../../db/tallies.ts';
import { type Json, json, jsonArray } from '../../kernel/json.ts';
import { envelope, type ListQuery, type PageAnswer, refusal } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { entryApp } from '../../second-form/shapes/entry.ts';
import type { EntryRead } from './entries.ts';
import { renderEnd } from './entry-json.ts';
import { nothing, renderEntries } from './entry-view.ts';
import { type EntryRange, listEntriesIn, parentOf, withContents } from './list.ts';
import { type OwnHeld, ownHeldIn, withOwnReplies } from './own-held.ts';
import { findPlainPage } from './plain-page.ts';
import {
  countOfKey,
  firstReplies,
  inThreadByIds,
  type ThreadScope,
  threadList,
  threadsWithOwnHeld,
} from './threads.store.ts';

/**
 * Threads: the comments of a parent that answer none, each with the first of its thread, and what is below a comment. Both
 * read an index that has just what is shown, so a page costs the same however many answers there are and however deep
 * they are.
 */

type Listing = EntryRead & { readonly list: ListQuery };
type ThreadQuery = {
  readonly thread?: 'roots';
  readonly replies?: number;
  /** Whether to list the comments that began resolved threads or those that began open ones; null or absent for all. */
  readonly resolved?: boolean | null;
  /** The key in the anchors of the threads to list; absent for all. */
  readonly anchor?: string;
};

/** The comments of a parent: its threads where they are asked for, and otherwise all in one list. */
export async function listComments(
  call: Listing & { readonly query: ThreadQuery },
  range: Exclude<EntryRange, { readonly visible: unknown }>,
): Promise<PageAnswer> {
  const { query, list } = call;
  const { thread, replies, resolved = null } = query;
  const anchorKey = query.anchor?.trim();
  const asked =
    thread !== undefined
      ? 'thread'
      : anchorKey !== undefined
        ? 'anchor'
        : resolved !== null
          ? 'resolved'
          : '';
  if (thread === undefined && replies !== undefined) throw refusal('replies', 'needs thread=roots');
  if (asked === '') return await listEntriesIn(call, 'comment', range);
  if ('below' in range) throw refusal(asked, 'needs an app with comments, a file or a post');
  assertOfThreads(list, asked);
  if (anchorKey !== undefined && list.order.field !== 'id')
    throw refusal('order_by', 'must be id with anchor');
  const repliesMax = thread === undefined ? undefined : repliesOf(query, list);
  return await listRoots(call, range, { repliesMax, resolved, anchorKey });
}

/** Throws `invalid_query` for what no list of the comments that began threads can do. */
function assertOfThreads(list: ListQuery, asked: string): void {
  const other = list.q !== undefined ? 'q' : list.tag !== undefined ? 'tag' : undefined;
  if (other !== undefined || list.trashed !== false)
    throw refusal(other ?? 'trashed', `cannot be combined with ${asked}`);
  if (list.order.field !== 'id' && list.order.field !== 'reaction_count')
    throw refusal('order_by', `must be id or reaction_count with ${asked}`);
}

/** How many comments of each thread to show. Throws `invalid_query` for too many. */
function repliesOf({ replies = limits.repliesDefault }: ThreadQuery, list: ListQuery): number {
  if (list.top * replies > limits.repliesInPageMax)
    throw refusal('replies', `times top must be at most ${limits.repliesInPageMax}`);
  return replies;
}

async function listRoots(
  call: Listing,
  range: Parameters<typeof parentOf>[0],
  asked: Omit<RootsPage, 'parent'>,
): Promise<PageAnswer> {
  const [parentType, { id: parentId }, appId] = parentOf(range);
  const page = { parent: { parentType, parentId }, ...asked };
  // Sent together, so that a remote engine answers both in one round trip.
  const [shown, own] = await Promise.all([rootsPage(call, page, []), ownHeldIn(call, appId)]);
  const here = own.filter(
    (each) =>
      each.parentType === parentType &&
      each.parentId === parentId &&
      (each.rootId !== null || isAmong(asked, each)),
  );
  return here.length === 0 ? shown : await rootsPage(call, page, here);
}

type RootsPage = {
  readonly parent: { readonly parentType: string; readonly parentId: number };
  /** How many comments of each thread to show; undefined for the roots alone, as a list of comments has them. */
  readonly repliesMax: number | undefined;
  /** Whether to show the resolved threads or the open ones; null for both. */
  readonly resolved: boolean | null;
  /** The key of the anchors of the threads; undefined for all threads. */
  readonly anchorKey: string | undefined;
};

type Selected = Pick<RootsPage, 'resolved' | 'anchorKey'>;

/** Whether a comment that began a thread is among those that are asked for; a thread stays resolved while it is held. */
function isAmong({ resolved, anchorKey }: Selected, root: OwnHeld): boolean {
  const isInState = resolved === null || resolved === (root.resolvedAt !== null);
  return isInState && (anchorKey === undefined || anchorKey === root.anchorKey);
}

/** The scope of the threads of a parent that are asked for. */
function scopeOf({ resolved, anchorKey }: Selected): ThreadScope {
  const state = resolved === null ? undefined : resolved ? 'resolved' : 'open';
  if (anchorKey === undefined) return state ?? 'roots';
  return state === undefined ? 'anchored' : `anchored_${state}`;
}

/** A page of threads, with the caller's held comments in the parent. */
async function rootsPage(
  call: Listing,
  { parent, repliesMax, resolved, anchorKey }: RootsPage,
  own: readonly OwnHeld[],
): Promise<PageAnswer> {
  const { read, list } = call;
  const plain =
    own.length > 0
      ? undefined
      : await findPlainPage(call, { kind: 'comment', ...parent, replies: repliesMax, resolved, anchorKey });
  if (plain !== undefined) return plain;
  const ownIds = own.filter(({ rootId }) => rootId === null).map(({ id }) => id);
  const { rows, count, next } = await readList(read, own.length > 0 ? threadsWithOwnHeld : threadList, {
    list,
    settings: { scope: scopeOf({ resolved, anchorKey }) },
    parameters: { ...parent, commentId: 0, anchorKey: anchorKey ?? '', ownIds },
    storedCount: async () => (await countThreads(read, { parent, resolved, anchorKey })) + ownIds.length,
  });
  const roots = withOwnReplies(await withContents(read, rows), own);
  const answered = (repliesMax ?? 0) === 0 ? [] : roots.filter(({ replyCount }) => replyCount > 0);
  const replies = await readFirstReplies(
    read,
    answered.map(({ id }) => id),
    { repliesMax: repliesMax ?? 0, own },
  );
  const replyRows = withOwnReplies(await withContents(read, replies), own);
  const items = await renderThread(call, [...roots, ...replyRows], own);
  const below = Map.groupBy(
    replyRows.map(({ rootId }, index) => ({ rootId, item: items[roots.length + index] ?? '' })),
    ({ rootId }) => rootId,
  );
  return envelope(list, {
    items: roots.map(({ id }, index) => {
      if (repliesMax === undefined) return items[index] ?? '';
      const first = (below.get(id) ?? []).map(({ item }) => item);
      return `${items[index]?.slice(0, -1)},"replies":${jsonArray(first)}}`;
    }),
    count,
    next,
  });
}

/** How many threads a parent has: all, the resolved or the open ones; those with a key, or all. */
async function countThreads(
  read: Read,
  { parent, resolved, anchorKey }: Selected & Pick<RootsPage, 'parent'>,
): Promise<number> {
  if (anchorKey !== undefined) {
    const { count = 0, resolvedCount = 0 } = (await read.get(countOfKey, { ...parent, anchorKey })) ?? {};
    return resolved === null ? count : resolved ? resolvedCount : count - resolvedCount;
  }
  const numberOf = (kind: string) => countOf(read, { ...parent, kind }, false);
  if (resolved === true) return await numberOf('resolved');
  // Comments answer or begin a thread, which is open or resolved.
  const [all, answers, done] = await Promise.all([
    numberOf('comment'),
    numberOf('answer'),
    resolved === null ? 0 : numberOf('resolved'),
  ]);
  return all - answers - done;
}

/** The first comments below some roots, by id: at most `repliesMax` of each, with the caller's own that are held. */
async function readFirstReplies(
  read: Read,
  rootIds: readonly number[],
  { repliesMax, own }: { readonly repliesMax: number; readonly own: readonly OwnHeld[] },
): Promise<Row[]> {
  if (rootIds.length === 0) return [];
  const ids = own.flatMap(({ id, rootId }) => (rootId !== null && rootIds.includes(rootId) ? id : []));
  const [shown, held] = await Promise.all([
    read.all(firstReplies, { rootIds, top: repliesMax }),
    ids.length === 0 ? [] : read.all(inThreadByIds, { ids }),
  ]);
  // One that has replies is among those that are shown, as its place.
  const byId = new Map([...shown, ...held].map((row) => [row.id, row]));
  const sorted = [...byId.values()].sort((one, other) => one.id - other.id);
  return [...Map.groupBy(sorted, ({ rootId }) => rootId).values()]
    .flatMap((rows) => rows.slice(0, repliesMax))
    .sort((one, other) => one.id - other.id);
}

/** What is below a comment. */
export async function listBelow(call: Listing, { comment }: ReadableThread): Promise<PageAnswer> {
  const [shown, own] = await Promise.all([belowPage(call, comment, []), ownHeldIn(call, comment.appId)]);
  const below = own.filter(({ replyToId, rootId }) => replyToId === comment.id || rootId === comment.id);
  return below.length === 0 ? shown : await belowPage(call, comment, below);
}

/** A page of what is below a comment, with the caller's held comments there. */
async function belowPage(
  call: Listing,
  { id: commentId, rootId, replyCount }: ReadableThread['comment'],
  own: readonly OwnHeld[],
): Promise<PageAnswer> {
  const { read, list } = call;
  const { rows, count, next } = await readList(read, own.length > 0 ? threadsWithOwnHeld : threadList, {
    list,
    settings: { scope: rootId === null ? 'thread' : 'replies' },
    parameters: { parentType: '', parentId: 0, commentId, anchorKey: '', ownIds: own.map(({ id }) => id) },
    storedCount: async () => replyCount + own.length,
  });
  const comments = withOwnReplies(await withContents(read, rows), own);
  return envelope(list, { items: await renderThread(call, comments, own), count, next });
}

type Shown = Awaited<ReturnType<typeof withContents<Row>>>[number];
type Row = Parameters<typeof withContents>[1][number] & {
  readonly appId: number;
  readonly replyToId: number | null;
  readonly rootId: number | null;
  readonly createdAt: number;
  readonly trashedAt: number | null;
};

/** Comments of threads, and in the place of those that are gone, or held for others, what is left of them. */
async function renderThread(call: Listing, rows: readonly Shown[], own: readonly OwnHeld[]): Promise<Json[]> {
  const ownIds = new Set(own.map(({ id }) => id));
  const entries = rows.filter(({ id, trashedAt }) => trashedAt === null || ownIds.has(id));
  const rendered = await renderEntries(call, { kind: 'comment', entries, expand: call.list.expand });
  const byId = new Map(entries.map(({ id }, index) => [id, rendered[index] as Json]));
  return rows.map((row) => byId.get(row.id) ?? renderPlace(call.caller, row));
}

function renderPlace(
  caller: Pick<Principal, 'form'>,
  { id, appId, replyToId, rootId, replyCount, createdAt }: Shown,
): Json {
  const fields = JSON.stringify({
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
  });
  const app = caller.form === undefined ? '' : `,"app":${entryApp(appId)}`;
  return json(`${fields.slice(0, -1)}${app}${renderEnd(caller, nothing)}}`);
}
