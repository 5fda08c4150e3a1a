import { webhookOperations } from 'confab-contract/webhooks.ts';
import { handler } from '../../../binding/handler.ts';
import { renderWebhookDetail } from '../webhook-json.ts';

/** Registration creates, changes and deletes webhooks. */

/** A webhook by its id. */
export const getWebhook = handler(webhookOperations.getWebhook, async ({ on, at }) => {
  const { previousSecretUntil: until } = on;
  // A secret that has ended may stay in the row for a while.
  return renderWebhookDetail(on, until !== null && until > at ? until : null);
});
