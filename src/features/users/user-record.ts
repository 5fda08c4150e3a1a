import type { Read, Tx } from '../../db/db.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import { publicUserIndex, userIndex } from '../../db/search-index.ts';
import { changeCount } from '../../db/tallies.ts';
import { type Action, append } from '../../events/events.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import { isSameJson } from '../../kernel/json.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { directoryForUser } from '../directories/user-directory.ts';
import { leavePicture, takePicture } from './picture-use.ts';
import { displayNameOf, publicUserWords, type UserChange, userKeys, userWords } from './user-change.ts';
import { actorOf, renderUser } from './user-json.ts';
import { systemUserId, userOf } from './users.sql.ts';
import {
  changeMemberCounts,
  deleteTokens,
  deleteUserTags,
  insertUser,
  insertUserTags,
  setUserTrashed,
  type UserValues,
  updateUser,
  userById,
  userByUid,
} from './users.store.ts';

/**
 * Every change of a user in one place: the row, its tags and words, the counts it takes part in, and its event. All of
 * it runs in the transaction of the caller.
 */

/** The user that `ref` names, whatever its state, or undefined. */
export async function findUser(read: Read, ref: Ref): Promise<User | undefined> {
  const row =
    'id' in ref ? await read.get(userById, { id: ref.id }) : await read.get(userByUid, { uid: ref.uid });
  return row === undefined ? undefined : userOf(row);
}

/** The built-in user, to whom belongs what a server or its operator does. */
export async function getSystemUser(read: Read): Promise<User> {
  const user = await findUser(read, { id: systemUserId });
  if (user === undefined) throw new Error('the store has no system user');
  return user;
}

/** Who changes a user, and when. */
type Doing = { readonly principal: Principal; readonly at: UnixMs };

async function record(tx: Tx, user: User, action: Action, { principal, at }: Doing): Promise<void> {
  await append(tx, {
    action,
    actor: actorOf(principal.user),
    appId: null,
    entity: { id: user.id, json: renderUser(user) },
    at,
  });
}

function isListed(user: User): boolean {
  return user.suspendedAt === null && user.trashedAt === null;
}

/** Keeps the counts of people in step: of the server, of a directory (0 for none) and of the apps they belong to. */
async function recount(tx: Tx, before: User | undefined, after: User): Promise<void> {
  const was = before !== undefined && isListed(before);
  const is = isListed(after);
  const isMoved = before?.directoryId !== after.directoryId;
  if (was && (!is || isMoved)) await countInDirectory(tx, before.directoryId, -1);
  if (is && (!was || isMoved)) await countInDirectory(tx, after.directoryId, 1);
  if (was === is) return;
  const by = is ? 1 : -1;
  await changeCount(tx, { ...userTally(), appId: 0 }, { live: by, trashed: 0 });
  if (before !== undefined) await tx.run(changeMemberCounts, { userId: after.id, by });
}

async function countInDirectory(tx: Tx, directoryId: number | null, by: 1 | -1): Promise<void> {
  await changeCount(tx, { ...userTally(directoryId), appId: 0 }, { live: by, trashed: 0 });
}

/** What counts the listed users: all of them, or those of one directory, where null is having none. */
export function userTally(directoryId?: number | null) {
  if (directoryId === undefined) return { parentType: 'server', parentId: 0, kind: 'user' } as const;
  return { parentType: 'directory', parentId: directoryId ?? 0, kind: 'user' } as const;
}

/** Ends every access token of a user; the event is there only when one ended. */
export async function revokeTokensOf(tx: Tx, user: User, doing: Doing): Promise<void> {
  if ((await tx.run(deleteTokens, { userId: user.id })) > 0) await record(tx, user, 'tokens_revoked', doing);
}

function rowOf(user: User): UserValues {
  const {
    id: _id,
    createdAt: _created,
    modifiedAt: _modified,
    trashedAt: _trashed,
    isActive: _active,
    ...values
  } = user;
  return {
    ...values,
    isBot: user.isBot ? 1 : 0,
    ...userKeys(user),
  };
}

/** The user as it stands after `change`. */
async function changed(tx: Tx, user: User, change: UserChange, doing: Doing): Promise<User> {
  const { directory, isSuspended } = change;
  const directoryId =
    directory === undefined || directory === null
      ? directory
      : await directoryForUser({ tx, actor: actorOf(doing.principal.user), at: doing.at }, directory);
  const next = {
    ...user,
    ...change.values,
    uid: change.uid ?? user.uid,
    directoryId: directoryId === undefined ? user.directoryId : directoryId,
    // Suspending again does not move the moment.
    suspendedAt:
      isSuspended === undefined ? user.suspendedAt : isSuspended ? (user.suspendedAt ?? doing.at) : null,
  };
  return { ...next, displayName: displayNameOf(next) };
}

/** A user without anything but a uid, as the beginning of one that is made. */
function blank(uid: string, at: UnixMs): User {
  return {
    id: 0,
    uid,
    displayName: uid,
    email: null,
    givenName: null,
    middleName: null,
    familyName: null,
    name: null,
    nickname: null,
    phoneNumber: null,
    comment: null,
    directoryId: null,
    pictureId: null,
    pictureUrl: null,
    metadata: null,
    tags: '[]',
    createdAt: at,
    modifiedAt: null,
    isBot: false,
    isActive: false,
    suspendedAt: null,
    trashedAt: null,
  };
}

function writeWords(tx: Tx, user: User, { isNew }: { isNew: boolean }): void {
  tx.later(userIndex, { id: user.id, words: userWords(user), isNew });
  tx.later(publicUserIndex, { id: user.id, words: publicUserWords(user), isNew });
}

/** Makes a user with the uid, or answers undefined when it is taken. Throws `validation_failed` for the directory. */
export async function makeUser(
  tx: Tx,
  uid: string,
  change: UserChange,
  doing: Doing,
): Promise<User | undefined> {
  const draft = await changed(tx, blank(uid, doing.at), change, doing);
  const row = await tx.get(insertUser, { ...rowOf(draft), at: doing.at });
  if (row === undefined) return undefined;
  const user = { ...draft, id: row.id };
  await takePicture(tx, { before: undefined, after: user }, doing);
  if (user.tags !== '[]')
    await tx.run(insertUserTags, { id: user.id, tags: JSON.parse(user.tags) as string[] });
  writeWords(tx, user, { isNew: true });
  await recount(tx, undefined, user);
  await record(tx, user, 'user_created', doing);
  return user;
}

/** What belongs to the system itself, so nobody can change it. */
function assertNotSystem(user: User, next: User): void {
  if (user.id !== systemUserId) return;
  for (const [field, pointer] of [
    ['uid', '/uid'],
    ['directoryId', '/directory'],
    ['suspendedAt', '/is_suspended'],
    ['isBot', '/is_bot'],
  ] as const)
    if (user[field] !== next[field])
      throw invalidField(pointer, 'immutable', 'cannot be changed for the built-in user of the system');
}

/** The error for a uid that somebody else has. */
export function uidTaken(): Problem {
  return invalidField('/uid', 'taken', 'is taken by another user');
}

/**
 * Changes a user and answers it as it stands then; what changes nothing is no edit and no event, because hosts repeat
 * their PUT at every visit. Throws `validation_failed` for a uid that is taken or a directory that is none.
 */
export async function changeUser(tx: Tx, user: User, change: UserChange, doing: Doing): Promise<User> {
  const next = await changed(tx, user, change, doing);
  const { metadata, ...others } = next;
  const isSame =
    isSameJson(metadata, user.metadata) &&
    (Object.keys(others) as (keyof typeof others)[]).every((field) => others[field] === user[field]);
  if (isSame) return user;
  assertNotSystem(user, next);
  await takePicture(tx, { before: user, after: next }, doing);
  try {
    await tx.run(updateUser, { ...rowOf(next), id: user.id, at: doing.at });
  } catch (error) {
    if (isUniqueViolation(error, 'users.uid')) throw uidTaken();
    throw error;
  }
  await leavePicture(tx, { before: user, after: next }, doing.at);
  if (next.tags !== user.tags) {
    await tx.run(deleteUserTags, { id: user.id });
    await tx.run(insertUserTags, { id: user.id, tags: JSON.parse(next.tags) as string[] });
  }
  writeWords(tx, next, { isNew: false });
  await recount(tx, user, next);
  const after = { ...next, modifiedAt: doing.at };
  await record(tx, after, 'user_updated', doing);
  // At both ends of a suspension, because a node of the release before revokes nothing.
  if (user.suspendedAt !== after.suspendedAt) await revokeTokensOf(tx, after, doing);
  return after;
}

/** Puts a user in the trash or takes them out; doing it again changes nothing. Throws for the system user. */
export async function moveUser(
  tx: Tx,
  user: User,
  { isTrashed, ...doing }: Doing & { isTrashed: boolean },
): Promise<User> {
  if ((user.trashedAt !== null) === isTrashed) return user;
  if (user.id === systemUserId)
    throw new Problem('validation_failed', 'The built-in user of the system cannot be trashed.');
  const after = { ...user, trashedAt: isTrashed ? doing.at : null };
  await tx.run(setUserTrashed, { id: user.id, trashedAt: after.trashedAt });
  await recount(tx, user, after);
  await record(tx, after, isTrashed ? 'user_trashed' : 'user_restored', doing);
  await revokeTokensOf(tx, after, doing);
  return after;
}
