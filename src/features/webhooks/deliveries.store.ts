import { sql } from 'kysely';
import { containsWords, nullsLowest, rowCount } from '../../db/dialect.ts';
import { type Bind, type Builder, query, shaped } from '../../db/statement.ts';

/** A delivery as shown. Times are Unix milliseconds. */
export type DeliveryRow = {
  readonly id: number;
  readonly guid: string;
  readonly eventId: number;
  readonly action: string;
  readonly deliveredAt: number | null;
  readonly durationUs: number | null;
  readonly statusCode: number | null;
  readonly status: string;
};

/** What decides the text of a delivery list statement. */
export type DeliveryListShape = {
  readonly order: 'id' | 'event_id' | 'action' | 'delivered_at' | 'duration' | 'status_code' | 'status';
  readonly descending: boolean;
  readonly hasAction: boolean;
  readonly hasQuestion: boolean;
};

type DeliveryListParameters = {
  webhookId: number;
  action: string;
  needles: readonly string[];
  top: number;
  skip: number;
};

// Action and guid are ASCII words joined by signs; this is how `kernel/search.ts` would cut them.
const words = sql<string>`' ' || replace(action, '_', ' ') || ' ' || replace(guid, '-', ' ') || ' '`;

function filtered(q: Builder, value: Bind<DeliveryListParameters>, shape: DeliveryListShape) {
  return q
    .selectFrom('deliveries')
    .where('webhook_id', '=', value('webhookId'))
    .$if(shape.hasAction, (part) => part.where('action', '=', value('action')))
    .$if(shape.hasQuestion, (part) => part.where(containsWords(words, value('needles'))));
}

const nullableOrders: ReadonlySet<DeliveryListShape['order']> = new Set([
  'delivered_at',
  'duration',
  'status_code',
]);

/** A page of the deliveries of one webhook. */
export const listDeliveries = shaped((key: string) => {
  const shape = JSON.parse(key) as DeliveryListShape;
  const direction = shape.descending ? 'desc' : 'asc';
  return query<DeliveryListParameters>()((q, value) =>
    filtered(q, value, shape)
      .select([
        'id',
        'guid',
        'event_id as eventId',
        'action',
        'delivered_at as deliveredAt',
        'duration_us as durationUs',
        'status_code as statusCode',
        'status',
      ])
      .orderBy(
        shape.order === 'duration' ? 'duration_us' : shape.order,
        nullableOrders.has(shape.order) ? nullsLowest(direction) : direction,
      )
      .$if(shape.order !== 'id', (part) => part.orderBy('id', direction))
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip'))),
  );
});

/** How many deliveries of one webhook a list with an action or a question has. */
export const countDeliveries = shaped((key: string) => {
  const shape = JSON.parse(key) as DeliveryListShape;
  return query<DeliveryListParameters>()((q, value) =>
    filtered(q, value, shape).select((part) => part.fn.countAll<number>().as('count')),
  );
});
