import { randomUUID } from 'node:crypto';
import type { Clock, UnixMs } from '../kernel/clock.ts';
import type { Db } from './db.ts';
import { command, query } from './statement.ts';

/**
 * Work that one node does for all: whoever finds it free takes it for a while, and moves the end of that while it has
 * something to do. It spares the others the same work and is no lock: a node that slept past the end does not know, so
 * what it writes has to be guarded by what it writes.
 */

/** How long it is taken for, in milliseconds: how long the work rests when the node that did it dies. */
const leaseMs = 10_000;
/** How often a node that does not have it looks whether it is free. */
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
      const found = await db.read.get(leaseOf, { name });
      const wasMine = found?.holder === holder;
      const until = now + leaseMs;
      const isFree = found !== undefined && (wasMine || found.until <= now);
      const isMine = isFree && (await db.write((tx) => tx.run(takeLease, { name, holder, now, until }))) > 0;
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
