import { randomUUID } from 'node:crypto';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from './db.ts';
import { command, query } from './statement.ts';

/**
 * Leases for work that one node does for all. A node that finds a lease free takes it for a while, and renews it as long
 * as it has work. A lease only saves the other nodes the same work. It is not a lock: a node that was suspended past the
 * end of its lease does not know that, so each write must check the rows that it depends on.
 */

/** The length of a lease in milliseconds: how long the work rests when its node dies. */
const leaseMs = 10_000;
/** How often a node without the lease checks whether it is free, in milliseconds. */
const lookMs = 1000;

const takeLease = command<{ name: string; holder: string; now: number; until: number }>()((q, value) =>
  q
    .updateTable('leases')
    .set({ holder: value('holder'), until: value('until') })
    .where('name', '=', value('name'))
    .where((where) => where.or([where('holder', '=', value('holder')), where('until', '<=', value('now'))])),
);

const leaseOf = query<{ name: string }>()((q, value) =>
  q.selectFrom('leases').select(['holder', 'until']).where('name', '=', value('name')),
);

const endLease = command<{ name: string; holder: string }>()((q, value) =>
  q
    .updateTable('leases')
    .set({ holder: null, until: 0 })
    .where('name', '=', value('name'))
    .where('holder', '=', value('holder')),
);

/** Some work that one node does for all. */
export type Lease = {
  /**
   * Whether the work is this node's: `held` as it was, `taken` when others may have done some since, `elsewhere` when
   * it is another's, which is looked at once a second however often it is asked.
   */
  take(): Promise<'held' | 'taken' | 'elsewhere'>;
  /** Leaves the work to others at once. */
  end(): Promise<void>;
};

/** The work `name`, which has a row in `leases`. Where there are no other nodes it costs nothing to take. */
export function createLease({ db, clock, name }: { db: Db; clock: Clock; name: string }): Lease {
  const holder = randomUUID();
  let heldUntil: UnixMs | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;

  return {
    async take() {
      if (db.peers === undefined) return 'held';
      const now = clock.now();
      if (heldUntil !== undefined && heldUntil - now > leaseMs / 2) return 'held';
      if (heldUntil === undefined && performance.now() - lookedAt < lookMs) return 'elsewhere';
      lookedAt = performance.now();
      const lease = await db.read.get(leaseOf, { name });
      const wasMine = lease?.holder === holder;
      const until = now + leaseMs;
      const isFree = lease !== undefined && (wasMine || lease.until <= now);
      const isMine =
        isFree && (await db.write((tx) => tx.changed(takeLease, { name, holder, now, until }))) > 0;
      heldUntil = isMine ? until : undefined;
      if (!isMine) return 'elsewhere';
      return wasMine ? 'held' : 'taken';
    },

    async end() {
      if (heldUntil === undefined) return;
      heldUntil = undefined;
      await db.write((tx) => tx.run(endLease, { name, holder }));
    },
  };
}
