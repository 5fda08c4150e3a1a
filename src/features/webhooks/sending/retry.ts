import { randomInt } from 'node:crypto';
import type { UnixMs } from '../../../kernel/clock.ts';
import type { EgressFailure, EgressResult } from '../../../net/egress.ts';

/**
 * What an attempt leads to. Any 2xx is a success; everything else is tried again by the schedule, except where trying
 * again cannot help: the receiver says that it is gone (410), or the address itself is refused.
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

/** How long a delivery is tried that never succeeds, in milliseconds and without the jitter. */
export const scheduleMs: number = retryDelaysMs.reduce((sum, delayMs) => sum + delayMs, 0);

/** A receiver cannot put a delivery off for longer than the longest pause of the schedule. */
const retryAfterMsMax = 24 * hours;

/** Jitter is a tenth of the pause, within these bounds, so that a burst of failures does not come back as one. */
const jitterShare = 0.1;
const jitterMsMin = seconds;
const jitterMsMax = 15 * minutes;

/** Where jitter comes from: a number from 0 up to but not including 1. */
export type Random = () => number;

const fractions = 2 ** 32;

/** Randomness of the machine. */
export const systemRandom: Random = () => randomInt(fractions) / fractions;

/** What became of a request; `internal_error` is a mistake of this program, told apart from those of the network. */
export type AttemptResult =
  | EgressResult
  | (Omit<EgressFailure, 'errorCode'> & { errorCode: 'internal_error' });

/** What an attempt makes of its delivery. `dueAt` is when the next one may start; null once the status is final. */
export type Verdict = {
  readonly status: 'delivered' | 'retrying' | 'failed';
  readonly dueAt: UnixMs | null;
  /** A word for what went wrong; null for a success. */
  readonly error: string | null;
  /** How long nothing at all is to be sent to the receiver, in milliseconds. */
  readonly restMs: number;
};

/** What decides about an attempt besides its result. */
export type Circumstances = {
  /** Its number in the present schedule, from 1. */
  readonly number: number;
  /** When it ended. */
  readonly now: UnixMs;
  readonly random: Random;
  /** Whether nothing else is on its way to the receiver. */
  readonly isAlone: boolean;
  /**
   * Whether it was sent to find out about the receiver, so that its failure counts for nothing: `last` is the one that
   * has been tried so for as long as a schedule lasts, with others waiting behind it.
   */
  readonly probe?: 'any' | 'last' | undefined;
};

/** The pause after attempt `number` (from 1) in milliseconds with its jitter, or undefined when it was the last. */
export function retryDelayMs(number: number, random: Random): number | undefined {
  const delayMs = retryDelaysMs[number - 1];
  if (delayMs === undefined) return undefined;
  const jitterMs = Math.min(Math.max(delayMs * jitterShare, jitterMsMin), jitterMsMax);
  return delayMs + Math.floor(random() * jitterMs);
}

// The one form of date that senders of HTTP may use (RFC 9110 section 5.6.7).
const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The milliseconds a Retry-After header (RFC 9110 section 10.2.3) asks for, 0 to a day; 0 for a date that is past and
 * for anything that is neither whole seconds nor a date.
 */
export function retryAfterMs(header: string | undefined, now: UnixMs): number {
  const text = header?.trim() ?? '';
  const askedMs = /^\d+$/.test(text)
    ? Number(text) * seconds
    : httpDate.test(text)
      ? Date.parse(text) - now
      : 0;
  // A date such as the 31st of February matches the form and is none.
  return Number.isNaN(askedMs) ? 0 : Math.min(Math.max(askedMs, 0), retryAfterMsMax);
}

function errorOf(result: AttemptResult): string {
  if (!result.answered) return result.errorCode;
  return result.statusCode >= 300 && result.statusCode < 400 ? 'redirect' : `http_${result.statusCode}`;
}

/** How long a receiver is let be that took too long, in milliseconds: it is busy enough. */
const restAfterSilenceMs = minutes;

/** Whether an answer or its absence says that the receiver, or what stands before it, took too long. */
function isSilence(result: AttemptResult): boolean {
  return result.answered
    ? result.statusCode === 502 || result.statusCode === 504
    : ['timeout', 'connect_timeout', 'dns_timeout'].includes(result.errorCode);
}

/** Judges an attempt. */
export function judge(
  result: AttemptResult,
  { number, now, random, isAlone, probe }: Circumstances,
): Verdict {
  if (result.answered && result.statusCode >= 200 && result.statusCode < 300)
    return { status: 'delivered', dueAt: null, error: null, restMs: 0 };
  const error = errorOf(result);
  const isAskedToWait = result.answered && (result.statusCode === 429 || result.statusCode === 503);
  const askedMs = isAskedToWait ? retryAfterMs(result.headers['retry-after'], now) : 0;
  // What else is on its way will tell whether the receiver answers at all.
  const restMs = Math.max(askedMs, isAlone && isSilence(result) ? restAfterSilenceMs : 0);
  if (probe !== undefined)
    return probe === 'last'
      ? { status: 'failed', dueAt: null, error, restMs }
      : { status: 'retrying', dueAt: now, error, restMs };
  const isFinal = result.answered ? result.statusCode === 410 : result.permanent;
  const delayMs = isFinal ? undefined : retryDelayMs(number, random);
  if (delayMs === undefined) return { status: 'failed', dueAt: null, error, restMs };
  return { status: 'retrying', dueAt: now + Math.max(delayMs, askedMs), error, restMs };
}
