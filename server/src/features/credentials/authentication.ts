import { credentialMissing } from 'confab-contract/problem.ts';
import { parseRef } from 'confab-contract/values/ids.ts';
import { userOf } from '../../access/user/user.sql.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { callerKindOf, type Principal, type StorageQuotas } from '../../kernel/principal.ts';
import { systemUserId } from '../users/users.sql.ts';
import { userOfKey, userOfToken, visitorOfToken } from './credentials.store.ts';
import type { createJwtCallers } from './jwt-callers.ts';
import { refused, UnknownCredential, usable } from './refusals.ts';
import { jwtIn, secretReader } from './secret-text.ts';
import { bySession } from './sessions.ts';

/** Credentials identify a caller: an API key, the access token of a user (specification section 5), or a session of either. */

// RFC 9110: the scheme is case-insensitive, followed by one or more spaces and one token.
const bearer = /^Bearer +([\x21-\x7e]+)$/i;

/** The headers that identify a caller. */
type CredentialHeaders = {
  readonly authorization: string | undefined;
  readonly onBehalfOf: string | undefined;
  /** The session of a browser; it counts where there is no Authorization header. */
  readonly session?: string | undefined;
  /** The id of the user whom they named before. */
  readonly userId?: number | undefined;
};

/** The parts of the server that identify callers. */
type Parts = {
  readonly db: Db;
  readonly clock: Clock;
  /** The quotas of users. */
  readonly storage: StorageQuotas;
  /** Identifies the bearer of a JSON Web Token, where such are accepted. */
  readonly byJwt: ReturnType<typeof createJwtCallers>['authenticate'] | undefined;
  /** Notes that a key is used now; must cost next to nothing. */
  readonly noteUse: (keyId: number) => void;
};

/**
 * Makes the function that identifies the caller of a request; it throws `unauthorized` or `invalid_credential`. A
 * credential can name another user than before: a uid of an identity provider that was given to someone else, and the
 * account of a visitor that became a part of another.
 */
export function createAuthentication(parts: Parts): (headers: CredentialHeaders) => Promise<Principal> {
  const { byJwt, storage } = parts;
  const readSecret = secretReader();

  async function identify({
    authorization,
    onBehalfOf,
    session,
    userId,
  }: CredentialHeaders): Promise<Principal> {
    if (authorization === undefined && session !== undefined) {
      const byTokenHash = (hash: Uint8Array) => byToken(parts, hash, 'token');
      return await actingFor(parts, await bySession({ ...parts, byToken: byTokenHash }, session), onBehalfOf);
    }
    if (authorization === undefined) throw credentialMissing();
    const secret = bearer.exec(authorization)?.[1];
    const read = secret === undefined ? undefined : readSecret(secret);
    const jwt = secret === undefined || byJwt === undefined ? undefined : jwtIn(secret);
    if (byJwt !== undefined && jwt !== undefined)
      return { ...(await byJwt(jwt, { isFirst: userId === undefined })), storage };
    if (read?.kind === 'token' || read?.kind === 'visitor') return await byToken(parts, read.hash, read.kind);
    if (read?.kind === 'key') return await byKey(parts, read.hash, onBehalfOf);
    throw new UnknownCredential('The Authorization header holds no access token or API key.');
  }

  return async (headers) => {
    const principal = await identify(headers);
    if (headers.userId !== undefined && headers.userId !== principal.user.id)
      throw refused('The credential names another user than before.');
    return principal;
  };
}

async function byToken(
  { db, clock, storage }: Parts,
  hash: Uint8Array,
  kind: 'token' | 'visitor',
): Promise<Principal> {
  const row = await db.read.get(kind === 'token' ? userOfToken : visitorOfToken, { hash });
  if (row === undefined)
    throw new UnknownCredential('The access token is not known; it may have been revoked.');
  if (row.expiresAt <= clock.now()) throw refused('The access token has expired.');
  const user = usable(userOf(row));
  return { kind: callerKindOf(user), user, expiresAt: row.expiresAt, storage };
}

async function byKey(
  { db, clock, noteUse }: Parts,
  hash: Uint8Array,
  onBehalfOf: string | undefined,
): Promise<Principal> {
  const row = await db.read.get(userOfKey, { hash, userId: systemUserId });
  if (row === undefined) throw new UnknownCredential('The API key is not known; it may have been revoked.');
  if (row.expiresAt !== null && row.expiresAt <= clock.now()) throw refused('The API key has expired.');
  const { apiKeyId, expiresAt } = row;
  noteUse(apiKeyId);
  const key = {
    kind: 'key',
    apiKeyId,
    scopes: row.scopes.split(','),
    ...(expiresAt === null ? {} : { expiresAt }),
  } as const;
  return await actingFor({ db }, { ...key, user: userOf(row) }, onBehalfOf);
}

/** The caller with an API key, whose content belongs to the user that a header names. Access tokens ignore it. */
async function actingFor(
  { db }: Pick<Parts, 'db'>,
  caller: Principal,
  onBehalfOf: string | undefined,
): Promise<Principal> {
  if (onBehalfOf === undefined || caller.kind !== 'key') return caller;
  const ref = parseRef(decodeName(onBehalfOf));
  const user = ref === undefined ? undefined : await findUser(db.read, ref);
  if (user === undefined) throw refused('X-Confab-User names no user.');
  return { ...caller, user: usable(user) };
}

/** A header holds ASCII only, so a uid beyond it arrives percent-encoded. */
function decodeName(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
