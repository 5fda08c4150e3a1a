import { invalidField } from 'confab-contract/problem.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { userOf } from '../../access/user/user.sql.ts';
import type { Read, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { PeopleSetting, Principal, User } from '../../kernel/principal.ts';
import { actorOf, renderPublicUser } from '../users/user-json.ts';
import { visibilityFor } from '../users/users.sql.ts';
import { deleteFollow, insertFollow, knownUser } from './follows.store.ts';

/** Follows say whose posts a user wants to read first. Nobody else learns of them. */

/** A user whom a caller may know, and whether the caller follows them. */
export type KnownUser = { readonly user: User; readonly isFollowed: boolean };

/** The user with a reference if the caller may know them; otherwise undefined. One statement. */
export async function findKnownUser(
  read: Pick<Read, 'get'>,
  { caller, people }: { readonly caller: Principal; readonly people: PeopleSetting },
  ref: Ref,
): Promise<KnownUser | undefined> {
  const { id: userId, directoryId } = caller.user;
  const shape = { visibility: visibilityFor(caller, people), by: 'id' in ref ? 'id' : 'uid' } as const;
  const row = await read.get(knownUser(shape), {
    userId,
    directoryId: directoryId ?? 0,
    id: 'id' in ref ? ref.id : 0,
    uid: 'uid' in ref ? ref.uid : '',
  });
  if (row === undefined) return undefined;
  const { isFollowed, ...user } = row;
  return { user: userOf(user), isFollowed: isFollowed === 1 };
}

/** Makes the caller follow a user whom they may know, or ends that; repeating it changes nothing. Throws `validation_failed` for oneself. */
export async function setFollow(
  { tx, caller, at }: { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs },
  { user }: KnownUser,
  isFollowed: boolean,
): Promise<void> {
  if (user.id === caller.user.id) throw invalidField('/user', 'not_allowed', 'cannot be yourself');
  const follow = { userId: caller.user.id, followedId: user.id };
  const changed = isFollowed
    ? await tx.changed(insertFollow, follow)
    : await tx.changed(deleteFollow, follow);
  if (changed === 0) return;
  await append(tx, {
    action: isFollowed ? 'user_followed' : 'user_unfollowed',
    actor: actorOf(caller),
    appId: null,
    userId: caller.user.id,
    // The caller reads the event, so it shows no more of the user than the caller may see.
    entity: { id: user.id, json: renderPublicUser(user) },
    at,
  });
}
