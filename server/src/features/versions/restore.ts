import { fileOperations } from 'confab-contract/files.ts';
import { reloadedFile } from '../../access/file/file-access.ts';
import { handler } from '../../binding/handler.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { setContent } from '../files/file-content.ts';
import { fileDetail } from '../files/file-view.ts';
import { recordEdit } from '../files/hold.ts';
import { getVersion } from './versions.ts';

/** Makes an earlier content the present one under the next number; restoring the present version changes nothing. */
export const restoreFileVersion = handler(
  fileOperations.restoreFileVersion,
  async (call, { links }: { links: BlobLinks }) => {
    const { tx, on, caller, params } = call;
    const { file } = on;
    const change = { ...call, links };
    if (params.version === file.version) return await fileDetail(tx, change, file);
    const { blobId } = await getVersion(tx, on, params.version);
    await setContent(change, file, { blobId, isKept: true });
    return await recordEdit(change, on.app, { file: await reloadedFile(tx, caller, file.id) });
  },
);
