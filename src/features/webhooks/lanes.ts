import { randomUUID } from 'node:crypto';
import type { Db, Read } from '../../db/db.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import {
  claimLanes,
  clearLeases,
  extendLeases,
  headsOf,
  insertAttempt,
  leasesOf,
  nextDue,
  oldestDue,
  releaseLanes,
  updateDelivery,
} from './lanes.store.ts';

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
  /** How many attempts there were. */
  readonly attempts: number;
  readonly payload: string;
  readonly payloadUrl: string;
  readonly secret: string | null;
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
  /** A JSON object. */
  readonly responseHeaders: string | null;
  readonly responseBody: Uint8Array | null;
  readonly isTruncated: boolean;
  readonly status: string;
  readonly dueAt: UnixMs | null;
};

/** The lanes of one store. */
export type Lanes = ReturnType<typeof createLanes>;

/** Opens the lanes. */
export function createLanes({ db, clock }: { db: Db; clock: Clock }) {
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
      const rows = await db.write((tx) =>
        tx.all(claimLanes, { held, now, until: now + leaseMs, lease, top }),
      );
      return rows.map((row) => ({ webhookId: row.id, lease }));
    },

    /** The heads of some lanes, at most `top` of each and none of `busy`; a disabled webhook has none. */
    async heads(asked: {
      webhookIds: readonly number[];
      busy: readonly number[];
      top: number;
    }): Promise<Head[]> {
      return await db.read.all(headsOf, { ...asked, now: clock.now() });
    },

    /**
     * Records attempts, renews the leases of `kept` and gives the lanes of `released` back, in one transaction. Answers
     * the webhooks whose lease another sender or a deletion has taken; for them nothing is recorded.
     */
    async record(
      outcomes: readonly Outcome[],
      { kept, released }: { kept: readonly Claim[]; released: readonly Claim[] },
    ): Promise<Set<number>> {
      const claims = [...outcomes.map((outcome) => outcome.claim), ...kept, ...released];
      const webhookIds = [...new Set(claims.map((claim) => claim.webhookId))];
      return await db.write(async (tx) => {
        const rows = await tx.all(leasesOf, { webhookIds });
        const leases = new Map(rows.map((row) => [row.id, row.lease]));
        const isHeld = (claim: Claim): boolean => leases.get(claim.webhookId) === claim.lease;
        for (const outcome of outcomes) {
          if (!isHeld(outcome.claim)) continue;
          const { claim: _, status, dueAt, ...attempt } = outcome;
          const { deliveryId, number, startedAt, durationUs, statusCode } = attempt;
          await tx.run(insertAttempt, { ...attempt, isTruncated: attempt.isTruncated ? 1 : 0 });
          await tx.run(updateDelivery, {
            deliveryId,
            number,
            startedAt,
            durationUs,
            statusCode,
            status,
            dueAt,
          });
        }
        const idsOf = (some: readonly Claim[]): number[] =>
          some.filter(isHeld).map((claim) => claim.webhookId);
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
