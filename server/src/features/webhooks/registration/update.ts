import { webhookOperations } from 'confab-contract/webhooks.ts';
import { type ManageableWebhook, manageableWebhook } from '../../../access/webhook/webhook-access.ts';
import { type Call, handler } from '../../../binding/handler.ts';
import { webhookIndex } from '../../../db/search-index.ts';
import { searchWords } from '../../../kernel/search.ts';
import type { SecretBox } from '../../../kernel/secret-box.ts';
import { isCurrentSecret, storeSecret } from '../secrets/secrets.ts';
import { resetBackoff, updateLaneDue } from '../sending/lanes.store.ts';
import { renderWebhook } from '../webhook-json.ts';
import { recordWebhook } from '../webhook-record.ts';
import { type WebhookChange, type WebhookRules, webhookChange, webhookReaders } from './webhook-body.ts';
import { deleteTriggers, insertTriggers, updateWebhook as setWebhook } from './webhooks.store.ts';

/** Changes a webhook. A request that changes nothing leaves it unedited and appends no event. */
export const updateWebhook = handler(
  webhookOperations.updateWebhook,
  (input, _call, parts: WebhookRules) =>
    input
      .read(webhookReaders(parts))
      .map((body) => webhookChange(body, body.is_enabled ?? body.enabled ?? undefined)),
  async (call, { box }: WebhookRules & { readonly box: SecretBox }) => {
    const { tx, on: webhook, caller, body: change, at } = call;
    const values = valuesAfter(webhook, change);
    const triggers = change.triggers === undefined ? webhook.triggers : JSON.stringify(change.triggers);
    // A secret that is sent ends the previous one, even when it is the present one already.
    const hasSecret =
      change.secret === undefined ||
      (webhook.previousSecret === null && isCurrentSecret(box, webhook, change.secret));
    const isSame =
      values.payloadUrl === webhook.payloadUrl &&
      hasSecret &&
      values.isEnabled === webhook.isEnabled &&
      values.isOrdered === webhook.isOrdered &&
      triggers === webhook.triggers;
    if (isSame) return renderWebhook(webhook);
    await keep(call, values);
    if (change.secret !== undefined && !hasSecret)
      await storeSecret(tx, box, { webhookId: webhook.id, secret: change.secret });
    if (change.triggers !== undefined) {
      await tx.run(deleteTriggers, { id: webhook.id });
      await tx.run(insertTriggers, { id: webhook.id, triggers: change.triggers });
    }
    tx.defer(webhookIndex, { id: webhook.id, words: searchWords(values.payloadUrl) });
    tx.wake('deliveries');
    const changed = await manageableWebhook(tx, webhook.id);
    return await recordWebhook(tx, changed, { action: 'webhook_updated', caller, at });
  },
);

type Values = { readonly payloadUrl: string; readonly isEnabled: number; readonly isOrdered: number };

function valuesAfter(webhook: ManageableWebhook, change: WebhookChange): Values {
  const { payloadUrl = webhook.payloadUrl, isEnabled, isOrdered } = change;
  return {
    payloadUrl,
    isEnabled: isEnabled === undefined ? webhook.isEnabled : isEnabled ? 1 : 0,
    isOrdered: isOrdered === undefined ? webhook.isOrdered : isOrdered ? 1 : 0,
  };
}

async function keep(
  {
    tx,
    on: webhook,
    at,
  }: Pick<Call<typeof webhookOperations.updateWebhook, WebhookChange>, 'tx' | 'on' | 'at'>,
  values: Values,
): Promise<void> {
  await tx.run(setWebhook, { ...values, id: webhook.id, modifiedAt: at });
  // The state of the receiver does not apply to a new address, or to a receiver that may have been fixed.
  const isNewReceiver =
    values.payloadUrl !== webhook.payloadUrl || (values.isEnabled === 1 && webhook.isEnabled === 0);
  if (isNewReceiver) await tx.run(resetBackoff, { id: webhook.id, now: at });
  await tx.run(updateLaneDue, { webhookIds: [webhook.id] });
}
