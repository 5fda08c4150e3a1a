import { Problem } from 'confab-contract/problem.ts';
import type { Read, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { waitingBlobs } from './blobs.store.ts';

/**
 * The quota limits how many unused uploads a user may have. An unused upload is kept for a day, and no other user can
 * see it. A blob in use does not count. An API key has no quota: it belongs to the host, which may import its users'
 * files from elsewhere.
 *
 * The transaction that stores an upload checks the quota. Write transactions run one after another, on all nodes, so
 * two uploads cannot both take the last room. Before that, room is reserved for the bytes that are being received,
 * which bounds what is written to the disk of this node meanwhile.
 */

/** The most unused uploads and external blobs of one user: enough for ten comments with as many as they can have. */
export const waitingCountMax = 1000;
/** The most bytes that are received at once, for all users together: forty of the largest uploads. */
const receivingBytesMax = 2 * 1024 ** 3;
/** When to retry while bytes that are still arriving take the room, in seconds. */
const receivingSeconds = 5;

/** The quota; see the head of this file. */
export type UploadQuota = {
  /**
   * Reserves room for an upload of at most `bytes` bytes until the returned function is called. Throws
   * `upload_quota_reached`, and `too_busy` when the server is receiving too much from all users together.
   */
  reserve(caller: Principal, bytes: number): Promise<() => void>;
  /**
   * Must run in the transaction that stores the upload, before its row. Throws `upload_quota_reached` when there is no
   * room. `bytes` is 0 for a file stored elsewhere.
   */
  assertRoom(tx: Tx, caller: Principal, bytes: number): Promise<void>;
};

/** Creates the quota: each user may have `bytesMax` unused bytes. */
export function createUploadQuota({
  read,
  clock,
  bytesMax,
}: {
  read: Read;
  clock: Clock;
  bytesMax: number;
}): UploadQuota {
  // Bytes that are being received, by user.
  const receiving = new Map<number, number>();
  let receivingBytes = 0;

  function add(userId: number, bytes: number): void {
    receivingBytes += bytes;
    const sum = (receiving.get(userId) ?? 0) + bytes;
    if (sum === 0) receiving.delete(userId);
    else receiving.set(userId, sum);
  }

  async function assertWithin(store: Read | Tx, userId: number, more: { bytes: number }): Promise<void> {
    const now = clock.now();
    const waiting = await store.get(waitingBlobs, { userId, now });
    const { count = 0, bytes = 0, firstEnd = null } = waiting ?? {};
    if (count < waitingCountMax && bytes + more.bytes <= bytesMax) return;
    const seconds = firstEnd === null ? receivingSeconds : Math.ceil((firstEnd - now) / 1000);
    const most = `at most ${waitingCountMax} of ${bytesMax} bytes together may`;
    throw new Problem('upload_quota_reached', `Too many of your uploads wait for their use: ${most}.`, {
      headers: { 'retry-after': String(Math.max(seconds, 1)) },
    });
  }

  return {
    async reserve(caller, bytes) {
      const userId = caller.user.id;
      if (receivingBytes + bytes > receivingBytesMax)
        throw new Problem('too_busy', 'Too many uploads are being received.');
      add(userId, bytes);
      try {
        if (caller.kind !== 'key')
          await assertWithin(read, userId, { bytes: receiving.get(userId) ?? bytes });
      } catch (error) {
        add(userId, -bytes);
        throw error;
      }
      return () => add(userId, -bytes);
    },

    async assertRoom(tx, caller, bytes) {
      if (caller.kind !== 'key') await assertWithin(tx, caller.user.id, { bytes });
    },
  };
}
