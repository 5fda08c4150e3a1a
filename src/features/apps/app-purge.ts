import type { Db, Tx } from '../../db/db.ts';
import { dropCounts } from '../../db/tallies.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import { removeFirstReports } from '../complaints/complaints.ts';
import { removeFilesOfApp } from '../files/file-removal.ts';
import { removeFirstMembers } from '../members/member-changes.ts';
import { endFirstSubscriptions } from '../subscriptions/subscriptions.ts';
import { deleteAppRow, deletedApp, deleteStarsOfApp } from './app-purge.store.ts';

/**
 * Removes what deleted apps leave behind, in batches. The removal of content below deleted items takes the entries
 * first, and this takes the rest. The marks are in the store, so a stop in between loses nothing.
 */

/** The most rows of one kind that a transaction removes. */
const rowsPerBatch = 200;

/** Creates the part that purges deleted apps. */
export function createAppPurge({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** A deleted app that still has rows, or undefined when there is none. */
    nextDeleted: async (): Promise<number | undefined> => (await db.read.get(deletedApp, {}))?.id,

    /** Removes one batch of a deleted app, once its entries are gone. */
    async purge(id: number): Promise<void> {
      await db.write(async (tx) => await purgeBatch(tx, id, clock.now()));
    },
  };
}

async function purgeBatch(tx: Tx, id: number, at: UnixMs): Promise<void> {
  const batch = { id, top: rowsPerBatch };
  if ((await removeFilesOfApp(tx, id, { top: rowsPerBatch, at })) > 0) return;
  const removed =
    (await removeFirstMembers(tx, batch)) +
    (await tx.run(deleteStarsOfApp, batch)) +
    (await removeFirstReports(tx, batch)) +
    (await endFirstSubscriptions(tx, { ...batch, type: 'app' }));
  if (removed > 0) return;
  await dropCounts(tx, { parentType: 'app', parentId: id });
  await tx.run(deleteAppRow, { id });
}
