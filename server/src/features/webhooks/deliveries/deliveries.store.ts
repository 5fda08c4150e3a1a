import { sql } from 'kysely';
import { deliveryColumns, deliveryCreatedAt } from '../../../access/delivery/delivery.sql.ts';
import { anyOf, containsWords, nullsLowest, rowCount, timedUuid } from '../../../db/dialect.ts';
import { list } from '../../../db/list.ts';
import { shortText, textBytes } from '../../../db/long-texts.ts';
import { type Bind, type Builder, cachedByShape, command, query, type RowOf } from '../../../db/statement.ts';

/** Which filters a list of deliveries has. `after` is an id or a sequence number, `before` an id. */
export type DeliveryFilters = {
  readonly status: boolean;
  readonly statusCode: boolean;
  readonly action: boolean;
  readonly eventId: boolean;
  readonly since: boolean;
  readonly until: boolean;
  readonly after: 'id' | 'sequence' | 'nothing';
  readonly before: boolean;
};

/** The values of the filters; the value of a filter that is off may be anything. */
export type DeliveryFilterValues = {
  webhookId: number;
  status: string;
  statusCode: number;
  action: string;
  eventId: number;
  since: number;
  until: number;
  after: number;
  before: number;
};

/** The properties of a request that decide the text of a delivery list statement. */
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

// Action and guid are ASCII words joined by signs; `kernel/search.ts` would split them like this.
const words = sql<string>`' ' || replace(deliveries.action, '_', ' ') || ' ' || replace(deliveries.guid, '-', ' ') || ' '`;

/** Filters without an index; they are checked row by row. */
function withoutIndex(q: Builder, value: Bind<DeliveryFilterValues>, filters: DeliveryFilters) {
  return q
    .selectFrom('deliveries')
    .$if(filters.statusCode, (part) => part.where('deliveries.status_code', '=', value('statusCode')))
    .$if(filters.action, (part) => part.where('deliveries.action', '=', value('action')))
    .$if(filters.eventId, (part) => part.where('deliveries.event_id', '=', value('eventId')))
    .$if(filters.since, (part) => part.where(deliveryCreatedAt, '>=', value('since')))
    .$if(filters.until, (part) => part.where(deliveryCreatedAt, '<', value('until')));
}

/**
 * The deliveries of one webhook that match the filters. An index finds a status, an event and what follows a number;
 * the other filters scan the deliveries of this webhook, whose number the retention limits.
 */
function matching(q: Builder, value: Bind<DeliveryFilterValues>, filters: DeliveryFilters) {
  return withoutIndex(q, value, filters)
    .where('deliveries.webhook_id', '=', value('webhookId'))
    .$if(filters.status, (part) => part.where('deliveries.status', '=', value('status')))
    .$if(filters.after === 'id', (part) => part.where('deliveries.id', '>', value('after')))
    .$if(filters.before, (part) => part.where('deliveries.id', '<', value('before')))
    .$if(filters.after === 'sequence', (part) => part.where('deliveries.sequence', '>', value('after')));
}

/**
 * The same in the order of their ids, along the index of the webhook, or of the webhook and status. The condition is a
 * range, because with one webhook and an order by id PostgreSQL scans all ids for a webhook with many deliveries: a
 * webhook that has been quiet for long would then cost a scan of everything sent to others since.
 */
function inIdOrder(
  q: Builder,
  value: Bind<DeliveryFilterValues>,
  { filters, direction }: { filters: DeliveryFilters; direction: 'asc' | 'desc' },
) {
  const part = withoutIndex(q, value, filters);
  const [webhook, after] = [value('webhookId'), value('after')];
  if (!filters.status)
    return part
      .where(sql<boolean>`(deliveries.webhook_id, deliveries.id) > (${webhook}, ${after})`)
      .where(
        filters.before
          ? sql<boolean>`(deliveries.webhook_id, deliveries.id) < (${webhook}, ${value('before')})`
          : sql<boolean>`deliveries.webhook_id <= ${webhook}`,
      )
      .orderBy('deliveries.webhook_id', direction)
      .orderBy('deliveries.id', direction);
  const status = value('status');
  return part
    .where(
      sql<boolean>`(deliveries.webhook_id, deliveries.status, deliveries.id) > (${webhook}, ${status}, ${after})`,
    )
    .where(
      filters.before
        ? sql<boolean>`(deliveries.webhook_id, deliveries.status, deliveries.id) < (${webhook}, ${status}, ${value('before')})`
        : sql<boolean>`(deliveries.webhook_id, deliveries.status) <= (${webhook}, ${status})`,
    )
    .orderBy('deliveries.webhook_id', direction)
    .orderBy('deliveries.status', direction)
    .orderBy('deliveries.id', direction);
}

function withQuestion<Q extends ReturnType<typeof withoutIndex>>(
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
  const part = matching(q, value, filters);
  // No delivery without a number comes after a number, so an index provides the order.
  if (filters.after === 'sequence') return part.orderBy('deliveries.sequence', direction);
  return part
    .orderBy(
      order === 'duration' ? 'deliveries.duration_us' : `deliveries.${order}`,
      nullableOrders.has(order) ? nullsLowest(direction) : direction,
    )
    .orderBy('deliveries.id', direction);
}

/** A page of the deliveries of one webhook. */
export const listDeliveries = cachedByShape((key: string) => {
  const shape = JSON.parse(key) as DeliveryListShape;
  const { order, filters } = shape;
  const direction = shape.descending ? 'desc' : 'asc';
  return query<DeliveryListParameters>()((q, value) =>
    withQuestion(
      // The index of events finds the one delivery of an event.
      order === 'id' && !filters.eventId
        ? inIdOrder(q, value, { filters, direction })
        : sorted(q, value, shape),
      value,
      shape,
    )
      .select(deliveryColumns)
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

/** The payloads of some deliveries that a list left out because they are long. */
export const payloadsOfDeliveries = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(['deliveries.id', 'events.payload as content'])
    .where(anyOf(sql.ref('deliveries.id'), value('ids'))),
);

/** How many deliveries of one webhook match filters and search words. */
export const countDeliveries = cachedByShape((key: string) => {
  const shape = JSON.parse(key) as DeliveryListShape;
  return query<DeliveryListParameters>()((q, value) =>
    withQuestion(matching(q, value, shape.filters), value, shape).select((part) =>
      part.fn.countAll<number>().as('count'),
    ),
  );
});

/** The ids of the first deliveries of one webhook that match the filters. */
export const matchingDeliveries = cachedByShape((key: string) => {
  const filters = JSON.parse(key) as DeliveryFilters;
  return query<DeliveryFilterValues & { top: number }>()((q, value) =>
    (filters.eventId ? matching(q, value, filters) : inIdOrder(q, value, { filters, direction: 'asc' }))
      .select('deliveries.id')
      .limit(rowCount(value('top'))),
  );
});

/**
 * Moves the deliveries, among some, that still match the filters to the start of a new schedule, due at `now`. Deliveries
 * that are already at the start of one are left unchanged.
 */
export const requeueDeliveries = cachedByShape((key: string) => {
  const filters = JSON.parse(key) as DeliveryFilters;
  return command<DeliveryFilterValues & { ids: readonly number[]; now: number }>()((q, value) =>
    q
      .updateTable('deliveries')
      .set({ status: 'pending', due_at: value('now'), schedule_from: sql`attempts` })
      .where(
        'id',
        'in',
        matching(q, value, filters)
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
    guid: timedUuid(value('now')),
    action: value('action'),
    trigger: value('trigger'),
    status: 'pending',
    attempts: 0,
    due_at: value('now'),
    created_at: value('now'),
  }),
);

const attemptColumns = [
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
] as const;

/** One attempt of a delivery as stored. Times are Unix milliseconds; headers are JSON objects. */
export type AttemptRow = RowOf<'attempts', typeof attemptColumns>;

/** The attempts of a delivery, by their number. */
export const attemptList = list<{ deliveryId: number }>()({
  name: 'attempts',
  filters: {},
  rows: (q, value) =>
    q
      .selectFrom('attempts')
      .select([...attemptColumns, 'number as id'])
      .where('delivery_id', '=', value('deliveryId')),
  orders: { number: [] },
  id: sql`number`,
});
