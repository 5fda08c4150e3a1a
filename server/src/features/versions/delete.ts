import { fileOperations } from 'confab-contract/files.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { dropBlobs } from '../blobs/blobs.ts';
import { recordFile } from '../files/file-view.ts';
import { deleteVersion } from './versions.store.ts';
import { getVersion } from './versions.ts';

/** Deletes an earlier version permanently. Throws `validation_failed` for the present one. */
export const deleteFileVersion = handler(
  fileOperations.deleteFileVersion,
  async (call, { links }: { links: BlobLinks }) => {
    const { tx, on, params, at } = call;
    const { file } = on;
    if (params.version === file.version)
      throw invalidField('', 'current_version', 'is the current version: restore another one first');
    const { number, blobId } = await getVersion(tx, on, params.version);
    await tx.run(deleteVersion, { fileId: file.id, number });
    await dropBlobs(tx, [blobId], at);
    await recordFile({ ...call, links }, 'file_updated', file);
    return undefined;
  },
);
