import type { UnixMs } from 'confab-contract/values/time.ts';
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
import { factsOfVisitors, withFacts } from './visitor-facts.ts';

/** The directory whose users are listed: every directory, one by its id, none (null); or no user at all. */
export type UserScope = 'every' | 'nobody' | number | null;

/** A request for a page of users. */
type UserList = {
  readonly read: Read;
  readonly caller: Principal;
  readonly list: ListQuery;
  readonly query: { readonly suspended?: boolean | null; readonly way?: string };
  readonly at: UnixMs;
  readonly people: PeopleSetting;
};

/** A page of the users of a scope. Call it only for a scope that the caller may list. */
export async function userPage(
  { read, caller, list, query, people, at }: UserList,
  scope: UserScope,
): Promise<PageAnswer> {
  // No directory has the id 0; in the counts it stands for users without a directory.
  if (scope === 'nobody' || scope === 0)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const words = searchFilters(list);
  const directories = scope === 'every' ? 'every' : scope === null ? 'none' : 'one';
  const settings = {
    directories,
    ways: waysFor(caller, query.way),
    suspended: query.suspended === undefined ? false : query.suspended,
    trashed: list.trashed,
    ...words.settings,
    visibility: visibilityFor(caller, people),
  } as const;
  const { ways, suspended, trashed, hasQuestion, hasTag, visibility } = settings;
  const isPlain =
    ways === 'every' &&
    suspended === false &&
    trashed === false &&
    !hasQuestion &&
    !hasTag &&
    visibility !== 'shared';
  const tally = scope === 'every' ? userTally() : userTally(scope);
  const { rows, count, next } = await readList(read, userList, {
    list: { ...list, order: orderFor(caller, list.order) },
    settings,
    parameters: {
      userId: caller.user.id,
      directoryId: typeof scope === 'number' ? scope : 0,
      way: query.way ?? '',
      ...words.parameters,
    },
    storedCount: isPlain ? () => countOf(read, tally, false) : undefined,
  });
  const users = rows.map(userOf);
  const isExpanded = caller.kind === 'key' && list.expand.has('visitor');
  const facts = isExpanded ? await factsOfVisitors(read, users, at) : undefined;
  const items = users.map((user) => withFacts(renderUserFor(caller, user), facts?.get(user.id)));
  return envelope(list, { items, count, next });
}

/** The ways that a list is limited to. Users do not see how others sign in, so they could not ask by it either. */
function waysFor({ kind }: Principal, way: string | undefined): 'every' | 'none' | 'visitor' | 'one' {
  if (kind !== 'key' || way === undefined || way === '') return 'every';
  return way === 'none' || way === 'visitor' ? way : 'one';
}

// Users must not be ordered by fields that the caller does not see, because the order would reveal them.
const hiddenOrders: ReadonlySet<string> = new Set(['email', 'created_at', 'modified_at']);

/** The order of a list: the requested one, or the default where the caller may not use it. */
function orderFor({ kind }: Principal, order: Order): Order {
  return kind === 'token' && hiddenOrders.has(order.field) ? { field: 'id', descending: false } : order;
}
