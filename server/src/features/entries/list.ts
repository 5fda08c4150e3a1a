import type { ReadableApp, Viewer } from '../../access/access.ts';
import type { EntryKind } from '../../access/entry/entry.sql.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import type { ReadableFile } from '../../access/file/file-access.ts';
import type { Read } from '../../db/db.ts';
import { searchNeedles } from '../../db/dialect.ts';
import { searchFilters } from '../../db/filters.ts';
import { readList } from '../../db/list.ts';
import { withLongTexts } from '../../db/long-texts.ts';
import { countOf, numberOf } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery, type PageAnswer, type Trashed } from '../../kernel/page.ts';
import { parseQuestion } from '../../kernel/search.ts';
import type { ListedEntry } from './entries.sql.ts';
import type { EntryRead } from './entries.ts';
import { countAllEntries, countBelow } from './entry-counts.store.ts';
import { scopeWord } from './entry-index.ts';
import {
  appsWithEntries,
  commentsWithOwnHeld,
  contentsByIds,
  type EntryListParameters,
  type EntryScope,
  type EntrySearch,
  entryList,
  listedByIds,
  wayToSearch,
} from './entry-list.store.ts';
import { partBytes, renderEntries, type Selection } from './entry-view.ts';
import { type OwnHeld, ownHeldIn, withOwnReplies } from './own-held.ts';
import { findPlainPage } from './plain-page.ts';

/**
 * The entries in a list: the entries of an app, the comments on its posts and files, the comments on a post or file, or
 * all entries that a viewer can see, or those of them that one user wrote.
 */
export type EntryRange =
  | { readonly app: ReadableApp }
  | { readonly below: ReadableApp }
  | { readonly post: ReadableEntry<'post'> }
  | { readonly file: ReadableFile }
  | { readonly visible: Viewer; readonly authorId: number | undefined };

type Listing = EntryRead & { readonly list: ListQuery };

/** Lists the entries of one kind in a range: what everybody sees of it, and the caller's own comments that are held. */
export async function listEntriesIn(call: Listing, kind: EntryKind, range: EntryRange): Promise<PageAnswer> {
  if (kind !== 'comment' || 'visible' in range) return await listShown(call, kind, range);
  // Sent together, so that a remote engine answers both in one round trip.
  const [shown, own] = await Promise.all([listShown(call, kind, range), ownHeldOf(call, range)]);
  return own.length === 0 ? shown : await listWithOwn(call, range, own);
}

/** The held comments of the caller in a range. */
async function ownHeldOf(call: Listing, range: Exclude<EntryRange, { readonly visible: unknown }>) {
  if ('below' in range)
    return (await ownHeldIn(call, range.below.id)).filter((own) => own.parentType !== 'app');
  const [type, { id }, appId] = parentOf(range);
  return (await ownHeldIn(call, appId)).filter((own) => own.parentType === type && own.parentId === id);
}

async function listWithOwn(
  call: Listing,
  range: Exclude<EntryRange, { readonly visible: unknown }>,
  own: readonly OwnHeld[],
): Promise<PageAnswer> {
  const { read, list } = call;
  const { scope, words: _, ...parent } = await scopeOf(call, 'comment', range);
  const kind = 'comment';
  const { rows, count, next } = await readList(read, commentsWithOwnHeld, {
    list,
    settings: { scope: 'below' in range ? 'below' : 'parent', trashed: list.trashed === null ? null : false },
    parameters: { ...noParameters, ...parent, kind, ownIds: own.map(({ id }) => id) },
    storedCount: async () =>
      own.length + (await countEntries(read, { kind, scope, ...parent, viewer: undefined }, list.trashed)),
  });
  if (list.countOnly) return envelope(list, { items: [], count });
  const entries = withOwnReplies(await withContents(read, rows), own);
  return envelope(list, {
    items: await renderEntries(call, { kind, entries, expand: list.expand }),
    count,
    next,
  });
}

/** Lists the entries of one kind in a range that everybody sees who sees the range. */
async function listShown(call: Listing, kind: EntryKind, range: EntryRange): Promise<PageAnswer> {
  const { read, list } = call;
  if (kind !== 'post' && isOfParent(range)) {
    const [parentType, { id: parentId }] = parentOf(range);
    const page = await findPlainPage(call, { kind, parentType, parentId });
    if (page !== undefined) return page;
  }
  const { scope, words, ...parent } = await scopeOf(call, kind, range);
  const { settings, parameters } = searchFilters(list, words);
  const { question } = parameters;
  const search = settings.hasQuestion ? await searchOf(call, { kind, ...parent, question }) : 'none';
  const { visible: viewer, authorId } = 'visible' in range ? range : noViewer;
  const hasAuthor = authorId !== undefined;
  const isStored = !settings.hasQuestion && !settings.hasTag && !hasAuthor;
  const { rows, count, next } = await readList(read, entryList, {
    list,
    settings: { scope, kind, trashed: list.trashed, search, hasTag: settings.hasTag, hasAuthor },
    parameters: {
      kind,
      ...parent,
      authorId: authorId ?? 0,
      userId: viewer?.userId ?? 0,
      directoryId: viewer?.directoryId ?? 0,
      needles: search === 'texts' ? searchNeedles(parseQuestion(list.q) ?? []) : [],
      ...parameters,
    },
    storedCount: isStored
      ? () => countEntries(read, { kind, scope, ...parent, viewer }, list.trashed)
      : undefined,
  });
  if (list.countOnly) return envelope(list, { items: [], count });
  const entries = await withContents(read, rows);
  return envelope(list, {
    items: await renderEntries(call, { kind, entries, expand: list.expand }),
    count,
    next,
  });
}

/** The entries of one parent. */
type ParentRange = Exclude<EntryRange, { readonly visible: unknown } | { readonly below: unknown }>;

function isOfParent(range: EntryRange): range is ParentRange {
  return !('visible' in range || 'below' in range);
}

/** The type and the id of a parent, and its app. */
export function parentOf(
  range: ParentRange,
): readonly [type: string, parent: { readonly id: number }, appId: number] {
  if ('app' in range) return ['app', range.app, range.app.id];
  const [type, parent] = 'post' in range ? ['post', range.post.entry] : ['file', range.file.file];
  return [type, parent, parent.appId];
}

type Scope = Pick<EntryListParameters, 'parentType' | 'parentId' | 'appId' | 'appIds'> & {
  readonly scope: EntryScope;
  /** The scope words: the search index has one of them for each entry in the range. */
  readonly words?: readonly string[];
};

const noScope = { parentType: '', parentId: 0, appId: 0, appIds: [] };
const noViewer = { visible: undefined, authorId: undefined };
/** The parameters of a list that is neither limited to a viewer nor searched. */
const noParameters = { authorId: 0, userId: 0, directoryId: 0, question: [], needles: [], tag: '' };

/** A search in more apps than this covers every app, because each app adds a word to the search. */
const searchedAppsMax = 64;

async function scopeOf(
  { read, list }: { read: Read; list: ListQuery },
  kind: EntryKind,
  range: EntryRange,
): Promise<Scope> {
  if ('visible' in range) {
    const { isLimited, userId, directoryId } = range.visible;
    const scope = isLimited ? 'visible' : 'all';
    if (parseQuestion(list.q) === undefined) return { ...noScope, scope };
    const top = searchedAppsMax + 1;
    const apps = await read.all(appsWithEntries(scope), { kind, userId, directoryId, top });
    if (apps.length === top) return { ...noScope, scope };
    const appIds = apps.map(({ id }) => id);
    return { ...noScope, scope: 'apps', appIds, words: appIds.map((id) => scopeWord(kind, 'app', id)) };
  }
  if ('below' in range) {
    const { id } = range.below;
    return { ...noScope, scope: 'below', appId: id, words: [scopeWord(kind, 'app', id)] };
  }
  const [parentType, { id: parentId }, appId] = parentOf(range);
  const words = [scopeWord(kind, parentType, parentId)];
  const scope = kind === 'comment' && parentType === 'app' ? 'app' : 'parent';
  return { ...noScope, scope, parentType, parentId, appId, words };
}

/** How a question in a scope is searched; see `EntrySearch`. */
async function searchOf(
  { read, list }: { read: Read; list: ListQuery },
  {
    kind,
    parentType,
    parentId,
    question,
  }: Pick<Scope, 'parentType' | 'parentId'> & { kind: EntryKind; question: readonly string[] },
): Promise<EntrySearch> {
  const { countOnly, order } = list;
  if (countOnly && parentType === '') return 'index';
  const given = { kind, parentType, parentId, question };
  const [isCount, isById] = [Number(countOnly), Number(order.field === 'id')];
  return (await read.get(wayToSearch, { ...given, isCount, isById }))?.search ?? 'index';
}

const noCount = { live: 0, trashed: 0 };

/** How many entries there are in a scope, from the maintained counts. */
async function countEntries(
  read: Read,
  {
    kind,
    scope,
    parentType,
    parentId,
    appId,
    viewer,
  }: Scope & { kind: EntryKind; viewer: Viewer | undefined },
  trashed: Trashed,
): Promise<number> {
  if (scope === 'below') return numberOf((await read.get(countBelow, { appId })) ?? noCount, trashed);
  if (scope === 'parent' || scope === 'app')
    return await countOf(read, { parentType, parentId, kind }, trashed);
  const { userId, directoryId } = viewer ?? { userId: 0, directoryId: 0 };
  const sums = await read.get(countAllEntries(viewer?.isLimited === true ? 'visible' : 'all'), {
    kind,
    userId,
    directoryId,
  });
  return numberOf(sums ?? noCount, trashed);
}

/** An entry as the list statement reads it: without its content if that is long. */
type ShortEntry = Omit<ListedEntry, 'content'> & { readonly content: string | null; readonly bytes: number };

/** The first of some entries that fit into a page, with their contents. */
export async function withContents<E extends ShortEntry>(
  read: Read,
  rows: readonly E[],
): Promise<(E & ListedEntry)[]> {
  return await withLongTexts(
    rows,
    (ids) => read.all(contentsByIds, { ids }),
    (row) => row.bytes + partBytes(row),
  );
}

/**
 * Entries of one kind as a list shows them, by id: as many of `ids`, in their order, as fit into a page. Call it only
 * for entries that the caller may see.
 */
export async function listedEntries(
  reading: EntryRead,
  { kind, ids, expand }: Pick<Selection, 'kind' | 'expand'> & { readonly ids: readonly number[] },
): Promise<Map<number, Json>> {
  if (ids.length === 0) return new Map();
  const { read } = reading;
  const byId = new Map((await read.all(listedByIds, { ids })).map((row) => [row.id, row]));
  const entries = await withContents(
    read,
    ids.flatMap((id) => byId.get(id) ?? []),
  );
  const rendered = await renderEntries(reading, { kind, entries, expand });
  return new Map(entries.map((entry, index) => [entry.id, rendered[index] as Json]));
}
