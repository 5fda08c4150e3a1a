import { memberOperations } from 'confab-contract/members.ts';
import { userOperations } from 'confab-contract/users.ts';
import { type Call, handler } from '../../binding/handler.ts';
import { searchFilters } from '../../db/filters.ts';
import { readList } from '../../db/list.ts';
import { countOf } from '../../db/tallies.ts';
import { envelope, type PageAnswer } from '../../kernel/page.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { userPage } from '../users/user-pages.ts';
import { visibilityFor } from '../users/users.sql.ts';
import { memberTally } from './member-changes.ts';
import { renderMember } from './member-json.ts';
import { memberList } from './members.store.ts';

/** The members of an app. Suspended users and users in the trash are left out unless the query includes them. */
export const listMembers = handler(
  memberOperations.listMembers,
  async (call, { people }: { people: PeopleSetting }) => await memberPage({ ...call, people }),
);

type MemberPage = Pick<
  Call<typeof memberOperations.listMembers>,
  'read' | 'on' | 'caller' | 'list' | 'query'
> & {
  readonly people: PeopleSetting;
};

/** A page of the members of an app. */
export async function memberPage(call: MemberPage): Promise<PageAnswer> {
  const { read, on, caller, list, query, people } = call;
  const words = searchFilters(list);
  const settings = {
    suspended: query.suspended === undefined ? false : query.suspended,
    trashed: list.trashed,
    ...words.settings,
    visibility: visibilityFor(caller, people),
  };
  const { suspended, trashed, hasQuestion, hasTag } = settings;
  const isPlain = suspended === false && trashed === false && !hasQuestion && !hasTag;
  const { rows, count, next } = await readList(read, memberList, {
    list,
    settings,
    parameters: { appId: on.id, userId: caller.user.id, ...words.parameters },
    storedCount: isPlain ? () => countOf(read, memberTally(on.id), false) : undefined,
  });
  return envelope(list, { items: rows.map((row) => renderMember(row, caller.form)), count, next });
}

/** The users of a directory. */
export const listDirectoryMembers = handler(
  userOperations.listDirectoryMembers,
  async (call, { people }: { people: PeopleSetting }) => await userPage({ ...call, people }, call.on.id),
);
