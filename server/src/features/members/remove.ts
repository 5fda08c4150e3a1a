import { memberOperations } from 'confab-contract/members.ts';
import { asRemovable, type RemovableMembers } from '../../access/app-access.ts';
import { handler } from '../../binding/handler.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import {
  countMembers,
  findCandidates,
  type MemberChange,
  readUserRef,
  recordMember,
} from './member-changes.ts';
import { deleteMembers } from './members.store.ts';

/** Removes one member, or several whose ids the path separates by commas. */
export const removeMember = handler(
  memberOperations.removeMember,
  async (call, { people }: { people: PeopleSetting }) => {
    const { user } = call.params;
    const names = /^[0-9]+(,[0-9]+)+$/.test(user) ? user.split(',') : [user];
    await removeListed({ ...call, people }, asRemovable(call, names));
    return undefined;
  },
);

/** Removes members: all of them or none. */
export const removeMembers = handler(
  memberOperations.removeMembers,
  async (call, { people }: { people: PeopleSetting }) => {
    await removeListed({ ...call, people }, asRemovable(call, call.body));
    return undefined;
  },
);

/** Removes the members of an app whom the caller may remove, with an event for each. */
export async function removeListed(change: MemberChange, { app, names }: RemovableMembers): Promise<void> {
  const candidates = await findCandidates(change, names.map(readUserRef));
  const byId = new Map(candidates.map((user) => [user.id, user]));
  const leaving = [...byId.values()].filter((user) => user.memberAccess !== null);
  if (leaving.length === 0) return;
  await change.tx.run(deleteMembers, { appId: app.id, userIds: leaving.map(({ id }) => id) });
  await countMembers(change, leaving, -1);
  for (const user of leaving)
    await recordMember(change, 'member_removed', { ...user, access: user.memberAccess ?? 'none' });
}
