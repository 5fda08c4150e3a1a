import { outcomeOf, requestOf, type SenderIdentity } from '../features/webhooks/sending/attempts.ts';
import { type Head, type Lanes, leaseMs } from '../features/webhooks/sending/lanes.ts';
import type { AttemptResult, Random } from '../features/webhooks/sending/retry.ts';
import type { Clock, UnixMs } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Egress } from '../net/egress.ts';
import { type HeldLane, type HeldLanes, heldLane } from './held-lane.ts';
import { endsWithin, startLoop } from './runner.ts';
import {
  type FreeSlots,
  freeSlots,
  type ReceiverHealth,
  slotsPerLaneMax,
  type Taker,
} from './sender-slots.ts';
import { startWebhookRecorder } from './webhook-recorder.ts';

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
 * queue can start it twice. A process that is killed leaves its busy deliveries due, and they are sent again. After a
 * failure nothing more is sent to the webhook until it is recorded, because that settles when.
 *
 * Where several nodes share a store each has a sender, and a lane belongs to one of them until its lease runs out. A
 * sender that was asleep for longer starts nothing for it, and what it records then is refused.
 */

/** Lanes held at a time, so that each turn has a bounded list to look through. */
const lanesMax = 256;
/** How often the queues are looked at without a hint. */
const pollMs = 1000;
/** How long attempts that run get to end when the sender stops; what is given up is sent again after the next start. */
const stopBudgetMs = 5000;

/** What the sender is made of. */
export type WebhookSenderOptions = {
  readonly lanes: Lanes;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly name: SenderIdentity;
};

/** A sender that runs. */
export type WebhookSender = {
  /** Has it look at the queues soon: after a commit that added to them. */
  nudge(): void;
  /** Ends the attempts within five seconds, records them and gives every lane back at once. Closes the way out. */
  stop(): Promise<void>;
};

/** An attempt that was not given up; `sent` are its headers, where they could be made. */
type Sent = {
  readonly sent: Readonly<Record<string, string>> | undefined;
  readonly result: AttemptResult;
};

/** Starts the sender, the only one of this process. */
export async function startWebhookSender(options: WebhookSenderOptions): Promise<WebhookSender> {
  const { lanes, egress, clock, random, log, name } = options;
  const held: HeldLanes = new Map();
  // How many attempts at a time a webhook has earned by its last answers: 2 or 4, or 0 when the last one was a failure.
  const allowances = new Map<number, number>();
  const inFlight = new Set<Promise<void>>();
  const givingUp = new AbortController();
  let isStale = false;
  let lookedAt = performance.now();

  function allowanceOf({ claim, isOrdered }: HeldLane): number {
    return isOrdered ? 1 : Math.max(allowances.get(claim.webhookId) ?? 1, 1);
  }

  function healthOf({ claim }: HeldLane): ReceiverHealth {
    const allowance = allowances.get(claim.webhookId);
    return allowance === undefined ? 'unknown' : allowance === 0 ? 'failing' : 'answering';
  }

  function takerOf(lane: HeldLane): Taker {
    return { health: healthOf(lane), host: lane.host };
  }

  /** Whether nobody else can have taken the lane. */
  function isLeased({ leasedUntil }: HeldLane): boolean {
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
      for (const claim of claims) held.set(claim.webhookId, heldLane(claim, leasedUntil));
      if (claims.length === 0) return pollMs;
    }
  }

  function slots(): FreeSlots {
    return freeSlots([...held.values()].map((lane) => ({ ...takerOf(lane), sending: lane.sending })));
  }

  /** Lanes that may start an attempt, the one that waited longest first. */
  function openLanes(): HeldLane[] {
    if (recorder.isFull()) return [];
    const free = slots();
    return [...held.values()].filter((lane) => {
      if (lane.isDrained || lane.isReleasing || lane.unsettled > 0) return false;
      if (lane.sending >= allowanceOf(lane) || !isLeased(lane)) return false;
      // Those that find no slot must not stand in the way of others behind them.
      return free.take(takerOf(lane));
    });
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
    const free = slots();
    const unnumbered: HeldLane[] = [];
    for (const lane of open) {
      // It was lost while its queue was read, or an attempt that was under way has failed.
      if (held.get(lane.claim.webhookId) !== lane || !isLeased(lane) || lane.unsettled > 0) continue;
      if (!startSome(lane, heads.get(lane.claim.webhookId) ?? [], free)) unnumbered.push(lane);
      // To the end of the line.
      held.delete(lane.claim.webhookId);
      held.set(lane.claim.webhookId, lane);
    }
    if (unnumbered.length > 0) await recorder.number(unnumbered);
  }

  /** Starts what may be started of the heads of a lane; answers whether all of that had its number. */
  function startSome(lane: HeldLane, due: readonly Head[], free: FreeSlots): boolean {
    const [first] = due;
    if (first !== undefined) {
      lane.isOrdered = first.isOrdered === 1;
      lane.host = URL.parse(first.payloadUrl)?.host;
    }
    const isAlone = first?.probeAt !== null || lane.isOrdered;
    const room = isAlone && lane.sending > 0 ? 0 : isAlone ? 1 : allowanceOf(lane) - lane.sending;
    let started = 0;
    for (const head of due.slice(0, Math.max(room, 0))) {
      if (head.sequence === null) return false;
      if (!free.take(takerOf(lane))) break;
      start(lane, head);
      started += 1;
    }
    // Of an ordered webhook only the first was asked for.
    lane.isDrained =
      due.length === 0 || (!lane.isOrdered && due.length < slotsPerLaneMax && started === due.length);
    return true;
  }

  function start(lane: HeldLane, head: Head): void {
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

  async function run(lane: HeldLane, head: Head): Promise<void> {
    const startedAt = clock.now();
    const ended = await post(head, startedAt);
    if (ended === undefined) return;
    const { claim } = lane;
    const isAlone = lane.sending === 1;
    const outcome = outcomeOf({ claim, head, ...ended, startedAt, endedAt: clock.now(), isAlone }, random);
    const allowance = Math.max(allowances.get(head.webhookId) ?? 1, 1);
    if (outcome.status === 'delivered')
      allowances.set(head.webhookId, Math.min(allowance * 2, slotsPerLaneMax));
    else allowances.set(head.webhookId, 0);
    recorder.add(lane, outcome);
  }

  /** Sends a head; undefined when it was given up because the sender stops. */
  async function post(head: Head, startedAt: UnixMs): Promise<Sent | undefined> {
    let sent: Sent['sent'];
    try {
      const request = requestOf(head, startedAt, name);
      sent = request.headers;
      return { sent, result: await egress.post(head.payloadUrl, { ...request, signal: givingUp.signal }) };
    } catch (error) {
      if (givingUp.signal.aborted) return undefined;
      log.error({ err: error, delivery_id: head.id }, 'an attempt could not be made');
      return {
        sent,
        result: { answered: false, errorCode: 'internal_error', permanent: false, durationMs: 0 },
      };
    }
  }

  await lanes.clearLeases();
  const recorder = startWebhookRecorder({
    lanes,
    clock,
    log,
    held,
    onRecorded(lost) {
      for (const webhookId of lost) allowances.delete(webhookId);
      sender.nudge();
    },
  });
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
      await egress.close();
    },
  };
}
