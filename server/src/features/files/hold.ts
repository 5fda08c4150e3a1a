import { fileOperations } from 'confab-contract/files.ts';
import type { ReadableApp } from '../../access/access.ts';
import type { FileRow } from '../../access/file/file.sql.ts';
import type { ReadableFile } from '../../access/file/file-access.ts';
import { type HeldReason, heldState, isHeld } from '../../access/held.ts';
import type { Moderatable } from '../../access/item-rights.ts';
import { handler } from '../../binding/handler.ts';
import type { Json } from '../../kernel/json.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { approvalFor } from '../moderation/approvals.ts';
import { enterQueue } from '../moderation/queue.ts';
import { systemUserId } from '../users/users.sql.ts';
import { queuedFile } from './file-json.ts';
import { type FileChange, fileDetail, recordFile } from './file-view.ts';
import { type FileMove, setState, showFile } from './trash.ts';

/** Holds a file. */
export const holdFile = handler(fileOperations.holdFile, async (call, { links }: { links: BlobLinks }) =>
  putOnHold({ ...call, links }),
);

/** Approves a file that is held. */
export const approveFile = handler(
  fileOperations.approveFile,
  async (call, { links }: { links: BlobLinks }) => await showFile({ ...call, links }),
);

/** Holds a file and returns it in full, as `holdEntry` does with an entry. */
export async function putOnHold(change: FileMove<Moderatable<ReadableFile>>): Promise<Json> {
  const { tx, caller, on } = change;
  if (isHeld(on.file)) return await fileDetail(tx, change, on.file);
  return await holdOne(change, on.file, { reason: 'moderator', byId: caller.user.id, wasShown: true });
}

/** The event of an edit of a file; an upload with the name of a file in the trash restores it. */
type FileEdit = 'file_updated' | 'file_restored';

/**
 * Records an edit of a file, after which it is shown, and returns the file in full. The edit holds the file where creating it would, so
 * others only see what was approved.
 */
export async function recordEdit(
  change: FileChange,
  app: ReadableApp,
  { file, action = 'file_updated' }: { readonly file: FileRow; readonly action?: FileEdit },
): Promise<Json> {
  const { tx, caller } = change;
  const reason = await approvalFor(tx, caller, app);
  if (reason !== undefined)
    return await holdOne(change, file, { reason, byId: systemUserId, wasShown: action === 'file_updated' });
  await recordFile(change, action, file);
  return await fileDetail(tx, change, file);
}

type FileHold = { readonly reason: HeldReason; readonly byId: number; readonly wasShown: boolean };

/** Holds a file. Where it was not shown before, others have been told already that it is gone. */
async function holdOne(
  change: FileChange,
  file: FileRow,
  { reason, byId, wasShown }: FileHold,
): Promise<Json> {
  const { tx, at } = change;
  const heldFile = await setState(change, file, heldState(reason, { byId, at, isUnannounced: 0 }));
  await enterQueue(change, queuedFile(heldFile), { reason });
  if (wasShown) await recordFile(change, 'file_trashed', emptied(heldFile));
  await recordFile(change, 'file_held', heldFile);
  return await fileDetail(tx, change, heldFile);
}

/** A file as one in the trash without its name and an address of its bytes. */
function emptied(file: FileRow): FileRow {
  const nothing = {
    name: '',
    blobKey: '',
    mediaType: 'application/octet-stream',
    metadata: null,
    tags: '[]',
  };
  return { ...file, ...nothing, heldAt: null };
}
