import { handler } from '../../../binding/handler.ts';
import { webhookOperations } from '../../../contract/webhooks.ts';
import { renderWebhook } from '../webhook-json.ts';

/** Registration creates, changes and deletes webhooks. */

/** A webhook by its id. */
export const getWebhook = handler(webhookOperations.getWebhook, async ({ on }) => renderWebhook(on));
