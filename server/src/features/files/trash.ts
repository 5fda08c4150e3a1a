import { fileOperations } from 'confab-contract/files.ts';
import type { FileRow } from '../../access/file/file.sql.ts';
import { type ReadableFile, reloadedFile } from '../../access/file/file-access.ts';
import { isHeld, type State, shown, trashedState } from '../../access/held.ts';
import type { Approvable, Removable, Restorable } from '../../access/item-rights.ts';
import { authorOf } from '../../access/user/user-access.ts';
import { handler } from '../../binding/handler.ts';
import type { Json } from '../../kernel/json.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { countApproved } from '../moderation/approvals.ts';
import { leaveQueue } from '../moderation/queue.ts';
import { moveCount } from './file-count.ts';
import { type FileChange, fileDetail, recordFile } from './file-view.ts';
import { setFileState } from './files.store.ts';

/** A change of the state of a file. */
export type FileMove<O extends ReadableFile> = FileChange & { readonly on: O };

/** Puts a file in the trash. */
export const trashFile = handler(
  fileOperations.trashFile,
  async (call, { links }: { links: BlobLinks }) => await putInTrash({ ...call, links }),
);

/**
 * Puts a file in the trash and returns it in full. A file that its author trashed becomes moderated when another user
 * trashes it as well.
 */
export async function putInTrash(change: FileMove<Removable<ReadableFile>>): Promise<Json> {
  const { tx, caller, at, on } = change;
  const state = trashedState(on.file, { byId: caller.user.id, at });
  if (state === undefined) return await fileDetail(tx, change, on.file);
  const changed = await setState(change, on.file, state);
  await recordFile(change, 'file_trashed', changed);
  return await fileDetail(tx, change, changed);
}

/** Takes a file out of the trash, or approves a held one. */
export const restoreFile = handler(
  fileOperations.restoreFile,
  async (call, { links }: { links: BlobLinks }) => await showFile({ ...call, links }),
);

/** Shows a file again, or for the first time, and returns it in full. Repeating it changes nothing. */
export async function showFile(
  change: FileMove<Restorable<ReadableFile> | Approvable<ReadableFile>>,
): Promise<Json> {
  const { tx, on } = change;
  const { trashedAt, isUnannounced, createdById } = on.file;
  if (trashedAt === null) return await fileDetail(tx, change, on.file);
  const changed = await setState(change, on.file, shown);
  if (isUnannounced === 1) await countApproved(tx, on.app, createdById);
  if (isUnannounced === 0) await recordFile(change, 'file_restored', changed);
  else await recordFile({ ...change, caller: await authorOf(tx, createdById) }, 'file_created', changed);
  if (isHeld(on.file)) await recordFile(change, 'file_approved', changed);
  return await fileDetail(tx, change, changed);
}

/** Writes the state of a file with all that depends on it, and returns the file. */
export async function setState(change: FileChange, file: FileRow, state: State): Promise<FileRow> {
  const { tx, caller } = change;
  await tx.run(setFileState, { id: file.id, ...state });
  await moveCount(change, file, state);
  await leaveQueue(change, { type: 'file', id: file.id }, { before: file, after: state });
  return await reloadedFile(tx, caller, file.id);
}
