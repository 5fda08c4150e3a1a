import { fileOperations } from 'confab-contract/files.ts';
import type { ReadableFile } from '../../access/file/file-access.ts';
import { handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import { type Json, jsonArray } from '../../kernel/json.ts';
import { countFitting } from '../../kernel/page.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { everything, type FileView, renderFiles } from '../files/file-view.ts';
import { countEarlierVersions, listVersions } from './versions.store.ts';
import { withContent } from './versions.ts';

/** How many versions a list has without `top`. */
const topDefault = 100;

/** What a list of versions is made for. */
type Listing = FileView & { readonly read: Read };

/** The present version first, then the earlier ones, newest first. */
export const listFileVersions = handler(
  fileOperations.listFileVersions,
  async ({ read, on, caller, query }, { links }: { links: BlobLinks }) => {
    const rendered = await renderedVersions({ read, caller, links }, on, query);
    return jsonArray(rendered.slice(0, countFitting(rendered)));
  },
);

/** Some versions of a file, in their order. */
export async function renderedVersions(
  listing: Listing,
  { file }: ReadableFile,
  { top = topDefault, skip = 0 }: { readonly top?: number; readonly skip?: number },
): Promise<Json[]> {
  const { read } = listing;
  const isPresentShown = skip === 0;
  const earlier = await read.all(listVersions, {
    fileId: file.id,
    top: isPresentShown ? top - 1 : top,
    skip: isPresentShown ? 0 : skip - 1,
  });
  const contents = earlier.map((version) => withContent(file, version));
  const files = isPresentShown ? [file, ...contents] : contents;
  return await renderFiles(read, listing, { files, expand: everything });
}

/** How many versions a file has. */
export async function countVersions(read: Read, { file }: ReadableFile): Promise<number> {
  const earlier = await read.get(countEarlierVersions, { fileId: file.id });
  return 1 + (earlier?.count ?? 0);
}
