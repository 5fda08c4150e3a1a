import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { dropCounts } from '../../db/tallies.ts';
import type { Clock } from '../../kernel/clock.ts';
import { hasOrphans, removeOrphans } from '../entries/delete.ts';
import { removeFilesOfApp } from '../files/file-removal.ts';
import { removeFirstMembers } from '../members/member-changes.ts';
import { removeFirstReports } from '../moderation/queue.ts';
import { refreshPending } from '../notifications/refresh.ts';
import { endFirstSubscriptions } from '../notifications/subscriptions.ts';
import { deleteAppRow, deletedApp, deleteStarsOfApp } from './app-purge.store.ts';

/**
 * Removes what deleted apps leave behind, in batches. The removal of content below deleted items takes the entries
 * first, and this takes the rest. The marks are in the store, so a stop in between loses nothing.
 */

/** The most rows of one kind that a transaction removes. */
const rowsPerBatch = 200;

/** The store of the loop that removes what is deleted, and whether a transaction leaves the work for later. */
type Removal = {
  readonly db: Db;
  readonly clock: Clock;
  readonly isHeldBack: (read: Read) => Promise<boolean>;
};

/**
 * Removes one batch of what deleted items and apps leave behind, unless it is held back; returns whether there may be more.
 */
export async function removeDeleted(removal: Removal): Promise<boolean> {
  const { db, clock, isHeldBack } = removal;
  if (await refreshPending(removal)) return true;
  if (!(await hasOrphans(db.read)) && (await db.read.get(deletedApp, {})) === undefined) return false;
  return await db.write(async (tx) => {
    if (await isHeldBack(tx)) return false;
    const at = clock.now();
    // An app goes when no content is left in any, which this transaction sees for itself: what was read before it may
    // have changed, also whether the work is held back.
    if (await removeOrphans(tx, at)) return true;
    const app = await tx.get(deletedApp, {});
    if (app === undefined) return false;
    await purgeBatch(tx, app.id, at);
    return true;
  });
}

async function purgeBatch(tx: Tx, id: number, at: UnixMs): Promise<void> {
  const batch = { id, top: rowsPerBatch };
  if ((await removeFilesOfApp(tx, id, { top: rowsPerBatch, at })) > 0) return;
  const removed =
    (await removeFirstMembers(tx, batch)) +
    (await tx.changed(deleteStarsOfApp, batch)) +
    (await removeFirstReports(tx, batch)) +
    (await endFirstSubscriptions(tx, { ...batch, type: 'app' }));
  if (removed > 0) return;
  await dropCounts(tx, { parentType: 'app', parentId: id });
  await tx.run(deleteAppRow, { id });
}
