import { invalidField, Problem } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { erasedUid } from '../../access/user/user.sql.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Read, Tx } from '../../db/db.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import { publicUserIndex, userIndex } from '../../db/search-index.ts';
import { changeCount } from '../../db/tallies.ts';
import { type ActionOn, append } from '../../events/events.ts';
import { isSameJson } from '../../kernel/json.ts';
import { blankUser, type Principal, type User } from '../../kernel/principal.ts';
import { directoryForUser } from '../directories/user-directory.ts';
import { releasePicture, usePicture } from './picture-use.ts';
import { displayNameOf, publicUserWords, type UserChange, userKeys, userWords } from './user-change.ts';
import { actorOf, renderUser } from './user-json.ts';
import { systemUserId } from './users.sql.ts';
import {
  changeMemberCounts,
  deleteIdentities,
  deleteSignInMails,
  deleteTokens,
  deleteUserTags,
  deleteVisitorAddress,
  deleteVisitorSecrets,
  insertUser,
  insertUserTags,
  setTokensFrom,
  setUserTrashed,
  type UserValues,
  updateUser,
} from './users.store.ts';

/**
 * Every change of a user in one place: the row, its tags and search words, the stored counts and the event. All of it
 * runs in the transaction of the operation.
 */

/** The built-in user, who owns what the server and its API keys create. */
export async function getSystemUser(read: Read): Promise<User> {
  const user = await findUser(read, { id: systemUserId });
  if (user === undefined) throw new Error('the store has no system user');
  return user;
}

/** The transaction that changes a user, the actor, and the time. */
export type UserWrite = { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs };

/** Appends the event of a change of a user, or of what another table has of them. */
export async function recordUser(
  { tx, caller, at }: UserWrite,
  action: ActionOn<'user'>,
  user: User,
): Promise<void> {
  await append(tx, {
    action,
    actor: actorOf(caller),
    appId: null,
    entity: { id: user.id, json: renderUser(user) },
    at,
  });
}

function isListed(user: User): boolean {
  return user.suspendedAt === null && user.trashedAt === null;
}

/** Updates the stored counts of users: of the server, of a directory (0 for none) and of the user's apps. */
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

/** The stored count of listed users: of all users, or of one directory; null stands for users without one. */
export function userTally(directoryId?: number | null) {
  if (directoryId === undefined) return { parentType: 'server', parentId: 0, kind: 'user' } as const;
  return { parentType: 'directory', parentId: directoryId ?? 0, kind: 'user' } as const;
}

/**
 * Ends every access token of a user: tokens issued by this server, and tokens that an identity provider has issued so far.
 * Returns whether there was a token of this server.
 */
async function endTokens({ tx, at }: UserWrite, { id, way }: User): Promise<boolean> {
  await tx.run(setTokensFrom, { id, tokensFrom: at });
  const tokens = await tx.changed(deleteTokens, { userId: id });
  return tokens + (way === null ? 0 : await tx.changed(deleteVisitorSecrets, { userId: id })) > 0;
}

/** Revokes every access token of a user. */
export async function revokeTokensOf(write: UserWrite, user: User): Promise<void> {
  await endTokens(write, user);
  await recordUser(write, 'tokens_revoked', user);
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
    isTrusted: user.isTrusted ? 1 : 0,
    ...userKeys(user),
  };
}

/** The user with `change` applied. Throws `validation_failed` for the directory. */
async function applied({ tx, caller, at }: UserWrite, user: User, change: UserChange): Promise<User> {
  const { directory, isSuspended } = change;
  const directoryId =
    directory === undefined || directory === null
      ? directory
      : await directoryForUser(
          { tx, actor: actorOf(caller), at, isVisitor: (change.values.way ?? user.way) !== null },
          directory,
        );
  const next = {
    ...user,
    ...change.values,
    uid: change.uid ?? user.uid,
    directoryId: directoryId === undefined ? user.directoryId : directoryId,
    // Suspending again does not change the time.
    suspendedAt: isSuspended === undefined ? user.suspendedAt : isSuspended ? (user.suspendedAt ?? at) : null,
    // A visitor's picture is on every page, so it is removed with the visitor.
    ...(isSuspended === true && user.way !== null ? { pictureId: null, pictureUrl: null } : {}),
  };
  return { ...next, displayName: displayNameOf(next) };
}

function writeWords(tx: Tx, user: User, { isNew }: { isNew: boolean }): void {
  tx.defer(userIndex, { id: user.id, words: userWords(user), isNew });
  tx.defer(publicUserIndex, { id: user.id, words: publicUserWords(user), isNew });
}

/** Creates a user with the uid, or returns undefined when it is taken. Throws `validation_failed` for the directory. */
export async function makeUser(write: UserWrite, uid: string, change: UserChange): Promise<User | undefined> {
  const { tx, at } = write;
  const draft = await applied(write, blankUser(uid, at), change);
  const row = await tx.get(insertUser, { ...rowOf(draft), at });
  if (row === undefined) return undefined;
  const user = { ...draft, id: row.id };
  await usePicture(write, { before: undefined, after: user });
  if (user.tags !== '[]')
    await tx.run(insertUserTags, { id: user.id, tags: JSON.parse(user.tags) as string[] });
  writeWords(tx, user, { isNew: true });
  await recount(tx, undefined, user);
  await recordUser(write, 'user_created', user);
  return user;
}

/** Throws `validation_failed` for a change to fields of the built-in user on which the server relies. */
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

/** The error for a uid that another user has. */
export function uidTaken(): Problem {
  return invalidField('/uid', 'taken', 'is taken by another user');
}

/**
 * Changes a user and returns the result. A change without effect is not an edit and appends no event, because hosts
 * repeat their PUT at every visit. Throws `validation_failed` for a uid that is taken and for an unknown directory.
 */
export async function changeUser(write: UserWrite, user: User, change: UserChange): Promise<User> {
  const { tx, at } = write;
  const next = await applied(write, user, change);
  if (isSame(user, next)) return user;
  if (user.way !== null && next.role !== null && next.role !== user.role)
    throw invalidField('/role', 'visitor', 'is for users: a visitor moderates nothing');
  assertNotSystem(user, next);
  await usePicture(write, { before: user, after: next });
  try {
    await tx.changed(updateUser, { ...rowOf(next), id: user.id, at });
  } catch (error) {
    if (isUniqueViolation(error, 'users.uid')) throw uidTaken();
    throw error;
  }
  await releasePicture(write, { before: user, after: next });
  if (next.tags !== user.tags) {
    await tx.run(deleteUserTags, { id: user.id });
    await tx.run(insertUserTags, { id: user.id, tags: JSON.parse(next.tags) as string[] });
  }
  writeWords(tx, next, { isNew: false });
  await recount(tx, user, next);
  const after = { ...next, modifiedAt: at };
  await recordUser(write, 'user_updated', after);
  // Revoked at the start and at the end of a suspension, because a node of the previous release revokes
  // nothing.
  if (user.suspendedAt !== after.suspendedAt && (await endTokens(write, after)))
    await recordUser(write, 'tokens_revoked', after);
  return after;
}

function isSame(before: User, { metadata, ...after }: User): boolean {
  return (
    isSameJson(metadata, before.metadata) &&
    (Object.keys(after) as (keyof typeof after)[]).every((field) => after[field] === before[field])
  );
}

/** Puts a user in the trash, or restores them; repeating it changes nothing. Throws for the system user. */
export async function trashOrRestoreUser(
  write: UserWrite,
  user: User,
  { isTrashed }: { readonly isTrashed: boolean },
): Promise<User> {
  const { tx, at } = write;
  if ((user.trashedAt !== null) === isTrashed) return user;
  if (user.id === systemUserId)
    throw new Problem('validation_failed', 'The built-in user of the system cannot be trashed.');
  const after = { ...user, trashedAt: isTrashed ? at : null };
  await tx.run(setUserTrashed, { id: user.id, trashedAt: after.trashedAt });
  await recount(tx, user, after);
  await recordUser(write, isTrashed ? 'user_trashed' : 'user_restored', after);
  if (await endTokens(write, after)) await recordUser(write, 'tokens_revoked', after);
  return after;
}

/** Forgets how a visitor signed in; returns how many tokens and secrets there were. */
async function forgetVisitor(tx: Tx, { id, way, email }: User): Promise<number> {
  if (way === null) return 0;
  await tx.run(deleteIdentities, { userId: id });
  await tx.run(deleteVisitorAddress, { userId: id });
  await tx.run(deleteSignInMails, { userId: id, email });
  return await tx.changed(deleteVisitorSecrets, { userId: id });
}

/** The name shown for an erased user. */
export const erasedName = 'Deleted user';

/**
 * Removes the profile of a user: names, addresses, picture, tags and access tokens. The remaining row is an
 * author without a name, who can do nothing and whom no operation finds. Returns how many tokens and tags
 * there were.
 */
export async function eraseProfile(
  write: UserWrite,
  user: User,
): Promise<{ readonly tokens: number; readonly tags: number }> {
  const { tx, at } = write;
  const { id } = user;
  const retained = {
    suspendedAt: at,
    trashedAt: at,
    modifiedAt: at,
    isBot: user.isBot,
    createdAt: user.createdAt,
  };
  const after = { ...blankUser(erasedUid(id), at), ...retained, id, displayName: erasedName };
  await tx.run(updateUser, { ...rowOf(after), id, at });
  await tx.run(setUserTrashed, { id, trashedAt: at });
  await releasePicture(write, { before: user, after });
  const tags = await tx.changed(deleteUserTags, { id });
  tx.defer(userIndex, { id, words: null });
  tx.defer(publicUserIndex, { id, words: null });
  await recount(tx, user, after);
  await tx.run(setTokensFrom, { id, tokensFrom: at });
  const tokens = (await tx.changed(deleteTokens, { userId: id })) + (await forgetVisitor(tx, user));
  await recordUser(write, 'user_erased', after);
  return { tokens, tags };
}
