import type { UnixMs } from 'confab-contract/values/time.ts';

/**
 * The state of a webhook's receiver, derived from attempts. After several failures in a row the *breaker* opens: only
 * *probes* are sent, at growing intervals, until one succeeds. The state belongs to the receiver and not to a delivery,
 * so an outage of days does not use up the attempts of any delivery; the queue resumes when the receiver is back.
 */

const minutes = 60_000;
const hours = 60 * minutes;

/** The failed attempts in a row that open a breaker. */
export const failuresToOpen = 4;

/** The longest interval between probes. */
const probeDelayMsMax = 24 * hours;

/** The reason for a receiver that reports it is permanently gone (410): it is probed once a day. */
const goneReason = 'gone';

/** The state of a webhook's receiver. */
export type Receiver = {
  /** Failed attempts in a row. */
  readonly failures: number;
  /** When the breaker opened, the error code of the last failure, and when the next probe may start; null while closed. */
  readonly openedAt: UnixMs | null;
  readonly reason: string | null;
  readonly probeAt: UnixMs | null;
  /** Failed probes since the breaker opened. */
  readonly probes: number;
  /** The time before which nothing is sent although the breaker is closed. */
  readonly waitUntil: UnixMs | null;
};

/** The evidence about the receiver from an attempt that ended at `at`. */
export type ReceiverSignal = {
  readonly at: UnixMs;
  /** The error code; null for a success. */
  readonly error: string | null;
  /** Whether it was a probe: it started while the breaker was open. */
  readonly isProbe: boolean;
  /** How long to send nothing to the receiver, in milliseconds; 0 for no wait. */
  readonly backoffMs: number;
};

/** The pause after `probes` failed probes, in milliseconds: 1, 2, 4 … minutes, up to a day. */
export function probeDelayMs(probes: number): number {
  return Math.min(minutes * 2 ** Math.min(probes, 16), probeDelayMsMax);
}

function laterOf(one: UnixMs | null, other: UnixMs | null): UnixMs | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** The state of a receiver after one more attempt. A success closes the breaker. */
export function receiverAfter(
  receiver: Receiver,
  { at, error, isProbe, backoffMs }: ReceiverSignal,
): Receiver {
  const backoffUntil = backoffMs > 0 ? at + backoffMs : null;
  if (error === null) {
    const waitUntil = receiver.waitUntil !== null && receiver.waitUntil > at ? receiver.waitUntil : null;
    return { failures: 0, openedAt: null, reason: null, probeAt: null, probes: 0, waitUntil };
  }
  const failures = receiver.failures + 1;
  const isGone = error === 'http_410';
  const reason = isGone ? goneReason : error;
  const pausedFor = (probes: number): UnixMs =>
    at + Math.max(isGone ? probeDelayMsMax : probeDelayMs(probes), backoffMs);
  if (receiver.openedAt !== null) {
    // Ignore attempts that started before the breaker opened.
    if (!isProbe) return { ...receiver, failures };
    const probes = receiver.probes + 1;
    return { ...receiver, failures, probes, reason, probeAt: pausedFor(probes) };
  }
  if (failures < failuresToOpen && !isGone)
    return { ...receiver, failures, waitUntil: laterOf(receiver.waitUntil, backoffUntil) };
  const probeAt = laterOf(pausedFor(0), receiver.waitUntil);
  return { failures, openedAt: at, reason, probeAt, probes: 0, waitUntil: null };
}
