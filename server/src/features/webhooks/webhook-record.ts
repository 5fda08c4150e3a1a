import type { UnixMs } from 'confab-contract/values/time.ts';
import type { WebhookRow } from '../../access/webhook/webhook.sql.ts';
import type { Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import { renderWebhook } from './webhook-json.ts';

/**
 * Appends the event of a change of a webhook, in the transaction of the change, and makes the sender forget what it read
 * of the webhook before the change is answered; returns the rendered webhook.
 */
export async function recordWebhook(
  tx: Tx,
  webhook: WebhookRow,
  change: {
    readonly action: 'webhook_created' | 'webhook_updated' | 'webhook_deleted';
    readonly caller: Pick<Principal, 'user' | 'apiKeyId'>;
    readonly at: UnixMs;
  },
): Promise<Json> {
  const rendered = renderWebhook(webhook);
  await append(tx, {
    action: change.action,
    actor: actorOf(change.caller),
    appId: null,
    entity: { id: webhook.id, json: rendered },
    at: change.at,
  });
  tx.wake('webhooks');
  return rendered;
}
