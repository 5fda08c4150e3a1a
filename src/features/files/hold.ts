import type { FileRow } from '../../access/file/file.sql.ts';
import type { ReadableFile } from '../../access/file/file-access.ts';
import { heldState, isHeld } from '../../access/held.ts';
import type { Moderatable } from '../../access/item-rights.ts';
import { handler } from '../../binding/handler.ts';
import { fileOperations } from '../../contract/files.ts';
import type { Json } from '../../kernel/json.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { enterQueue } from '../queue/queue.ts';
import { queuedFile } from './file-json.ts';
import { fileDetail, recordFile } from './file-view.ts';
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
  const { tx, caller, at, on } = change;
  if (isHeld(on.file)) return await fileDetail(tx, change, on.file);
  const reason = 'moderator';
  const held = await setState(change, heldState(reason, { byId: caller.user.id, at, isUnannounced: 0 }));
  await enterQueue(change, queuedFile(held), { reason });
  await recordFile(change, 'file_trashed', emptied(held));
  await recordFile(change, 'file_held', held);
  return await fileDetail(tx, change, held);
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
