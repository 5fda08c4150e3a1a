import { sql } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from './db.ts';
import { anyOf, rowCount } from './dialect.ts';
import { command, insertRow, query } from './statement.ts';

/** Answers of requests with an `Idempotency-Key`, which their retries get (decision 0061). */

/** How long an answer is kept at least, in milliseconds: a day, as clients know it from other services. */
const keptMs = 24 * 3_600_000;
/** The most answers that one transaction removes: a few milliseconds of the one writer. */
const removedMax = 500;

/** The answer that is kept for a key of a caller. `apiKeyId` is 0 for access tokens. */
export const keptAnswerOf = query<{ userId: number; apiKeyId: number; key: string }>()((q, value) =>
  q
    .selectFrom('kept_answers')
    .select(['fingerprint', 'status', 'body'])
    .where('user_id', '=', value('userId'))
    .where('api_key_id', '=', value('apiKeyId'))
    .where('key', '=', value('key')),
);

/** Keeps an answer; violates a unique index where one is kept for the key. */
export const insertKeptAnswer = insertRow('kept_answers', [
  'user_id',
  'api_key_id',
  'key',
  'fingerprint',
  'status',
  'created_at',
  'body',
]);

const oldestAnswers = query<{ top: number }>()((q, value) =>
  q
    .selectFrom('kept_answers')
    .select(['id', 'created_at as createdAt'])
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

const deleteAnswers = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('kept_answers').where(anyOf(sql.ref('id'), value('ids'))),
);

/**
 * Removes one batch of expired answers; returns whether there may be more. It follows the ids, whose order is the order of
 * time, apart from differences between the clocks of nodes.
 */
export async function removeKeptAnswers({ db, clock }: { db: Db; clock: Clock }): Promise<boolean> {
  const oldest = await db.read.all(oldestAnswers, { top: removedMax });
  const ids = oldest.filter(({ createdAt }) => createdAt < clock.now() - keptMs).map(({ id }) => id);
  if (ids.length > 0) await db.write((tx) => tx.run(deleteAnswers, { ids }));
  return ids.length === removedMax;
}
