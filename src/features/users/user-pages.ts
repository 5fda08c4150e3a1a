import type { Read } from '../../db/db.ts';
import { filtersOf } from '../../db/filters.ts';
import { countOf } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery, type Order } from '../../kernel/page.ts';
import type { PeopleSetting, Principal } from '../../kernel/principal.ts';
import { userOf } from '../access/user.sql.ts';
import { renderUserFor } from './user-json.ts';
import { userTally } from './user-record.ts';
import { sightOf } from './users.sql.ts';
import { countUsers, listUsers, type UserListParameters, type UserListShape } from './users.store.ts';

/** The directory whose users are listed: every directory, one by its id, none (null); or no user at all. */
export type UserScope = 'every' | 'nobody' | number | null;

/** A request for a page of users. */
type UserList = {
  readonly read: Read;
  readonly caller: Principal;
  readonly list: ListQuery;
  readonly query: { readonly suspended?: boolean | null };
  readonly people: PeopleSetting;
};

/** A page of the users of a scope. The caller must be allowed to list the scope. */
export async function userPage(
  { read, caller, list, query, people }: UserList,
  scope: UserScope,
): Promise<Json> {
  // No directory has the id 0, which stands for having none in the counts.
  if (scope === 'nobody' || scope === 0)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const filters = filtersOf(list);
  const shape: UserListShape = {
    ...orderFor(caller, list.order),
    suspended: query.suspended === undefined ? false : query.suspended,
    trashed: list.trashed,
    ...filters.shape,
    directories: scope === 'every' ? 'every' : scope === null ? 'none' : 'one',
    sight: sightOf(caller, people),
  };
  const parameters = {
    userId: caller.user.id,
    directoryId: typeof scope === 'number' ? scope : 0,
    ...filters.parameters,
  };
  const count = list.count ? await countList(read, shape, parameters) : undefined;
  if (list.countOnly) return envelope(list, { items: [], count });
  const rows = await read.all(listUsers(JSON.stringify(shape)), parameters);
  return envelope(list, { items: rows.map((row) => renderUserFor(caller, userOf(row))), count });
}

/** The kept count of the default list, or the number of rows that the filters leave. */
async function countList(read: Read, shape: UserListShape, parameters: UserListParameters): Promise<number> {
  const isPlain =
    shape.suspended === false &&
    shape.trashed === false &&
    !shape.hasQuestion &&
    !shape.hasTag &&
    shape.sight !== 'shared';
  if (!isPlain) return (await read.get(countUsers(JSON.stringify(shape)), parameters))?.count ?? 0;
  const { directories } = shape;
  const directoryId = directories === 'one' ? parameters.directoryId : null;
  return await countOf(read, directories === 'every' ? userTally() : userTally(directoryId), false);
}

// Users must not be ordered by what the caller is not shown of them, or the caller could find it out.
const hiddenOrders: ReadonlySet<string> = new Set(['email', 'created_at', 'modified_at']);

/** The order of a list, which is the default order where the caller may not use the one it names. */
function orderFor(
  { kind }: Principal,
  { field, descending }: Order,
): Pick<UserListShape, 'order' | 'descending'> {
  if (kind === 'token' && hiddenOrders.has(field)) return { order: 'id', descending: false };
  return { order: field as UserListShape['order'], descending };
}
