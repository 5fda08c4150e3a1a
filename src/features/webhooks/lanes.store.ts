import { sql } from 'kysely';
import { amongFirst, anyOf, rowCount } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

// When the first waiting delivery of the webhook of this row is due: the first entry of its own part of an index.
const firstDueAt = sql<number | null>`case when is_enabled = 1 then (select min(due_at) from deliveries
  where webhook_id = webhooks.id and due_at is not null) end`;

/** Takes every lease away. */
export const clearLeases = command()((q) =>
  q.updateTable('webhooks').set({ lease: null, leased_until: null }).where('lease', 'is not', null),
);

/** When the first webhook that is free and not among `held` is due. */
export const nextDue = query<{ held: readonly number[]; now: number }>()((q, value) =>
  q
    .selectFrom('webhooks')
    .select('due_at as dueAt')
    .where('due_at', 'is not', null)
    .where((where) =>
      where.or([where('leased_until', 'is', null), where('leased_until', '<=', value('now'))]),
    )
    .where((where) => where.not(anyOf(sql.ref('id'), value('held')) as never))
    .orderBy('due_at')
    .limit(1),
);

/** Leases free webhooks that are due, the longest waiting first. */
export const claimLanes = command<{
  held: readonly number[];
  now: number;
  until: number;
  lease: string;
  top: number;
}>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({ lease: value('lease'), leased_until: value('until') })
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('webhooks')
        .select('id')
        .where('due_at', '<=', value('now'))
        .where((where) =>
          where.or([where('leased_until', 'is', null), where('leased_until', '<=', value('now'))]),
        )
        .where((where) => where.not(anyOf(sql.ref('id'), value('held')) as never))
        .orderBy('due_at')
        .limit(rowCount(value('top'))),
    )
    .returning('id'),
);

/** The first due deliveries of some webhooks, at most `top` each and none of `busy`, with all that an attempt needs. */
export const headsOf = query<{
  webhookIds: readonly number[];
  busy: readonly number[];
  now: number;
  top: number;
}>()((q, value) =>
  q
    .selectFrom('webhooks')
    .innerJoin('deliveries', (join) =>
      // Each webhook walks only the beginning of its own part of the index, however long its queue is.
      join.on(
        amongFirst(
          sql.ref('deliveries.id'),
          q
            .selectFrom('deliveries as queue')
            .select('queue.id')
            .where('queue.webhook_id', '=', sql.ref<number>('webhooks.id'))
            .where('queue.due_at', '<=', value('now'))
            .where((where) => where.not(anyOf(sql.ref('queue.id'), value('busy')) as never))
            .orderBy('queue.due_at')
            .orderBy('queue.id')
            .limit(rowCount(value('top'))),
        ),
      ),
    )
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select([
      'deliveries.id',
      'deliveries.webhook_id as webhookId',
      'deliveries.event_id as eventId',
      'deliveries.guid',
      'deliveries.action',
      'deliveries.trigger',
      'deliveries.attempts',
      'events.payload',
      'webhooks.payload_url as payloadUrl',
      'webhooks.secret',
    ])
    .where(anyOf(sql.ref('webhooks.id'), value('webhookIds')))
    .where('webhooks.is_enabled', '=', 1)
    .orderBy('webhooks.id')
    .orderBy('deliveries.due_at')
    .orderBy('deliveries.id'),
);

/** The leases of some webhooks as they stand. */
export const leasesOf = query<{ webhookIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('webhooks')
    .select(['id', 'lease'])
    .where(anyOf(sql.ref('id'), value('webhookIds'))),
);

/** Keeps one attempt for good. */
export const insertAttempt = command<{
  deliveryId: number;
  number: number;
  startedAt: number;
  durationUs: number;
  statusCode: number | null;
  error: string | null;
  responseHeaders: string | null;
  responseBody: Uint8Array | null;
  isTruncated: number;
}>()((q, value) =>
  q.insertInto('attempts').values({
    delivery_id: value('deliveryId'),
    number: value('number'),
    started_at: value('startedAt'),
    duration_us: value('durationUs'),
    status_code: value('statusCode'),
    error: value('error'),
    response_headers: value('responseHeaders'),
    response_body: value('responseBody'),
    is_truncated: value('isTruncated'),
  }),
);

/** Shows the last attempt of a delivery and what it led to. */
export const updateDelivery = command<{
  deliveryId: number;
  number: number;
  startedAt: number;
  durationUs: number;
  statusCode: number | null;
  status: string;
  dueAt: number | null;
}>()((q, value) =>
  q
    .updateTable('deliveries')
    .set({
      attempts: value('number'),
      delivered_at: value('startedAt'),
      duration_us: value('durationUs'),
      status_code: value('statusCode'),
      status: value('status'),
      due_at: value('dueAt'),
    })
    .where('id', '=', value('deliveryId')),
);

/** Holds webhooks for longer. */
export const extendLeases = command<{ webhookIds: readonly number[]; until: number }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({ leased_until: value('until') })
    .where(anyOf(sql.ref('id'), value('webhookIds'))),
);

/** Lets webhooks go and says when each is due again. */
export const releaseLanes = command<{ webhookIds: readonly number[] }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({ lease: null, leased_until: null, due_at: firstDueAt })
    .where(anyOf(sql.ref('id'), value('webhookIds'))),
);

/** When the delivery that waits longest was due. */
export const oldestDue = query()((q) =>
  q
    .selectFrom('webhooks')
    .select(sql<number | null>`min(${firstDueAt})`.as('dueAt'))
    .where('due_at', 'is not', null),
);
