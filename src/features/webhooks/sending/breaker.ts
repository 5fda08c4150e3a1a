import type { UnixMs } from '../../../kernel/clock.ts';

/**
 * What the attempts of a webhook say about its receiver. After some failures in a row the *breaker* opens: only *probes*
 * are sent, at growing distances, until one succeeds. It is a state of the receiver and not of any delivery, so that an
 * outage of days uses up the attempts of none: what waits goes on where it was when the receiver is back.
 */

const minutes = 60_000;
const hours = 60 * minutes;

/** The failed attempts in a row that open a breaker. */
export const failuresToOpen = 4;

/** Probes are this far apart at most. */
const probeDelayMsMax = 24 * hours;

/** The reason of a receiver that says that it is gone for good (410): it is asked once a day. */
const goneReason = 'gone';

/** The receiver of a webhook as it is kept. */
export type Receiver = {
  /** Failed attempts in a row. */
  readonly failures: number;
  /** Since when the breaker is open, why (the word for the last failure) and when the next probe may start; or null. */
  readonly openedAt: UnixMs | null;
  readonly reason: string | null;
  readonly probeAt: UnixMs | null;
  /** Failed probes since then. */
  readonly probes: number;
  /** Before when nothing is sent although the breaker is closed. */
  readonly waitUntil: UnixMs | null;
};

/** An attempt that ended at `at`, as far as it says something about the receiver. */
export type Sign = {
  readonly at: UnixMs;
  /** A word for what went wrong; null for a success. */
  readonly error: string | null;
  /** Whether it was a probe: it started when the breaker was open. */
  readonly isProbe: boolean;
  /** How long the receiver is to be left alone, in milliseconds; 0 when it said nothing about it. */
  readonly restMs: number;
};

/** The pause before the probe that follows `probes` failed ones, in milliseconds: 1, 2, 4 … minutes, up to a day. */
export function probeDelayMs(probes: number): number {
  return Math.min(minutes * 2 ** Math.min(probes, 16), probeDelayMsMax);
}

function laterOf(one: UnixMs | null, other: UnixMs | null): UnixMs | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** What is known of a receiver after one more attempt. One success closes the breaker. */
export function receiverAfter(receiver: Receiver, { at, error, isProbe, restMs }: Sign): Receiver {
  const asked = restMs > 0 ? at + restMs : null;
  if (error === null) {
    const waitUntil = receiver.waitUntil !== null && receiver.waitUntil > at ? receiver.waitUntil : null;
    return { failures: 0, openedAt: null, reason: null, probeAt: null, probes: 0, waitUntil };
  }
  const failures = receiver.failures + 1;
  const isGone = error === 'http_410';
  const reason = isGone ? goneReason : error;
  const pausedFor = (probes: number): UnixMs =>
    at + Math.max(isGone ? probeDelayMsMax : probeDelayMs(probes), restMs);
  if (receiver.openedAt !== null) {
    // One that had started before the breaker opened says nothing new.
    if (!isProbe) return { ...receiver, failures };
    const probes = receiver.probes + 1;
    return { ...receiver, failures, probes, reason, probeAt: pausedFor(probes) };
  }
  if (failures < failuresToOpen && !isGone)
    return { ...receiver, failures, waitUntil: laterOf(receiver.waitUntil, asked) };
  const probeAt = laterOf(pausedFor(0), receiver.waitUntil);
  return { failures, openedAt: at, reason, probeAt, probes: 0, waitUntil: null };
}
