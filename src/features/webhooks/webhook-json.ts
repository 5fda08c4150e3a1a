import { timestamp } from '../../kernel/clock.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { DeliveryRow } from './deliveries.store.ts';
import type { WebhookRow } from './webhooks.store.ts';

/** A webhook in the words of the wire (specification section 2.10); its secret is never among them. */
export function renderWebhook(webhook: WebhookRow): Json {
  return json(
    `{"id":${webhook.id},"payload_url":${jsonString(webhook.payloadUrl)},"triggers":${webhook.triggers},` +
      `"is_enabled":${webhook.isEnabled === 1}}`,
  );
}

/** A delivery in the words of the wire (specification section 2.11). */
export function renderDelivery(delivery: DeliveryRow): Json {
  const last = [
    delivery.deliveredAt === null ? '' : `"delivered_at":"${timestamp(delivery.deliveredAt)}",`,
    delivery.durationUs === null ? '' : `"duration":${delivery.durationUs / 1_000_000},`,
    delivery.statusCode === null ? '' : `"status_code":${delivery.statusCode},`,
  ].join('');
  return json(
    `{"id":${delivery.id},"guid":"${delivery.guid}","event_id":${delivery.eventId},` +
      `"action":"${delivery.action}",${last}"status":"${delivery.status}"}`,
  );
}
