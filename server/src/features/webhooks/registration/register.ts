import { webhookOperations } from 'confab-contract/webhooks.ts';
import { manageableWebhook } from '../../../access/webhook/webhook-access.ts';
import { handler } from '../../../binding/handler.ts';
import { webhookIndex } from '../../../db/search-index.ts';
import { searchWords } from '../../../kernel/search.ts';
import type { SecretBox } from '../../../kernel/secret-box.ts';
import { storeSecret } from '../secrets/secrets.ts';
import { recordWebhook } from '../webhook-record.ts';
import { type WebhookRules, webhookChange, webhookReaders } from './webhook-body.ts';
import { insertTriggers, insertWebhook } from './webhooks.store.ts';

/** Registers a webhook, which then receives the events of its triggers (specification section 4.4). */
export const registerWebhook = handler(
  webhookOperations.registerWebhook,
  (input, _call, parts: WebhookRules) =>
    input
      .read(webhookReaders(parts))
      .map((body) => webhookChange(body, body.enabled ?? body.is_enabled ?? true)),
  async ({ tx, caller, body, at }, { box }: WebhookRules & { readonly box: SecretBox }) => {
    const { payloadUrl = '', secret = null, triggers = [], isEnabled, isOrdered } = body;
    const id = await tx.insert(insertWebhook, {
      payloadUrl,
      isEnabled: isEnabled === false ? 0 : 1,
      isOrdered: isOrdered === true ? 1 : 0,
      createdAt: at,
    });
    if (secret !== null) await storeSecret(tx, box, { webhookId: id, secret });
    await tx.run(insertTriggers, { id, triggers });
    tx.defer(webhookIndex, { id, words: searchWords(payloadUrl), isNew: true });
    const webhook = await manageableWebhook(tx, id);
    return await recordWebhook(tx, webhook, { action: 'webhook_created', caller, at });
  },
);
