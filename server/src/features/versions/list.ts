import { fileOperations } from 'confab-contract/files.ts';
import { handler } from '../../binding/handler.ts';
import { jsonArray } from '../../kernel/json.ts';
import { countFitting } from '../../kernel/page.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { everything, renderFiles } from '../files/file-view.ts';
import { listVersions } from './versions.store.ts';
import { withContent } from './versions.ts';

/** How many versions a list has without `top`. */
const topDefault = 100;

/** The present version first, then the earlier ones, newest first. */
export const listFileVersions = handler(
  fileOperations.listFileVersions,
  async ({ read, on, caller, query }, { links }: { links: BlobLinks }) => {
    const { top = topDefault, skip = 0 } = query;
    const { file } = on;
    const isPresentShown = skip === 0;
    const earlier = await read.all(listVersions, {
      fileId: file.id,
      top: isPresentShown ? top - 1 : top,
      skip: isPresentShown ? 0 : skip - 1,
    });
    const contents = earlier.map((version) => withContent(file, version));
    const files = isPresentShown ? [file, ...contents] : contents;
    const rendered = await renderFiles(read, { caller, links }, { files, expand: everything });
    return jsonArray(rendered.slice(0, countFitting(rendered)));
  },
);
