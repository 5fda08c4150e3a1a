import { rowCount } from '../../db/dialect.ts';
import { command } from '../../db/statement.ts';

/** Adds an access token of a user. */
export const insertToken = command<{ hash: Uint8Array; userId: number; at: number; expiresAt: number }>()(
  (q, value) =>
    q.insertInto('access_tokens').values({
      hash: value('hash'),
      user_id: value('userId'),
      created_at: value('at'),
      expires_at: value('expiresAt'),
    }),
);

/** Deletes at most `top` of a user's tokens that expired by `now`, so that issuing one stays quick. */
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
