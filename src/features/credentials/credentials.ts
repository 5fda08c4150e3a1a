import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { parseRef } from '../../kernel/ids.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { Problem } from '../../kernel/problem.ts';
import { userOf } from '../users/users.sql.ts';
import { findUser } from '../users/users.ts';
import { allKeys, anyKey, insertKey, revokeKey, userOfKey, userOfToken } from './credentials.store.ts';
import { hashSecret, kindOfSecret, makeSecret } from './secret-text.ts';

/** The user that owns content made with an API key; its row is made with the schema. */
const systemUserId = 1;

// RFC 9110: the scheme is case-insensitive, followed by one or more spaces and one token.
const bearer = /^Bearer +([\x21-\x7e]+)$/i;

function refused(detail: string): Problem {
  return new Problem('invalid_credential', detail);
}

/** A key as an operator sees it; the secret itself is kept nowhere. Times are Unix milliseconds. */
export type KeyInfo = {
  readonly id: number;
  readonly name: string;
  /** The last four characters. */
  readonly hint: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
};

/** What the credentials feature does. */
export type Credentials = ReturnType<typeof createCredentials>;

/** API keys and access tokens: who is calling (specification section 5). */
export function createCredentials({ db, clock }: { db: Db; clock: Clock }) {
  async function byToken(hash: Uint8Array): Promise<Principal> {
    const row = await db.read.get(userOfToken, { hash });
    if (row === undefined) throw refused('The access token is not known; it may have been revoked.');
    const { expiresAt, ...user } = row;
    if (expiresAt <= clock.now()) throw refused('The access token has expired.');
    return { kind: 'token', user: usable(userOf(user)) };
  }

  async function byKey(hash: Uint8Array, onBehalfOf: string | undefined): Promise<Principal> {
    const row = await db.read.get(userOfKey, { hash, userId: systemUserId });
    if (row === undefined) throw refused('The API key is not known; it may have been revoked.');
    if (onBehalfOf === undefined) return { kind: 'key', user: userOf(row) };
    const ref = parseRef(decodeName(onBehalfOf));
    const user = ref === undefined ? undefined : await findUser(db.read, ref);
    if (user === undefined) throw refused('X-Confab-User names no user.');
    return { kind: 'key', user: usable(user) };
  }

  return {
    /** Who is calling; throws `unauthorized` or `invalid_credential`. */
    async authenticate(headers: {
      authorization: string | undefined;
      onBehalfOf: string | undefined;
    }): Promise<Principal> {
      if (headers.authorization === undefined)
        throw new Problem(
          'unauthorized',
          'Send the header Authorization: Bearer with an access token or API key.',
        );
      const secret = bearer.exec(headers.authorization)?.[1];
      const kind = secret === undefined ? undefined : kindOfSecret(secret);
      if (secret === undefined || kind === undefined)
        throw refused('The Authorization header holds no access token or API key.');
      const hash = hashSecret(secret);
      return kind === 'key' ? await byKey(hash, headers.onBehalfOf) : await byToken(hash);
    },

    /** Makes a key with the name `name`; answers the secret, which cannot be had again. */
    async createKey(name: string): Promise<string> {
      const secret = makeSecret('key');
      await db.write((tx) =>
        tx.get(insertKey, { hash: hashSecret(secret), name, hint: secret.slice(-4), at: clock.now() }),
      );
      return secret;
    },

    /** Makes sure that a key chosen by the operator works; throws an Error when it does not have the form of one. */
    async acceptKey(secret: string): Promise<void> {
      if (kindOfSecret(secret) !== 'key')
        throw new Error('CONFAB_API_KEY is not an API key: make one with `confab key create`');
      await db.write((tx) =>
        tx.get(insertKey, {
          hash: hashSecret(secret),
          name: 'CONFAB_API_KEY',
          hint: secret.slice(-4),
          at: clock.now(),
        }),
      );
    },

    /** Makes the first key of a new store, or answers undefined when there is one that can be used. */
    async createFirstKey(): Promise<string | undefined> {
      const secret = makeSecret('key');
      return await db.write(async (tx) => {
        if ((await tx.get(anyKey, {})) !== undefined) return undefined;
        const row = { hash: hashSecret(secret), name: 'first', hint: secret.slice(-4), at: clock.now() };
        await tx.get(insertKey, row);
        return secret;
      });
    },

    listKeys: async (): Promise<KeyInfo[]> => await db.read.all(allKeys, {}),

    /** Ends a key; answers whether there was one to end. */
    async revokeKey(id: number): Promise<boolean> {
      return (await db.write((tx) => tx.run(revokeKey, { id, at: clock.now() }))) > 0;
    },
  };
}

function usable(user: User): User {
  if (user.suspendedAt !== null) throw refused('The user is suspended.');
  if (user.trashedAt !== null) throw refused('The user is in the trash.');
  return user;
}

/** A header holds ASCII only, so a uid beyond it arrives percent-encoded. */
function decodeName(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
