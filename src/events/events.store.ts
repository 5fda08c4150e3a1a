import { sql } from 'kysely';
import { anyOf, atMost, numberIn, randomUuid, recordsOf, textIn } from '../db/dialect.ts';
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

/** One delivery for each enabled webhook with the group or the action among its triggers. */
export const insertDeliveries = command<{ eventId: number; action: string; group: string; now: number }>()(
  (q, value) =>
    q
      .insertInto('deliveries')
      .columns(['webhook_id', 'event_id', 'guid', 'action', 'trigger', 'status', 'due_at'])
      .expression(
        q
          .selectFrom('webhooks')
          .select([
            'webhooks.id',
            sql<number>`${value('eventId')}`.as('event_id'),
            randomUuid.as('guid'),
            sql<string>`${value('action')}`.as('action'),
            sql<string>`${value('group')}`.as('trigger'),
            sql<string>`'pending'`.as('status'),
            sql<number>`${value('now')}`.as('due_at'),
          ])
          .where('webhooks.is_enabled', '=', 1)
          .where('webhooks.id', 'in', (sub) =>
            sub
              .selectFrom('webhook_triggers')
              .select('webhook_id')
              .where('trigger', 'in', [value('group'), value('action')]),
          ),
      ),
);

/** Counts the deliveries of an event for the lists of their webhooks. */
export const countDeliveries = command<{ eventId: number }>()((q, value) =>
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
          sql<number>`1`.as('live'),
          sql<number>`0`.as('trashed'),
          sql<number>`0`.as('is_hidden'),
        ])
        .where('event_id', '=', value('eventId')),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['parent_type', 'parent_id', 'kind'])
        .doUpdateSet({ live: sql`tallies.live + excluded.live` }),
    ),
);

/** Makes the webhooks of an event due, unless they are already due earlier. */
export const wakeWebhooks = command<{ eventId: number; now: number }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({ due_at: atMost(sql.ref('due_at'), value('now')) })
    .where('id', 'in', (sub) =>
      sub.selectFrom('deliveries').select('webhook_id').where('event_id', '=', value('eventId')),
    ),
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

/** As `insertDeliveries`, for many events of one action. */
export const insertDeliveriesOf = command<{
  eventIds: readonly number[];
  action: string;
  group: string;
  now: number;
}>()((q, value) =>
  q
    .insertInto('deliveries')
    .columns(['webhook_id', 'event_id', 'guid', 'action', 'trigger', 'status', 'due_at'])
    .expression(
      q
        .selectFrom(['events', 'webhooks'])
        .select([
          'webhooks.id as webhook_id',
          'events.id as event_id',
          randomUuid.as('guid'),
          sql<string>`${value('action')}`.as('action'),
          sql<string>`${value('group')}`.as('trigger'),
          sql<string>`'pending'`.as('status'),
          sql<number>`${value('now')}`.as('due_at'),
        ])
        .where(anyOf(sql.ref('events.id'), value('eventIds')))
        .where('webhooks.is_enabled', '=', 1)
        .where('webhooks.id', 'in', (sub) =>
          sub
            .selectFrom('webhook_triggers')
            .select('webhook_id')
            .where('trigger', 'in', [value('group'), value('action')]),
        )
        .orderBy('events.id')
        .orderBy('webhooks.id'),
    ),
);

/** Counts the deliveries of many events for the lists of their webhooks. */
export const countDeliveriesOf = command<{ eventIds: readonly number[] }>()((q, value) =>
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

/** As `wakeWebhooks`, for many events. */
export const wakeWebhooksOf = command<{ eventIds: readonly number[]; now: number }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({ due_at: atMost(sql.ref('due_at'), value('now')) })
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('deliveries')
        .select('webhook_id')
        .where(anyOf(sql.ref('event_id'), value('eventIds'))),
    ),
);
