import { Problem } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { dayMs } from 'confab-contract/values/time.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Db, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf, renderUser } from '../users/user-json.ts';
import { systemUserId } from '../users/users.sql.ts';
import { anyKey, insertKey } from './credentials.store.ts';
import { refused, UnknownCredential } from './refusals.ts';
import { hashSecret, kindOfSecret, makeSecret } from './secret-text.ts';
import {
  consoleKey,
  deleteExpired,
  deleteSession,
  deleteTokenOfSession,
  insertSession,
  insertTokenOfSession,
  noteSessionUse,
  sessionByHash,
  takeLink,
} from './sessions.store.ts';

/**
 * Sessions of the console. A session stands for the credential that began it and has the same rights. The credential is an
 * API key, and the session ends with it at the latest; or it is the access token of a user, and the session has a token of
 * its own that ends with the user's other tokens. A link begins a session once, for a key of the console whose secret
 * nobody knows.
 */

/** How long a session lasts at most, in milliseconds. */
const lifeMs = 7 * dayMs;
/** How long a session lasts unused, in milliseconds: a page that is open uses it all the time. */
const idleMs = dayMs / 2;
/** How often the use of a session is stored, in milliseconds. */
const noteMs = 5 * 60_000;
/** How long a link can be used, in milliseconds. */
const linkMs = 15 * 60_000;
/** The most expired sessions that one login deletes: more than one, so that their number falls. */
const expiredMax = 100;
/** The name of the API key of links. */
const keyName = 'console';

/** A new link or session; its secret is kept nowhere. */
type NewSession = { readonly secret: string; readonly expiresAt: UnixMs };

type Parts = { readonly db: Db; readonly clock: Clock };

/** Makes the part that begins and ends sessions, for the server and for commands. */
export function createSessions({ db, clock }: Parts) {
  const writeLink = async (tx: Tx, apiKeyId: number): Promise<NewSession> => {
    const at = clock.now();
    const secret = makeSecret('link');
    const begun = { secret, expiresAt: at + linkMs };
    await tx.run(insertSession, rowOf('link', begun, { at, apiKeyId }));
    return begun;
  };
  const addKey = async (tx: Tx): Promise<number> => {
    const secret = makeSecret('key');
    const values = { hash: hashSecret(secret), name: keyName, hint: '', scopes: 'all', expiresAt: null };
    const row = await tx.get(insertKey, { ...values, at: clock.now() });
    if (row === undefined) throw new Error('a random key was made twice');
    return row.id;
  };

  async function begin(tx: Tx, apiKeyId: number | null, untilMs: number): Promise<NewSession> {
    const at = clock.now();
    const begun = { secret: makeSecret('session'), expiresAt: Math.min(at + lifeMs, untilMs) };
    await tx.run(deleteExpired, { now: at, top: expiredMax });
    await tx.run(insertSession, rowOf('session', begun, { at, apiKeyId }));
    return begun;
  }

  return {
    /** Makes a link that begins one session with all rights. It can be used for 15 minutes. */
    link: async (): Promise<NewSession> =>
      await db.write(async (tx) => {
        const known = await tx.get(consoleKey, { name: keyName });
        return await writeLink(tx, known?.id ?? (await addKey(tx)));
      }),

    /** The same for a store without a key that is not revoked; undefined for any other. */
    firstLink: async (): Promise<NewSession | undefined> =>
      await db.write(async (tx) =>
        (await tx.get(anyKey, {})) === undefined ? await writeLink(tx, await addKey(tx)) : undefined,
      ),

    /** Begins a session by a link; throws `invalid_credential` when it was used or has expired. */
    beginByLink: async (link: string): Promise<NewSession> =>
      await db.write(async (tx) => {
        const hash = hashSecret(link);
        const session =
          kindOfSecret(link) === 'link' ? await tx.get(takeLink, { hash, now: clock.now() }) : undefined;
        if (session === undefined)
          throw new UnknownCredential(
            'The link was used already or has expired; "confab console" makes another.',
          );
        return await begin(tx, session.apiKeyId, Number.POSITIVE_INFINITY);
      }),

    /** Begins a session with the rights of a caller. */
    beginAs: async (caller: Principal): Promise<NewSession> =>
      await db.write(async (tx) => {
        const until = caller.expiresAt ?? Number.POSITIVE_INFINITY;
        const begun = await begin(tx, caller.apiKeyId ?? null, until);
        if (caller.kind === 'token') await addToken(tx, caller, { ...begun, at: clock.now() });
        return begun;
      }),

    /** Ends a session; one that has ended stays so. */
    end: async (secret: string): Promise<void> =>
      await db.write(async (tx) => {
        const hash = hashSecret(secret);
        if ((await tx.changed(deleteSession, { hash })) > 0) await tx.run(deleteTokenOfSession, { hash });
      }),
  };
}

async function addToken(
  tx: Tx,
  caller: Principal,
  { secret, expiresAt, at }: NewSession & { readonly at: UnixMs },
) {
  const { user } = caller;
  await tx.run(insertTokenOfSession, { hash: hashSecret(secret), userId: user.id, createdAt: at, expiresAt });
  await append(tx, {
    action: 'token_issued',
    actor: actorOf(caller),
    appId: null,
    entity: { id: user.id, json: renderUser(user) },
    extra: { expires_in: json(String(Math.ceil((expiresAt - at) / 1000))) },
    at,
  });
}

function rowOf(
  kind: 'link' | 'session',
  { secret, expiresAt }: NewSession,
  { at, apiKeyId }: { readonly at: UnixMs; readonly apiKeyId: number | null },
) {
  return { hash: hashSecret(secret), kind, apiKeyId, createdAt: at, usedAt: at, expiresAt };
}

/**
 * The caller of a request with a session. Throws `invalid_credential` once the session has ended; `byToken` and `noteUse`
 * are the same functions as for other credentials.
 */
export async function bySession(
  {
    db,
    clock,
    byToken,
    noteUse,
  }: Parts & {
    readonly byToken: (hash: Uint8Array) => Promise<Principal>;
    readonly noteUse: (keyId: number) => void;
  },
  secret: string,
): Promise<Principal> {
  const hash = hashSecret(secret);
  const row = kindOfSecret(secret) === 'session' ? await db.read.get(sessionByHash, { hash }) : undefined;
  if (row === undefined) throw new UnknownCredential('The session is not known; it may have ended.');
  const now = clock.now();
  const expiresAt = Math.min(row.expiresAt, row.keyExpiresAt ?? row.expiresAt);
  if (expiresAt <= now || row.usedAt + idleMs <= now) throw refused('The session has expired.');
  const principal = await principalOf({ db, byToken }, hash, { ...row, expiresAt });
  if (principal.apiKeyId !== undefined) noteUse(principal.apiKeyId);
  if (row.usedAt + noteMs <= now) await noteSession(db, { hash, at: now });
  return principal;
}

async function principalOf(
  { db, byToken }: { readonly db: Db; readonly byToken: (hash: Uint8Array) => Promise<Principal> },
  hash: Uint8Array,
  row: { readonly apiKeyId: number | null; readonly scopes: string | null; readonly expiresAt: number },
): Promise<Principal> {
  const { apiKeyId, scopes, expiresAt } = row;
  if (apiKeyId === null) return { ...(await byToken(hash)), expiresAt, isSession: true };
  const user = await findUser(db.read, { id: systemUserId });
  if (scopes === null || user === undefined)
    throw new UnknownCredential('The API key of the session was revoked.');
  return { kind: 'key', user, apiKeyId, scopes: scopes.split(','), expiresAt, isSession: true };
}

/** A store that takes no writes at the moment keeps nobody out. */
async function noteSession(db: Db, use: { readonly hash: Uint8Array; readonly at: number }): Promise<void> {
  try {
    await db.write((tx) => tx.run(noteSessionUse, use));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
