import { sql } from 'kysely';
import { anyOf } from '../../db/dialect.ts';
import { insertRow, query, type RowOf, updateRow } from '../../db/statement.ts';

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
]);

/** An erasure by its id. */
export const erasureById = query<{ id: number }>()((q, value) =>
  q.selectFrom('erasures').select(columns).where('id', '=', value('id')),
);

/** The erasure of a user. */
export const erasureOfUser = query<{ userId: number }>()((q, value) =>
  q.selectFrom('erasures').select(columns).where('user_id', '=', value('userId')),
);

/** The erasure that was requested first, of those that have not finished. */
export const firstRunning = query()((q) =>
  q.selectFrom('erasures').select(columns).where('finished_at', 'is', null).orderBy('id').limit(sql.lit(1)),
);

/** An erasure that has not finished and is in one of some parts. */
export const erasureInPart = query<{ parts: readonly string[] }>()((q, value) =>
  q
    .selectFrom('erasures')
    .select('id')
    .where('finished_at', 'is', null)
    .where(anyOf(sql.ref('part'), value('parts')))
    .limit(sql.lit(1)),
);

/** Notes how far an erasure is. */
export const setProgress = updateRow('erasures', ['part', 'position', 'counts']);

/** Writes what a user was called. */
export const forgetNames = updateRow('erasures', ['names']);

/** Finishes an erasure. */
export const finishErasure = updateRow('erasures', ['finished_at', 'receipt']);
