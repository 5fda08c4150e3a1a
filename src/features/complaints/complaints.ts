import type { Tx } from '../../db/db.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import { closeReports, deleteReportsOfApp, endCounting } from './complaints.store.ts';

/**
 * Complaints are what users say about the items that they report. They count towards a limit of each user until
 * their report is decided, or until its item or app is deleted; this folder ends them. It knows nothing of the items, so
 * that entries and files can use it, on which reports build.
 */

/** Ends the counting of the complaints of some reports. */
export async function endComplaints(tx: Tx, reportIds: readonly number[]): Promise<void> {
  await tx.run(endCounting, { reportIds });
}

/**
 * Closes the reports of items of one kind that are deleted permanently, and removes what they show of the items. Must
 * run in the transaction that deletes them.
 */
export async function closeReportsOf(
  tx: Tx,
  { type, ids, at }: { readonly type: string; readonly ids: readonly number[]; readonly at: UnixMs },
): Promise<void> {
  const closed = await tx.all(closeReports, { type, ids, at });
  if (closed.length > 0)
    await endComplaints(
      tx,
      closed.map(({ id }) => id),
    );
}

/** Removes the first reports of an app permanently, with their complaints; returns how many there were. */
export async function removeFirstReports(
  tx: Tx,
  batch: { readonly id: number; readonly top: number },
): Promise<number> {
  return await tx.run(deleteReportsOfApp, batch);
}
