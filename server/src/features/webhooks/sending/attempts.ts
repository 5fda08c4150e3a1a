import type { UnixMs } from 'confab-contract/values/time.ts';
import { deliveryBody } from '../../../events/events.ts';
import type { SecretBox } from '../../../kernel/secret-box.ts';
import { secretsInForce } from '../secrets/secrets.ts';
import { type Signing, signatureHeaders } from '../secrets/signature.ts';
import type { Claim, Head, Outcome } from './lanes.ts';
import { type AttemptContext, type AttemptResult, type Random, scheduleMs, verdictOf } from './retry.ts';

/** Sending turns due deliveries into attempts: lanes are the queues, an attempt is one request, a breaker pauses a webhook. */

/** How a server presents itself to receivers. */
export type SenderIdentity = Signing & {
  readonly userAgent: string;
  /** Decrypts the secrets of webhooks. */
  readonly box: SecretBox;
};

/** The request of an attempt. */
export type DeliveryRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** The request for a head at `at`, the time that is signed. The body is the same on every attempt. */
export function requestOf(
  head: Head,
  at: UnixMs,
  { box, userAgent, ...signing }: SenderIdentity,
): DeliveryRequest {
  const { headerPrefix } = signing;
  const body = deliveryBody(head.eventId, head.payload, head.guid);
  const secrets = secretsInForce(box, head, at);
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
      [`${headerPrefix}-Sequence`]: String(head.sequence),
      ...signatureHeaders({ guid: head.guid, body, at, secrets }, signing),
    },
  };
}

/** An attempt that has ended. `startedAt` and `endedAt` are wall-clock times; the duration is monotonic. */
export type EndedAttempt = {
  readonly claim: Claim;
  readonly head: Head;
  /** The headers that were sent; undefined where the request could not be made. */
  readonly sent: DeliveryRequest['headers'] | undefined;
  readonly result: AttemptResult;
  readonly startedAt: UnixMs;
  readonly endedAt: UnixMs;
  /** Whether no other attempt was in flight to the webhook when it ended. */
  readonly isAlone: boolean;
};

/** What an attempt is as a probe; undefined where it is none. */
function probeOf({ probeAt, triedSince, dueAt }: Head, now: UnixMs): AttemptContext['probe'] {
  if (probeAt === null) return undefined;
  return { isLast: triedSince !== null && now - triedSince >= scheduleMs, dueAt: dueAt ?? now };
}

/** The outcome of an attempt, ready to record. */
export function outcomeOf(attempt: EndedAttempt, random: Random): Outcome {
  const { claim, head, sent, result, startedAt, endedAt, isAlone } = attempt;
  const number = head.attempts + 1;
  return {
    claim,
    deliveryId: head.id,
    number,
    startedAt,
    endedAt,
    durationUs: Math.round(result.durationMs * 1000),
    statusCode: result.answered ? result.statusCode : null,
    requestUrl: head.payloadUrl,
    requestHeaders: JSON.stringify(sent ?? {}),
    responseHeaders: result.answered ? JSON.stringify(result.headers) : null,
    responseBody: result.answered ? result.body : null,
    isTruncated: result.answered && result.truncated,
    scheduleFrom: head.scheduleFrom,
    probeAt: head.probeAt,
    ...verdictOf(result, {
      number: number - head.scheduleFrom,
      now: endedAt,
      random,
      isAlone,
      probe: probeOf(head, endedAt),
    }),
  };
}
