import { fileOperations } from 'confab-contract/files.ts';
import { countIn } from '../../access/held.ts';
import { handler } from '../../binding/handler.ts';
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
    const { live, trashed } = countIn(file);
    await changeCount(tx, tallyOf(file.appId), { live: -live, trashed: -trashed });
    return undefined;
  },
);
