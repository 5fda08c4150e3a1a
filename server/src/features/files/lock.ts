import { fileOperations } from 'confab-contract/files.ts';
import { type ReadableFile, reloadedFile } from '../../access/file/file-access.ts';
import type { Moderatable } from '../../access/item-rights.ts';
import { lockTimeOf } from '../../access/locks.ts';
import { handler } from '../../binding/handler.ts';
import type { Json } from '../../kernel/json.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { fileDetail, recordFile } from './file-view.ts';
import { setFileLocked } from './files.store.ts';
import type { FileMove } from './trash.ts';

async function setLocked(
  change: FileMove<Moderatable<ReadableFile>>,
  lockedAt: number | null,
): Promise<Json> {
  const { tx, caller, on } = change;
  if (on.file.lockedAt === lockedAt) return await fileDetail(tx, change, on.file);
  await tx.run(setFileLocked, { id: on.file.id, lockedAt });
  const file = await reloadedFile(tx, caller, on.file.id);
  await recordFile(change, lockedAt === null ? 'file_unlocked' : 'file_locked', file);
  return await fileDetail(tx, change, file);
}

/** Locks a file with its comments, at once or from a time on; repeating it changes nothing. */
export const lockFile = handler(fileOperations.lockFile, async (call, { links }: { links: BlobLinks }) =>
  setLocked({ ...call, links }, lockTimeOf(call.body ?? {}, call.on.file, call.at)),
);

/** Unlocks a file; repeating it changes nothing. */
export const unlockFile = handler(fileOperations.unlockFile, async (call, { links }: { links: BlobLinks }) =>
  setLocked({ ...call, links }, null),
);
