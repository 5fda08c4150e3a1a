import { randomUUID } from 'node:crypto';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db, Read, Tx } from '../../../db/db.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type Receiver, receiverAfter } from './breaker.ts';
import {
  claimLanes,
  clearLeases,
  extendLeases,
  headsOf,
  insertAttempt,
  type LaneRow,
  lanesById,
  nextDue,
  numberDeliveries,
  oldestDue,
  releaseLanes,
  unnumbered,
  updateDelivery,
  updateReceivers,
  updateSequences,
} from './lanes.store.ts';
import { recordReceivers } from './receiver-events.ts';

/**
 * The queues of webhooks. A *lane* is the delivery queue of one webhook; its *heads* are the deliveries that are due, in
 * the order of due time and id. A sender *claims* whole lanes, never single deliveries, so that deliveries to a slow
 * receiver do not block the others.
 *
 * A claim is a lease: a random token and an expiry. Recording an outcome and releasing the lane require the token, so a
 * sender that was suspended past its lease cannot overwrite the work of its successor.
 */

/**
 * How long a lease lasts, in milliseconds, and so how long the deliveries of a node that dies wait. It is renewed while
 * the lane is in use, so an attempt may take longer.
 */
export const leaseMs = 20_000;

/**
 * How many deliveries get their sequence numbers ahead of being sent, so that a number is on disk before a receiver sees
 * it and a busy lane does not wait for that: about this many in all, shared by the lanes, within bounds for each lane.
 */
const assignedAhead = 512;
const assignedAheadMin = 16;
const assignedAheadMax = 128;

/** A lane that this process holds. */
export type Claim = { readonly webhookId: number; readonly lease: string };

/** A due delivery with everything that an attempt needs, read just before the attempt. */
export type Head = {
  readonly id: number;
  readonly webhookId: number;
  readonly eventId: number;
  readonly guid: string;
  readonly action: string;
  readonly trigger: string;
  /** How many attempts were made, and how many of them do not count in the retry schedule. */
  readonly attempts: number;
  readonly scheduleFrom: number;
  /** When it is due, which may be later than the probe that it is sent as. */
  readonly dueAt: UnixMs | null;
  /** Its sequence number among the deliveries of the webhook; null until one is assigned, which sending requires. */
  readonly sequence: number | null;
  /** 1 where no other delivery of the webhook may be sent concurrently. */
  readonly isOrdered: number;
  /** The planned time of the probe that it is sent as; null while the breaker is closed. */
  readonly probeAt: UnixMs | null;
  /** When it was first sent, for a probe that blocks other deliveries. */
  readonly triedSince: UnixMs | null;
  readonly payload: string;
  readonly payloadUrl: string;
  /** The secret as it is stored, and the previous one. */
  readonly secret: string | null;
  readonly previousSecret: string | null;
  readonly previousSecretUntil: UnixMs | null;
};

/** One attempt and the resulting state of its delivery. */
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
  readonly status: 'delivered' | 'retrying' | 'failed';
  readonly dueAt: UnixMs | null;
  readonly endedAt: UnixMs;
  /** How many earlier attempts of the delivery do not count in the retry schedule. */
  readonly scheduleFrom: number;
  /** The planned time of the probe, if it was one; null otherwise. */
  readonly probeAt: UnixMs | null;
  /** How long to send nothing to the receiver, in milliseconds. */
  readonly backoffMs: number;
};

/** The changes of lanes that are recorded with attempts. */
export type LaneChanges = {
  /** Lanes whose lease is renewed. */
  readonly kept: readonly Claim[];
  /** Lanes that are released. */
  readonly released: readonly Claim[];
  /** Lanes whose next deliveries get sequence numbers, except the `busy` ones. */
  readonly numbered: readonly Claim[];
  readonly busy: readonly number[];
};

/** The dependencies of lanes. */
export type LanesOptions = {
  readonly db: Db;
  readonly clock: Clock;
  /** How long a webhook may only fail before it is disabled, in milliseconds; undefined for ever. */
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
  /** Assigns sequence numbers to the next deliveries of lanes; `sequences` has the last number of each lane. */
  async function number(
    tx: Tx,
    sequences: ReadonlyMap<number, number>,
    busy: readonly number[],
  ): Promise<void> {
    if (sequences.size === 0) return;
    const share = Math.ceil(assignedAhead / sequences.size);
    const top = Math.min(Math.max(share, assignedAheadMin), assignedAheadMax);
    const webhookIds = [...sequences.keys()];
    const rows = await tx.all(unnumbered, { webhookIds, busy, now: clock.now(), top });
    if (rows.length === 0) return;
    const last = new Map(sequences);
    const numbers = rows.map(({ id, webhookId }) => {
      const sequence = (last.get(webhookId) ?? 0) + 1;
      last.set(webhookId, sequence);
      return { id, sequence };
    });
    await tx.run(numberDeliveries, { given: JSON.stringify(numbers) });
    const lanes = [...last].map(([id, sequence]) => ({ id, sequence }));
    await tx.run(updateSequences, { given: JSON.stringify(lanes) });
  }

  /** Updates the state of receivers after attempts, with an event for each one that is paused, resumed or disabled. */
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
    await tx.run(updateReceivers, { given: JSON.stringify(changed) });
    await recordReceivers(tx, { before, after: changed, at: clock.now() });
  }

  function laneAfter(row: LaneRow, outcomes: readonly Outcome[]): LaneRow {
    let receiver: Receiver = row;
    for (const { error, probeAt, backoffMs, dueAt, endedAt: at } of outcomes) {
      // A probe that was in flight when the webhook got another address does not affect the probes of that one.
      const isProbe = probeAt !== null && probeAt === receiver.probeAt;
      // In an ordered lane, every delivery waits until the first one is retried.
      const retryMs = row.isOrdered === 1 && dueAt !== null && probeAt === null ? dueAt - at : 0;
      receiver = receiverAfter(receiver, { at, error, isProbe, backoffMs: Math.max(backoffMs, retryMs) });
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
    /** Whether other nodes may change what this one has read, of which it hears late. */
    isShared: db.peers !== undefined,

    /** Clears the leases of an earlier process, before the first claim. Leases of other nodes are left alone. */
    async clearLeases(): Promise<void> {
      if (db.peers === undefined) await db.write(async (tx) => await tx.run(clearLeases, {}));
    },

    /** When the first free lane is due, or undefined when none is. */
    async nextDue(laneIds: readonly number[]): Promise<UnixMs | undefined> {
      return (await db.read.get(nextDue, { held: laneIds, now: clock.now() }))?.dueAt ?? undefined;
    },

    /** Claims lanes that are due, at most `top` and none of `laneIds`. */
    async claim(laneIds: readonly number[], top: number): Promise<Claim[]> {
      const now = clock.now();
      const lease = randomUUID();
      return await db.write(async (tx) => {
        const rows = await tx.all(claimLanes, { held: laneIds, now, until: now + leaseMs, lease, top });
        await number(tx, new Map(rows.map(({ id, sequence }) => [id, sequence])), []);
        return rows.map((row) => ({ webhookId: row.id, lease }));
      });
    },

    /**
     * The heads of some lanes, at most `top` each and without the `busy` ones: one for an ordered webhook or a probe, none
     * for a webhook that is waiting or disabled.
     */
    async heads(selection: {
      webhookIds: readonly number[];
      busy: readonly number[];
      top: number;
    }): Promise<Head[]> {
      return await db.read.all(headsOf, { ...selection, now: clock.now(), orderedTop: 1 });
    },

    /**
     * Records attempts in the order in which they ended, and changes lanes, in one transaction. Returns the webhooks
     * that are deleted or leased by another sender; nothing is recorded for them.
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
        // They concern different deliveries, so they can be sent to the database at once.
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

/** By how many milliseconds the oldest due delivery is late; 0 when none is. Running attempts count as late. */
export async function deliveryLagMs(read: Read, clock: Clock): Promise<number> {
  const dueAt = (await read.get(oldestDue, {}))?.dueAt ?? null;
  return dueAt === null ? 0 : Math.max(clock.now() - dueAt, 0);
}
