import { sql } from 'kysely';
import { anyOf, atMost, greaterOf, numberIn, randomUuid, recordsOf, textIn } from '../db/dialect.ts';
import { command } from '../db/statement.ts';

/** An event of the log. */
export const insertEvent = command<{
  action: string;
  actorId: number;
  appId: number | null;
  userId: number | null;
  entityType: string;
  entityId: number;
  payload: string;
  createdAt: number;
  isSilent: number;
}>()((q, value) =>
  q.insertInto('events').values({
    action: value('action'),
    actor_id: value('actorId'),
    app_id: value('appId'),
    user_id: value('userId'),
    entity_type: value('entityType'),
    entity_id: value('entityId'),
    payload: value('payload'),
    created_at: value('createdAt'),
    is_silent: value('isSilent'),
  }),
);

/** Many events of one action and time; `events` is a JSON array of what differs. */
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

/**
 * One delivery of each event for each enabled webhook with its group or its action among its triggers; `events` is a
 * JSON array of `ToldEvent`.
 */
export const insertDeliveries = command<{ events: string }>()((q, value) =>
  q
    .insertInto('deliveries')
    .columns(['webhook_id', 'event_id', 'guid', 'action', 'trigger', 'status', 'due_at', 'created_at'])
    .expression(
      q
        .selectFrom('webhooks')
        .innerJoin(recordsOf(value('events'), 'told'), (join) => join.onTrue())
        .select([
          sql<number>`webhooks.id`.as('webhook_id'),
          numberIn('told', 'eventId').as('event_id'),
          randomUuid.as('guid'),
          textIn('told', 'action').as('action'),
          textIn('told', 'group').as('trigger'),
          sql<string>`'pending'`.as('status'),
          numberIn('told', 'at').as('due_at'),
          numberIn('told', 'at').as('created_at'),
        ])
        .where(sql.ref('webhooks.is_enabled'), '=', 1)
        .where(sql.ref('webhooks.id'), 'in', () =>
          q
            .selectFrom('webhook_triggers')
            .select('webhook_id')
            .where('trigger', 'in', [textIn('told', 'group'), textIn('told', 'action')]),
        )
        .orderBy(sql`told.key`)
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

// Before when nothing is sent to a webhook whose receiver does not answer; see `features/webhooks/breaker.ts`.
const waitsUntil = sql`coalesce(probe_at, wait_until, 0)`;

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
