import { type Expression, sql } from 'kysely';
import { anyOf, greaterOf, rowCount } from '../../../db/dialect.ts';

// The queue of a webhook: its waiting deliveries in sending order. That is the order of due times; for an ordered webhook
// it is the order of events, where a delivery that waits for its next attempt blocks the others. These fragments belong
// in a statement that has a row of `webhooks`.

/** The time before which nothing is sent to a webhook; 0 when it need not wait. */
export const waitsUntil = sql<number>`coalesce(webhooks.probe_at, webhooks.wait_until, 0)`;

// Later than any time: a probe takes the first delivery, whenever that is due.
const endOfTime = sql.lit(Number.MAX_SAFE_INTEGER);

const firstInOrder = (among: Expression<unknown>, top: Expression<number>) => sql`
  select id from (
    select * from (select queue.id from deliveries as queue where queue.webhook_id = webhooks.id
      and queue.status = 'pending' and ${among} order by queue.id limit ${top}) as unsent
    union all
    select * from (select queue.id from deliveries as queue where queue.webhook_id = webhooks.id
      and queue.status = 'retrying' and ${among} order by queue.id limit ${top}) as sent
  ) as waiting order by id limit ${top}`;

/**
 * When the first delivery in the queue of a webhook may be sent; null when none waits or the webhook is disabled. It
 * reads the first entry of the webhook's range of an index.
 */
export const laneDueAt = sql<number | null>`case when webhooks.is_enabled = 0 then null else (
  select case when webhooks.probe_at is null then ${greaterOf(sql.ref('queue.due_at'), sql`coalesce(webhooks.wait_until, 0)`)}
    else webhooks.probe_at end
  from deliveries as queue where queue.id = case when webhooks.is_ordered = 0
    then (select first_due.id from deliveries as first_due where first_due.webhook_id = webhooks.id
      and first_due.due_at is not null order by first_due.due_at, first_due.id limit 1)
    else (${firstInOrder(sql`true`, sql.lit(1))}) end) end`;

/**
 * The ids of the first deliveries in the queue of a webhook that are not `busy`: those that are due by `now`, at most
 * `top`, or where it is ordered the first `orderedTop`, due or not.
 */
export function queueOf(parameters: { busy: unknown; now: unknown; top: unknown; orderedTop: unknown }) {
  const isFree = sql`not (${anyOf(sql.ref('queue.id'), parameters.busy)})`;
  const dueBy = sql`case when webhooks.probe_at is null then cast(${parameters.now} as bigint) else ${endOfTime} end`;
  return sql`(
    select * from (select queue.id from deliveries as queue where webhooks.is_ordered = 0
      and queue.webhook_id = webhooks.id and queue.due_at <= ${dueBy} and ${isFree}
      order by queue.due_at, queue.id limit ${rowCount(parameters.top)}) as due
    union all
    select * from (${firstInOrder(sql`webhooks.is_ordered = 1 and ${isFree}`, rowCount(parameters.orderedTop))}) as in_order)`;
}
