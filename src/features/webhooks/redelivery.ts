import type { RedeliverMany } from '../../contract/deliveries.ts';
import type { Db, Tx } from '../../db/db.ts';
import { changeCount } from '../../db/tallies.ts';
import { append } from '../../events/events.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import { actorOf } from '../users/user-json.ts';
import { chosenDeliveries, deliveryById, insertDelivery, requeueDeliveries } from './deliveries.store.ts';
import { filtersOf, isUnfiltered } from './delivery-filters.ts';
import { renderDelivery } from './delivery-json.ts';
import { forgetWaits, settleDue } from './lanes.store.ts';
import { renderWebhook } from './webhook-json.ts';
import { getWebhook, type WebhookWithSecret } from './webhook-record.ts';

/**
 * Sending on request: pings, and deliveries that are sent again. Sending again moves the one row that a delivery has to
 * the beginning of a new schedule, so there is never more than one of it in the queue, and numbers of attempts go on.
 */

/** Deliveries that one transaction moves: 20 ms of the one writer. */
const redeliveriesMax = 1000;

/** What pings and redeliveries do; see the operations of the same names. */
export type Redelivery = ReturnType<typeof createRedelivery>;

/** Who asks, as a request or a command has it. */
type Asking = Pick<Principal, 'user'>;

/** Opens what sends on request. */
export function createRedelivery({ db, clock }: { db: Db; clock: Clock }) {
  async function getDelivery(tx: Tx, webhookId: number, id: number) {
    const delivery = await tx.get(deliveryById, { webhookId, id });
    if (delivery === undefined) throw notFound('delivery');
    return delivery;
  }

  /** Puts what one webhook is to be told alone into its queue; answers the delivery. */
  async function tellAlone(tx: Tx, webhook: WebhookWithSecret, by: Asking, at: UnixMs): Promise<number> {
    const eventId = await append(tx, {
      action: 'webhook_pinged',
      actor: actorOf(by.user),
      appId: null,
      entity: { id: webhook.id, json: renderWebhook(webhook) },
      at,
    });
    const id = await tx.insert(insertDelivery, {
      webhookId: webhook.id,
      eventId,
      action: 'webhook_pinged',
      trigger: 'webhooks',
      now: at,
    });
    const counted = { parentType: 'webhook', parentId: webhook.id, kind: 'delivery', appId: 0 };
    await changeCount(tx, counted, { live: 1, trashed: 0 });
    await wake(tx, webhook, at);
    return id;
  }

  async function wake(tx: Tx, webhook: WebhookWithSecret, now: UnixMs): Promise<void> {
    // Who asks wants to know now: an open breaker probes at once.
    await tx.run(forgetWaits, { id: webhook.id, now });
    await tx.run(settleDue, { webhookIds: [webhook.id] });
    tx.wake('deliveries');
  }

  return {
    async pingWebhook(by: Asking, id: number): Promise<Json> {
      return await db.write(async (tx) => {
        const webhook = await getWebhook(tx, id);
        const deliveryId = await tellAlone(tx, webhook, by, clock.now());
        return renderDelivery(await getDelivery(tx, id, deliveryId), webhook);
      });
    },

    async redeliver(by: Asking, id: number, deliveryId: number): Promise<Json> {
      const { filters, values } = filtersOf(id, {}, 'id');
      return await db.write(async (tx) => {
        const webhook = await getWebhook(tx, id);
        const delivery = await getDelivery(tx, id, deliveryId);
        const now = clock.now();
        const change = { ...values, ids: [deliveryId], now };
        const changed = await tx.run(requeueDeliveries(JSON.stringify(filters)), change);
        // It is to be sent at once anyway.
        if (changed === 0) return renderDelivery(delivery, webhook);
        const { payload, ...requeued } = await getDelivery(tx, id, deliveryId);
        await append(tx, {
          action: 'delivery_redelivered',
          actor: actorOf(by.user),
          appId: null,
          entity: { id: deliveryId, json: renderDelivery(requeued, webhook) },
          extra: { webhook: json(`{"id":${id}}`) },
          at: now,
        });
        await wake(tx, webhook, now);
        return renderDelivery({ ...requeued, payload }, webhook);
      });
    },

    async redeliverMany(by: Asking, id: number, input: Input<RedeliverMany>): Promise<Json> {
      const { read } = db;
      await getWebhook(read, id);
      const { limit: top = redeliveriesMax, after, ...choice } = input.valid();
      const { filters, values } = filtersOf(id, { ...choice, after: after ?? 0 }, 'id');
      if (isUnfiltered({ ...filters, after: 'nothing' }))
        throw new Problem('validation_failed', 'At least one property must say what is sent again.', {
          errors: [{ pointer: '', code: 'required', message: 'must have a filter' }],
        });
      const key = JSON.stringify(filters);
      // Looked for outside the transaction: however long that takes, nobody who writes waits for it.
      const ids = (await read.all(chosenDeliveries(key), { ...values, top })).map((row) => row.id);
      const next = ids.length < top ? undefined : ids.at(-1);
      const redelivered =
        ids.length === 0
          ? 0
          : await db.write(async (tx) => {
              const webhook = await getWebhook(tx, id);
              const now = clock.now();
              const changed = await tx.run(requeueDeliveries(key), { ...values, ids, now });
              if (changed === 0) return 0;
              await append(tx, {
                action: 'deliveries_redelivered',
                actor: actorOf(by.user),
                appId: null,
                entity: { id, json: renderWebhook(webhook) },
                extra: { redelivered: json(String(changed)) },
                at: now,
              });
              await wake(tx, webhook, now);
              return changed;
            });
      return json(`{"redelivered":${redelivered}${next === undefined ? '' : `,"next":${next}`}}`);
    },
  };
}
