import { deliveryOperations } from 'confab-contract/deliveries.ts';
import { handler } from '../../../binding/handler.ts';
import { renderDelivery } from './delivery-json.ts';

/** Deliveries record what each webhook was or will be sent; here they are created, listed, sent again and deleted. */

/** A delivery with the body that is sent. */
export const getDelivery = handler(deliveryOperations.getDelivery, async ({ on }) =>
  renderDelivery(on.delivery, on.webhook),
);
