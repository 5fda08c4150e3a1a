import { secondFormFileOperations } from 'confab-contract/second-form/files.ts';
import { handler } from '../../binding/handler.ts';
import type { BlobLinks } from '../../features/blobs/blob-links.ts';
import { listFilesOf } from '../../features/files/list.ts';
import { countVersions, renderedVersions } from '../../features/versions/list.ts';
import { envelope } from '../../kernel/page.ts';

type Links = { readonly links: BlobLinks };

/** The files of an app; a file that was never changed is sorted by when it was made. */
export const listAppFilesInSecondForm = handler(
  secondFormFileOperations.listAppFilesInSecondForm,
  async ({ read, caller, list, on }, { links }: Links) => {
    const { field, descending } = list.order;
    const order = { field: field === 'updated_at' ? 'timestamp' : field, descending };
    return await listFilesOf({ read, caller, list: { ...list, order }, links }, on);
  },
);

/** The present version first, then the earlier ones, newest first. */
export const listFileVersionsInSecondForm = handler(
  secondFormFileOperations.listFileVersionsInSecondForm,
  async ({ read, on, caller, query }, { links }: Links) => {
    const [items, count] = await Promise.all([
      renderedVersions({ read, caller, links }, on, query),
      countVersions(read, on),
    ]);
    return envelope({ skip: query.skip ?? 0, countOnly: false }, { items, count });
  },
);
