import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { WebhookRow } from '../../access/webhook/webhook.sql.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';

/**
 * Webhooks deliver events to receivers over HTTP: `registration` manages them, `sending` has their queues, attempts and
 * breakers, `deliveries` shows and repeats what was sent, `secrets` keeps the keys of their signatures.
 */

function renderBreaker({ breakerOpenedAt, breakerReason, probeAt }: WebhookRow): Json {
  if (breakerOpenedAt === null) return json('{"state":"closed"}');
  const optional = [
    breakerReason === null ? '' : `"reason":${jsonString(breakerReason)},`,
    probeAt === null ? '' : `"next_probe_at":"${timestamp(probeAt)}",`,
  ].join('');
  return json(`{"state":"open",${optional}"opened_at":"${timestamp(breakerOpenedAt)}"}`);
}

function fieldsOf(webhook: WebhookRow): string {
  return (
    `"id":${webhook.id},"payload_url":${jsonString(webhook.payloadUrl)},"triggers":${webhook.triggers},` +
    `"is_enabled":${webhook.isEnabled === 1},"ordered":${webhook.isOrdered === 1},` +
    `"breaker":${renderBreaker(webhook)}`
  );
}

/** A webhook as clients see it (specification section 2.10), never with its secret. */
export function renderWebhook(webhook: WebhookRow): Json {
  return json(`{${fieldsOf(webhook)}}`);
}

/** The same, with when its previous secret ends, unless that is null. */
export function renderWebhookDetail(webhook: WebhookRow, previousUntil: UnixMs | null): Json {
  const overlap = previousUntil === null ? '' : `,"previous_secret_until":"${timestamp(previousUntil)}"`;
  return json(`{${fieldsOf(webhook)}${overlap}}`);
}
