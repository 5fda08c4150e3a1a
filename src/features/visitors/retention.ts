import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { mailsMs } from './mailboxes.ts';
import { deleteExpiredRefusals, deleteExpiredRequests } from './sign-in-requests.store.ts';
import { anythingExpired, deleteExpiredPuzzles, deleteExpiredSecrets } from './signing-in.store.ts';

/** How many rows of each kind one step deletes. */
const rowsMax = 500;

/**
 * Deletes what visitors cannot sign in with any more: addresses of mailboxes and hashes of secrets. Signing in deletes some
 * as well; this is for servers at which nobody does. Returns whether there may be more.
 */
export async function forgetExpiredSignIns({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<boolean> {
  const now = clock.now();
  const before = now - mailsMs;
  if ((await db.read.get(anythingExpired, { now, before })) === undefined) return false;
  const deleted = await db.write(async (tx) => [
    await tx.run(deleteExpiredSecrets, { now, top: rowsMax }),
    await tx.run(deleteExpiredPuzzles, { now, top: rowsMax }),
    await tx.run(deleteExpiredRequests, { before, top: rowsMax }),
    await tx.run(deleteExpiredRefusals, { now, top: rowsMax }),
  ]);
  return deleted.includes(rowsMax);
}
