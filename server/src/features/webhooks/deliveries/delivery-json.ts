import { timestamp } from 'confab-contract/values/time.ts';
import type { DeliveryRow } from '../../../access/delivery/delivery.sql.ts';
import { deliveryBody } from '../../../events/events.ts';
import { type Json, json, jsonString } from '../../../kernel/json.ts';
import type { AttemptRow } from './deliveries.store.ts';

/** The fields of a webhook that decide when its deliveries are sent. */
export type Sending = { readonly isEnabled: number; readonly probeAt: number | null };

function nextAttemptAt({ dueAt }: DeliveryRow, { isEnabled, probeAt }: Sending): number | undefined {
  if (dueAt === null || isEnabled === 0) return undefined;
  // While the breaker is open nothing is sent before the next probe.
  return probeAt === null ? dueAt : Math.max(dueAt, probeAt);
}

/** A delivery as clients see it (specification section 2.11), with the request body where it was read. */
export function renderDelivery(
  delivery: DeliveryRow & { readonly payload?: string },
  webhook: Sending,
): Json {
  const { sequence, deliveredAt, durationUs, statusCode, payload } = delivery;
  const next = nextAttemptAt(delivery, webhook);
  const last = [
    next === undefined ? '' : `"next_attempt_at":"${timestamp(next)}",`,
    deliveredAt === null ? '' : `"delivered_at":"${timestamp(deliveredAt)}",`,
    durationUs === null ? '' : `"duration":${durationUs / 1_000_000},`,
    statusCode === null ? '' : `"status_code":${statusCode},`,
  ].join('');
  const body =
    payload === undefined ? '' : `,"payload":${deliveryBody(delivery.eventId, payload, delivery.guid)}`;
  return json(
    `{"id":${delivery.id},"guid":"${delivery.guid}",${sequence === null ? '' : `"sequence":${sequence},`}` +
      `"event_id":${delivery.eventId},"action":"${delivery.action}",` +
      `"created_at":"${timestamp(delivery.createdAt)}","attempts":${delivery.attempts},${last}` +
      `"status":"${delivery.status}"${body}}`,
  );
}

/** Bytes as text. A character that the size limit cut off is dropped. */
function readText(bytes: Uint8Array, isCut: boolean): { text: string; isUtf8: boolean } {
  const options = { stream: isCut };
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, options),
      isUtf8: true,
    };
  } catch (error) {
    // A fatal decoder throws only for bytes that it cannot decode.
    if (!(error instanceof TypeError)) throw error;
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), isUtf8: false };
  }
}

function renderResponse(attempt: AttemptRow): string {
  const { statusCode, responseHeaders, responseBody } = attempt;
  if (statusCode === null) return '';
  const isTruncated = attempt.isTruncated === 1;
  const { text, isUtf8 } = readText(responseBody ?? new Uint8Array(), isTruncated);
  const headers = responseHeaders === null ? '' : `"headers":${responseHeaders},`;
  const body = text === '' ? '' : `"body":${jsonString(text)},`;
  return `,"response":{"status_code":${statusCode},${headers}${body}"is_truncated":${isTruncated},"is_utf8":${isUtf8}}`;
}

/** One attempt of a delivery, with its request and response. */
export function renderAttempt(
  attempt: AttemptRow,
  delivery: { readonly eventId: number; readonly guid: string; readonly payload: string },
): Json {
  const { requestUrl, requestHeaders, error } = attempt;
  const url = requestUrl === null ? '' : `"url":${jsonString(requestUrl)},`;
  const headers = requestHeaders === null ? '' : `"headers":${requestHeaders},`;
  const body = jsonString(deliveryBody(delivery.eventId, delivery.payload, delivery.guid));
  return json(
    `{"number":${attempt.number},"started_at":"${timestamp(attempt.startedAt)}",` +
      `"duration":${attempt.durationUs / 1_000_000},${error === null ? '' : `"error":${jsonString(error)},`}` +
      `"request":{${url}${headers}"body":${body}}${renderResponse(attempt)}}`,
  );
}
