import { type Lanes, leaseMs, type Outcome } from '../features/webhooks/sending/lanes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { claimsOf, type HeldLane, type HeldLanes } from './held-lane.ts';
import { startLoop } from './runner.ts';

/** How many unrecorded outcomes stop new attempts. */
const unrecordedMax = 256;

/**
 * The least time between two transactions of the recorder, unless many outcomes wait: each costs a disk sync, which a
 * single busy webhook would otherwise cause for every delivery. On a slow disk the pause is twice as long as the last
 * transaction, which leaves most of the time to requests. A transaction takes minutes when the process is suspended in it
 * or the database fails over, so the pause has a limit: leases are renewed with the outcomes.
 */
const recordPauseMs = 5;
const recordPauseMsMax = 1000;
const recordAtOnce = 128;

/** The dependencies of the recorder. */
export type WebhookRecorderOptions = {
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly log: Log;
  readonly held: HeldLanes;
  /** Called after each transaction with the webhooks that were deleted or taken over by another node. */
  readonly onRecorded: (lost: ReadonlySet<number>) => void;
};

/**
 * Starts the loop that records outcomes, all pending ones in one transaction, releases the lanes that are drained, and
 * renews the leases of the others.
 */
export function startWebhookRecorder({ lanes, clock, log, held, onRecorded }: WebhookRecorderOptions) {
  let unrecorded: Outcome[] = [];
  let recordedAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;

  /** Whether an outcome decides if and when more is sent to the receiver, so that it must be recorded first. */
  function isUnsettling({ status, probeAt }: Outcome): boolean {
    return status !== 'delivered' || probeAt !== null;
  }

  function dropLost(lost: ReadonlySet<number>, outcomes: readonly Outcome[]): void {
    if (lost.size === 0) return;
    log.warn(
      { webhooks: [...lost], attempts: outcomes.filter(({ claim }) => lost.has(claim.webhookId)).length },
      'webhooks were deleted or taken over by another node; the outcomes of these attempts are not recorded',
    );
    for (const webhookId of lost) held.delete(webhookId);
  }

  function settle(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      const lane = held.get(outcome.claim.webhookId);
      if (lane?.claim !== outcome.claim) continue;
      lane.busy.delete(outcome.deliveryId);
      if (isUnsettling(outcome)) lane.unsettled -= 1;
    }
  }

  async function step(): Promise<number | undefined> {
    const pausedMs = performance.now() - recordedAt;
    const pauseMs = Math.min(Math.max(recordPauseMs, 2 * tookMs), recordPauseMsMax);
    if (pausedMs < pauseMs && unrecorded.length < recordAtOnce) return pauseMs - pausedMs;
    const outcomes = unrecorded;
    unrecorded = [];
    const ended = Map.groupBy(outcomes, (outcome) => outcome.claim);
    const all = [...held.values()];
    const released = all.filter(
      (lane) =>
        lane.isDrained && lane.sending === 0 && lane.busy.size === (ended.get(lane.claim)?.length ?? 0),
    );
    const renewed = all.filter(
      (lane) => !released.includes(lane) && lane.leasedUntil - clock.now() < leaseMs / 2,
    );
    if (outcomes.length + released.length + renewed.length === 0) return undefined;
    const startedAt = performance.now();
    for (const lane of released) lane.isReleasing = true;
    const numbered = all.filter((lane) => ended.has(lane.claim) && !lane.isDrained);
    const leasedUntil = clock.now() + leaseMs;
    let lostClaims: Set<number>;
    try {
      lostClaims = await lanes.record(outcomes, {
        kept: claimsOf(renewed),
        released: claimsOf(released),
        numbered: claimsOf(numbered),
        busy: numbered.flatMap((lane) => [...lane.busy]),
      });
    } catch (error) {
      unrecorded = [...outcomes, ...unrecorded];
      for (const lane of released) lane.isReleasing = false;
      throw error;
    }
    recordedAt = performance.now();
    tookMs = recordedAt - startedAt;
    settle(outcomes);
    for (const lane of renewed) lane.leasedUntil = leasedUntil;
    for (const lane of released) held.delete(lane.claim.webhookId);
    dropLost(lostClaims, outcomes);
    onRecorded(lostClaims);
    return undefined;
  }

  const loop = startLoop({ name: 'webhook-recorder', step, log });

  return {
    nudge: () => loop.nudge(),

    /** Whether so many outcomes are unrecorded that no attempt may start. */
    isFull: () => unrecorded.length >= unrecordedMax,

    /** Queues an outcome; the delivery stays busy until it is recorded. */
    add(lane: HeldLane, outcome: Outcome): void {
      if (isUnsettling(outcome)) {
        lane.unsettled += 1;
        lane.ahead = [];
        lane.isOutdated = true;
      }
      unrecorded.push(outcome);
    },

    /** Assigns sequence numbers to the next deliveries of lanes that have run out of them. */
    async number(some: readonly HeldLane[]): Promise<void> {
      const busy = some.flatMap((lane) => [...lane.busy]);
      const lostClaims = await lanes.record([], { kept: [], released: [], numbered: claimsOf(some), busy });
      dropLost(lostClaims, []);
      onRecorded(lostClaims);
    },

    /** Records the remaining outcomes, releases every lane and ends. */
    async stop(): Promise<void> {
      await loop.stop();
      if (held.size === 0) return;
      try {
        const released = claimsOf([...held.values()]);
        await lanes.record(unrecorded, { kept: [], released, numbered: [], busy: [] });
      } catch (error) {
        // The store must still be closed; after the next start these deliveries are due and sent again.
        log.error({ err: error, attempts: unrecorded.length }, 'the last attempts could not be recorded');
      }
    },
  };
}
