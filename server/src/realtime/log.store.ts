import { sql } from 'kysely';
import { anyOf, rowCount, unindexedOrder } from '../db/dialect.ts';
import { shortText, textBytes } from '../db/long-texts.ts';
import { query } from '../db/statement.ts';

/** An event as the log stores it. `payload` is the inside of a JSON object. */
export type EventRow = {
  readonly id: number;
  readonly action: string;
  readonly appId: number | null;
  readonly userId: number | null;
  readonly entityType: string;
  readonly entityId: number;
  readonly isSilent: number;
  readonly payload: string;
};

/**
 * The position up to which the log is complete: nothing can still be committed at or below it. That is the newest id,
 * because ids follow the order of commits: SQLite has one writer, and the writers of PostgreSQL take turns
 * (see `db/postgres/postgres.ts`).
 */
export const newestPosition = query()((q) =>
  q.selectFrom('events').select((part) => part.fn.max('id').as('position')),
);

/** The events after a position and up to another in the order of the log, at most `top`. */
export const eventsAfter = query<{ after: number; upto: number; top: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select([
      'id',
      'action',
      'app_id as appId',
      'user_id as userId',
      'entity_type as entityType',
      'entity_id as entityId',
      'is_silent as isSilent',
      'payload',
    ])
    .where('id', '>', value('after'))
    .where('id', '<=', value('upto'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The events after a position with one of some actions. */
export const changesAfter = query<{ after: number; actions: readonly string[] }>()((q, value) =>
  q
    .selectFrom('events')
    .select(['id', 'action', 'app_id as appId', 'entity_id as entityId'])
    .where('id', '>', value('after'))
    .where(anyOf(sql.ref('action'), value('actions')))
    .orderBy('id'),
);

/**
 * The newest event that was removed for its age (`event_cursors` in tables.ts): a reader at an earlier position misses
 * some. Null where none was.
 */
const removedUpTo = sql<number | null>`(select event_id from event_cursors where reader = 'retention')`;

/** The same by itself. */
export const newestRemoved = query()((q) => q.selectNoFrom(removedUpTo.as('position')));

const factColumns = [
  'id',
  'action',
  'app_id as appId',
  'user_id as userId',
  'entity_type as entityType',
] as const;

/** The facts that decide who may see the events after a position and up to another, at most `top`. */
export const eventFactsAfter = query<{ after: number; upto: number; top: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select([...factColumns, removedUpTo.as('removedUpTo')])
    .where('id', '>', value('after'))
    .where('id', '<=', value('upto'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The same facts of the events before a position, the newest first. */
export const eventFactsBefore = query<{ before: number; top: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select(factColumns)
    .where('id', '<', value('before'))
    .orderBy('id', 'desc')
    .limit(rowCount(value('top'))),
);

/** The same of the events about one thing. */
export const eventFactsOf = query<{ entityType: string; entityId: number; before: number; top: number }>()(
  (q, value) =>
    q
      .selectFrom('events')
      .select(factColumns)
      .where('entity_type', '=', value('entityType'))
      .where('entity_id', '=', value('entityId'))
      .where('id', '<', value('before'))
      .orderBy(unindexedOrder(sql.ref('id')), 'desc')
      .limit(rowCount(value('top'))),
);

const shownColumns = [
  'id',
  'entity_type as entityType',
  'entity_id as entityId',
  shortText(sql.ref('payload')).as('content'),
  textBytes(sql.ref('payload')).as('bytes'),
] as const;

/** The events after a position and up to another for a reader, in the order of the log, at most `top`. */
export const shownEventsAfter = query<{ after: number; upto: number; top: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select([...shownColumns, removedUpTo.as('removedUpTo')])
    .where('id', '>', value('after'))
    .where('id', '<=', value('upto'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The payloads of some events that a list left out because they are long. */
export const payloadsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('events')
    .select(['id', 'payload as content'])
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** Some events by id for a reader, in the order of the log. */
export const eventsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('events')
    .select(shownColumns)
    .where(anyOf(sql.ref('id'), value('ids')))
    .orderBy('id'),
);
