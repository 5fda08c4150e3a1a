import type { Read } from '../../db/db.ts';
import { filtersOf } from '../../db/filters.ts';
import { countOf, numberOf } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { viewerOf } from '../access/access.ts';
import {
  countAllEntries,
  countEntries,
  type EntryListParameters,
  type EntryListShape,
  listEntries,
  listedByIds,
} from './entries.store.ts';
import { type EntryKind, renderEntries, scopeWord } from './entries.ts';

/** A list of entries: those of one parent, whose readability the caller has settled, or all the caller may see. */
export async function listEntriesOf(
  read: Read,
  principal: Principal,
  resource: EntryKind,
  parent: { readonly type: 'app' | 'file' | 'post'; readonly id: number } | undefined,
  list: ListQuery,
): Promise<Json> {
  const viewer = viewerOf(principal);
  const scope = parent === undefined ? undefined : scopeWord(resource.kind, parent.type, parent.id);
  const filters = filtersOf(list, scope);
  const shape: EntryListShape = {
    scope: parent !== undefined ? 'parent' : viewer === undefined ? 'all' : 'visible',
    order: list.order.field as EntryListShape['order'],
    descending: list.order.descending,
    trashed: list.trashed,
    ...filters.shape,
  };
  const parameters = {
    kind: resource.kind,
    parentType: parent?.type ?? '',
    parentId: parent?.id ?? 0,
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
  return envelope(list, { items: await renderEntries(read, principal, resource, rows, list.expand), count });
}

/** Some entries as a list shows them, by id; whoever asks has settled that the caller may see them. */
export async function listedEntries(
  read: Read,
  principal: Principal,
  resource: EntryKind,
  ids: readonly number[],
  expand: ReadonlySet<string>,
): Promise<Map<number, Json>> {
  if (ids.length === 0) return new Map();
  const rows = await read.all(listedByIds, { ids });
  const rendered = await renderEntries(read, principal, resource, rows, expand);
  return new Map(rows.map((row, index) => [row.id, rendered[index] as Json]));
}

/** From the maintained counts; only a question or a tag makes the database count what matches. */
async function countList(
  read: Read,
  shape: EntryListShape,
  parameters: EntryListParameters,
): Promise<number> {
  if (shape.hasQuestion || shape.hasTag)
    return (await read.get(countEntries(JSON.stringify(shape)), parameters))?.count ?? 0;
  const { kind, parentType, parentId, userId, directoryId } = parameters;
  if (shape.scope === 'parent') return await countOf(read, { parentType, parentId, kind }, shape.trashed);
  const sums = await read.get(countAllEntries(shape.scope), { kind, userId, directoryId });
  return numberOf(sums ?? { live: 0, trashed: 0 }, shape.trashed);
}
