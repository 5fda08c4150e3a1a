import { createHash, randomBytes } from 'node:crypto';
import { Problem } from 'confab-contract/problem.ts';
import { signInLimits } from 'confab-contract/signing-in.ts';
import { dayMs, type UnixMs } from 'confab-contract/values/time.ts';
import { findUser, userRefusal } from '../../access/user/user-access.ts';
import type { Db, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';
import { networkOfClient } from '../../net/networks.ts';
import { hashSecret, kindOfSecret, makeSecret } from '../credentials/secret-text.ts';
import { actorOf, renderUser } from '../users/user-json.ts';
import {
  deleteVisitorSession,
  insertVisitorSecret,
  noteVisitorAddress,
  useVisitorSecret,
  visitorSecret,
} from './signing-in.store.ts';

/**
 * Sessions of visitors. Each has an access token of an hour and a secret that gets the next one, once. A secret that was
 * used stays until it expires, so that one who has copied it ends the session in place of getting a token.
 */

/** How long a used secret is remembered, in milliseconds. Copies that are older are not known any more. */
const usedMs = 7 * dayMs;

/** The transaction in which a visitor signs in, when, and the address they come from, as `AddressOf` spells it. */
export type Moment = { readonly tx: Tx; readonly at: UnixMs; readonly address?: string | undefined };

/** The same before there is a transaction. */
type Asking = Omit<Moment, 'tx'> & { readonly db: Pick<Db, 'read' | 'write'> };

/** Begins a session of a visitor, or goes on with one, keeps where they come from, and renders what the visitor gets. */
export async function continueSession(
  moment: Moment,
  user: User,
  session: Uint8Array = randomBytes(16),
): Promise<Json> {
  const { tx, at } = moment;
  const { accessSeconds, renewalSeconds } = signInLimits;
  const add = async (kind: 'access' | 'renewal', secret: string, seconds: number) => {
    const row = { hash: hashSecret(secret), kind, session, userId: user.id, challenge: null };
    await tx.run(insertVisitorSecret, { ...row, createdAt: at, expiresAt: at + seconds * 1000 });
    return secret;
  };
  const token = await add('access', makeSecret('visitor'), accessSeconds);
  const renewal = await add('renewal', makeSecret('renewal'), renewalSeconds);
  await keepAddress(moment, user);
  await append(tx, {
    action: 'token_issued',
    actor: actorOf({ user }),
    appId: null,
    entity: { id: user.id, json: renderUser(user) },
    extra: { expires_in: json(String(accessSeconds)) },
    at,
  });
  return json(
    `{"access_token":"${token}","expires_in":${accessSeconds},` +
      `"renewal_secret":"${renewal}","renewal_expires_in":${renewalSeconds},"user":${renderUser(user)}}`,
  );
}

/** Keeps the network from which a visitor comes, which moderators can ban, in place of the one before. */
export async function keepAddress({ tx, at, address }: Moment, { id }: User): Promise<void> {
  if (address === undefined) return;
  await tx.run(noteVisitorAddress, { userId: id, address: networkOfClient(address), at });
}

/** The visitor of a session that goes on; throws `sign_in_ended` for one who is suspended or gone. */
export async function returningVisitor({ tx }: Moment, userId: number): Promise<User> {
  return returning(await findUser(tx, { id: userId }));
}

function returning(user: User | undefined): User {
  if (user === undefined || userRefusal(user) !== undefined) throw ended();
  return user;
}

/** The refusal of what does not sign in any more. It says nothing about what there was. */
export function ended(): Problem {
  return new Problem('sign_in_ended', 'This does not sign in any more.');
}

/**
 * Uses a renewal secret and renders what the visitor gets. A secret that was used before ends its session; then, and for
 * one that is not known, the result is undefined.
 */
export async function renew(asking: Asking, secret: string): Promise<Json | undefined> {
  return await useSecret(asking, { kind: 'renewal', secret, isRight: () => true });
}

/** How long the code of a window is good, in milliseconds. */
const codeMs = 60_000;

/**
 * Makes the code with which the page that opened a window signs its visitor in. `challenge` is the SHA-256 of the verifier
 * that only this page knows, in base64url.
 */
export async function makeCode({ tx, at }: Moment, user: User, challenge: string): Promise<string> {
  const code = makeSecret('code');
  await tx.run(insertVisitorSecret, {
    ...{ hash: hashSecret(code), kind: 'code', session: randomBytes(16), userId: user.id, challenge },
    ...{ createdAt: at, expiresAt: at + codeMs },
  });
  return code;
}

/**
 * Uses a code with its verifier and renders what the visitor gets; undefined where it signs nobody in. A code that was used
 * before ends the session that it began, because one of the two who had it has copied it (RFC 6749, section 4.1.2); one that
 * comes with a wrong verifier is gone.
 */
export async function exchange(
  asking: Asking,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<Json | undefined> {
  const hash = createHash('sha256').update(verifier).digest('base64url');
  return await useSecret(asking, { kind: 'code', secret: code, isRight: (challenge) => challenge === hash });
}

/**
 * Uses a secret that begins a session or goes on with one, and renders what its visitor gets. It is looked up before the
 * transaction, which runs beside those of other visitors: they change nothing of this one.
 */
async function useSecret(
  { db, at, address }: Asking,
  {
    kind,
    secret,
    isRight,
  }: {
    readonly kind: 'code' | 'renewal';
    readonly secret: string;
    readonly isRight: (challenge: string | null) => boolean;
  },
): Promise<Json | undefined> {
  if (kindOfSecret(secret) !== kind) return undefined;
  const hash = hashSecret(secret);
  const known = await db.read.get(visitorSecret, { hash, kind });
  if (known === undefined || known.expiresAt <= at) return undefined;
  const { userId } = known;
  const work = async (tx: Tx) => {
    const [row, user] = await Promise.all([
      tx.get(visitorSecret, { hash, kind }),
      findUser(tx, { id: userId }),
    ]);
    if (row === undefined || row.expiresAt <= at) return undefined;
    const { session, challenge, usedAt } = row;
    if (usedAt !== null || (await tx.changed(useVisitorSecret, { hash, at, expiresAt: at + usedMs })) === 0) {
      await endSession({ tx, at }, { userId, session }, user);
      return undefined;
    }
    if (!isRight(challenge)) {
      await tx.run(deleteVisitorSession, { userId, session });
      return undefined;
    }
    return await continueSession({ tx, at, address }, returning(user), session);
  };
  return await db.write(work, { among: 'sessions of visitors', key: userId, events: 1 });
}

/** Ends the session of the token with which a visitor has sent a request. */
export async function endSessionOf(moment: Moment, authorization: string | undefined): Promise<void> {
  const token = /\S+$/.exec(authorization ?? '')?.[0] ?? '';
  const row = await moment.tx.get(visitorSecret, { hash: hashSecret(token), kind: 'access' });
  if (row !== undefined) await endSession(moment, row, await findUser(moment.tx, { id: row.userId }));
}

/** Ends one session of a visitor. */
async function endSession(
  { tx, at }: Moment,
  { userId, session }: { readonly userId: number; readonly session: Uint8Array },
  user: User | undefined,
): Promise<void> {
  if ((await tx.changed(deleteVisitorSession, { userId, session })) === 0 || user === undefined) return;
  await append(tx, {
    action: 'tokens_revoked',
    actor: actorOf({ user }),
    appId: null,
    entity: { id: user.id, json: renderUser(user) },
    at,
  });
}
