import type { Read, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { Problem } from '../../kernel/problem.ts';
import { waitingBlobs } from './blobs.store.ts';

/**
 * How much may wait for its use. Uploads that nothing uses are seen by nobody and kept for a day, so a user may have only
 * so many of them; what a comment, post or file uses counts no more. An API key may have any number: it is the host's
 * own, and brings in what its users have elsewhere.
 *
 * The count that decides is taken in the transaction that keeps an upload. Transactions that write follow each other, on
 * all nodes, so two uploads cannot both take the last room. Ahead of it, room is reserved for the bytes that are on
 * their way, so that what is written to the disk of this node meanwhile is bounded as well.
 */

/** The most uploads and external blobs of one user that wait: enough for ten comments with all they can hold. */
export const waitingCountMax = 1000;
/** The most bytes that are received at once, for everybody together: forty of the largest uploads. */
const receivingBytesMax = 2 * 1024 ** 3;
/** When to ask again while room is taken by what is still being received, in seconds. */
const receivingSeconds = 5;

/** The quota; see the head of this file. */
export type UploadQuota = {
  /**
   * Reserves room for an upload of at most `bytes` bytes until the answer is called. Throws `upload_quota_reached`, and
   * `too_busy` when the server is receiving too much from everybody together.
   */
  reserve(principal: Principal, bytes: number): Promise<() => void>;
  /**
   * Must run in the transaction that keeps the upload, ahead of its row. Throws `upload_quota_reached` when it has no
   * room. `bytes` is 0 for what is kept elsewhere.
   */
  assertRoom(tx: Tx, principal: Principal, bytes: number): Promise<void>;
};

/** Makes the quota: each user may have `bytesMax` bytes that wait. */
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
    async reserve(principal, bytes) {
      const userId = principal.user.id;
      if (receivingBytes + bytes > receivingBytesMax)
        throw new Problem('too_busy', 'Too many uploads are being received.');
      add(userId, bytes);
      try {
        if (principal.kind === 'token')
          await assertWithin(read, userId, { bytes: receiving.get(userId) ?? bytes });
      } catch (error) {
        add(userId, -bytes);
        throw error;
      }
      return () => add(userId, -bytes);
    },

    async assertRoom(tx, principal, bytes) {
      if (principal.kind === 'token') await assertWithin(tx, principal.user.id, { bytes });
    },
  };
}
