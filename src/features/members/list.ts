import { type Call, handler } from '../../binding/handler.ts';
import { memberOperations } from '../../contract/members.ts';
import { userOperations } from '../../contract/users.ts';
import { filtersOf } from '../../db/filters.ts';
import { countOf } from '../../db/tallies.ts';
import { envelope } from '../../kernel/page.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { userPage } from '../users/user-pages.ts';
import { sightOf } from '../users/users.sql.ts';
import { memberTally } from './member-changes.ts';
import { renderMember } from './member-json.ts';
import {
  countMembers,
  listMembers as listMemberRows,
  type MemberListParameters,
  type MemberListShape,
} from './members.store.ts';

type ListCall = Call<typeof memberOperations.listMembers>;

/** The members of an app. Suspended users and users in the trash are left out unless the query includes them. */
export const listMembers = handler(
  memberOperations.listMembers,
  async (call, { people }: { people: PeopleSetting }) => {
    const { read, on, caller, list, query } = call;
    const filters = filtersOf(list);
    const shape: MemberListShape = {
      order: list.order.field as MemberListShape['order'],
      descending: list.order.descending,
      suspended: query.suspended === undefined ? false : query.suspended,
      trashed: list.trashed,
      ...filters.shape,
      sight: sightOf(caller, people),
    };
    const parameters = { appId: on.id, userId: caller.user.id, ...filters.parameters };
    const count = list.count ? await countListed(call, shape, parameters) : undefined;
    if (list.countOnly) return envelope(list, { items: [], count });
    const rows = await read.all(listMemberRows(JSON.stringify(shape)), parameters);
    return envelope(list, { items: rows.map(renderMember), count });
  },
);

/** The kept count of the default list, or the number of rows that the filters leave. */
async function countListed(
  { read, on }: ListCall,
  shape: MemberListShape,
  parameters: MemberListParameters,
): Promise<number> {
  const isPlain = shape.suspended === false && shape.trashed === false && !shape.hasQuestion && !shape.hasTag;
  if (isPlain) return await countOf(read, memberTally(on.id), false);
  return (await read.get(countMembers(JSON.stringify(shape)), parameters))?.count ?? 0;
}

/** The users of a directory. */
export const listDirectoryMembers = handler(
  userOperations.listDirectoryMembers,
  async (call, { people }: { people: PeopleSetting }) => await userPage({ ...call, people }, call.on.id),
);
