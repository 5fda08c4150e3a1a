import { deliveryOperations, type RedeliverMany } from 'confab-contract/deliveries.ts';
import { Problem } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { type ManageableDelivery, manageableDelivery } from '../../../access/delivery/delivery-access.ts';
import { type ManageableWebhook, manageableWebhook } from '../../../access/webhook/webhook-access.ts';
import { handler } from '../../../binding/handler.ts';
import type { Db, Tx } from '../../../db/db.ts';
import { append } from '../../../events/events.ts';
import type { Input } from '../../../kernel/input.ts';
import { json } from '../../../kernel/json.ts';
import type { Principal } from '../../../kernel/principal.ts';
import { actorOf } from '../../users/user-json.ts';
import { wakeWebhook } from '../sending/wake.ts';
import { renderWebhook } from '../webhook-json.ts';
import { matchingDeliveries, requeueDeliveries } from './deliveries.store.ts';
import { filtersOf, isUnfiltered } from './delivery-filters.ts';
import { renderDelivery } from './delivery-json.ts';

/**
 * A redelivery moves the one row of a delivery to the start of a new schedule, so a delivery is never queued twice, and
 * its attempts keep counting.
 */

/** Sends a delivery again. */
export const redeliver = handler(deliveryOperations.redeliver, async (call) => {
  const { delivery, webhook } = await requeue(call);
  return renderDelivery(delivery, webhook);
});

/** Moves a delivery to the start of a new schedule, for a caller or a command; returns the changed delivery. */
export async function requeue({
  tx,
  on,
  caller,
  at,
}: {
  readonly tx: Tx;
  readonly on: ManageableDelivery;
  readonly caller: Pick<Principal, 'user'>;
  readonly at: UnixMs;
}): Promise<ManageableDelivery> {
  const { webhook } = on;
  const { filters, values } = filtersOf(webhook.id, {}, 'id');
  const { id } = on.delivery;
  // A delivery that is already due is left unchanged.
  if ((await tx.changed(requeueDeliveries(JSON.stringify(filters)), { ...values, ids: [id], now: at })) === 0)
    return on;
  const requeued = await manageableDelivery(tx, webhook, id);
  const { payload: _, ...delivery } = requeued.delivery;
  await append(tx, {
    action: 'delivery_redelivered',
    actor: actorOf(caller),
    appId: null,
    entity: { id, json: renderDelivery(delivery, webhook) },
    extra: { webhook: json(`{"id":${webhook.id}}`) },
    at,
  });
  await wakeWebhook(tx, webhook.id, at);
  return requeued;
}

/** Deliveries that one transaction moves: 20 ms of the one writer. */
const redeliveriesMax = 1000;

/** The deliveries to send again, at most `top` of those that `filters` match. */
export type Redelivery = ReturnType<typeof filtersOf> & { readonly top: number };

/** Reads which deliveries to send again; the input has a fault when the body has no filter. */
export function readRedelivery(input: Input<RedeliverMany>, webhookId: number): Input<Redelivery> {
  return input.map(({ limit: top = redeliveriesMax, after, ...choice }) => {
    const { filters, values } = filtersOf(webhookId, { ...choice, after: after ?? 0 }, 'id');
    if (isUnfiltered({ ...filters, after: 'nothing' }))
      throw new Problem('validation_failed', 'At least one property must say what is sent again.', {
        errors: [{ pointer: '', code: 'required', message: 'must have a filter' }],
      });
    return { filters, values, top };
  });
}

/** Sends again the deliveries that a filter matches. */
export const redeliverMany = handler(
  deliveryOperations.redeliverMany,
  (input, { params }) => readRedelivery(input, params.id),
  async (call) => {
    const { redelivered, next } = await requeueMany(call, call.body);
    return json(`{"redelivered":${redelivered}${next === undefined ? '' : `,"next":${next}`}}`);
  },
);

/**
 * Moves the deliveries that a filter matches to the start of new schedules, for a caller or a command. Returns how many
 * were moved, and the id after which to continue when there may be more. Throws `not_found` when the webhook has been
 * deleted.
 */
export async function requeueMany(
  {
    db,
    on,
    caller,
    at,
  }: {
    readonly db: Db;
    readonly on: ManageableWebhook;
    readonly caller: Pick<Principal, 'user'>;
    readonly at: UnixMs;
  },
  { filters, values, top }: Redelivery,
): Promise<{ readonly redelivered: number; readonly next: number | undefined }> {
  const key = JSON.stringify(filters);
  // Searched outside the transaction: other writers do not wait for the search, however long it takes.
  const ids = (await db.read.all(matchingDeliveries(key), { ...values, top })).map(({ id }) => id);
  const next = ids.length < top ? undefined : ids.at(-1);
  if (ids.length === 0) return { redelivered: 0, next };
  const redelivered = await db.write(async (tx) => {
    const webhook = await manageableWebhook(tx, on.id);
    const changed = await tx.changed(requeueDeliveries(key), { ...values, ids, now: at });
    if (changed === 0) return 0;
    await append(tx, {
      action: 'deliveries_redelivered',
      actor: actorOf(caller),
      appId: null,
      entity: { id: webhook.id, json: renderWebhook(webhook) },
      extra: { redelivered: json(String(changed)) },
      at,
    });
    await wakeWebhook(tx, webhook.id, at);
    return changed;
  });
  return { redelivered, next };
}
