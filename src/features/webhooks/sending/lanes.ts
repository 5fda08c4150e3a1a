import { randomUUID } from 'node:crypto';
import type { Db, Read, Tx } from '../../../db/db.ts';
import type { Clock, UnixMs } from '../../../kernel/clock.ts';
import { type Receiver, receiverAfter } from './breaker.ts';
import {
  claimLanes,
  clearLeases,
  extendLeases,
  headsOf,
  insertAttempt,
  keepReceivers,
  keepSequences,
  type LaneRow,
  lanesById,
  nextDue,
  numberDeliveries,
  oldestDue,
  releaseLanes,
  unnumbered,
  updateDelivery,
} from './lanes.store.ts';
import { recordReceivers } from './receiver-events.ts';

/**
 * The queues of webhooks. A *lane* is a webhook seen as a queue: its *heads* are the deliveries that are due, in the
 * order of their due time and id. A sender *claims* lanes, never single deliveries, so that what waits for one receiver
 * is in nobody else's way.
 *
 * A claim is a lease: a random token and a time. Only who shows the token may record what became of a delivery or
 * give the lane back, so a sender that slept past its lease cannot undo the work of the one that took over.
 */

/**
 * How long a lease holds: how long the deliveries of a node wait that dies. It is renewed while the lane is in use, so
 * an attempt may take longer.
 */
export const leaseMs = 20_000;

/**
 * Deliveries that get their numbers ahead of being sent, so that a number is on the disk before a receiver sees it, and
 * a lane that is busy need not wait for that: about so many in all, shared by the lanes, within bounds for each.
 */
const numberedAhead = 512;
const numberedAheadMin = 16;
const numberedAheadMax = 128;

/** A lane that this process holds. */
export type Claim = { readonly webhookId: number; readonly lease: string };

/** A due delivery with all that an attempt needs, as it stands at this moment. */
export type Head = {
  readonly id: number;
  readonly webhookId: number;
  readonly eventId: number;
  readonly guid: string;
  readonly action: string;
  readonly trigger: string;
  /** How many attempts there were, and how many of them count for nothing. */
  readonly attempts: number;
  readonly scheduleFrom: number;
  /** Its number among the deliveries of the webhook; null where it has none yet, so that it cannot be sent. */
  readonly sequence: number | null;
  /** 1 where nothing else may be sent beside it. */
  readonly isOrdered: number;
  /** When the probe was planned that it is; null while the breaker is closed. */
  readonly probeAt: UnixMs | null;
  /** Of a probe that holds up others, when it was first sent. */
  readonly triedSince: UnixMs | null;
  readonly payload: string;
  readonly payloadUrl: string;
  /** As it is kept, and the one before it. */
  readonly secret: string | null;
  readonly previousSecret: string | null;
  readonly previousSecretUntil: UnixMs | null;
};

/** One attempt and what it makes of its delivery. */
export type Outcome = {
  readonly claim: Claim;
  readonly deliveryId: number;
  /** From 1. */
  readonly number: number;
  readonly startedAt: UnixMs;
  readonly durationUs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly requestUrl: string;
  /** A JSON object. */
  readonly requestHeaders: string;
  /** A JSON object. */
  readonly responseHeaders: string | null;
  readonly responseBody: Uint8Array | null;
  readonly isTruncated: boolean;
  readonly status: string;
  readonly dueAt: UnixMs | null;
  readonly endedAt: UnixMs;
  /** How many attempts of the delivery did not count when this one began. */
  readonly scheduleFrom: number;
  /** When the probe was planned that it was; null for any other attempt. */
  readonly probeAt: UnixMs | null;
  /** How long nothing is to be sent to the receiver, in milliseconds. */
  readonly restMs: number;
};

/** What is to be recorded beside attempts. */
export type LaneChanges = {
  /** Lanes whose lease is renewed. */
  readonly kept: readonly Claim[];
  /** Lanes that are given back. */
  readonly released: readonly Claim[];
  /** Lanes whose next deliveries get their numbers, but for those that are `busy`. */
  readonly numbered: readonly Claim[];
  readonly busy: readonly number[];
};

/** What the lanes are made of. */
export type LanesOptions = {
  readonly db: Db;
  readonly clock: Clock;
  /** After how long of nothing but failures a webhook is disabled, in milliseconds; undefined for never. */
  readonly disableAfterMs?: number | undefined;
};

/** The lanes of one store. */
export type Lanes = ReturnType<typeof createLanes>;

function attemptOf(outcome: Outcome) {
  const { deliveryId, number, startedAt, durationUs, statusCode, error, isTruncated } = outcome;
  const { requestUrl, requestHeaders, responseHeaders, responseBody } = outcome;
  return {
    ...{ deliveryId, number, startedAt, durationUs, statusCode, error, isTruncated: isTruncated ? 1 : 0 },
    ...{ requestUrl, requestHeaders, responseHeaders, responseBody },
  };
}

function changeOf(outcome: Outcome) {
  const { deliveryId, number, startedAt, durationUs, statusCode, status, dueAt, scheduleFrom } = outcome;
  const uncounted = outcome.probeAt !== null && status === 'retrying' ? 1 : 0;
  return { deliveryId, number, startedAt, durationUs, statusCode, status, dueAt, scheduleFrom, uncounted };
}

/** Opens the lanes. */
export function createLanes({ db, clock, disableAfterMs = Number.POSITIVE_INFINITY }: LanesOptions) {
  /** Gives the next deliveries of lanes their numbers; `sequences` has the last one that each has given. */
  async function number(
    tx: Tx,
    sequences: ReadonlyMap<number, number>,
    busy: readonly number[],
  ): Promise<void> {
    if (sequences.size === 0) return;
    const share = Math.ceil(numberedAhead / sequences.size);
    const top = Math.min(Math.max(share, numberedAheadMin), numberedAheadMax);
    const asked = { webhookIds: [...sequences.keys()], busy, now: clock.now(), top };
    const rows = await tx.all(unnumbered, asked);
    if (rows.length === 0) return;
    const last = new Map(sequences);
    const given = rows.map(({ id, webhookId }) => {
      const sequence = (last.get(webhookId) ?? 0) + 1;
      last.set(webhookId, sequence);
      return { id, sequence };
    });
    await tx.run(numberDeliveries, { given: JSON.stringify(given) });
    const lanes = [...last].map(([id, sequence]) => ({ id, sequence }));
    await tx.run(keepSequences, { given: JSON.stringify(lanes) });
  }

  /** Keeps what attempts have said about the receivers of their webhooks, and says so where one is paused or back. */
  async function settleReceivers(
    tx: Tx,
    before: ReadonlyMap<number, LaneRow>,
    outcomes: readonly Outcome[],
  ): Promise<void> {
    const changed: LaneRow[] = [];
    for (const [webhookId, some] of Map.groupBy(outcomes, ({ claim }) => claim.webhookId)) {
      const row = before.get(webhookId);
      if (row === undefined) continue;
      const after = laneAfter(row, some);
      if (after !== row) changed.push(after);
    }
    if (changed.length === 0) return;
    await tx.run(keepReceivers, { given: JSON.stringify(changed) });
    await recordReceivers(tx, { before, after: changed, at: clock.now() });
  }

  function laneAfter(row: LaneRow, outcomes: readonly Outcome[]): LaneRow {
    let receiver: Receiver = row;
    for (const { error, probeAt, restMs, dueAt, endedAt: at } of outcomes) {
      // One that was under way when the webhook was pointed elsewhere says nothing about when to probe there.
      const isProbe = probeAt !== null && probeAt === receiver.probeAt;
      // What waits behind a delivery of an ordered webhook waits as long as that does.
      const heldMs = row.isOrdered === 1 && dueAt !== null && probeAt === null ? dueAt - at : 0;
      receiver = receiverAfter(receiver, { at, error, isProbe, restMs: Math.max(restMs, heldMs) });
    }
    const { failures, openedAt, reason, probeAt, probes, waitUntil } = receiver;
    const isHopeless =
      openedAt !== null && failures > row.failures && clock.now() - openedAt >= disableAfterMs;
    const isSame = failures === row.failures && openedAt === row.openedAt && waitUntil === row.waitUntil;
    if (isSame && !isHopeless) return row;
    const isEnabled = isHopeless ? 0 : row.isEnabled;
    return { ...row, isEnabled, failures, openedAt, reason, probeAt, probes, waitUntil };
  }

  return {
    /** Takes back every lease that a process left behind, before the first claim. Those of other nodes are alive. */
    async clearLeases(): Promise<void> {
      if (db.others === undefined) await db.write(async (tx) => await tx.run(clearLeases, {}));
    },

    /** When the first lane that nobody holds is due, or undefined when none is. */
    async nextDue(held: readonly number[]): Promise<UnixMs | undefined> {
      return (await db.read.get(nextDue, { held, now: clock.now() }))?.dueAt ?? undefined;
    },

    /** Claims lanes that are due, at most `top` and none of `held`. */
    async claim(held: readonly number[], top: number): Promise<Claim[]> {
      const now = clock.now();
      const lease = randomUUID();
      return await db.write(async (tx) => {
        const rows = await tx.all(claimLanes, { held, now, until: now + leaseMs, lease, top });
        await number(tx, new Map(rows.map(({ id, sequence }) => [id, sequence])), []);
        return rows.map((row) => ({ webhookId: row.id, lease }));
      });
    },

    /**
     * The heads of some lanes, at most `top` of each and none of `busy`: one of an ordered webhook and as a probe, none
     * of a webhook that waits or is disabled.
     */
    async heads(asked: {
      webhookIds: readonly number[];
      busy: readonly number[];
      top: number;
    }): Promise<Head[]> {
      return await db.read.all(headsOf, { ...asked, now: clock.now(), orderedTop: 1 });
    },

    /**
     * Records attempts in the order in which they ended, and changes lanes, in one transaction. Answers the webhooks
     * whose lease another sender or a deletion has taken; for them nothing is recorded.
     */
    async record(
      outcomes: readonly Outcome[],
      { kept, released, numbered, busy }: LaneChanges,
    ): Promise<Set<number>> {
      const claims = [...outcomes.map((outcome) => outcome.claim), ...kept, ...released, ...numbered];
      const webhookIds = [...new Set(claims.map((claim) => claim.webhookId))];
      return await db.write(async (tx) => {
        const rows = await tx.all(lanesById, { webhookIds });
        const lanes = new Map(rows.map((row) => [row.id, row]));
        const isHeld = (claim: Claim): boolean => lanes.get(claim.webhookId)?.lease === claim.lease;
        const recorded = outcomes.filter(({ claim }) => isHeld(claim));
        // Of different deliveries, so that none waits for the answer to another.
        await Promise.all(
          recorded.flatMap((outcome) => [
            tx.run(insertAttempt, attemptOf(outcome)),
            tx.run(updateDelivery, changeOf(outcome)),
          ]),
        );
        await settleReceivers(tx, lanes, recorded);
        const idsOf = (some: readonly Claim[]): number[] =>
          some.filter(isHeld).map((claim) => claim.webhookId);
        const sequences = idsOf(numbered).map((id) => [id, lanes.get(id)?.sequence ?? 0] as const);
        await number(tx, new Map(sequences), busy);
        if (kept.length > 0)
          await tx.run(extendLeases, { webhookIds: idsOf(kept), until: clock.now() + leaseMs });
        if (released.length > 0) await tx.run(releaseLanes, { webhookIds: idsOf(released) });
        return new Set(claims.filter((claim) => !isHeld(claim)).map((claim) => claim.webhookId));
      });
    },
  };
}

/** How many milliseconds the delivery that waits longest is late; 0 when none is. Attempts that run count as waiting. */
export async function deliveryLagMs(read: Read, clock: Clock): Promise<number> {
  const dueAt = (await read.get(oldestDue, {}))?.dueAt ?? null;
  return dueAt === null ? 0 : Math.max(clock.now() - dueAt, 0);
}
