import { blobOperations } from 'confab-contract/blobs.ts';
import { handler } from '../../binding/handler.ts';
import { renderBlob } from './blob-json.ts';
import type { BlobLinks } from './blob-links.ts';

/** A blob by its id. */
export const getBlob = handler(blobOperations.getBlob, async ({ on }, { links }: { links: BlobLinks }) =>
  renderBlob(on.blob, links),
);
