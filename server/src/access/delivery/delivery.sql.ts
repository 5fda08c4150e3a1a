import { sql } from 'kysely';
import type { RowOf } from '../../db/statement.ts';

/** The time of the event of a delivery; rows of an earlier release lack it. */
export const deliveryCreatedAt = sql<number>`coalesce(deliveries.created_at,
  (select events.created_at from events where events.id = deliveries.event_id))`;

/** The columns of a delivery, in a statement that reads `deliveries`. */
export const deliveryColumns = [
  'deliveries.id',
  'deliveries.guid',
  'deliveries.sequence',
  'deliveries.event_id as eventId',
  'deliveries.action',
  deliveryCreatedAt.as('createdAt'),
  'deliveries.attempts',
  'deliveries.due_at as dueAt',
  'deliveries.delivered_at as deliveredAt',
  'deliveries.duration_us as durationUs',
  'deliveries.status_code as statusCode',
  'deliveries.status',
] as const;

/** A delivery as shown. Times are Unix milliseconds. */
export type DeliveryRow = RowOf<'deliveries', typeof deliveryColumns>;
