import { type AttemptResult, outcomeOf, requestOf, type SenderName } from '../features/webhooks/attempts.ts';
import { type Claim, type Head, type Lanes, leaseMs, type Outcome } from '../features/webhooks/lanes.ts';
import type { Random } from '../features/webhooks/retry.ts';
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
 * event loop. So an attempt that starts after a change of the webhook was answered knows the change.
 *
 * A delivery leaves its slot when its attempt ends but stays *busy* until that is recorded, so that no reading of the
 * queue can start it twice. A process that is killed leaves its busy deliveries due, and they are sent again.
 */

/**
 * Attempts at a time. Waiting costs little; the bound is for sockets and memory. The way out must open as many sockets
 * to one origin, or webhooks of one host would wait for each other.
 */
export const slotsMax = 64;
/** Slots that webhooks without a recent success may take together; the rest is kept for those that answer. */
const unprovenSlotsMax = 48;
/** Attempts at a time for one webhook. It begins with one, so that a dead receiver never holds more. */
const slotsPerLaneMax = 4;
/** Lanes held at a time, so that each turn has a bounded list to look through. */
const lanesMax = 256;
/** Ended attempts that wait to be recorded before no further one starts. */
const unrecordedMax = 256;
/** How often the queues are looked at without a hint. */
const pollMs = 1000;
/** How long attempts that run get to end when the sender stops; what is given up is sent again after the next start. */
const stopBudgetMs = 5000;

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

/** Starts the sender. It must be the only one of the store: what leases it finds, it takes for dead. */
export async function startWebhookSender(options: WebhookSenderOptions): Promise<WebhookSender> {
  const { lanes, egress, clock, random, log, name } = options;
  const held = new Map<number, Lane>();
  // How many attempts at a time a webhook has earned; those that are not here have one.
  const allowances = new Map<number, number>();
  const inFlight = new Set<Promise<void>>();
  const givingUp = new AbortController();
  let unrecorded: Outcome[] = [];
  let isStale = false;
  let lookedAt = performance.now();

  function allowanceOf(lane: Lane): number {
    return allowances.get(lane.claim.webhookId) ?? 1;
  }

  /** Claims what is due; answers how many milliseconds until more is, at most until the next look. */
  async function claimDue(): Promise<number> {
    for (;;) {
      const dueAt = await lanes.nextDue([...held.keys()]);
      const waitMs = dueAt === undefined ? pollMs : dueAt - clock.now();
      if (waitMs > 0 || held.size >= lanesMax) return waitMs > 0 ? Math.min(waitMs, pollMs) : pollMs;
      const claims = await lanes.claim([...held.keys()], lanesMax - held.size);
      for (const claim of claims)
        held.set(claim.webhookId, {
          claim,
          busy: new Set(),
          sending: 0,
          isDrained: false,
          isReleasing: false,
          leasedUntil: clock.now() + leaseMs,
        });
      if (claims.length === 0) return pollMs;
    }
  }

  /** Lanes that may start an attempt, the one that waited longest first, and how many attempts may start in all. */
  function openLanes(): { open: Lane[]; free: number; freeUnproven: number } {
    const all = [...held.values()];
    const unproven = all.filter((lane) => allowanceOf(lane) === 1);
    const free = unrecorded.length >= unrecordedMax ? 0 : slotsMax - inFlight.size;
    const freeUnproven = unprovenSlotsMax - unproven.reduce((sum, lane) => sum + lane.sending, 0);
    const open = all.filter(
      (lane) =>
        !lane.isDrained &&
        !lane.isReleasing &&
        lane.sending < allowanceOf(lane) &&
        (allowanceOf(lane) > 1 || freeUnproven > 0),
    );
    return { open: open.slice(0, Math.max(free, 0)), free, freeUnproven };
  }

  async function startAttempts(): Promise<void> {
    const { open, ...slots } = openLanes();
    if (open.length === 0) return;
    let { free, freeUnproven } = slots;
    const busyBefore = new Map(open.map((lane) => [lane, new Set(lane.busy)]));
    // Enough rows to see one that is not busy, if there is one.
    const top = slotsPerLaneMax + Math.max(...open.map((lane) => lane.busy.size));
    const heads = Map.groupBy(
      await lanes.heads(
        open.map((lane) => lane.claim.webhookId),
        top,
      ),
      (head) => head.webhookId,
    );
    for (const lane of open) {
      const due = heads.get(lane.claim.webhookId) ?? [];
      const idle = due.filter(
        (head) => !lane.busy.has(head.id) && busyBefore.get(lane)?.has(head.id) !== true,
      );
      const isUnproven = allowanceOf(lane) === 1;
      const room = Math.min(allowanceOf(lane) - lane.sending, free, isUnproven ? freeUnproven : free);
      const starting = idle.slice(0, Math.max(room, 0));
      for (const head of starting) start(lane, head);
      free -= starting.length;
      if (isUnproven) freeUnproven -= starting.length;
      lane.isDrained = due.length < top && starting.length === idle.length;
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
    else allowances.delete(head.webhookId);
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

  async function record(): Promise<undefined> {
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
    for (const lane of released) lane.isReleasing = true;
    const claimsOf = (some: readonly Lane[]): Claim[] => some.map((lane) => lane.claim);
    let lost: Set<number>;
    try {
      lost = await lanes.record(outcomes, { kept: claimsOf(renewed), released: claimsOf(released) });
    } catch (error) {
      unrecorded = [...outcomes, ...unrecorded];
      for (const lane of released) lane.isReleasing = false;
      throw error;
    }
    for (const outcome of outcomes) held.get(outcome.claim.webhookId)?.busy.delete(outcome.deliveryId);
    for (const lane of renewed) lane.leasedUntil = clock.now() + leaseMs;
    for (const lane of released) held.delete(lane.claim.webhookId);
    for (const webhookId of lost) held.delete(webhookId);
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
