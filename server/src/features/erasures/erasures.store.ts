import { sql } from 'kysely';
import { anyOf } from '../../db/dialect.ts';
import { command, insertRow, query, type RowOf, updateRow } from '../../db/statement.ts';

const columns = [
  'id',
  'user_id as userId',
  'content',
  'requested_at as requestedAt',
  'requested_by_id as requestedById',
  'api_key_id as apiKeyId',
  'finished_at as finishedAt',
  'names',
  'part',
  'position',
  'counts',
  'receipt',
  'heir_id as heirId',
  'failures',
] as const;

/** An erasure as stored. */
export type ErasureRow = RowOf<'erasures', typeof columns>;

/** Adds an erasure. */
export const insertErasure = insertRow('erasures', [
  'user_id',
  'content',
  'requested_at',
  'requested_by_id',
  'api_key_id',
  'names',
  'part',
  'counts',
  'heir_id',
  'rank',
]);

/** An erasure by its id. */
export const erasureById = query<{ id: number }>()((q, value) =>
  q.selectFrom('erasures').select(columns).where('id', '=', value('id')),
);

/** The erasure of a user. */
export const erasureOfUser = query<{ userId: number }>()((q, value) =>
  q.selectFrom('erasures').select(columns).where('user_id', '=', value('userId')),
);

/** An erasure that has not finished. */
export const firstRunning = query()((q) =>
  q.selectFrom('erasures').select('id').where('finished_at', 'is', null).limit(sql.lit(1)),
);

/**
 * The erasure whose turn it is. One that has begun goes on to its end, so that no other one removes what it counts; only
 * the cleaning of the files waits, because one does for many. One of a user who inherits waits until they have inherited.
 * An erasure that failed has no turn before its time, and one whose time is after `latest` was put off by a clock that was
 * ahead.
 */
export const erasureInTurn = query<{ first: string; last: string; now: number; latest: number }>()(
  (q, value) =>
    q
      .selectFrom('erasures')
      .select(columns)
      .where('finished_at', 'is', null)
      .where((where) =>
        where.or([where('due_at', '<=', value('now')), where('due_at', '>', value('latest'))]),
      )
      .where(
        sql<boolean>`not exists (select 1 from erasures as joining
          where joining.heir_id = erasures.user_id and joining.finished_at is null)`,
      )
      .orderBy(sql`case when part = ${value('first')} or part = ${value('last')} then 1 else 0 end`)
      .orderBy('rank')
      .orderBy(sql`case when part = ${value('last')} then 1 else 0 end`)
      .orderBy('id')
      .limit(sql.lit(1)),
);

/** When the next erasure that failed is tried again; null where none waits for its time. */
export const nextDue = query<{ now: number }>()((q, value) =>
  q
    .selectFrom('erasures')
    .select((part) => part.fn.min('due_at').as('at'))
    .where('finished_at', 'is', null)
    .where('due_at', '>', value('now')),
);

/** How many erasures have not finished, and how many of them failed at their last step. */
export const unfinishedErasures = query()((q) =>
  q
    .selectFrom('erasures')
    .select([
      sql<number>`coalesce(sum(case when failures = 0 then 1 else 0 end), 0)`.as('running'),
      sql<number>`coalesce(sum(case when failures > 0 then 1 else 0 end), 0)`.as('failing'),
    ])
    .where('finished_at', 'is', null),
);

/** The erasures of which only a part is left. */
export const erasuresInPart = query<{ part: string }>()((q, value) =>
  q
    .selectFrom('erasures')
    .select(columns)
    .where('finished_at', 'is', null)
    .where('part', '=', value('part'))
    .orderBy('id'),
);

/** An erasure that goes on and is in one of some parts. */
export const erasureInPart = query<{ parts: readonly string[] }>()((q, value) =>
  q
    .selectFrom('erasures')
    .select('id')
    .where('finished_at', 'is', null)
    .where('failures', '=', sql.lit(0))
    .where(anyOf(sql.ref('part'), value('parts')))
    .limit(sql.lit(1)),
);

/** Notes how far an erasure is. */
export const setProgress = updateRow('erasures', ['part', 'position', 'counts', 'failures']);

/** Notes that an erasure has failed, and when it is tried again. */
export const putOff = updateRow('erasures', ['failures', 'due_at']);

/** Lets the erasures of some users go before those of visitors. */
export const promote = command<{ userIds: readonly number[] }>()((q, value) =>
  q
    .updateTable('erasures')
    .set({ rank: 0 })
    .where('rank', '>', sql.lit(0))
    .where(anyOf(sql.ref('user_id'), value('userIds'))),
);

/** Writes what a user was called. */
export const forgetNames = updateRow('erasures', ['names']);

/** Finishes an erasure. */
export const finishErasure = updateRow('erasures', ['finished_at', 'receipt']);
