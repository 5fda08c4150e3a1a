import type { Db } from '../../db/db.ts';
import { type Clock, dayMs } from '../../kernel/clock.ts';
import { getSystemUser } from '../users/user-record.ts';
import { deleteWithEvents } from './delete.ts';
import { entriesTrashedBefore } from './trash-retention.store.ts';

/** How many entries one step deletes. */
const entriesPerStep = 100;

/**
 * Deletes some of the comments, posts and messages that have been in the trash for so many days; returns whether there
 * may be more. What is held stays until a moderator decides.
 */
export async function emptyTrash({
  db,
  clock,
  days,
}: {
  db: Db;
  clock: Clock;
  days: number;
}): Promise<boolean> {
  const at = clock.now();
  const before = at - days * dayMs;
  if ((await db.read.get(entriesTrashedBefore, { before, top: 1 })) === undefined) return false;
  return await db.write(async (tx) => {
    const entries = await tx.all(entriesTrashedBefore, { before, top: entriesPerStep });
    await deleteWithEvents(tx, entries, { caller: { user: await getSystemUser(tx) }, at });
    return entries.length === entriesPerStep;
  });
}
