import { rowCount } from '../../db/dialect.ts';
import { command, insertRow, query } from '../../db/statement.ts';

/** Adds a session, or a link that begins one. */
export const insertSession = insertRow('sessions', [
  'hash',
  'kind',
  'api_key_id',
  'created_at',
  'used_at',
  'expires_at',
]);

/** Adds the access token that the session of a user has. */
export const insertTokenOfSession = insertRow('access_tokens', [
  'hash',
  'user_id',
  'created_at',
  'expires_at',
]);

/** A session, with its API key unless that was revoked. */
export const sessionByHash = query<{ hash: Uint8Array }>()((q, value) =>
  q
    .selectFrom('sessions')
    .leftJoin('api_keys', (join) =>
      join.onRef('api_keys.id', '=', 'sessions.api_key_id').on('api_keys.revoked_at', 'is', null),
    )
    .select(['sessions.api_key_id as apiKeyId', 'used_at as usedAt', 'sessions.expires_at as expiresAt'])
    .select(['api_keys.scopes', 'api_keys.expires_at as keyExpiresAt'])
    .where('sessions.hash', '=', value('hash'))
    .where('kind', '=', 'session'),
);

/** Notes that a session is used. */
export const noteSessionUse = command<{ hash: Uint8Array; at: number }>()((q, value) =>
  q
    .updateTable('sessions')
    .set({ used_at: value('at') })
    .where('hash', '=', value('hash')),
);

/** Takes a link that has not expired: of two requests with the same link, one gets its key. */
export const takeLink = command<{ hash: Uint8Array; now: number }>()((q, value) =>
  q
    .deleteFrom('sessions')
    .where('hash', '=', value('hash'))
    .where('kind', '=', 'link')
    .where('expires_at', '>', value('now'))
    .returning('api_key_id as apiKeyId'),
);

/** Ends a session, with the access token that one of a user has. */
export const deleteSession = command<{ hash: Uint8Array }>()((q, value) =>
  q.deleteFrom('sessions').where('hash', '=', value('hash')).where('kind', '=', 'session'),
);

/** Deletes the access token of a session. */
export const deleteTokenOfSession = command<{ hash: Uint8Array }>()((q, value) =>
  q.deleteFrom('access_tokens').where('hash', '=', value('hash')),
);

/** Deletes at most `top` sessions and links that had expired by `now`. */
export const deleteExpired = command<{ now: number; top: number }>()((q, value) =>
  q.deleteFrom('sessions').where('hash', 'in', (sub) =>
    sub
      .selectFrom('sessions')
      .select('hash')
      .where('expires_at', '<=', value('now'))
      .limit(rowCount(value('top'))),
  ),
);

/** The key of links that the command line and the first start make, unless it was revoked. It alone has no hint. */
export const consoleKey = query<{ name: string }>()((q, value) =>
  q
    .selectFrom('api_keys')
    .select('id')
    .where('name', '=', value('name'))
    .where('hint', '=', '')
    .where('scopes', '=', 'all')
    .where('revoked_at', 'is', null)
    .where('expires_at', 'is', null)
    .orderBy('id'),
);
