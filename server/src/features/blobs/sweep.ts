import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { BlobStorage } from '../../storage/storage.ts';
import { deleteBlobs, expiredBlobs } from './blobs.store.ts';
import { isHeld } from './hold.ts';
import { removeStored } from './stored-bytes.ts';

/**
 * How long after its expiry a blob is swept, in milliseconds: a claim that began before the expiry has ended by then.
 */
const graceMs = 60_000;
/** How many blobs one call removes at most. */
const sweptMax = 100;

/** Removes some of the blobs that nothing used in time, unless a backup holds them; returns whether there may be more. */
export async function sweepBlobs({
  db,
  clock,
  storage,
}: {
  db: Db;
  clock: Clock;
  storage: BlobStorage;
}): Promise<boolean> {
  const expired = await db.read.all(expiredBlobs, { before: clock.now() - graceMs, top: sweptMax });
  if (expired.length === 0 || (await isHeld(db.read, clock))) return false;
  await removeBlobs({ db, storage }, expired);
  return expired.length === sweptMax;
}

/** Removes expired blobs: their bytes, with everything derived from them, and their rows. */
export async function removeBlobs(
  { db, storage }: { db: Db; storage: BlobStorage },
  blobs: readonly { readonly id: number; readonly key: string }[],
): Promise<void> {
  if (blobs.length === 0) return;
  // The bytes go first: after a crash, a blob that still has its row is found again.
  for (const { key } of blobs) await storage.remove(key);
  await db.write(async (tx) => {
    const deleted = await tx.all(deleteBlobs, { ids: blobs.map(({ id }) => id) });
    // Nodes of an earlier release free blobs without subtracting them.
    await removeStored(
      tx,
      deleted.filter(({ isCounted }) => isCounted === 1),
    );
  });
}
