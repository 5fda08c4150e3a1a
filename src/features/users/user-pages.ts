import { userOf } from '../../access/user/user.sql.ts';
import type { Read } from '../../db/db.ts';
import { searchFilters } from '../../db/filters.ts';
import { readList } from '../../db/list.ts';
import { countOf } from '../../db/tallies.ts';
import { envelope, type ListQuery, type Order, type PageAnswer } from '../../kernel/page.ts';
import type { PeopleSetting, Principal } from '../../kernel/principal.ts';
import { renderUserFor } from './user-json.ts';
import { userTally } from './user-record.ts';
import { visibilityFor } from './users.sql.ts';
import { userList } from './users.store.ts';

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

/** A page of the users of a scope. Call it only for a scope that the caller may list. */
export async function userPage(
  { read, caller, list, query, people }: UserList,
  scope: UserScope,
): Promise<PageAnswer> {
  // No directory has the id 0; in the counts it stands for users without a directory.
  if (scope === 'nobody' || scope === 0)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const words = searchFilters(list);
  const directories = scope === 'every' ? 'every' : scope === null ? 'none' : 'one';
  const settings = {
    directories,
    suspended: query.suspended === undefined ? false : query.suspended,
    trashed: list.trashed,
    ...words.settings,
    visibility: visibilityFor(caller, people),
  } as const;
  const { suspended, trashed, hasQuestion, hasTag, visibility } = settings;
  const isPlain =
    suspended === false && trashed === false && !hasQuestion && !hasTag && visibility !== 'shared';
  const tally = scope === 'every' ? userTally() : userTally(scope);
  const { rows, count, next } = await readList(read, userList, {
    list: { ...list, order: orderFor(caller, list.order) },
    settings,
    parameters: {
      userId: caller.user.id,
      directoryId: typeof scope === 'number' ? scope : 0,
      ...words.parameters,
    },
    keptCount: isPlain ? () => countOf(read, tally, false) : undefined,
  });
  return envelope(list, { items: rows.map((row) => renderUserFor(caller, userOf(row))), count, next });
}

// Users must not be ordered by fields that the caller does not see, because the order would reveal them.
const hiddenOrders: ReadonlySet<string> = new Set(['email', 'created_at', 'modified_at']);

/** The order of a list: the requested one, or the default where the caller may not use it. */
function orderFor({ kind }: Principal, order: Order): Order {
  return kind === 'token' && hiddenOrders.has(order.field) ? { field: 'id', descending: false } : order;
}
