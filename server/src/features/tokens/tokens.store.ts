import { rowCount } from '../../db/dialect.ts';
import { command, insertRow } from '../../db/statement.ts';

/** Adds an access token of a user. */
export const insertToken = insertRow('access_tokens', ['hash', 'user_id', 'created_at', 'expires_at']);

/** Deletes at most `top` of a user's tokens that had expired by `now`; a bound keeps issuing a token quick. */
export const deleteExpiredTokens = command<{ userId: number; now: number; top: number }>()((q, value) =>
  q.deleteFrom('access_tokens').where('hash', 'in', (sub) =>
    sub
      .selectFrom('access_tokens')
      .select('hash')
      .where('user_id', '=', value('userId'))
      .where('expires_at', '<=', value('now'))
      .limit(rowCount(value('top'))),
  ),
);
