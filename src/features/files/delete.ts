import { handler } from '../../binding/handler.ts';
import { fileOperations } from '../../contract/files.ts';
import { fileIndex } from '../../db/search-index.ts';
import { changeCount } from '../../db/tallies.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { tallyOf } from './file-count.ts';
import { removeFiles } from './file-removal.ts';
import { recordFile } from './file-view.ts';

/** Deletes a file permanently with its versions and comments, in the trash or not. */
export const deleteFile = handler(
  fileOperations.deleteFile,
  async (call, { links }: { links: BlobLinks }) => {
    const { tx, on, at } = call;
    const { file } = on;
    await recordFile({ ...call, links }, 'file_deleted', file);
    await removeFiles(tx, [file], at);
    tx.defer(fileIndex, { id: file.id, words: null });
    const isTrashed = file.trashedAt !== null;
    await changeCount(tx, tallyOf(file.appId), { live: isTrashed ? 0 : -1, trashed: isTrashed ? -1 : 0 });
    return undefined;
  },
);
