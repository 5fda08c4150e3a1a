import type { Readable } from 'node:stream';
import type { BlobRow } from '../../access/blob/blob.sql.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { BlobStorage } from '../../storage/storage.ts';
import { cleanName } from '../media/file-name.ts';
import { headBytesMax, readMedia } from '../media/media.ts';
import { insertBlob } from './blobs.store.ts';
import { unusedMsMax } from './blobs.ts';
import { noExternalAddress } from './external-blob.ts';
import type { UploadQuota } from './upload-quota.ts';

/** An arriving file: the name that the client sent, and its bytes. */
export type Upload = {
  readonly name: string;
  readonly bytes: Readable;
  /** The most bytes that can arrive. */
  readonly bytesMax: number;
  /** The digest that identifies the same bytes; null where that is not needed. */
  readonly digest: string | null;
};

/** Stores uploads. */
export type Uploads = {
  /**
   * Stores bytes and their row, or nothing. Throws `upload_quota_reached`, `too_busy` and whatever reading `bytes`
   * throws.
   */
  keep(caller: Principal, upload: Upload): Promise<BlobRow>;
};

/** Creates the store of uploads. */
export function createUploads({
  db,
  clock,
  storage,
  quota,
  metrics,
}: {
  db: Db;
  clock: Clock;
  storage: BlobStorage;
  quota: UploadQuota;
  metrics: Metrics | undefined;
}): Uploads {
  async function receive(caller: Principal, { name: sent, bytes, digest }: Upload): Promise<BlobRow> {
    const { key, size, head } = await storage.write(bytes, { headBytesMax });
    try {
      const name = cleanName(sent) ?? 'file';
      const values = { ...noExternalAddress, ...(await readMedia(head, name)), key, name, size };
      const at = clock.now();
      const made = { createdAt: at, createdById: caller.user.id, expiresAt: at + unusedMsMax };
      const id = await db.write(async (tx) => {
        await quota.assertRoom(tx, caller, size);
        return await tx.insert(insertBlob, { ...values, ...made, digest });
      });
      // The row goes first: bytes without a row would never be found again, and a row without bytes is swept.
      await storage.place(key);
      metrics?.count('confab_uploads_total', {});
      metrics?.count('confab_upload_bytes_total', {}, size);
      return { ...values, id, createdById: made.createdById };
    } catch (error) {
      await storage.discard(key);
      throw error;
    }
  }

  return {
    async keep(caller, upload) {
      const release = await quota.reserve(caller, upload.bytesMax);
      try {
        return await receive(caller, upload);
      } finally {
        release();
      }
    },
  };
}
