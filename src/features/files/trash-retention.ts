import type { Db } from '../../db/db.ts';
import { type Clock, dayMs } from '../../kernel/clock.ts';
import { getSystemUser } from '../users/user-record.ts';
import { deleteWithEvent } from './file-deletion.ts';
import { filesTrashedBefore } from './trash-retention.store.ts';

/** How many files one step deletes. */
const filesPerStep = 50;

/** Deletes some of the files that have been in the trash for so many days; returns whether there may be more. */
export async function emptyFileTrash({
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
  if ((await db.read.get(filesTrashedBefore, { before, top: 1 })) === undefined) return false;
  return await db.write(async (tx) => {
    const files = await tx.all(filesTrashedBefore, { before, top: filesPerStep });
    const caller = { user: await getSystemUser(tx) };
    for (const file of files) await deleteWithEvent(tx, file, { caller, at });
    return files.length === filesPerStep;
  });
}
