import type { Read } from '../../db/db.ts';
import { filtersOf } from '../../db/filters.ts';
import { withLongTexts } from '../../db/long-texts.ts';
import { countOf, numberOf } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { viewerOf } from '../access/access.ts';
import {
  contentsByIds,
  countAllEntries,
  countBelow,
  countEntries,
  type EntryListParameters,
  type EntryListShape,
  type ListedEntry,
  listEntries,
  listedByIds,
} from './entries.store.ts';
import { type EntryKind, renderEntries, scopeWord } from './entries.ts';

/** What a list of entries belongs to; `below` is an app, the list being of the comments on its posts and files. */
export type ListParent = { readonly type: 'app' | 'file' | 'post' | 'below'; readonly id: number };

/** A list of entries: those of one parent, whose readability the caller has settled, or all the caller may see. */
export async function listEntriesOf(
  read: Read,
  principal: Principal,
  resource: EntryKind,
  parent: ListParent | undefined,
  list: ListQuery,
): Promise<Json> {
  const viewer = viewerOf(principal);
  const isBelow = parent?.type === 'below';
  const scope =
    parent === undefined ? undefined : scopeWord(resource.kind, isBelow ? 'app' : parent.type, parent.id);
  const filters = filtersOf(list, scope);
  const shape: EntryListShape = {
    scope: isBelow ? 'below' : parent !== undefined ? 'parent' : viewer === undefined ? 'all' : 'visible',
    order: list.order.field as EntryListShape['order'],
    descending: list.order.descending,
    trashed: list.trashed,
    ...filters.shape,
  };
  const parameters = {
    kind: resource.kind,
    parentType: parent?.type ?? '',
    parentId: parent?.id ?? 0,
    appId: isBelow ? parent.id : 0,
    userId: viewer?.userId ?? 0,
    directoryId: viewer?.directoryId ?? 0,
    ...filters.parameters,
  };
  // Side by side, because an engine that is elsewhere makes each of them wait.
  const [count, rows] = await Promise.all([
    list.count ? countList(read, shape, parameters) : undefined,
    list.countOnly ? [] : read.all(listEntries(JSON.stringify(shape)), parameters),
  ]);
  if (list.countOnly) return envelope(list, { items: [], count });
  const shown = await withContents(read, rows);
  return envelope(list, { items: await renderEntries(read, principal, resource, shown, list.expand), count });
}

/** An entry as a list reads it: without its content where that is long. */
type ShortEntry = Omit<ListedEntry, 'content'> & { readonly content: string | null; readonly bytes: number };

/** About how many bytes stand in a list for an attachment, an option and a reaction of an entry. */
const attachmentBytes = 1200;
const optionBytes = 600;
const reactionBytes = 120;

/** The first of some entries that fit into a page, with their contents. */
async function withContents(read: Read, rows: readonly ShortEntry[]): Promise<ListedEntry[]> {
  return await withLongTexts(
    rows,
    (ids) => read.all(contentsByIds, { ids }),
    ({ bytes, attachmentCount, optionCount, reactionCount }) =>
      bytes + attachmentCount * attachmentBytes + optionCount * optionBytes + reactionCount * reactionBytes,
  );
}

/**
 * Some entries as a list shows them, by id, in the order of `ids` as many as fit into a page; whoever asks has settled that
 * the caller may see them.
 */
export async function listedEntries(
  read: Read,
  principal: Principal,
  resource: EntryKind,
  ids: readonly number[],
  expand: ReadonlySet<string>,
): Promise<Map<number, Json>> {
  if (ids.length === 0) return new Map();
  const found = new Map((await read.all(listedByIds, { ids })).map((row) => [row.id, row]));
  const rows = await withContents(
    read,
    ids.flatMap((id) => found.get(id) ?? []),
  );
  const rendered = await renderEntries(read, principal, resource, rows, expand);
  return new Map(rows.map((row, index) => [row.id, rendered[index] as Json]));
}

const noCount = { live: 0, trashed: 0 };

/** From the maintained counts; only a question or a tag makes the database count what matches. */
async function countList(
  read: Read,
  shape: EntryListShape,
  parameters: EntryListParameters,
): Promise<number> {
  if (shape.hasQuestion || shape.hasTag)
    return (await read.get(countEntries(JSON.stringify(shape)), parameters))?.count ?? 0;
  const { kind, parentType, parentId, appId, userId, directoryId } = parameters;
  if (shape.scope === 'below')
    return numberOf((await read.get(countBelow, { appId })) ?? noCount, shape.trashed);
  if (shape.scope === 'parent') return await countOf(read, { parentType, parentId, kind }, shape.trashed);
  const sums = await read.get(countAllEntries(shape.scope), { kind, userId, directoryId });
  return numberOf(sums ?? noCount, shape.trashed);
}
