import { sql } from 'kysely';
import { webhookColumns } from '../../../access/webhook/webhook.sql.ts';
import { anyOf, inLimitedRows, numberIn, rowCount, textIn } from '../../../db/dialect.ts';
import { updateRecords } from '../../../db/records.ts';
import { command, insertRow, query, type RowOf } from '../../../db/statement.ts';
import { laneDueAt, queueOf, waitsUntil } from './lanes.sql.ts';

const laneColumns = [
  'id',
  'lease',
  'is_enabled as isEnabled',
  'is_ordered as isOrdered',
  'sequence',
  'failures',
  'breaker_opened_at as openedAt',
  'breaker_reason as reason',
  'probe_at as probeAt',
  'probes',
  'wait_until as waitUntil',
] as const;

/** A webhook with its lease, its sequence numbers and the state of its receiver. */
export type LaneRow = RowOf<'webhooks', typeof laneColumns>;

/** Clears every lease. */
export const clearLeases = command()((q) =>
  q.updateTable('webhooks').set({ lease: null, leased_until: null }).where('lease', 'is not', null),
);

/** When the first webhook is due that is neither leased nor in `held`. */
export const nextDue = query<{ held: readonly number[]; now: number }>()((q, value) =>
  q
    .selectFrom('webhooks')
    .select('due_at as dueAt')
    .where('due_at', 'is not', null)
    .where((where) =>
      where.or([where('leased_until', 'is', null), where('leased_until', '<=', value('now'))]),
    )
    .where((where) => where.not(anyOf(sql.ref('id'), value('held'))))
    .orderBy('due_at')
    .limit(sql.lit(1)),
);

/** Leases webhooks that are free and due, the one due first leading. */
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
        .where((where) => where.not(anyOf(sql.ref('id'), value('held'))))
        .orderBy('due_at')
        .limit(rowCount(value('top'))),
    )
    .returning(['id', 'sequence']),
);

/**
 * The first deliveries of some webhooks that may be sent, at most `top` each and without the `busy` ones, with everything
 * that an attempt needs: one for an ordered webhook, none for a webhook that waits.
 */
export const headsOf = query<{
  webhookIds: readonly number[];
  busy: readonly number[];
  now: number;
  top: number;
  orderedTop: number;
}>()((q, value) =>
  q
    .selectFrom('webhooks')
    .innerJoin('deliveries', (join) =>
      join.on(
        inLimitedRows(
          sql.ref('deliveries.id'),
          queueOf({
            busy: value('busy'),
            now: value('now'),
            top: value('top'),
            orderedTop: value('orderedTop'),
          }),
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
      'deliveries.schedule_from as scheduleFrom',
      'deliveries.due_at as dueAt',
      'deliveries.sequence',
      'events.payload',
      'webhooks.payload_url as payloadUrl',
      'webhooks.secret',
      'webhooks.previous_secret as previousSecret',
      'webhooks.previous_secret_until as previousSecretUntil',
      'webhooks.is_ordered as isOrdered',
      'webhooks.probe_at as probeAt',
      // A probe of an ordered webhook blocks the others, so it is given up some time after its first attempt.
      sql<number | null>`case when webhooks.is_ordered = 1 and webhooks.probe_at is not null then (
        select min(attempts.started_at) from attempts where attempts.delivery_id = deliveries.id) end`.as(
        'triedSince',
      ),
    ])
    .where(anyOf(sql.ref('webhooks.id'), value('webhookIds')))
    .where('webhooks.is_enabled', '=', 1)
    .where(waitsUntil, '<=', value('now'))
    // The first delivery of an ordered webhook may be waiting for its next attempt.
    .where((where) =>
      where.or([where('deliveries.due_at', '<=', value('now')), where('webhooks.probe_at', 'is not', null)]),
    )
    .orderBy('webhooks.id')
    .orderBy('deliveries.due_at')
    .orderBy('deliveries.id'),
);

/** The first deliveries in the queues of some webhooks without a sequence number, in queue order. */
export const unnumbered = query<{
  webhookIds: readonly number[];
  busy: readonly number[];
  now: number;
  top: number;
}>()((q, value) =>
  q
    .selectFrom('webhooks')
    .innerJoin('deliveries', (join) =>
      join.on(
        inLimitedRows(
          sql.ref('deliveries.id'),
          queueOf({ busy: value('busy'), now: value('now'), top: value('top'), orderedTop: value('top') }),
        ),
      ),
    )
    .select(['deliveries.id', 'deliveries.webhook_id as webhookId'])
    .where(anyOf(sql.ref('webhooks.id'), value('webhookIds')))
    .where('webhooks.is_enabled', '=', 1)
    .where(waitsUntil, '<=', value('now'))
    .where('deliveries.sequence', 'is', null)
    .orderBy('webhooks.id')
    .orderBy(sql`case when webhooks.is_ordered = 1 then 0 else deliveries.due_at end`)
    .orderBy('deliveries.id'),
);

/** Assigns sequence numbers to deliveries; `given` is a JSON array of `{id, sequence}`. */
export const numberDeliveries = updateRecords('deliveries', { sequence: numberIn('given', 'sequence') });

/** Updates the last sequence numbers of webhooks; `given` is a JSON array of `{id, sequence}`. */
export const updateSequences = updateRecords('webhooks', { sequence: numberIn('given', 'sequence') });

/** Some webhooks by id. */
export const lanesById = query<{ webhookIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('webhooks')
    .select(laneColumns)
    .where(anyOf(sql.ref('id'), value('webhookIds'))),
);

/** Some webhooks, in the order of their ids; deleted ones are left out. */
export const webhooksById = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where(anyOf(sql.ref('webhooks.id'), value('ids')))
    .where('deleted_at', 'is', null)
    .orderBy('webhooks.id'),
);

/** Updates the state of receivers; `given` is a JSON array of records with the fields of `LaneRow`. */
export const updateReceivers = updateRecords('webhooks', {
  is_enabled: numberIn('given', 'isEnabled'),
  failures: numberIn('given', 'failures'),
  breaker_opened_at: numberIn<number | null>('given', 'openedAt'),
  breaker_reason: textIn<string | null>('given', 'reason'),
  probe_at: numberIn<number | null>('given', 'probeAt'),
  probes: numberIn('given', 'probes'),
  wait_until: numberIn<number | null>('given', 'waitUntil'),
});

/** Ends the waiting of a webhook, so that the next delivery is sent at once. An open breaker stays open but probes. */
export const resetBackoff = command<{ id: number; now: number }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({
      wait_until: null,
      probes: 0,
      probe_at: sql`case when probe_at is not null then cast(${value('now')} as bigint) end`,
    })
    .where('id', '=', value('id')),
);

/** Inserts an attempt. */
export const insertAttempt = insertRow('attempts', [
  'delivery_id',
  'number',
  'started_at',
  'duration_us',
  'status_code',
  'error',
  'request_url',
  'request_headers',
  'response_headers',
  'response_body',
  'is_truncated',
]);

/** Updates a delivery after an attempt. */
export const updateDelivery = command<{
  deliveryId: number;
  number: number;
  startedAt: number;
  durationUs: number;
  statusCode: number | null;
  status: string;
  dueAt: number | null;
  scheduleFrom: number;
  uncounted: number;
}>()((q, value) => {
  // A redelivery was requested during this attempt, so a failure must not reschedule it.
  const isRequeued = sql`schedule_from > ${value('scheduleFrom')} and ${value('status')} <> 'delivered'`;
  return q
    .updateTable('deliveries')
    .set({
      attempts: value('number'),
      delivered_at: value('startedAt'),
      duration_us: value('durationUs'),
      status_code: value('statusCode'),
      status: sql`case when ${isRequeued} then 'retrying' else ${value('status')} end`,
      due_at: sql`case when ${isRequeued} then due_at else cast(${value('dueAt')} as bigint) end`,
      schedule_from: sql`schedule_from + ${value('uncounted')}`,
    })
    .where('id', '=', value('deliveryId'));
});

/** Extends the leases of webhooks. */
export const extendLeases = command<{ webhookIds: readonly number[]; until: number }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({ leased_until: value('until') })
    .where(anyOf(sql.ref('id'), value('webhookIds'))),
);

/** Updates when each of some webhooks is due. */
export const updateLaneDue = command<{ webhookIds: readonly number[] }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({ due_at: laneDueAt })
    .where(anyOf(sql.ref('id'), value('webhookIds'))),
);

/** Releases webhooks and updates when each is due. */
export const releaseLanes = command<{ webhookIds: readonly number[] }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({ lease: null, leased_until: null, due_at: laneDueAt })
    .where(anyOf(sql.ref('id'), value('webhookIds'))),
);

/** The earliest time at which any waiting delivery could have been sent. */
export const oldestDue = query()((q) =>
  q
    .selectFrom('webhooks')
    .select(sql<number | null>`min(${laneDueAt})`.as('dueAt'))
    .where('due_at', 'is not', null),
);

/** How many webhooks are enabled with a closed or an open breaker, and how many are disabled, among the first `top`. */
export const laneStates = query<{ top: number }>()((q, value) =>
  q
    .selectFrom((sub) =>
      sub
        .selectFrom('webhooks')
        .select([
          sql<
            'open' | 'paused' | 'disabled'
          >`case when is_enabled = 0 then 'disabled' when breaker_opened_at is null then 'open' else 'paused' end`.as(
            'state',
          ),
        ])
        .where('deleted_at', 'is', null)
        .limit(rowCount(value('top')))
        .as('lanes'),
    )
    .select((part) => ['state', part.fn.countAll<number>().as('count')])
    .groupBy('state'),
);

const firstCreatedAt = (status: 'pending' | 'retrying') =>
  sql<
    number | null
  >`min((select queue.created_at from deliveries as queue where queue.webhook_id = webhooks.id
    and queue.status = ${sql.lit(status)} order by queue.id limit 1))`;

/** The times of the oldest events that enabled webhooks have not received: never sent, and to be sent again. */
export const oldestUndelivered = query()((q) =>
  q
    .selectFrom('webhooks')
    .select([firstCreatedAt('pending').as('pending'), firstCreatedAt('retrying').as('retrying')])
    .where('due_at', 'is not', null),
);
