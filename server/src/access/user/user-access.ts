import { invalidField, notFound, Problem } from 'confab-contract/problem.ts';
import { ownUidFault, type Ref } from 'confab-contract/values/ids.ts';
import type { Read } from '../../db/db.ts';
import { callerKindOf, type Principal, type User } from '../../kernel/principal.ts';
import type { Lookup } from '../lookup.ts';
import { isErased, userOf } from './user.sql.ts';
import { userById, userByUid } from './user-access.store.ts';

declare const managed: unique symbol;
declare const issuable: unique symbol;
declare const suspendable: unique symbol;
declare const exported: unique symbol;
declare const moderated: unique symbol;

/** A user whom the caller manages. The operations on users are for API keys, which manage every user. */
export type ManagedUser = User & { readonly [managed]: true };

/** The user who gets an access token, or the uid of a user who must be created for it. */
export type TokenHolder = ({ readonly user: User } | { readonly user: undefined; readonly uid: string }) & {
  readonly [issuable]: true;
};

/** A user about whom the caller decides as a moderator. */
export type ModeratedUser = User & { readonly [moderated]: true };
/** A user whom the caller may suspend. */
export type SuspendableUser = User & { readonly [suspendable]: true };
/** A user whose data the caller may have: the caller, or any user for an API key. */
export type ExportedUser = User & { readonly [exported]: true };

/** The user with the reference `ref`, in any state, or undefined. */
export async function findUser(read: Read, ref: Ref): Promise<User | undefined> {
  const row =
    'id' in ref ? await read.get(userById, { id: ref.id }) : await read.get(userByUid, { uid: ref.uid });
  return row === undefined ? undefined : userOf(row);
}

/** Why a user cannot act; undefined for an active user. */
export function userRefusal({
  suspendedAt,
  trashedAt,
}: Pick<User, 'suspendedAt' | 'trashedAt'>): 'user_suspended' | 'user_trashed' | undefined {
  if (suspendedAt !== null) return 'user_suspended';
  return trashedAt === null ? undefined : 'user_trashed';
}

/** The author of content as the actor of an event that is published later, such as on approval. */
export async function authorOf(read: Read, id: number): Promise<Principal> {
  const user = await findUser(read, { id });
  if (user === undefined) throw new Error('content has no author');
  return { kind: callerKindOf(user), user };
}

async function managedUser({ read, ref, isTrashedIncluded }: Lookup): Promise<ManagedUser> {
  const user = await findUser(read, ref);
  if (user === undefined || isErased(user) || (user.trashedAt !== null && !isTrashedIncluded))
    throw notFound('user');
  return user as ManagedUser;
}

/**
 * The rights on users. `read` and `manage` throw `not_found`; `erase` does so too, but finds users who were
 * erased, so that repeating it gives the same response. `export` throws `not_found` when a user requests it
 * for another user. `issue` throws `not_found` for an unknown id and for a user in the trash,
 * `user_suspended`, and `validation_failed` for an invalid uid. `moderate` throws `suspend_forbidden` for a
 * caller who moderates no users, and for a user who is a moderator.
 */
export const userAccess = {
  read: managedUser,
  manage: managedUser,
  async moderate({ read, ref, caller }: Lookup): Promise<ModeratedUser> {
    // A caller who moderates no users must not learn which users exist.
    if (caller.kind !== 'key' && caller.user.role !== 'moderator') throw suspendForbidden();
    const user = await findUser(read, ref);
    if (user === undefined || isErased(user) || !mayKnow(caller, user)) throw notFound('user');
    if (caller.kind !== 'key' && !moderatesUser(caller.user, user)) throw suspendForbidden();
    return user as ModeratedUser;
  },
  async erase({ read, ref, caller }: Lookup): Promise<ManagedUser> {
    const user = await findUser(read, ref);
    if (user === undefined || (caller.kind !== 'key' && caller.user.id !== user.id)) throw notFound('user');
    return user as ManagedUser;
  },
  async export({ read, ref, caller }: Lookup): Promise<ExportedUser> {
    const user = await findUser(read, ref);
    if (user === undefined || isErased(user) || (caller.kind !== 'key' && caller.user.id !== user.id))
      throw notFound('user');
    return user as ExportedUser;
  },
  async issue({ read, ref }: Lookup): Promise<TokenHolder> {
    const user = await findUser(read, ref);
    if (user === undefined) {
      if ('id' in ref) throw notFound('user');
      const fault = ownUidFault('user', ref.uid);
      if (fault !== undefined) throw invalidField('/uid', 'uid', fault);
      return { user, uid: ref.uid } as TokenHolder;
    }
    if (user.trashedAt !== null) throw notFound('user');
    if (user.suspendedAt !== null)
      throw new Problem('user_suspended', 'The user is suspended and gets no access token.');
    return { user } as TokenHolder;
  },
};

/**
 * The user with an id, whom the caller may suspend over what the user wrote: with an API key that may change users, or
 * as a moderator of the user's directory, but not another moderator (decision 0065). Throws `scope_missing` and
 * `suspend_forbidden`.
 */
export async function suspendableUser(read: Read, caller: Principal, id: number): Promise<SuspendableUser> {
  const user = await findUser(read, { id });
  if (user === undefined) throw new Error('a report has an author who is not there');
  if (caller.kind === 'key') {
    const { scopes = ['all'] } = caller;
    if (!scopes.includes('all') && !scopes.includes('users'))
      throw new Problem('scope_missing', 'The API key lacks the scope users.');
  } else if (!moderatesUser(caller.user, user)) throw suspendForbidden();
  return user as SuspendableUser;
}

function suspendForbidden(): Problem {
  return new Problem(
    'suspend_forbidden',
    'Only an API key or a moderator of the directory of this user, who is no moderator, may suspend them.',
  );
}

/** Whether a moderator may learn that there is a user: those of their directory, or everyone without one. */
function mayKnow({ kind, user: { directoryId } }: Principal, user: User): boolean {
  return kind === 'key' || directoryId === null || directoryId === user.directoryId;
}

function moderatesUser(moderator: User, user: User): boolean {
  if (moderator.role !== 'moderator' || user.role === 'moderator') return false;
  return moderator.directoryId === null || moderator.directoryId === user.directoryId;
}
