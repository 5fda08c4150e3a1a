import type { Readable } from 'node:stream';
import { Problem } from 'confab-contract/problem.ts';
import type { BlobRow } from '../../access/blob/blob.sql.ts';
import type { Db, JobKind, Tx } from '../../db/db.ts';
import { allOf } from '../../kernel/all-of.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { BlobStorage, MakeDerived, StagedFile } from '../../storage/storage.ts';
import { cleanName } from '../media/file-name.ts';
import { headBytesMax, isPicture, notPicture, readMedia } from '../media/media.ts';
import { bytesOfVisitors, insertBlob } from './blobs.store.ts';
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
  /** What is kept in place of the bytes; absent where they are kept as they arrive. */
  readonly remade?: Remade;
};

/** The picture that is kept in place of one that a visitor sent. */
export type Remade = {
  readonly make: MakeDerived;
  /** The most bytes that all of them may have on this server, in use or not. */
  readonly totalBytesMax: number;
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
  /** Makes the picture that is kept. The bytes decide before a decoder sees them. */
  async function remake({ key, head }: StagedFile, { make }: Remade): Promise<StagedFile> {
    const picture = (await isPicture(head)) ? await storage.remake(key, make, { headBytesMax }) : undefined;
    if (picture === undefined) throw notPicture('/blob');
    return picture;
  }

  async function receive(caller: Principal, upload: Upload): Promise<BlobRow> {
    const { name: uploadName, bytes, digest, remade } = upload;
    const written = await storage.write(bytes, { headBytesMax });
    const { key } = written;
    try {
      const name = cleanName(uploadName) ?? 'file';
      const { size, head } = remade === undefined ? written : await remake(written, remade);
      const values = { ...noExternalAddress, ...(await readMedia(head, name)), key, name, size };
      const at = clock.now();
      const creation = { createdAt: at, createdById: caller.user.id, expiresAt: at + unusedMsMax };
      const row = { ...values, ...creation, digest, isOfVisitor: remade === undefined ? 0 : 1 };
      const work = async (tx: Tx) => {
        const checks = [quota.assertRoom(tx, caller, size)];
        if (remade !== undefined) checks.push(assertTotal(tx, size, remade));
        // The insert leaves in one packet with the checks: an upload that has come this far is hardly ever refused.
        const inserted = tx.insert(insertBlob, row);
        await allOf<unknown>([...checks, inserted]);
        return await inserted;
      };
      const id = await db.write(work, remade === undefined ? kindOf(caller) : undefined);
      // The row goes first: bytes without a row would never be found again, and a row without bytes is swept.
      await storage.place(key);
      metrics?.count('confab_uploads_total', {});
      metrics?.count('confab_upload_bytes_total', {}, size);
      return { ...values, id, createdById: creation.createdById };
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

/**
 * Beside which other changes an upload is stored: an API key has no quota, so nothing is read; a user has one of their own.
 * All pictures of visitors share one limit, so those are stored one after another.
 */
function kindOf({ kind, user }: Principal): JobKind {
  return kind === 'key' ? 'adding' : { among: 'callers', key: user.id, events: 0 };
}

/** Throws `storage_quota_reached` where pictures of visitors have no room for another one of `size` bytes. */
async function assertTotal(tx: Tx, size: number, { totalBytesMax }: Remade): Promise<void> {
  const { bytes } = (await tx.get(bytesOfVisitors, {})) ?? { bytes: 0 };
  if (bytes + size > totalBytesMax)
    throw new Problem('storage_quota_reached', 'This server has no room for more pictures of visitors.');
}
