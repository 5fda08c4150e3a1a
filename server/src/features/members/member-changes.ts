import { notFound } from 'confab-contract/problem.ts';
import { type Ref, readRef } from 'confab-contract/values/ids.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { type AppView, asManageable, type ManageableApp, type ReadableApp } from '../../access/access.ts';
import type { Read, Tx } from '../../db/db.ts';
import { changeCount } from '../../db/tallies.ts';
import { append } from '../../events/events.ts';
import { json, jsonString } from '../../kernel/json.ts';
import type { PeopleSetting, Principal, User } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import { systemUserId, visibilityFor } from '../users/users.sql.ts';
import { renderMember } from './member-json.ts';
import { deleteFirstMembers, upsertMembers, usersForMembership } from './members.store.ts';

/**
 * A member is a user who belongs to an app, with an access of their own that replaces the app's (specification section
 * 4.2). Each change of a membership writes its row, the stored count and its event in the transaction of the caller.
 */

/** The app in an event about its members. */
type AppRef = Pick<AppView, 'id' | 'uid' | 'type'>;

/** The dependencies of changing members: `on` is their app, and `people` decides which users the caller sees. */
export type MemberChange<A extends AppRef = AppRef> = {
  readonly tx: Tx;
  readonly caller: Principal;
  readonly on: A;
  readonly at: UnixMs;
  readonly people: PeopleSetting;
  /** Whether nobody is notified, because an import makes the change. */
  readonly isSilent?: boolean;
};

/** A user with their membership in the app, if any. */
export type Candidate = Awaited<ReturnType<typeof findCandidates>>[number];

/** The columns of a membership that are written. */
type Membership = { readonly access: string; readonly role: string };

/** A user, by id or uid, with the access and the role that they get in an app: null for none, undefined for the present. */
export type MemberWanted = {
  readonly ref: Ref;
  readonly access: string;
  readonly role?: 'moderator' | 'manager' | null | undefined;
  /** Whether they manage, where the role is said like this: `false` takes only this role away. */
  readonly isManager?: boolean;
};

/** The role of those who have none. */
const noRole = 'member';

/** Reads the id or uid of a user; throws `not_found` for text that is neither. */
export function readUserRef(input: string | number | undefined): Ref {
  const ref = input === undefined ? undefined : readRef(input);
  if (ref === undefined) throw notFound('user');
  return ref;
}

/**
 * The users that `refs` name, in their order; throws `not_found` unless each is a member or visible to the caller. One
 * statement for any number of them.
 */
export async function findCandidates(
  { tx, caller, on, people }: Pick<MemberChange, 'caller' | 'on' | 'people'> & { readonly tx: Read },
  refs: readonly Ref[],
) {
  const { id: userId, directoryId } = caller.user;
  const rows = await tx.all(usersForMembership(visibilityFor(caller, people)), {
    appId: on.id,
    userId,
    directoryId: directoryId ?? 0,
    ids: refs.flatMap((ref) => ('id' in ref ? [ref.id] : [])),
    uids: refs.flatMap((ref) => ('uid' in ref ? [ref.uid] : [])),
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byUid = new Map(rows.map((row) => [row.uid, row]));
  return refs.map((ref) => {
    const user = 'id' in ref ? byId.get(ref.id) : byUid.get(ref.uid);
    if (user === undefined || (user.memberAccess === null && user.isSeen !== 1)) throw notFound('user');
    return user;
  });
}

/** Adds or changes members, all or none, with an event for each real change. Throws `not_found` for a user. */
export async function putMembers(
  change: MemberChange<ManageableApp>,
  members: readonly MemberWanted[],
): Promise<void> {
  const users = await findCandidates(
    change,
    members.map(({ ref }) => ref),
  );
  // Of two entries for one user the last wins.
  const byId = new Map(
    users.map((user, index) => {
      const { access = 'write', role = user.role, isManager } = members[index] ?? {};
      const managed = isManager === true ? 'manager' : role === 'manager' ? null : role;
      return [user.id, { user, access, role: (isManager === undefined ? role : managed) ?? noRole }];
    }),
  );
  await writeMembers(
    change,
    [...byId.values()].filter(
      ({ user, access, role }) => user.memberAccess !== access || (user.role ?? noRole) !== role,
    ),
  );
}

/** Makes a user a member with write access unless they are one; throws `manage_forbidden` where that is a change. */
export async function ensureMember(change: MemberChange<ReadableApp>, user: User): Promise<void> {
  const [present] = await findCandidates(change, [{ id: user.id }]);
  if (present?.memberAccess === null)
    await putMembers({ ...change, on: asManageable(change.on) }, [{ ref: { id: user.id }, access: 'write' }]);
}

/**
 * Adds users as members with write access and leaves present members unchanged. It checks no right: use it where the
 * rules of the operation let the caller add them. Throws `not_found` for a user that the caller does not see.
 */
export async function joinMembers(change: MemberChange, userIds: readonly number[]): Promise<void> {
  const users = await findCandidates(
    change,
    userIds.map((id) => ({ id })),
  );
  const added = users.filter((user) => user.memberAccess === null);
  await writeMembers(
    change,
    added.map((user) => ({ user, access: 'write', role: noRole })),
  );
}

/** Writes memberships that are absent or have another access or role, with an event for each. */
async function writeMembers(
  change: MemberChange,
  changed: readonly (Membership & { readonly user: Candidate })[],
): Promise<void> {
  if (changed.length === 0) return;
  const { tx, on, at } = change;
  // In the order of ids, so that two requests about the same users never wait for each other in a circle.
  const ordered = changed.toSorted((a, b) => a.user.id - b.user.id);
  await tx.run(upsertMembers, {
    appId: on.id,
    members: JSON.stringify(ordered.map(({ user, ...membership }) => ({ userId: user.id, ...membership }))),
    at,
  });
  const added = ordered.filter(({ user }) => user.memberAccess === null);
  await countMembers(
    change,
    added.map(({ user }) => user),
    1,
  );
  for (const { user, ...membership } of ordered)
    await recordMember(change, user.memberAccess === null ? 'member_added' : 'member_updated', {
      ...user,
      ...membership,
    });
}

/** Counts users who join or leave: only those listed by default, who are neither suspended nor in the trash. */
export async function countMembers(
  { tx, on }: MemberChange,
  users: readonly Candidate[],
  sign: 1 | -1,
): Promise<void> {
  const listed = users.filter((user) => user.suspendedAt === null && user.trashedAt === null).length;
  if (listed === 0) return;
  await changeCount(tx, memberTally(on.id), { live: sign * listed, trashed: 0 });
}

/** The stored count of the members of an app. */
export function memberTally(appId: number) {
  return { parentType: 'app', parentId: appId, kind: 'member', appId } as const;
}

/** Appends the event of a change of a member of the app. */
export async function recordMember(
  { tx, caller, on, at, isSilent = false }: MemberChange,
  action: 'member_added' | 'member_updated' | 'member_removed',
  member: Candidate & { readonly access: string },
): Promise<void> {
  await append(tx, {
    action,
    actor: actorOf(caller),
    appId: on.id,
    entity: { id: member.id, json: renderMember(member) },
    extra: { app: json(`{"id":${on.id},"uid":${jsonString(on.uid)},"type":"${on.type}"}`) },
    at,
    isSilent,
  });
}

/** Makes the creator of an app its first member, with `role`; the system user belongs to no app. */
export async function joinAsCreator(
  tx: Tx,
  { appId, user, role, at }: { appId: number; user: User; role: 'manager' | 'member'; at: UnixMs },
): Promise<void> {
  if (user.id === systemUserId) return;
  const members = JSON.stringify([{ userId: user.id, access: 'write', role }]);
  await tx.run(upsertMembers, { appId, members, at });
  await changeCount(tx, memberTally(appId), { live: 1, trashed: 0 });
}

/** Removes at most `top` members of a deleted app, without events; returns how many. */
export async function removeFirstMembers(
  tx: Tx,
  { id, top }: { readonly id: number; readonly top: number },
): Promise<number> {
  return await tx.changed(deleteFirstMembers, { appId: id, top });
}
