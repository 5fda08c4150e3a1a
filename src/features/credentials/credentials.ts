import type { TokenCreate } from '../../contract/tokens.ts';
import type { Db, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ownUidFault, parseRef, type Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { invalidField, notFound, Problem } from '../../kernel/problem.ts';
import type { Pictures } from '../users/pictures.ts';
import { prepareChange, type UserChange, userReaders } from '../users/user-change.ts';
import { actorOf, renderUser } from '../users/user-json.ts';
import { findUser, makeUser, revokeTokensOf } from '../users/user-record.ts';
import { systemUserId, userOf } from '../users/users.sql.ts';
import {
  allKeys,
  anyKey,
  deleteEndedTokens,
  insertKey,
  insertToken,
  revokeKey,
  userOfKey,
  userOfToken,
} from './credentials.store.ts';
import { hashSecret, kindOfSecret, makeSecret } from './secret-text.ts';

/** How long an access token lives when nobody says, in seconds. */
const tokenSecondsDefault = 3600;
/** The most ended tokens that one new token sweeps away; more than one, so that they grow fewer. */
const endedTokensMax = 100;

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
export function createCredentials({
  db,
  clock,
  pictureReader,
}: {
  db: Db;
  clock: Clock;
  /** Makes the reader of the picture of a profile; commands, which issue no tokens, leave it out. */
  pictureReader?: Pictures['reader'];
}) {
  async function byToken(hash: Uint8Array): Promise<Principal> {
    const row = await db.read.get(userOfToken, { hash });
    if (row === undefined) throw refused('The access token is not known; it may have been revoked.');
    if (row.expiresAt <= clock.now()) throw refused('The access token has expired.');
    return { kind: 'token', user: usable(userOf(row)), expiresAt: row.expiresAt };
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

  /** The user a token is for, made when nobody has the uid. Throws `not_found` or `user_suspended`. */
  async function userForToken(
    tx: Tx,
    principal: Principal,
    ref: Ref,
    profile: Input<UserChange>,
  ): Promise<User> {
    const found = await findUser(tx, ref);
    if (found === undefined) {
      if ('id' in ref) throw notFound('user');
      const fault = ownUidFault('user', ref.uid);
      if (fault !== undefined) throw invalidField('/uid', 'uid', fault);
      const doing = { principal, at: clock.now() };
      const made = await makeUser(tx, ref.uid, profile.valid(), doing);
      return made ?? (await userForToken(tx, principal, ref, profile));
    }
    if (found.trashedAt !== null) throw notFound('user');
    if (found.suspendedAt !== null)
      throw new Problem('user_suspended', 'The user is suspended and gets no access token.');
    profile.valid();
    if (found.id === systemUserId)
      throw new Problem('validation_failed', 'The built-in user of the system has no access tokens.');
    return found;
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

    /** Issues an access token; a uid that nobody has makes the user with the other fields of the body. */
    async issueToken(principal: Principal, ref: Ref, input: Input<TokenCreate>): Promise<Json> {
      const secret = makeSecret('token');
      const hash = hashSecret(secret);
      const sent = input.read(userReaders);
      const isNew = 'uid' in ref && (await findUser(db.read, ref)) === undefined;
      // The profile of a user who is there already is judged and not taken.
      const profile =
        isNew && pictureReader !== undefined
          ? (await sent.readLater({ picture: pictureReader(principal, undefined) })).map(prepareChange)
          : sent.map(({ picture: _picture, ...fields }) => prepareChange(fields));
      const seconds = await db.write(async (tx) => {
        const user = await userForToken(tx, principal, ref, profile);
        const expiresIn = input.valid().expires_in ?? tokenSecondsDefault;
        const at = clock.now();
        await tx.run(deleteEndedTokens, { userId: user.id, now: at, top: endedTokensMax });
        await tx.run(insertToken, { hash, userId: user.id, at, expiresAt: at + expiresIn * 1000 });
        await append(tx, {
          action: 'token_issued',
          actor: actorOf(principal.user),
          appId: null,
          entity: { id: user.id, json: renderUser(user) },
          extra: { expires_in: json(String(expiresIn)) },
          at,
        });
        return expiresIn;
      });
      return json(`{"access_token":"${secret}","expires_in":${seconds}}`);
    },

    /** Revokes every token of a user, whatever the user's state; they are refused from the answer on. */
    async revokeTokens(principal: Principal, ref: Ref): Promise<undefined> {
      await db.write(async (tx) => {
        const user = await findUser(tx, ref);
        if (user === undefined) throw notFound('user');
        await revokeTokensOf(tx, user, { principal, at: clock.now() });
      });
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
