import { randomInt } from 'node:crypto';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { EgressFailure, EgressResult } from '../../../net/egress.ts';

/**
 * The consequence of an attempt. Any 2xx is a success. Every other result is retried on the schedule, unless retrying
 * cannot help: the receiver is gone (410), or the address itself is refused.
 */

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The pauses between attempts: eleven attempts over 75 hours and 36 minutes, about the three days of large senders. */
export const retryDelaysMs: readonly number[] = [
  5 * seconds,
  minutes,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
];

/** The length of the whole schedule in milliseconds, without jitter: how long a failing delivery is retried. */
export const scheduleMs: number = retryDelaysMs.reduce((sum, delayMs) => sum + delayMs, 0);

/** A receiver cannot postpone a delivery by more than the longest pause of the schedule. */
const retryAfterMsMax = 24 * hours;

/** Jitter is a tenth of the pause, within these bounds, so that a burst of failures is not retried as a burst. */
const jitterShare = 0.1;
const jitterMsMin = seconds;
const jitterMsMax = 15 * minutes;

/** A source of randomness: a number from 0 up to but not including 1. */
export type Random = () => number;

const fractions = 2 ** 32;

/** The random numbers of the operating system. */
export const systemRandom: Random = () => randomInt(fractions) / fractions;

/** The result of a request; `internal_error` is an error of this program rather than of the network. */
export type AttemptResult =
  | EgressResult
  | (Omit<EgressFailure, 'errorCode'> & { errorCode: 'internal_error' });

/** The state of a delivery after an attempt. `dueAt` is when the next attempt may start; null once the status is final. */
export type Verdict = {
  readonly status: 'delivered' | 'retrying' | 'failed';
  readonly dueAt: UnixMs | null;
  /** The error code; null for a success. */
  readonly error: string | null;
  /** How long to send nothing to the receiver, in milliseconds. */
  readonly backoffMs: number;
};

/** The facts besides its result that decide the consequences of an attempt. */
export type AttemptContext = {
  /** Its number in the current schedule, from 1. */
  readonly number: number;
  /** When it ended. */
  readonly now: UnixMs;
  readonly random: Random;
  /** Whether no other attempt is in flight to the receiver. */
  readonly isAlone: boolean;
  /**
   * Set for a probe, whose failure does not count in the schedule, so the delivery stays due when it was. The last probe of
   * a delivery that has blocked others for as long as a whole schedule is final.
   */
  readonly probe?: { readonly isLast: boolean; readonly dueAt: UnixMs } | undefined;
};

/** The pause after attempt `number` (from 1) in milliseconds with jitter, or undefined after the last attempt. */
export function retryDelayMs(number: number, random: Random): number | undefined {
  const delayMs = retryDelaysMs[number - 1];
  if (delayMs === undefined) return undefined;
  const jitterMs = Math.min(Math.max(delayMs * jitterShare, jitterMsMin), jitterMsMax);
  return delayMs + Math.floor(random() * jitterMs);
}

// The only date format that HTTP senders may generate (RFC 9110 section 5.6.7).
const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The delay of a Retry-After header (RFC 9110 section 10.2.3) in milliseconds, from 0 to a day; 0 for a past date and
 * for anything that is neither whole seconds nor a date.
 */
export function retryAfterMs(header: string | undefined, now: UnixMs): number {
  const text = header?.trim() ?? '';
  const requestedMs = /^\d+$/.test(text)
    ? Number(text) * seconds
    : httpDate.test(text)
      ? Date.parse(text) - now
      : 0;
  // A date such as 31 February matches the format but is invalid.
  return Number.isNaN(requestedMs) ? 0 : Math.min(Math.max(requestedMs, 0), retryAfterMsMax);
}

function errorOf(result: AttemptResult): string {
  if (!result.answered) return result.errorCode;
  return result.statusCode >= 300 && result.statusCode < 400 ? 'redirect' : `http_${result.statusCode}`;
}

/** How long a receiver that timed out gets no requests, in milliseconds: it is overloaded. */
const backoffAfterTimeoutMs = minutes;

/** Whether the receiver, or a gateway in front of it, timed out. */
function isTimeout(result: AttemptResult): boolean {
  return result.answered
    ? result.statusCode === 502 || result.statusCode === 504
    : ['timeout', 'connect_timeout', 'dns_timeout'].includes(result.errorCode);
}

/** Decides what follows from an attempt. */
export function verdictOf(
  result: AttemptResult,
  { number, now, random, isAlone, probe }: AttemptContext,
): Verdict {
  if (result.answered && result.statusCode >= 200 && result.statusCode < 300)
    return { status: 'delivered', dueAt: null, error: null, backoffMs: 0 };
  const error = errorOf(result);
  const isThrottled = result.answered && (result.statusCode === 429 || result.statusCode === 503);
  const requestedMs = isThrottled ? retryAfterMs(result.headers['retry-after'], now) : 0;
  // Other attempts in flight will show whether the receiver responds at all.
  const backoffMs = Math.max(requestedMs, isAlone && isTimeout(result) ? backoffAfterTimeoutMs : 0);
  if (probe !== undefined)
    return probe.isLast
      ? { status: 'failed', dueAt: null, error, backoffMs }
      : { status: 'retrying', dueAt: Math.max(probe.dueAt, now), error, backoffMs };
  const isFinal = result.answered ? result.statusCode === 410 : result.permanent;
  const delayMs = isFinal ? undefined : retryDelayMs(number, random);
  if (delayMs === undefined) return { status: 'failed', dueAt: null, error, backoffMs };
  return { status: 'retrying', dueAt: now + Math.max(delayMs, requestedMs), error, backoffMs };
}
