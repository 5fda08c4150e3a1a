import { sql } from 'kysely';
import { anyOf, containsWords, nullsLowest, randomUuid, rowCount } from '../../db/dialect.ts';
import { shortText, textBytes } from '../../db/long-texts.ts';
import { type Bind, type Builder, command, query, shaped } from '../../db/statement.ts';

/** A delivery as shown. Times are Unix milliseconds. */
export type DeliveryRow = {
  readonly id: number;
  readonly guid: string;
  readonly sequence: number | null;
  readonly eventId: number;
  readonly action: string;
  readonly createdAt: number;
  readonly attempts: number;
  readonly dueAt: number | null;
  readonly deliveredAt: number | null;
  readonly durationUs: number | null;
  readonly statusCode: number | null;
  readonly status: string;
};

/** By which of their properties deliveries are chosen; a number comes after the id or the number in the order. */
export type DeliveryFilters = {
  readonly status: boolean;
  readonly statusCode: boolean;
  readonly action: boolean;
  readonly eventId: boolean;
  readonly since: boolean;
  readonly until: boolean;
  readonly after: 'id' | 'sequence' | 'nothing';
};

/** What the properties are to be; what no filter asks for can be anything. */
export type DeliveryFilterValues = {
  webhookId: number;
  status: string;
  statusCode: number;
  action: string;
  eventId: number;
  since: number;
  until: number;
  after: number;
};

/** What decides the text of a delivery list statement. */
export type DeliveryListShape = {
  readonly order:
    | 'id'
    | 'sequence'
    | 'event_id'
    | 'action'
    | 'delivered_at'
    | 'duration'
    | 'status_code'
    | 'status';
  readonly descending: boolean;
  readonly filters: DeliveryFilters;
  readonly hasQuestion: boolean;
  readonly hasPayload: boolean;
};

type DeliveryListParameters = DeliveryFilterValues & {
  needles: readonly string[];
  top: number;
  skip: number;
};

// Action and guid are ASCII words joined by signs; this is how `kernel/search.ts` would cut them.
const words = sql<string>`' ' || replace(deliveries.action, '_', ' ') || ' ' || replace(deliveries.guid, '-', ' ') || ' '`;

/** The time of its event, which an earlier program left out of the row. */
const createdAt = sql<number>`coalesce(deliveries.created_at,
  (select events.created_at from events where events.id = deliveries.event_id))`;

const shownColumns = [
  'deliveries.id',
  'deliveries.guid',
  'deliveries.sequence',
  'deliveries.event_id as eventId',
  'deliveries.action',
  createdAt.as('createdAt'),
  'deliveries.attempts',
  'deliveries.due_at as dueAt',
  'deliveries.delivered_at as deliveredAt',
  'deliveries.duration_us as durationUs',
  'deliveries.status_code as statusCode',
  'deliveries.status',
] as const;

/** What no index is made for, which is looked at in each delivery that is walked by. */
function looked(q: Builder, value: Bind<DeliveryFilterValues>, filters: DeliveryFilters) {
  return q
    .selectFrom('deliveries')
    .$if(filters.statusCode, (part) => part.where('deliveries.status_code', '=', value('statusCode')))
    .$if(filters.action, (part) => part.where('deliveries.action', '=', value('action')))
    .$if(filters.eventId, (part) => part.where('deliveries.event_id', '=', value('eventId')))
    .$if(filters.since, (part) => part.where(createdAt, '>=', value('since')))
    .$if(filters.until, (part) => part.where(createdAt, '<', value('until')));
}

/**
 * The deliveries of one webhook that filters choose. A status, an event and what comes after a number are found by an
 * index; the rest is a walk through the deliveries of this webhook, which are as many as their retention lets there be.
 */
function chosen(q: Builder, value: Bind<DeliveryFilterValues>, filters: DeliveryFilters) {
  return looked(q, value, filters)
    .where('deliveries.webhook_id', '=', value('webhookId'))
    .$if(filters.status, (part) => part.where('deliveries.status', '=', value('status')))
    .$if(filters.after === 'id', (part) => part.where('deliveries.id', '>', value('after')))
    .$if(filters.after === 'sequence', (part) => part.where('deliveries.sequence', '>', value('after')));
}

/**
 * The same in the order of their ids, along the index of the webhook, or of the webhook and status. It is said as a
 * range, because told of one webhook and an order by id PostgreSQL walks along all ids for a webhook with many
 * deliveries: a webhook that has been quiet for long then costs a look at all that others were told meanwhile.
 */
function walked(
  q: Builder,
  value: Bind<DeliveryFilterValues>,
  { filters, direction }: { filters: DeliveryFilters; direction: 'asc' | 'desc' },
) {
  const part = looked(q, value, filters);
  const [webhook, after] = [value('webhookId'), value('after')];
  if (!filters.status)
    return part
      .where(sql<boolean>`(deliveries.webhook_id, deliveries.id) > (${webhook}, ${after})` as never)
      .where('deliveries.webhook_id', '<=', webhook)
      .orderBy('deliveries.webhook_id', direction)
      .orderBy('deliveries.id', direction);
  const status = value('status');
  return part
    .where(
      sql<boolean>`(deliveries.webhook_id, deliveries.status, deliveries.id) > (${webhook}, ${status}, ${after})` as never,
    )
    .where(sql<boolean>`(deliveries.webhook_id, deliveries.status) <= (${webhook}, ${status})` as never)
    .orderBy('deliveries.webhook_id', direction)
    .orderBy('deliveries.status', direction)
    .orderBy('deliveries.id', direction);
}

function asked<Q extends ReturnType<typeof looked>>(
  part: Q,
  value: Bind<DeliveryListParameters>,
  shape: DeliveryListShape,
) {
  return part.$if(shape.hasQuestion, (each) => each.where(containsWords(words, value('needles'))));
}

const nullableOrders: ReadonlySet<DeliveryListShape['order']> = new Set([
  'sequence',
  'delivered_at',
  'duration',
  'status_code',
]);

/** The deliveries of one webhook in the order of another field than the id. */
function sorted(q: Builder, value: Bind<DeliveryFilterValues>, shape: DeliveryListShape) {
  const { order, filters } = shape;
  const direction = shape.descending ? 'desc' : 'asc';
  const part = chosen(q, value, filters);
  // Behind a number there is no delivery without one, and then an index gives the order.
  if (filters.after === 'sequence') return part.orderBy('deliveries.sequence', direction);
  return part
    .orderBy(
      order === 'duration' ? 'deliveries.duration_us' : `deliveries.${order}`,
      nullableOrders.has(order) ? nullsLowest(direction) : direction,
    )
    .orderBy('deliveries.id', direction);
}

/** A page of the deliveries of one webhook. */
export const listDeliveries = shaped((key: string) => {
  const shape = JSON.parse(key) as DeliveryListShape;
  const { order, filters } = shape;
  const direction = shape.descending ? 'desc' : 'asc';
  return query<DeliveryListParameters>()((q, value) =>
    asked(
      // The index of events finds the one delivery of an event.
      order === 'id' && !filters.eventId ? walked(q, value, { filters, direction }) : sorted(q, value, shape),
      value,
      shape,
    )
      .select(shownColumns)
      .$if(shape.hasPayload, (part) =>
        part
          .innerJoin('events', 'events.id', 'deliveries.event_id')
          .select([
            shortText(sql.ref('events.payload')).as('content'),
            textBytes(sql.ref('events.payload')).as('bytes'),
          ]),
      )
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip'))),
  );
});

/** What some deliveries say, of those that a list reads without it because it is long. */
export const payloadsOfDeliveries = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(['deliveries.id', 'events.payload as content'])
    .where(anyOf(sql.ref('deliveries.id'), value('ids'))),
);

/** How many deliveries of one webhook a list with a filter or a question has. */
export const countDeliveries = shaped((key: string) => {
  const shape = JSON.parse(key) as DeliveryListShape;
  return query<DeliveryListParameters>()((q, value) =>
    asked(chosen(q, value, shape.filters), value, shape).select((part) =>
      part.fn.countAll<number>().as('count'),
    ),
  );
});

/** One delivery of a webhook, with what its event told. */
export const deliveryById = query<{ webhookId: number; id: number }>()((q, value) =>
  q
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(shownColumns)
    .select(['deliveries.schedule_from as scheduleFrom', 'events.payload'])
    .where('deliveries.id', '=', value('id'))
    .where('deliveries.webhook_id', '=', value('webhookId')),
);

/** The ids of the first deliveries of one webhook that filters choose. */
export const chosenDeliveries = shaped((key: string) => {
  const filters = JSON.parse(key) as DeliveryFilters;
  return query<DeliveryFilterValues & { top: number }>()((q, value) =>
    (filters.eventId ? chosen(q, value, filters) : walked(q, value, { filters, direction: 'asc' }))
      .select('deliveries.id')
      .limit(rowCount(value('top'))),
  );
});

/**
 * Puts those of some deliveries that filters still choose at the beginning of a new schedule, due at `now`. Those that
 * are there already stay as they are.
 */
export const requeueDeliveries = shaped((key: string) => {
  const filters = JSON.parse(key) as DeliveryFilters;
  return command<DeliveryFilterValues & { ids: readonly number[]; now: number }>()((q, value) =>
    q
      .updateTable('deliveries')
      .set({ status: 'pending', due_at: value('now'), schedule_from: sql`attempts` })
      .where(
        'id',
        'in',
        chosen(q, value, filters)
          .select('deliveries.id')
          .where(anyOf(sql.ref('deliveries.id'), value('ids'))),
      )
      .where((where) =>
        where.or([
          where('status', '<>', 'pending'),
          where('due_at', '>', value('now')),
          where('due_at', 'is', null),
        ]),
      ),
  );
});

/** A delivery of an event to one webhook, whatever its triggers are. */
export const insertDelivery = command<{
  webhookId: number;
  eventId: number;
  action: string;
  trigger: string;
  now: number;
}>()((q, value) =>
  q.insertInto('deliveries').values({
    webhook_id: value('webhookId'),
    event_id: value('eventId'),
    guid: randomUuid,
    action: value('action'),
    trigger: value('trigger'),
    status: 'pending',
    attempts: 0,
    due_at: value('now'),
    created_at: value('now'),
  }),
);

/** One attempt of a delivery as it is kept. Times are Unix milliseconds; headers are JSON objects. */
export type AttemptRow = {
  readonly number: number;
  readonly startedAt: number;
  readonly durationUs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly requestUrl: string | null;
  readonly requestHeaders: string | null;
  readonly responseHeaders: string | null;
  readonly responseBody: Uint8Array | null;
  readonly isTruncated: number;
};

/** A page of the attempts of one delivery, by their number. */
export const listAttempts = shaped((direction: 'asc' | 'desc') =>
  query<{ deliveryId: number; top: number; skip: number }>()((q, value) =>
    q
      .selectFrom('attempts')
      .select([
        'number',
        'started_at as startedAt',
        'duration_us as durationUs',
        'status_code as statusCode',
        'error',
        'request_url as requestUrl',
        'request_headers as requestHeaders',
        'response_headers as responseHeaders',
        'response_body as responseBody',
        'is_truncated as isTruncated',
      ])
      .where('delivery_id', '=', value('deliveryId'))
      .orderBy('number', direction)
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip'))),
  ),
);

/** How many attempts of a delivery are kept. */
export const countAttempts = query<{ deliveryId: number }>()((q, value) =>
  q
    .selectFrom('attempts')
    .select((part) => part.fn.countAll<number>().as('count'))
    .where('delivery_id', '=', value('deliveryId')),
);
