import { notFound } from 'confab-contract/problem.ts';
import type { Read } from '../../db/db.ts';
import { idOf, type Lookup } from '../lookup.ts';
import { type ManageableWebhook, webhookAccess } from '../webhook/webhook-access.ts';
import type { DeliveryRow } from './delivery.sql.ts';
import { deliveryById } from './delivery-access.store.ts';

declare const proof: unique symbol;

/** A delivery that exists, with its webhook and the payload of its event. */
export type ManageableDelivery = {
  readonly webhook: ManageableWebhook;
  readonly delivery: DeliveryRow & { readonly payload: string };
  readonly [proof]: 'delivery';
};

/** The delivery of a webhook with this id; throws `not_found`. */
export async function manageableDelivery(
  read: Pick<Read, 'get'>,
  webhook: ManageableWebhook,
  id: number,
): Promise<ManageableDelivery> {
  const delivery = await read.get(deliveryById, { webhookId: webhook.id, id });
  if (delivery === undefined) throw notFound('delivery');
  return { webhook, delivery } as ManageableDelivery;
}

/** The rights on deliveries; each throws `not_found`. */
export const deliveryAccess = {
  async manage(lookup: Lookup): Promise<ManageableDelivery> {
    const webhook = await webhookAccess.manage(lookup);
    return await manageableDelivery(
      lookup.read,
      webhook,
      lookup.inner === undefined ? 0 : idOf(lookup.inner),
    );
  },
};
