import { outcomeOf, requestOf, type SenderName } from '../features/webhooks/attempts.ts';
import { type Claim, type Head, type Lanes, leaseMs, type Outcome } from '../features/webhooks/lanes.ts';
import type { AttemptResult, Random } from '../features/webhooks/retry.ts';
import type { Clock, UnixMs } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Egress } from '../net/egress.ts';
import { endsWithin, startLoop } from './runner.ts';

/**
 * Sends deliveries, each at least once.
 *
 * Players: the *sender* loop claims lanes that are due, reads their heads and starts an attempt for each, as far as there
 * are slots. The *attempts* run beside each other, outside any transaction. The *recorder* loop writes what became of
 * them, all that ended meanwhile in one transaction, and gives back the lanes that have nothing left to do.
 *
 * A head is read together with address, secret and state of its webhook, and its attempt starts in the same turn of the
 * event loop. So an attempt that starts after a change of the webhook was answered knows the change, but for one whose
 * head is just being read while another node answers.
 *
 * A delivery leaves its slot when its attempt ends but stays *busy* until that is recorded, so that no reading of the
 * queue can start it twice. A process that is killed leaves its busy deliveries due, and they are sent again.
 *
 * Where several nodes share a store each has a sender, and a lane belongs to one of them until its lease runs out. A
 * sender that was asleep for longer starts nothing for it, and what it records then is refused.
 */

/**
 * Attempts at a time. Waiting costs little; the bound is for sockets and memory. The way out must open as many sockets
 * to one origin, or webhooks of one host would wait for each other.
 */
export const slotsMax = 64;
/**
 * How many of the slots webhooks of each standing may take together. Those whose last attempt failed cannot keep a
 * webhook that nobody knows yet waiting, and neither those that answer: at least 16 slots are theirs alone.
 */
const slotsByStanding = { failing: 16, unknown: 32, answering: slotsMax } as const;
/** Attempts at a time for one webhook. It begins with one, so that a dead receiver never holds more. */
const slotsPerLaneMax = 4;
/** Lanes held at a time, so that each turn has a bounded list to look through. */
const lanesMax = 256;
/** Ended attempts that wait to be recorded before no further one starts. */
const unrecordedMax = 256;
/**
 * The least time between two transactions of the recorder, unless many outcomes wait: each costs a sync of the disk,
 * which a lone busy webhook would otherwise pay for every one of its deliveries.
 */
const recordPauseMs = 5;
const recordAtOnce = 32;
/** How often the queues are looked at without a hint. */
const pollMs = 1000;
/** How long attempts that run get to end when the sender stops; what is given up is sent again after the next start. */
const stopBudgetMs = 5000;

type Standing = keyof typeof slotsByStanding;

type Lane = {
  readonly claim: Claim;
  /** Deliveries that are being sent or whose outcome is not recorded yet. */
  readonly busy: Set<number>;
  sending: number;
  /** Whether the last look at the queue showed nothing that could still be started. */
  isDrained: boolean;
  isReleasing: boolean;
  leasedUntil: UnixMs;
};

/** What the sender is made of. */
export type WebhookSenderOptions = {
  readonly lanes: Lanes;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly name: SenderName;
};

/** A sender that runs. */
export type WebhookSender = {
  /** Has it look at the queues soon: after a commit that added to them. */
  nudge(): void;
  /** Ends the attempts within five seconds, records them and gives every lane back at once. Closes the way out. */
  stop(): Promise<void>;
};

/** Starts the sender, the only one of this process. */
export async function startWebhookSender(options: WebhookSenderOptions): Promise<WebhookSender> {
  const { lanes, egress, clock, random, log, name } = options;
  const held = new Map<number, Lane>();
  // How many attempts at a time a webhook has earned by its last answers: 2 or 4, or 0 when the last one was a failure.
  const allowances = new Map<number, number>();
  const inFlight = new Set<Promise<void>>();
  const givingUp = new AbortController();
  let unrecorded: Outcome[] = [];
  let isStale = false;
  let recordedAt = Number.NEGATIVE_INFINITY;
  let lookedAt = performance.now();

  function allowanceOf({ claim }: Lane): number {
    return Math.max(allowances.get(claim.webhookId) ?? 1, 1);
  }

  function standingOf({ claim }: Lane): Standing {
    const allowance = allowances.get(claim.webhookId);
    return allowance === undefined ? 'unknown' : allowance === 0 ? 'failing' : 'answering';
  }

  /** Whether nobody else can have taken the lane. */
  function isLeased({ leasedUntil }: Lane): boolean {
    return clock.now() < leasedUntil;
  }

  /** Claims what is due; answers how many milliseconds until more is, at most until the next look. */
  async function claimDue(): Promise<number> {
    for (;;) {
      const dueAt = await lanes.nextDue([...held.keys()]);
      const waitMs = dueAt === undefined ? pollMs : dueAt - clock.now();
      if (waitMs > 0 || held.size >= lanesMax) return waitMs > 0 ? Math.min(waitMs, pollMs) : pollMs;
      const leasedUntil = clock.now() + leaseMs;
      const claims = await lanes.claim([...held.keys()], lanesMax - held.size);
      for (const claim of claims)
        held.set(claim.webhookId, {
          claim,
          busy: new Set(),
          sending: 0,
          isDrained: false,
          isReleasing: false,
          leasedUntil,
        });
      if (claims.length === 0) return pollMs;
    }
  }

  /** How many attempts may start for lanes of each standing, and in all. */
  function freeSlots(): Record<Standing | 'all', number> {
    const free: Record<Standing | 'all', number> = { ...slotsByStanding, all: slotsMax - inFlight.size };
    for (const lane of held.values()) free[standingOf(lane)] -= lane.sending;
    return unrecorded.length < unrecordedMax ? free : { all: 0, failing: 0, unknown: 0, answering: 0 };
  }

  /** Lanes that may start an attempt, the one that waited longest first. */
  function openLanes(): Lane[] {
    const free = freeSlots();
    const open = [...held.values()].filter((lane) => {
      if (lane.isDrained || lane.isReleasing || lane.sending >= allowanceOf(lane)) return false;
      if (!isLeased(lane)) return false;
      // Those that find no slot must not stand in the way of others behind them.
      free[standingOf(lane)] -= 1;
      return free[standingOf(lane)] >= 0;
    });
    return open.slice(0, Math.max(free.all, 0));
  }

  async function startAttempts(): Promise<void> {
    const open = openLanes();
    if (open.length === 0) return;
    const heads = Map.groupBy(
      await lanes.heads({
        webhookIds: open.map((lane) => lane.claim.webhookId),
        busy: open.flatMap((lane) => [...lane.busy]),
        top: slotsPerLaneMax,
      }),
      (head) => head.webhookId,
    );
    const free = freeSlots();
    for (const lane of open) {
      // It was lost while its queue was read.
      if (held.get(lane.claim.webhookId) !== lane || !isLeased(lane)) continue;
      const due = heads.get(lane.claim.webhookId) ?? [];
      const standing = standingOf(lane);
      const room = Math.min(allowanceOf(lane) - lane.sending, free.all, free[standing]);
      const starting = due.slice(0, Math.max(room, 0));
      for (const head of starting) start(lane, head);
      free.all -= starting.length;
      free[standing] -= starting.length;
      lane.isDrained = due.length < slotsPerLaneMax && starting.length === due.length;
      // To the end of the line.
      held.delete(lane.claim.webhookId);
      held.set(lane.claim.webhookId, lane);
    }
  }

  function start(lane: Lane, head: Head): void {
    lane.busy.add(head.id);
    lane.sending += 1;
    const attempt = run(lane, head).finally(() => {
      lane.sending -= 1;
      inFlight.delete(attempt);
      recorder.nudge();
      sender.nudge();
    });
    inFlight.add(attempt);
  }

  async function run(lane: Lane, head: Head): Promise<void> {
    const startedAt = clock.now();
    const result = await post(head, startedAt);
    if (result === undefined) return;
    const outcome = outcomeOf({ claim: lane.claim, head, result }, { startedAt, now: clock.now(), random });
    if (outcome.status === 'delivered')
      allowances.set(head.webhookId, Math.min(allowanceOf(lane) * 2, slotsPerLaneMax));
    else allowances.set(head.webhookId, 0);
    unrecorded.push(outcome);
  }

  /** Sends a head; undefined when it was given up because the sender stops. */
  async function post(head: Head, startedAt: UnixMs): Promise<AttemptResult | undefined> {
    try {
      return await egress.post(head.payloadUrl, {
        ...requestOf(head, startedAt, name),
        signal: givingUp.signal,
      });
    } catch (error) {
      if (givingUp.signal.aborted) return undefined;
      log.error({ err: error, delivery_id: head.id }, 'an attempt could not be made');
      return { answered: false, errorCode: 'internal_error', permanent: false, durationMs: 0 };
    }
  }

  async function record(): Promise<number | undefined> {
    const pausedMs = performance.now() - recordedAt;
    if (pausedMs < recordPauseMs && unrecorded.length < recordAtOnce) return recordPauseMs - pausedMs;
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
    recordedAt = performance.now();
    for (const lane of released) lane.isReleasing = true;
    const claimsOf = (some: readonly Lane[]): Claim[] => some.map((lane) => lane.claim);
    let lost: Set<number>;
    const leasedUntil = clock.now() + leaseMs;
    try {
      lost = await lanes.record(outcomes, { kept: claimsOf(renewed), released: claimsOf(released) });
    } catch (error) {
      unrecorded = [...outcomes, ...unrecorded];
      for (const lane of released) lane.isReleasing = false;
      throw error;
    }
    for (const outcome of outcomes) held.get(outcome.claim.webhookId)?.busy.delete(outcome.deliveryId);
    for (const lane of renewed) lane.leasedUntil = leasedUntil;
    for (const lane of released) held.delete(lane.claim.webhookId);
    if (lost.size > 0)
      log.warn(
        { webhooks: [...lost], attempts: outcomes.filter(({ claim }) => lost.has(claim.webhookId)).length },
        'another node has taken webhooks over, or they were deleted; what became of these attempts is not recorded',
      );
    for (const webhookId of lost) {
      held.delete(webhookId);
      allowances.delete(webhookId);
    }
    sender.nudge();
    return undefined;
  }

  await lanes.clearLeases();
  const recorder = startLoop({ name: 'webhook-recorder', step: record, log });
  const sender = startLoop({
    name: 'webhook-sender',
    log,
    step: async () => {
      if (isStale || performance.now() - lookedAt >= pollMs) {
        isStale = false;
        lookedAt = performance.now();
        for (const lane of held.values()) lane.isDrained = false;
      }
      const waitMs = await claimDue();
      await startAttempts();
      // Lanes that turned out to be empty go back, and leases that run out are renewed.
      recorder.nudge();
      return waitMs;
    },
  });

  return {
    nudge() {
      isStale = true;
      sender.nudge();
    },
    async stop() {
      await sender.stop();
      const isEnded = await endsWithin(Promise.all(inFlight), stopBudgetMs);
      if (!isEnded) {
        log.info({ attempts: inFlight.size }, 'attempts are given up and made again after the next start');
        givingUp.abort();
        await Promise.all(inFlight);
      }
      await recorder.stop();
      const claims = [...held.values()].map((lane) => lane.claim);
      try {
        if (claims.length > 0) await lanes.record(unrecorded, { kept: [], released: claims });
      } catch (error) {
        // The store must be closed all the same; at the next start these deliveries are due and go again.
        log.error({ err: error, attempts: unrecorded.length }, 'the last attempts could not be recorded');
      }
      await egress.close();
    },
  };
}
