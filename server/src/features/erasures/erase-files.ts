import type { Tx } from '../../db/db.ts';
import { dropBlobs } from '../blobs/blobs.ts';
import { type DeletedFile, deleteWithEvent } from '../files/file-deletion.ts';
import { removeFiles } from '../files/file-removal.ts';
import type { JsonFields } from '../redactions/blank.ts';
import type { Counts, ErasingStep } from './erasures.ts';
import {
  deleteVersions,
  entryForCount,
  newestVersion,
  setAttachmentCount,
  setFileContent,
} from './walks.store.ts';

/** A file whose present content the person put in. */
type ErasedFile = DeletedFile & { readonly parentType: string; readonly parentId: number };

/** Removes earlier contents that the person put into files. */
export async function eraseVersions(
  tx: Tx,
  rows: readonly { readonly id: number; readonly number: number; readonly blobId: number }[],
  { at }: ErasingStep,
): Promise<Counts> {
  for (const [fileId, versions] of Map.groupBy(rows, ({ id }) => id))
    await tx.run(deleteVersions, { fileId, numbers: versions.map(({ number }) => number) });
  await dropBlobs(
    tx,
    rows.map(({ blobId }) => blobId),
    at,
  );
  return { file_versions: rows.length };
}

/**
 * Removes files whose content the person put in. A file that has an earlier content of another user gets that one back,
 * under the next number; contents of the person among the earlier ones must be removed before.
 */
export async function eraseFiles(tx: Tx, files: readonly ErasedFile[], step: ErasingStep): Promise<Counts> {
  let removed = 0;
  for (const file of files) {
    const earlier = await tx.get(newestVersion, { fileId: file.id });
    if (earlier !== undefined) {
      await tx.run(deleteVersions, { fileId: file.id, numbers: [earlier.number] });
      const { blobId, createdAt, createdById } = earlier;
      await tx.run(setFileContent, { id: file.id, blobId, contentAt: createdAt, contentById: createdById });
      await dropBlobs(tx, [file.blobId], step.at);
    } else {
      await removeFile(tx, file, step);
      removed += 1;
    }
  }
  return { files: removed, file_contents: files.length - removed };
}

async function removeFile(tx: Tx, file: ErasedFile, step: ErasingStep): Promise<void> {
  if (file.parentType === 'app') {
    await deleteWithEvent(tx, file, step);
    return;
  }
  await removeFiles(tx, [file], step.at);
  await countAttachmentLess(tx, file);
}

async function countAttachmentLess(tx: Tx, { parentId }: ErasedFile): Promise<void> {
  const entry = await tx.get(entryForCount, { id: parentId });
  if (entry === undefined) return;
  const attachmentCount = entry.attachmentCount - 1;
  const content = { ...(JSON.parse(entry.content) as JsonFields), attachment_count: attachmentCount };
  await tx.run(setAttachmentCount, { id: parentId, attachmentCount, content: JSON.stringify(content) });
}
