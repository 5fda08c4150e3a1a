import { type Lanes, leaseMs } from '../features/webhooks/sending/lanes.ts';
import { createAllowances } from './allowances.ts';
import { type HeldLane, type HeldLanes, heldLane } from './held-lane.ts';
import { startLoop } from './runner.ts';
import { type FreeSlots, freeSlots, type SlotRequest, slotsPerLaneMax } from './sender-slots.ts';
import { createWebhookAttempts, type WebhookAttemptsOptions } from './webhook-attempts.ts';
import { startWebhookRecorder } from './webhook-recorder.ts';

/**
 * Sends deliveries, each at least once.
 *
 * Players: the *sender* loop claims lanes that are due, reads their heads and starts an attempt for each while slots are
 * free. *Attempts* run concurrently, outside any transaction. The *recorder* loop writes the outcomes, all pending ones
 * in one transaction, and releases drained lanes.
 *
 * A head is read with the address, secret and state of its webhook. The only node of a store reads heads ahead of their
 * attempts, and forgets them when a change of a webhook commits and before it is answered, after a failure and at each
 * poll. Nodes that share a store start an attempt in the turn of the event loop in which they read its head. So an attempt
 * that starts after a change of the webhook was answered uses the change, unless its head was being read while another
 * node answered.
 *
 * A delivery leaves its slot when its attempt ends but stays *busy* until the outcome is recorded, so that no reading of
 * the queue starts it twice. A killed process leaves its busy deliveries due, and they are sent again. After a failure
 * nothing more is sent to the webhook until the outcome is recorded, because it decides when to send.
 *
 * Where several nodes share a store, each has a sender, and a lane belongs to one of them until its lease expires. A
 * sender that was suspended past the lease starts no attempt, and its outcomes are refused.
 */

/** Lanes held at a time, so that each turn goes through a bounded list. */
const lanesMax = 256;
/** Heads read at a time, for one lane and for all together: each may have a payload of many kilobytes. */
const headsPerLaneMax = 32;
const headsMax = 256;
/** How often the queues are polled. */
const pollMs = 1000;

/** The dependencies of the sender. */
export type WebhookSenderOptions = WebhookAttemptsOptions & { readonly lanes: Lanes };

/** A running sender. */
export type WebhookSender = {
  /** Makes it poll the queues soon; call it after a commit that added to them. */
  nudge(): void;
  /** Makes it forget the heads that it read ahead; call it in the turn of a commit that changed a webhook. */
  forget(): void;
  /** Ends the attempts within five seconds, records them, releases every lane and closes the egress. */
  stop(): Promise<void>;
};

/** Starts the sender, the only one of this process. */
export async function startWebhookSender(options: WebhookSenderOptions): Promise<WebhookSender> {
  const { lanes, egress, clock, log } = options;
  const held: HeldLanes = new Map();
  const allowances = createAllowances();
  let isStale = false;
  let polledAt = performance.now();
  // When lanes that are not held are next due, and whether that may have changed; the end of an attempt does not change
  // it.
  let claimAt = 0;
  let isClaimDue = true;
  /** Counts the changes of webhooks, so that a change during a reading of queues is noticed. */
  let changes = 0;

  function allowanceOf({ claim, isOrdered }: HeldLane): number {
    return isOrdered ? 1 : allowances.of(claim.webhookId);
  }

  function slotRequestOf({ claim, host }: HeldLane): SlotRequest {
    return { health: allowances.healthOf(claim.webhookId), host };
  }

  /** Whether the lease still protects the lane. */
  function isLeased({ leasedUntil }: HeldLane): boolean {
    return clock.now() < leasedUntil;
  }

  /** Claims the lanes that are due; returns the milliseconds until more are, at most until the next poll. */
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

  function forget(): void {
    changes += 1;
    for (const lane of held.values()) {
      lane.ahead = [];
      lane.isReadWhole = false;
    }
  }

  function slots(): FreeSlots {
    const busy = [...held.values()].filter(({ sending }) => sending > 0);
    return freeSlots(busy.map((lane) => ({ ...slotRequestOf(lane), sending: lane.sending })));
  }

  /** Lanes that may start an attempt, the longest waiting first. */
  function openLanes(): HeldLane[] {
    if (recorder.isFull()) return [];
    const free = slots();
    return [...held.values()].filter((lane) => {
      if (lane.isDrained || lane.isReleasing || lane.unsettled > 0) return false;
      if (lane.sending >= allowanceOf(lane) || !isLeased(lane)) return false;
      // A lane without a free slot must not block the lanes behind it.
      return free.take(slotRequestOf(lane));
    });
  }

  async function startAttempts(): Promise<void> {
    const changesBefore = changes;
    const open = openLanes();
    const unread = open.filter((lane) => lane.ahead.length === 0);
    if (unread.length > 0) await readHeads(unread, lanes, held.size);
    const free = slots();
    const unnumbered: HeldLane[] = [];
    for (const lane of open) {
      // The lane was lost while queues were read, or what was read is from before the end of an attempt in flight, which
      // may be recorded by now.
      if (held.get(lane.claim.webhookId) !== lane || !isLeased(lane) || lane.isOutdated) {
        lane.ahead = [];
        continue;
      }
      if (!startSome(lane, free)) unnumbered.push(lane);
      // A webhook may have changed after its queue was read; where the store is shared, this node learns of it late.
      if (lanes.isShared || changes !== changesBefore) lane.ahead = [];
      // Moves it to the end of the queue of lanes.
      held.delete(lane.claim.webhookId);
      held.set(lane.claim.webhookId, lane);
    }
    if (unnumbered.length > 0) await recorder.number(unnumbered);
  }

  /** Starts attempts for the heads of a lane; returns false when one had no sequence number. */
  function startSome(lane: HeldLane, free: FreeSlots): boolean {
    const isAlone = lane.ahead[0]?.probeAt !== null || lane.isOrdered;
    const room = isAlone && lane.sending > 0 ? 0 : isAlone ? 1 : allowanceOf(lane) - lane.sending;
    for (let started = 0; started < room; started += 1) {
      const [head] = lane.ahead;
      if (head === undefined) break;
      if (head.sequence === null) {
        lane.ahead = [];
        return false;
      }
      if (!free.take(slotRequestOf(lane))) break;
      lane.ahead.shift();
      attempts.start(lane, head);
    }
    lane.isDrained = lane.isReadWhole && lane.ahead.length === 0;
    return true;
  }

  await lanes.clearLeases();
  const recorder = startWebhookRecorder({
    lanes,
    clock,
    log,
    held,
    onRecorded(lost) {
      for (const webhookId of lost) allowances.forget(webhookId);
      // A lane that was released may be due again.
      isClaimDue = true;
      sender.nudge();
    },
  });
  const attempts = createWebhookAttempts(options, {
    allowances,
    recorder,
    onEnd() {
      recorder.nudge();
      sender.nudge();
    },
  });
  const sender = startLoop({
    name: 'webhook-sender',
    log,
    step: async () => {
      if (performance.now() - polledAt >= pollMs) {
        polledAt = performance.now();
        // A command may have changed webhooks from another process.
        forget();
        isStale = true;
      }
      if (isStale) {
        isStale = false;
        isClaimDue = true;
        for (const lane of held.values()) {
          lane.isReadWhole = false;
          lane.isDrained = false;
        }
      }
      if (isClaimDue || performance.now() >= claimAt) {
        isClaimDue = false;
        const waitMs = await claimDue();
        claimAt = performance.now() + waitMs;
      }
      await startAttempts();
      // The recorder releases lanes that turned out to be empty and renews leases.
      recorder.nudge();
      return Math.max(claimAt - performance.now(), 0);
    },
  });

  return {
    forget,
    nudge() {
      isStale = true;
      sender.nudge();
    },
    async stop() {
      await sender.stop();
      await attempts.stop();
      await recorder.stop();
      await egress.close();
    },
  };
}

/** Reads the heads of lanes, out of `heldCount` that share the memory for heads. */
async function readHeads(unread: readonly HeldLane[], lanes: Lanes, heldCount: number): Promise<void> {
  for (const lane of unread) lane.isOutdated = false;
  const share = lanes.isShared ? 0 : Math.min(Math.floor(headsMax / heldCount), headsPerLaneMax);
  const top = Math.max(share, slotsPerLaneMax);
  const heads = Map.groupBy(
    await lanes.heads({
      webhookIds: unread.map((lane) => lane.claim.webhookId),
      busy: unread.flatMap((lane) => [...lane.busy]),
      top,
    }),
    (head) => head.webhookId,
  );
  for (const lane of unread) {
    lane.ahead = heads.get(lane.claim.webhookId) ?? [];
    const [first] = lane.ahead;
    if (first !== undefined) {
      lane.isOrdered = first.isOrdered === 1;
      lane.host = URL.parse(first.payloadUrl)?.host;
    }
    // For an ordered webhook only the first head was read.
    lane.isReadWhole = lane.ahead.length === 0 || (!lane.isOrdered && lane.ahead.length < top);
  }
}
