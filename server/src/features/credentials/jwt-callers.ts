import { findDirectory } from '../../access/directory/directory-access.ts';
import { userOf } from '../../access/user/user.sql.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Db, Read } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import type { UserChange } from '../users/user-change.ts';
import { changeUser, getSystemUser, makeUser, type UserWrite } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import { userOfNewSubject, userOfSubject } from './credentials.store.ts';
import type { JwtClaims } from './jwt.ts';
import { refused, usable } from './refusals.ts';
import { hashSecret } from './secret-text.ts';

/**
 * The users who call with a token of the host's identity provider. The first request with a token verifies it, creates
 * the user or updates the profile, and remembers the token; later ones only read the user, whose state and whose last
 * revocation count at once.
 */

/** The most tokens that are remembered; one more, and the one that was remembered first is forgotten. */
const knownMax = 10_000;

/** Where tokens are verified, and what keeps their keys up to date. */
export type JwtSource = {
  readonly verify: (token: string) => Promise<JwtClaims>;
  /** Called with each token; must cost nothing most of the time. */
  readonly refresh: () => void;
};

type JwtIdentity = Pick<JwtClaims, 'uid' | 'issuedAt' | 'expiresAt'>;

/** Makes the part that identifies the callers of such tokens. */
export function createJwtCallers({ db, clock, source }: { db: Db; clock: Clock; source: JwtSource }) {
  const known = new Map<string, JwtIdentity>();
  let generation = 0;

  /** Verifies a token and remembers it. Requests that bring a token at the same time may do so more than once. */
  async function firstSight(
    token: string,
    { id, isAdmitted }: { readonly id: string; readonly isAdmitted: boolean },
  ): Promise<JwtIdentity> {
    const before = generation;
    const claims = await source.verify(token);
    if (!isAdmitted) await admit(claims);
    const { uid, issuedAt, expiresAt } = claims;
    const identity = { uid, issuedAt, expiresAt };
    if (before !== generation) return identity;
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= knownMax) known.delete(oldest);
    known.set(id, identity);
    return identity;
  }

  /** Creates the user of a token, or updates the profile with claims that are newer than it. */
  async function admit(claims: JwtClaims): Promise<void> {
    const { uid, issuedAt, profile } = claims;
    // What a row that may be outdated says must not be remembered with the token.
    const user = await findCaller(db.read, claims, userOfNewSubject);
    if (user !== undefined) {
      // The claims have whole seconds, the profile milliseconds.
      const changedAt = Math.floor((user.modifiedAt ?? user.createdAt) / 1000) * 1000;
      if (issuedAt < changedAt || (await isStated(db.read, user, profile))) return;
    }
    await db.write(async (tx) => {
      const write: UserWrite = {
        tx,
        caller: { kind: 'key', user: await getSystemUser(tx) },
        at: clock.now(),
      };
      const present = await findUser(tx, { uid });
      if (present !== undefined) await changeUser(write, present, profile);
      else await makeUser(write, uid, profile);
    });
  }

  return {
    /**
     * Identifies the caller of a token; throws `invalid_credential` and `identity_provider_unavailable`. Only the first
     * check of a request admits a user: what goes on is no call of someone who did not come.
     */
    async authenticate(token: string, { isFirst }: { readonly isFirst: boolean }): Promise<Principal> {
      source.refresh();
      const id = Buffer.from(hashSecret(token)).toString('latin1');
      let cached = known.get(id);
      let user = cached && (await findCaller(db.read, cached));
      // A user who was renamed does not have the uid any more, and the next one with it is another.
      if (cached === undefined || (isFirst && user === undefined)) {
        cached = await firstSight(token, { id, isAdmitted: !isFirst });
        user = await findCaller(db.read, cached);
      }
      if (cached.expiresAt <= clock.now()) throw refused('The access token has expired.');
      if (user === undefined) throw refused('The user of the access token is gone.');
      return { kind: 'token', user, expiresAt: cached.expiresAt };
    },

    /** Forgets every token, so that each is verified again. Call it when the keys change. */
    forget(): void {
      generation += 1;
      known.clear();
    },
  };
}

/** The user of a token, undefined while there is none; throws `invalid_credential` for one who may not call. */
async function findCaller(
  read: Read,
  { uid, issuedAt }: JwtIdentity,
  statement = userOfSubject,
): Promise<User | undefined> {
  const row = await read.get(statement, { uid });
  if (row === undefined) return undefined;
  if (row.id === systemUserId) throw refused('The built-in user of the system has no access tokens.');
  const user = usable(userOf(row));
  if (user.way !== null) throw refused('Visitors have no tokens of an identity provider.');
  if (row.tokensFrom !== null && issuedAt < row.tokensFrom) throw refused('The access token was revoked.');
  return user;
}

/** Whether a user is as the claims say already, so that no transaction is opened for them. */
async function isStated(read: Read, user: User, { values, directory }: UserChange): Promise<boolean> {
  const stated = Object.entries(values) as [keyof typeof values, unknown][];
  if (stated.some(([field, value]) => user[field] !== value)) return false;
  if (directory === undefined || directory === null) return true;
  return (await findDirectory(read, directory))?.id === user.directoryId;
}
