import {
  type MemberInputInSecondForm,
  secondFormMemberOperations,
} from 'confab-contract/second-form/members.ts';
import { handler } from '../../binding/handler.ts';
import { memberPage } from '../../features/members/list.ts';
import { type MemberWanted, putMembers as put, readUserRef } from '../../features/members/member-changes.ts';
import { othersPage, peoplePage } from '../../features/members/people.ts';
import { scopeOf } from '../../features/users/list.ts';
import { userPage } from '../../features/users/user-pages.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';

type People = { readonly people: PeopleSetting };

/** The members of an app, or those who could be, or both. */
export const listMembersInSecondForm = handler(
  secondFormMemberOperations.listMembersInSecondForm,
  async (call, { people }: People) => {
    const { member = true, agent = null } = call.query;
    if (member === true && agent === null) return await memberPage({ ...call, people });
    return await peoplePage({ ...call, people }, { appId: call.on.id, member, agent });
  },
);

/** The access and the role that one access stands for; without one it is write, and the role stays. */
function wanted(access: MemberInputInSecondForm['access']): Omit<MemberWanted, 'ref'> {
  if (access === undefined) return { access: 'write' };
  return { access: access === 'admin' ? 'write' : access, isManager: access === 'admin' };
}

/** Adds a member, or changes the access of one. */
export const addMemberInSecondForm = handler(
  secondFormMemberOperations.addMemberInSecondForm,
  async (call, { people }: People) => {
    await put({ ...call, people }, [{ ref: call.params.user, ...wanted(call.body.access ?? undefined) }]);
    return undefined;
  },
);

/** Adds members or changes their access: all of them or none. */
export const putMembers = handler(
  secondFormMemberOperations.putMembers,
  (input) =>
    input.map((members) =>
      members.map(({ uid, id, access }) => ({ ref: readUserRef(uid ?? id), ...wanted(access) })),
    ),
  async (call, { people }: People) => {
    await put({ ...call, people }, call.body);
    return undefined;
  },
);

/** The users whom the caller may list, for a user without themselves. */
export const listUsersInSecondForm = handler(
  secondFormMemberOperations.listUsersInSecondForm,
  async (call, { people }: People) => {
    const { caller, query, list } = call;
    const { agent, directory_id: directoryId, suspended = false } = query;
    const isPlain = directoryId === undefined && suspended === false && list.tag === undefined;
    if (agent !== undefined || (caller.kind === 'token' && isPlain && list.trashed === false))
      return await othersPage({ ...call, people }, agent ?? null);
    return await userPage({ ...call, people }, scopeOf(caller, directoryId));
  },
);
