import type { FileRow } from '../access/file.sql.ts';
import type { FileChange } from './file-view.ts';
import { keepVersion, replaceContent } from './files.store.ts';

/**
 * Gives a file another content with the next version number, which takes it out of the trash. `isKept` says whether the
 * present content becomes an earlier version. The blob must be in use by the file already.
 */
export async function setContent(
  { tx, caller, at }: FileChange,
  file: FileRow,
  { blobId, isKept }: { blobId: number; isKept: boolean },
): Promise<void> {
  if (isKept) await tx.run(keepVersion, { fileId: file.id });
  await tx.run(replaceContent, { id: file.id, blobId, at, userId: caller.user.id });
}
