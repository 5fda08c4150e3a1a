import { fileOperations } from 'confab-contract/files.ts';
import { handler } from '../../binding/handler.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { fileDetail } from '../files/file-view.ts';
import { getVersion, withContent } from './versions.ts';

/** One version of a file by its number. */
export const getFileVersion = handler(
  fileOperations.getFileVersion,
  async ({ read, on, caller, params }, { links }: { links: BlobLinks }) => {
    const { file } = on;
    const versionFile =
      params.version === file.version ? file : withContent(file, await getVersion(read, on, params.version));
    return await fileDetail(read, { caller, links }, versionFile);
  },
);
