import { sql } from 'kysely';

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

/** The time of the event of a delivery; rows of an earlier release lack it. */
export const deliveryCreatedAt = sql<number>`coalesce(deliveries.created_at,
  (select events.created_at from events where events.id = deliveries.event_id))`;

/** The columns of `DeliveryRow`, in a statement that reads `deliveries`. */
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
