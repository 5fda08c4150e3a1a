import { dayMs, type UnixMs } from 'confab-contract/values/time.ts';
import type { Db, Tx } from '../../db/db.ts';
import type { Query } from '../../db/statement.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { User } from '../../kernel/principal.ts';
import { getSystemUser } from '../users/user-record.ts';
import { deleteWithEvent } from './file-deletion.ts';
import { filesTrashedBefore } from './trash-retention.store.ts';

/** For how many days things stay in the trash, and where. */
export type TrashRetention = { readonly db: Db; readonly clock: Clock; readonly days: number };

/**
 * Deletes the first `top` of the things of one kind that have been in the trash for so many days, as the system user;
 * returns whether there may be more. Nothing is written where there is none.
 */
export async function emptyTrashOf<R>(
  { db, clock, days }: TrashRetention,
  {
    trashedBefore,
    top,
    remove,
  }: {
    readonly trashedBefore: Query<{ before: number; top: number }, R>;
    readonly top: number;
    readonly remove: (
      tx: Tx,
      rows: readonly R[],
      by: { readonly caller: { readonly user: User }; readonly at: UnixMs },
    ) => Promise<void>;
  },
): Promise<boolean> {
  const at = clock.now();
  const before = at - days * dayMs;
  if ((await db.read.get(trashedBefore, { before, top: 1 })) === undefined) return false;
  return await db.write(async (tx) => {
    const rows = await tx.all(trashedBefore, { before, top });
    await remove(tx, rows, { caller: { user: await getSystemUser(tx) }, at });
    return rows.length === top;
  });
}

/** Deletes some of the files that have been in the trash for so many days; returns whether there may be more. */
export async function emptyFileTrash(retention: TrashRetention): Promise<boolean> {
  return await emptyTrashOf(retention, {
    trashedBefore: filesTrashedBefore,
    top: 50,
    async remove(tx, files, by) {
      for (const file of files) await deleteWithEvent(tx, file, by);
    },
  });
}
