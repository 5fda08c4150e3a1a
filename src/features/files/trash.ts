import { handler } from '../../binding/handler.ts';
import { fileOperations } from '../../contract/files.ts';
import type { Json } from '../../kernel/json.ts';
import { makesModerated } from '../access/access.ts';
import type { FileRow } from '../access/file.sql.ts';
import { type RemovableFile, type RestorableFile, reloadedFile } from '../access/file-access.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { moveCount } from './file-count.ts';
import { type FileChange, fileDetail, recordFile } from './file-view.ts';
import { setFileTrashed } from './files.store.ts';

/** Puts a file in the trash. A file that its author trashed becomes moderated when another user trashes it as well. */
export const trashFile = handler(
  fileOperations.trashFile,
  async (call, { links }: { links: BlobLinks }) => await setTrashed({ ...call, links }, { isTrashed: true }),
);

/** Takes a file out of the trash. */
export const restoreFile = handler(
  fileOperations.restoreFile,
  async (call, { links }: { links: BlobLinks }) => await setTrashed({ ...call, links }, { isTrashed: false }),
);

async function setTrashed(
  change: FileChange & { readonly on: RemovableFile | RestorableFile },
  { isTrashed }: { isTrashed: boolean },
): Promise<Json> {
  const { tx, caller, at, on } = change;
  const { file } = on;
  const isMoved = (file.trashedAt !== null) !== isTrashed;
  if (!isMoved && !makesModerated(caller, file)) return await fileDetail(tx, change, file);
  const trashedAt = isTrashed ? (file.trashedAt ?? at) : null;
  await tx.run(setFileTrashed, { id: file.id, trashedAt, trashedById: isTrashed ? caller.user.id : null });
  if (isMoved) await moveCount(tx, file, { isTrashed });
  const changed: FileRow = await reloadedFile(tx, caller, file.id);
  await recordFile(change, isTrashed ? 'file_trashed' : 'file_restored', changed);
  return await fileDetail(tx, change, changed);
}
