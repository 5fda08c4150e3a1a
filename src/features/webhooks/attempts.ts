import { deliveryBody } from '../../events/events.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Claim, Head, Outcome } from './lanes.ts';
import { type AttemptResult, judge, type Random } from './retry.ts';
import { signatureHeaders } from './signature.ts';

/** How a server presents itself to receivers. */
export type SenderName = {
  /** The beginning of the names of its own headers, such as `X-Weavy`. */
  readonly headerPrefix: string;
  readonly userAgent: string;
};

/** What is posted for a head at `at`, which is the time that is signed. The body is the same on every attempt. */
export function requestOf(
  head: Head,
  at: UnixMs,
  { headerPrefix, userAgent }: SenderName,
): { headers: Record<string, string>; body: string } {
  const body = deliveryBody(head.eventId, head.payload, head.guid);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      [`${headerPrefix}-Delivery`]: head.guid,
      [`${headerPrefix}-Trigger`]: head.trigger,
      [`${headerPrefix}-Action`]: head.action,
      [`${headerPrefix}-Hook-ID`]: String(head.webhookId),
      [`${headerPrefix}-Attempt`]: String(head.attempts + 1),
      ...signatureHeaders({ guid: head.guid, body, at, secret: head.secret }, headerPrefix),
    },
  };
}

/** The attempt as it is recorded. `startedAt` and `now`, its end, are times of the clock; its length is not. */
export function outcomeOf(
  { claim, head, result }: { claim: Claim; head: Head; result: AttemptResult },
  { startedAt, now, random }: { startedAt: UnixMs; now: UnixMs; random: Random },
): Outcome {
  const number = head.attempts + 1;
  return {
    claim,
    deliveryId: head.id,
    number,
    startedAt,
    durationUs: Math.round(result.durationMs * 1000),
    statusCode: result.answered ? result.statusCode : null,
    responseHeaders: result.answered ? JSON.stringify(result.headers) : null,
    responseBody: result.answered ? result.body : null,
    isTruncated: result.answered && result.truncated,
    ...judge(result, { number, now, random }),
  };
}
