import { sql } from 'kysely';
import { numberIn, recordsOf, textIn } from '../db/dialect.ts';
import { command, insertRow } from '../db/statement.ts';

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
  q
    .insertInto('events')
    .columns([
      'action',
      'actor_id',
      'app_id',
      'user_id',
      'entity_type',
      'entity_id',
      'payload',
      'created_at',
      'is_silent',
    ])
    .expression(
      q
        .selectFrom(recordsOf(value('events'), 'given'))
        .select([
          sql<string>`${value('action')}`.as('action'),
          numberIn('given', 'actorId').as('actor_id'),
          numberIn<number | null>('given', 'appId').as('app_id'),
          numberIn<number | null>('given', 'userId').as('user_id'),
          sql<string>`${value('entityType')}`.as('entity_type'),
          numberIn('given', 'entityId').as('entity_id'),
          textIn('given', 'payload').as('payload'),
          sql<number>`${value('createdAt')}`.as('created_at'),
          sql<number>`0`.as('is_silent'),
        ])
        .orderBy(sql`given.key`),
    )
    .returning('id'),
);
