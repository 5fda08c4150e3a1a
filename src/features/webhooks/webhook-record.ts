import type { Read, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notFound } from '../../kernel/problem.ts';
import { actorOf } from '../users/user-json.ts';
import { renderWebhook } from './webhook-json.ts';
import { type WebhookRow, webhookById } from './webhooks.store.ts';

/** A webhook with its secrets as they are kept. */
export type WebhookWithSecret = WebhookRow & {
  readonly secret: string | null;
  readonly previousSecret: string | null;
};

/** A webhook that is there; throws `not_found`. */
export async function getWebhook(read: Read | Tx, id: number): Promise<WebhookWithSecret> {
  const webhook = await read.get(webhookById, { id });
  if (webhook === undefined) throw notFound('webhook');
  return webhook;
}

/** Appends what became of a webhook to the log, in the transaction that did it; answers the webhook as shown. */
export async function recordWebhook(
  tx: Tx,
  webhook: WebhookRow,
  change: {
    readonly action: 'webhook_created' | 'webhook_updated' | 'webhook_deleted';
    readonly actor: Principal['user'];
    readonly at: UnixMs;
  },
): Promise<Json> {
  const rendered = renderWebhook(webhook);
  await append(tx, {
    action: change.action,
    actor: actorOf(change.actor),
    appId: null,
    entity: { id: webhook.id, json: rendered },
    at: change.at,
  });
  return rendered;
}
