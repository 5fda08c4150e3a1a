import type { FileRow } from '../../access/file/file.sql.ts';
import type { FileChange } from './file-view.ts';
import { keepVersion, replaceContent } from './files.store.ts';

/**
 * Replaces the content of a file with the next version number and takes the file out of the trash. With `isKept`, the
 * present content becomes an earlier version. The file must already use the blob.
 */
export async function setContent(
  { tx, caller, at }: FileChange,
  file: FileRow,
  { blobId, isKept }: { blobId: number; isKept: boolean },
): Promise<void> {
  if (isKept) await tx.run(keepVersion, { fileId: file.id });
  await tx.run(replaceContent, { id: file.id, blobId, at, userId: caller.user.id });
}
