import { fileOperations } from 'confab-contract/files.ts';
import { handler } from '../../binding/handler.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { fileDetail } from './file-view.ts';

/** A file or attachment by its id. */
export const getFile = handler(
  fileOperations.getFile,
  async ({ read, caller, on }, { links }: { links: BlobLinks }) =>
    await fileDetail(read, { caller, links }, on.file),
);
