import { sql } from 'kysely';
import { numberIn, recordsOf, rowCount, textIn } from '../db/dialect.ts';
import { command, insertRow, insertSelected, query } from '../db/statement.ts';

/** An event of the log. */
export const insertEvent = insertRow('events', [
  'action',
  'actor_id',
  'app_id',
  'user_id',
  'entity_type',
  'entity_id',
  'payload',
  'created_at',
  'is_silent',
]);

/** Many events with the same action and time; `events` is a JSON array of the fields that differ. */
export const insertEvents = command<{
  action: string;
  entityType: string;
  createdAt: number;
  events: string;
}>()((q, value) =>
  insertSelected(q, 'events', {
    from: q.selectFrom(recordsOf(value('events'), 'given')).orderBy(sql`given.key`),
    values: {
      action: value('action'),
      actor_id: numberIn('given', 'actorId'),
      app_id: numberIn<number | null>('given', 'appId'),
      user_id: numberIn<number | null>('given', 'userId'),
      entity_type: value('entityType'),
      entity_id: numberIn('given', 'entityId'),
      payload: textIn('given', 'payload'),
      created_at: value('createdAt'),
      is_silent: sql<number>`0`,
    },
  }).returning('id'),
);

/** The apps of the first events after a position; null for events that concern several. */
export const appsAfter = query<{ after: number; top: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select(['id', 'app_id as appId', 'action'])
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The position of the newest event; null in an empty log. */
export const newestPosition = query<Record<never, never>>()((q) =>
  q.selectFrom('events').select(({ fn }) => fn.max('id').as('id')),
);
