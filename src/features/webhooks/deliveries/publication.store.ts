import { sql } from 'kysely';
import { anyOf, atMost, greaterOf, numberIn, recordsOf, textIn, timedUuid } from '../../../db/dialect.ts';
import { command } from '../../../db/statement.ts';
import { waitsUntil } from '../sending/lanes.sql.ts';

/**
 * One delivery of each event for each enabled webhook with its group or its action among its triggers; `events` is a
 * JSON array of `PublishedEvent`.
 */
export const insertDeliveries = command<{ events: string }>()((q, value) =>
  q
    .insertInto('deliveries')
    .columns(['webhook_id', 'event_id', 'guid', 'action', 'trigger', 'status', 'due_at', 'created_at'])
    .expression(
      q
        .selectFrom('webhooks')
        .innerJoin(recordsOf(value('events'), 'published'), (join) => join.onTrue())
        .select([
          sql<number>`webhooks.id`.as('webhook_id'),
          numberIn('published', 'eventId').as('event_id'),
          timedUuid(numberIn('published', 'at')).as('guid'),
          textIn('published', 'action').as('action'),
          textIn('published', 'group').as('trigger'),
          sql<string>`'pending'`.as('status'),
          numberIn('published', 'at').as('due_at'),
          numberIn('published', 'at').as('created_at'),
        ])
        .where(sql.ref('webhooks.is_enabled'), '=', 1)
        .where(sql.ref('webhooks.id'), 'in', () =>
          q
            .selectFrom('webhook_triggers')
            .select('webhook_id')
            .where('trigger', 'in', [textIn('published', 'group'), textIn('published', 'action')]),
        )
        .orderBy(sql`published.key`)
        .orderBy(sql.ref('webhooks.id')),
    ),
);

/** Counts the deliveries of some events for the lists of their webhooks. */
export const countDeliveries = command<{ eventIds: readonly number[] }>()((q, value) =>
  q
    .insertInto('tallies')
    .columns(['parent_type', 'parent_id', 'kind', 'app_id', 'live', 'trashed', 'is_hidden'])
    .expression(
      q
        .selectFrom('deliveries')
        .select([
          sql<string>`'webhook'`.as('parent_type'),
          'webhook_id',
          sql<string>`'delivery'`.as('kind'),
          sql<number>`0`.as('app_id'),
          sql<number>`count(*)`.as('live'),
          sql<number>`0`.as('trashed'),
          sql<number>`0`.as('is_hidden'),
        ])
        .where(anyOf(sql.ref('event_id'), value('eventIds')))
        .groupBy('webhook_id'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['parent_type', 'parent_id', 'kind'])
        .doUpdateSet({ live: sql`tallies.live + excluded.live` }),
    ),
);

/** Makes the webhooks of some events due when they need not wait, unless they are already due earlier. */
export const wakeWebhooks = command<{ eventIds: readonly number[]; now: number }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({ due_at: atMost(sql.ref('due_at'), greaterOf(sql`cast(${value('now')} as bigint)`, waitsUntil)) })
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('deliveries')
        .select('webhook_id')
        .where(anyOf(sql.ref('event_id'), value('eventIds'))),
    ),
);
