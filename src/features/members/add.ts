import { handler } from '../../binding/handler.ts';
import { type MemberInput, memberOperations } from '../../contract/members.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { type MemberWanted, putMembers, readUserRef } from './member-changes.ts';

/** Members are the users who belong to an app, each with an access and a role. */

function readMember({ uid, id, access = 'write' }: MemberInput): MemberWanted {
  return { ref: readUserRef(uid ?? id), access };
}

/** Adds a member, or changes the access of one. */
export const addMember = handler(
  memberOperations.addMember,
  async (call, { people }: { people: PeopleSetting }) => {
    await putMembers({ ...call, people }, [{ ref: call.params.user, access: call.body.access ?? 'write' }]);
    return undefined;
  },
);

/** Adds members or changes their access: all of them or none. */
export const addMembers = handler(
  memberOperations.addMembers,
  (input) => input.map((members) => members.map(readMember)),
  async (call, { people }: { people: PeopleSetting }) => {
    await putMembers({ ...call, people }, call.body);
    return undefined;
  },
);
