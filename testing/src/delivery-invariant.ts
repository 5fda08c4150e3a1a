import assert from 'node:assert/strict';
import { leaseMs } from 'confab-server/src/features/webhooks/sending/lanes.ts';
import { retryDelaysMs } from 'confab-server/src/features/webhooks/sending/retry.ts';
import type { Receiver } from './network/receiver.ts';
import type { TestServer } from './server.ts';
import { watchStore } from './stores/store-watch.ts';
import { completenessFaults } from './webhooks.ts';

/** Statements that must return no rows, for both engines. */
const rules: readonly { readonly rule: string; readonly sql: string }[] = [
  {
    rule: 'a delivery has a next time exactly as long as it waits',
    sql: `select id, status, due_at from deliveries
      where (status in ('pending', 'retrying')) <> (due_at is not null)
        or status not in ('pending', 'retrying', 'delivered', 'failed', 'canceled')`,
  },
  {
    rule: 'the attempts of a delivery are counted and numbered without gaps',
    sql: `select deliveries.id, attempts, count(number) as kept, max(number) as last from deliveries
      left join attempts on delivery_id = deliveries.id group by deliveries.id, attempts
      having attempts <> count(number) or attempts <> coalesce(max(number), 0)`,
  },
  {
    rule: 'a delivery is pending before the first attempt of its schedule, and shows the last one after it',
    sql: `select deliveries.id, status from deliveries
      left join attempts on delivery_id = deliveries.id and number = attempts
      where (status = 'pending' and attempts <> schedule_from) or (status in ('retrying', 'delivered', 'failed') and attempts = 0)
        or (attempts > 0 and (delivered_at <> started_at or deliveries.duration_us <> attempts.duration_us
          or coalesce(deliveries.status_code, 0) <> coalesce(attempts.status_code, 0)))`,
  },
  {
    rule: 'it was delivered when its last attempt succeeded, and at no other time',
    sql: `select deliveries.id, status from deliveries join attempts on delivery_id = deliveries.id and number = attempts
      where (status = 'delivered') <> (error is null) and status not in ('pending', 'retrying')`,
  },
  {
    rule: 'no delivery has more attempts than its schedule',
    sql: `select id from deliveries where attempts - schedule_from > ${retryDelaysMs.length + 1}`,
  },
  {
    rule: 'what was sent has a number, and those of a webhook are without gaps',
    sql: `select webhooks.id, webhooks.sequence, count(deliveries.sequence) as given from webhooks
      left join deliveries on webhook_id = webhooks.id where deleted_at is null group by webhooks.id, webhooks.sequence
      having webhooks.sequence <> count(distinct deliveries.sequence)
        or webhooks.sequence <> coalesce(max(deliveries.sequence), 0)
        or sum(case when attempts > 0 and deliveries.sequence is null then 1 else 0 end) > 0`,
  },
  {
    rule: 'a breaker is open with all that belongs to it, or closed with nothing of it',
    sql: `select id from webhooks where (breaker_opened_at is null) <> (breaker_reason is null)
      or (breaker_opened_at is null) <> (probe_at is null) or (breaker_opened_at is null and probes > 0)`,
  },
  {
    rule: 'a webhook with something to send is due or being sent for',
    sql: `select id from webhooks where due_at is null and lease is null and is_enabled = 1 and deleted_at is null
      and exists (select 1 from deliveries where webhook_id = webhooks.id and due_at is not null)`,
  },
  {
    rule: 'the count of deliveries is that of the rows',
    sql: `select webhooks.id from webhooks where deleted_at is null
      and (select count(*) from deliveries where webhook_id = webhooks.id) <>
        coalesce((select live from tallies where parent_type = 'webhook' and parent_id = webhooks.id
          and kind = 'delivery'), 0)`,
  },
];

/** The invariant that holds at every moment, whatever receivers do. */
export type DeliveryInvariant = {
  /** A receiver with a ledger, which contains everything that was delivered there. */
  readonly receiver?: Pick<Receiver, 'url' | 'all'>;
  /** The time of the server's clock; by default that of the machine. */
  readonly now?: number;
};

/** The broken rules of `assertDeliveriesWhole`, in words. */
function deliveryFaults(
  server: TestServer,
  { receiver, now = Date.now() }: DeliveryInvariant = {},
): string[] {
  const watch = watchStore(server.folder);
  try {
    const broken = rules.flatMap(({ rule, sql }) => {
      const [row] = watch.rows(sql);
      return row === undefined ? [] : [`not so: ${rule}: ${JSON.stringify(row)}`];
    });
    const leases = watch.rows(`select id, leased_until from webhooks where leased_until > ${now + leaseMs}`);
    const guids = new Set(receiver?.all().map(({ headers }) => headers['webhook-id']));
    const unseen =
      receiver === undefined
        ? []
        : watch
            .rows(
              `select guid from deliveries join webhooks on webhooks.id = webhook_id
                where status = 'delivered' and payload_url like '${receiver.url}/%'`,
            )
            .filter(({ guid }) => !guids.has(String(guid)));
    return [
      ...completenessFaults(server),
      ...broken,
      ...leases.map((row) => `a lease is longer than a lease may be: ${JSON.stringify(row)}`),
      ...unseen.map(({ guid }) => `${guid} is said to be delivered and reached nobody`),
    ];
  } finally {
    watch.close();
  }
}

/**
 * Fails unless the core invariant holds: each event has one delivery for each webhook that was enabled and subscribed
 * when it committed; each delivery is in a state that agrees with its attempts; numbers have no gaps; no lease has
 * outlived its term; and, with a `receiver`, everything recorded as delivered there has reached it.
 */
export function assertDeliveriesWhole(server: TestServer, options: DeliveryInvariant = {}): void {
  assert.deepEqual(deliveryFaults(server, options), []);
}
