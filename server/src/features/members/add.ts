import { type MemberInput, memberOperations } from 'confab-contract/members.ts';
import { handler } from '../../binding/handler.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { type MemberWanted, putMembers, readUserRef } from './member-changes.ts';

/** Members are the users who belong to an app, each with an access and perhaps a role. */

function readMember({ uid, id, access = 'write', role }: MemberInput): MemberWanted {
  return { ref: readUserRef(uid ?? id), access, role };
}

/** Adds a member, or changes the access or the role of one. */
export const addMember = handler(
  memberOperations.addMember,
  async (call, { people }: { people: PeopleSetting }) => {
    const { access, role } = call.body;
    await putMembers({ ...call, people }, [{ ref: call.params.user, access: access ?? 'write', role }]);
    return undefined;
  },
);

/** Adds members or changes their access or roles: all of them or none. */
export const addMembers = handler(
  memberOperations.addMembers,
  (input) => input.map((members) => members.map(readMember)),
  async (call, { people }: { people: PeopleSetting }) => {
    await putMembers({ ...call, people }, call.body);
    return undefined;
  },
);
