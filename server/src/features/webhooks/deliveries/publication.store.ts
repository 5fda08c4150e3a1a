import { sql } from 'kysely';
import { anyOf, atMost, greaterOf, numberIn, recordsOf, textIn, timedUuid } from '../../../db/dialect.ts';
import { command, insertSelected } from '../../../db/statement.ts';
import { addCounts } from '../../../db/tallies.ts';
import { waitsUntil } from '../sending/lanes.sql.ts';

/**
 * One delivery of each event for each enabled webhook with its group or its action among its triggers; `events` is a
 * JSON array of `PublishedEvent`.
 */
export const insertDeliveries = command<{ events: string }>()((q, value) =>
  insertSelected(q, 'deliveries', {
    from: q
      .selectFrom('webhooks')
      .innerJoin(recordsOf(value('events'), 'published'), (join) => join.onTrue())
      .where(sql.ref('webhooks.is_enabled'), '=', 1)
      .where(sql.ref('webhooks.id'), 'in', () =>
        q
          .selectFrom('webhook_triggers')
          .select('webhook_id')
          .where('trigger', 'in', [textIn('published', 'group'), textIn('published', 'action')]),
      )
      .orderBy(sql`published.key`)
      .orderBy(sql.ref('webhooks.id')),
    values: {
      webhook_id: sql<number>`webhooks.id`,
      event_id: numberIn('published', 'eventId'),
      guid: timedUuid(numberIn('published', 'at')),
      action: textIn('published', 'action'),
      trigger: textIn('published', 'group'),
      status: sql<string>`'pending'`,
      due_at: numberIn('published', 'at'),
      created_at: numberIn('published', 'at'),
    },
  }),
);

/** Counts the deliveries of some events for the lists of their webhooks. */
export const countDeliveries = command<{ eventIds: readonly number[] }>()((q, value) =>
  addCounts(q, {
    from: q
      .selectFrom('deliveries')
      .where(anyOf(sql.ref('event_id'), value('eventIds')))
      .groupBy('webhook_id'),
    values: {
      parent_type: sql<string>`'webhook'`,
      parent_id: sql.ref('webhook_id'),
      kind: sql<string>`'delivery'`,
      app_id: sql<number>`0`,
      live: sql<number>`count(*)`,
    },
  }),
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
