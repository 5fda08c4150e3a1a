import { deliveryOperations } from 'confab-contract/deliveries.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { type ManageableDelivery, manageableDelivery } from '../../../access/delivery/delivery-access.ts';
import type { ManageableWebhook } from '../../../access/webhook/webhook-access.ts';
import { handler } from '../../../binding/handler.ts';
import type { Tx } from '../../../db/db.ts';
import { changeCount } from '../../../db/tallies.ts';
import { append } from '../../../events/events.ts';
import type { Principal } from '../../../kernel/principal.ts';
import { actorOf } from '../../users/user-json.ts';
import { wakeWebhook } from '../sending/wake.ts';
import { renderWebhook } from '../webhook-json.ts';
import { insertDelivery } from './deliveries.store.ts';
import { renderDelivery } from './delivery-json.ts';

/** Sends a webhook an event that no other webhook gets; returns the delivery. */
export const pingWebhook = handler(deliveryOperations.pingWebhook, async (call) => {
  const { delivery, webhook } = await ping(call);
  return renderDelivery(delivery, webhook);
});

/** Queues a ping for a webhook, for a caller or a command; returns its delivery. */
export async function ping({
  tx,
  on: webhook,
  caller,
  at,
}: {
  readonly tx: Tx;
  readonly on: ManageableWebhook;
  readonly caller: Pick<Principal, 'user' | 'apiKeyId'>;
  readonly at: UnixMs;
}): Promise<ManageableDelivery> {
  const eventId = await append(tx, {
    action: 'webhook_pinged',
    actor: actorOf(caller),
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
  const tally = { parentType: 'webhook', parentId: webhook.id, kind: 'delivery', appId: 0 };
  await changeCount(tx, tally, { live: 1, trashed: 0 });
  await wakeWebhook(tx, webhook.id, at);
  return await manageableDelivery(tx, webhook, id);
}
