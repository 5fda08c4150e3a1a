import { sql } from 'kysely';
import { userColumns } from '../../access/user/user.sql.ts';
import { rowCount } from '../../db/dialect.ts';
import { type Builder, command, query, remember } from '../../db/statement.ts';

/** The user of an access token, with the moment the token ends. */
export const userOfToken = remember(
  query<{ hash: Uint8Array }>()((q, value) =>
    q
      .selectFrom('access_tokens')
      .innerJoin('users', 'users.id', 'access_tokens.user_id')
      .select(userColumns)
      .select('access_tokens.expires_at as expiresAt')
      .where('hash', '=', value('hash')),
  ),
  { id: ({ id }) => id, tables: { access_tokens: 'user_id', users: 'id' }, changesSeldom: true },
);

/** The visitor of an access token, with the moment the token ends. */
export const visitorOfToken = remember(
  query<{ hash: Uint8Array }>()((q, value) =>
    q
      .selectFrom('visitor_secrets')
      .innerJoin('users', 'users.id', 'visitor_secrets.user_id')
      .select(userColumns)
      .select('visitor_secrets.expires_at as expiresAt')
      .where('hash', '=', value('hash'))
      .where('kind', '=', 'access'),
  ),
  { id: ({ id }) => id, tables: { visitor_secrets: 'user_id', users: 'id' }, changesSeldom: true },
);

/** The user with a uid, with the moment before which tokens of an identity provider were issued in vain, as the store has it now. */
export const userOfNewSubject = query<{ uid: string }>()((q, value) =>
  q
    .selectFrom('users')
    .select(userColumns)
    .select('users.tokens_from as tokensFrom')
    .where('uid', '=', value('uid')),
);

/** The same for a token that is known. */
export const userOfSubject = remember(userOfNewSubject, {
  id: ({ id }) => id,
  tables: { users: 'id' },
  changesSeldom: true,
});

/** A key that is not revoked, with the user its content belongs to. */
export const userOfKey = remember(
  query<{ hash: Uint8Array; userId: number }>()((q, value) =>
    q
      .selectFrom(['api_keys', 'users'])
      .select(userColumns)
      .select(['api_keys.id as apiKeyId', 'api_keys.scopes', 'api_keys.expires_at as expiresAt'])
      .where('api_keys.hash', '=', value('hash'))
      .where('api_keys.revoked_at', 'is', null)
      .where('users.id', '=', value('userId')),
  ),
  { id: ({ id }) => id, tables: { api_keys: null, users: 'id' }, changesSeldom: true },
);

/** Adds a key; the same key twice is one. */
export const insertKey = command<{
  hash: Uint8Array;
  name: string;
  hint: string;
  scopes: string;
  expiresAt: number | null;
  at: number;
}>()((q, value) =>
  q
    .insertInto('api_keys')
    .values({
      hash: value('hash'),
      name: value('name'),
      hint: value('hint'),
      scopes: value('scopes'),
      expires_at: value('expiresAt'),
      created_at: value('at'),
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('id'),
);

/** Whether there is a key that is not revoked. */
export const anyKey = query()((q) =>
  q.selectFrom('api_keys').select('id').where('revoked_at', 'is', null).limit(sql.lit(1)),
);

const keysWithUses = (q: Builder) =>
  q
    .selectFrom('api_keys')
    .leftJoin('key_uses', 'key_uses.key_id', 'api_keys.id')
    .select(['id', 'name', 'hint', 'scopes', 'created_at as createdAt', 'expires_at as expiresAt'])
    .select(['last_used_at as lastUsedAt', 'revoked_at as revokedAt']);

/** Every key, oldest first. */
export const allKeys = query()((q) => keysWithUses(q).orderBy('id'));

/** The newest keys, newest first. */
export const newestKeys = query<{ top: number }>()((q, value) =>
  keysWithUses(q)
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);

/** One key. */
export const keyById = query<{ id: number }>()((q, value) => keysWithUses(q).where('id', '=', value('id')));

/** Lets a key end at a time, unless it ends earlier. */
export const endKey = command<{ id: number; expiresAt: number }>()((q, value) =>
  q
    .updateTable('api_keys')
    .set({ expires_at: value('expiresAt') })
    .where('id', '=', value('id'))
    .where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', value('expiresAt'))]),
    ),
);

/** Revokes a key; changes no row when it is unknown or revoked already. */
export const revokeKey = command<{ id: number; at: number }>()((q, value) =>
  q
    .updateTable('api_keys')
    .set({ revoked_at: value('at') })
    .where('id', '=', value('id'))
    .where('revoked_at', 'is', null),
);

/** Notes when a key was used; a time that is earlier than the noted one changes nothing. */
export const noteKeyUse = command<{ keyId: number; at: number }>()((q, value) =>
  q
    .insertInto('key_uses')
    .values({ key_id: value('keyId'), last_used_at: value('at') })
    .onConflict((conflict) =>
      conflict
        .column('key_id')
        .doUpdateSet((row) => ({ last_used_at: row.ref('excluded.last_used_at') }))
        .whereRef('key_uses.last_used_at', '<', 'excluded.last_used_at'),
    ),
);
