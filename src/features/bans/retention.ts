import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { addressMs } from '../users/visitor-facts.ts';
import { anythingOver, deleteExpiredBans, deleteOldAddresses } from './bans.store.ts';

/** How many rows of each kind one step deletes. */
const rowsMax = 500;

/** Deletes bans that are over and addresses of visitors who stayed away; returns whether there may be more. */
export async function forgetAddresses({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<boolean> {
  const now = clock.now();
  const before = now - addressMs;
  if ((await db.read.get(anythingOver, { now, before })) === undefined) return false;
  const deleted = await db.write(async (tx) => [
    await tx.run(deleteExpiredBans, { now, top: rowsMax }),
    await tx.run(deleteOldAddresses, { before, top: rowsMax }),
  ]);
  return deleted.includes(rowsMax);
}
