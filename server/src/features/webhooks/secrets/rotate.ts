import { invalidField } from 'confab-contract/problem.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { webhookOperations } from 'confab-contract/webhooks.ts';
import { handler } from '../../../binding/handler.ts';
import { json, jsonString } from '../../../kernel/json.ts';
import type { SecretBox } from '../../../kernel/secret-box.ts';
import { recordWebhook } from '../webhook-record.ts';
import { isCurrentSecret, storeSecret } from './secrets.ts';
import { makeWebhookSecret, readSecret } from './signature.ts';

/** How long the previous secret stays valid by default, in seconds. */
const overlapSecondsDefault = 86_400;

/** Replaces the secret of a webhook; the previous one stays valid for a while. */
export const rotateWebhookSecret = handler(
  webhookOperations.rotateWebhookSecret,
  (input) =>
    input.read({ secret: readSecret }).map(({ secret, overlap_seconds: overlapSeconds }) => ({
      sent: secret,
      made: makeWebhookSecret(),
      overlapMs: (overlapSeconds ?? overlapSecondsDefault) * 1000,
    })),
  async ({ tx, on: webhook, caller, body, at }, { box }: { readonly box: SecretBox }) => {
    const { sent, made, overlapMs } = body;
    if (sent !== undefined && isCurrentSecret(box, webhook, sent))
      throw invalidField('/secret', 'unchanged', 'must be another than the present one');
    const previous =
      webhook.secret === null || overlapMs === 0
        ? undefined
        : { sealed: webhook.secret, until: at + overlapMs };
    await storeSecret(tx, box, { webhookId: webhook.id, secret: sent ?? made, previous });
    await recordWebhook(tx, webhook, { action: 'webhook_updated', caller, at });
    const fields = [
      sent === undefined ? `"secret":${jsonString(made)}` : '',
      previous === undefined ? '' : `"previous_secret_until":"${timestamp(previous.until)}"`,
    ];
    return json(`{${fields.filter((part) => part !== '').join(',')}}`);
  },
);
