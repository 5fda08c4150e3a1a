import { type Lanes, leaseMs, type Outcome } from '../features/webhooks/sending/lanes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { claimsOf, type HeldLane, type HeldLanes } from './held-lane.ts';
import { startLoop } from './runner.ts';

/** Ended attempts that wait to be recorded before no further one starts. */
const unrecordedMax = 256;

/**
 * The least time between two transactions of the recorder, unless many outcomes wait: each costs a sync of the disk,
 * which a lone busy webhook would otherwise pay for every one of its deliveries. Where that takes long the pause is
 * twice as long, so that most of the time is left for what is to be recorded, and for requests.
 */
const recordPauseMs = 5;
const recordAtOnce = 128;

/** What the recorder is made of. */
export type WebhookRecorderOptions = {
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly log: Log;
  readonly held: HeldLanes;
  /** Called after a transaction, with the webhooks that are lost to another node or deleted; these are held no more. */
  readonly onRecorded: (lost: ReadonlySet<number>) => void;
};

/**
 * Starts the loop that writes what became of attempts, all that ended meanwhile in one transaction, gives the lanes back
 * that have nothing left to do, and renews the leases of the others.
 */
export function startWebhookRecorder({ lanes, clock, log, held, onRecorded }: WebhookRecorderOptions) {
  let unrecorded: Outcome[] = [];
  let recordedAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;

  /** Whether an outcome settles if and when more is sent to the receiver, so that it is to be recorded before that. */
  function isUnsettling({ status, probeAt }: Outcome): boolean {
    return status !== 'delivered' || probeAt !== null;
  }

  function lose(lost: ReadonlySet<number>, outcomes: readonly Outcome[]): void {
    if (lost.size === 0) return;
    log.warn(
      { webhooks: [...lost], attempts: outcomes.filter(({ claim }) => lost.has(claim.webhookId)).length },
      'another node has taken webhooks over, or they were deleted; what became of these attempts is not recorded',
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
    const pauseMs = Math.max(recordPauseMs, 2 * tookMs);
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
    let lost: Set<number>;
    try {
      lost = await lanes.record(outcomes, {
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
    lose(lost, outcomes);
    onRecorded(lost);
    return undefined;
  }

  const loop = startLoop({ name: 'webhook-recorder', step, log });

  return {
    nudge: () => loop.nudge(),

    /** Whether so much waits to be recorded that no attempt may start. */
    isFull: () => unrecorded.length >= unrecordedMax,

    /** Takes an outcome in; the delivery stays busy until it is recorded. */
    add(lane: HeldLane, outcome: Outcome): void {
      if (isUnsettling(outcome)) lane.unsettled += 1;
      unrecorded.push(outcome);
    },

    /** Gives the next deliveries of some lanes their numbers, where that was not done ahead. */
    async number(some: readonly HeldLane[]): Promise<void> {
      const busy = some.flatMap((lane) => [...lane.busy]);
      const lost = await lanes.record([], { kept: [], released: [], numbered: claimsOf(some), busy });
      lose(lost, []);
      onRecorded(lost);
    },

    /** Records what is left, gives every lane back and ends. */
    async stop(): Promise<void> {
      await loop.stop();
      if (held.size === 0) return;
      try {
        const released = claimsOf([...held.values()]);
        await lanes.record(unrecorded, { kept: [], released, numbered: [], busy: [] });
      } catch (error) {
        // The store must be closed all the same; at the next start these deliveries are due and go again.
        log.error({ err: error, attempts: unrecorded.length }, 'the last attempts could not be recorded');
      }
    },
  };
}
