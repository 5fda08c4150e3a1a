import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { addressMs } from '../users/visitor-facts.ts';
import { mailsMs } from './mailboxes.ts';
import { anythingExpired, expiring } from './retention.store.ts';

/** How many rows of each kind one step deletes. */
const rowsMax = 500;

/**
 * Deletes what is kept of visitors for a time only: hashes of secrets, addresses of mailboxes, networks, and bans of these.
 * Returns whether there may be more.
 */
export async function forgetVisitors({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<boolean> {
  const now = clock.now();
  const times = { now, requests: now - mailsMs, addresses: now - addressMs };
  if ((await db.read.get(anythingExpired, times)) === undefined) return false;
  return await db.write(async (tx) => {
    let hasMore = false;
    for (const { deleteExpired, until } of expiring) {
      const deleted = await tx.changed(deleteExpired, { until: times[until], top: rowsMax });
      hasMore ||= deleted === rowsMax;
    }
    return hasMore;
  });
}
