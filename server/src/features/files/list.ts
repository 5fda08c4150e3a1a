import { fileOperations } from 'confab-contract/files.ts';
import type { ReadableApp, Viewer } from '../../access/access.ts';
import { handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import { searchFilters } from '../../db/filters.ts';
import { readList } from '../../db/list.ts';
import { countOf, numberOf } from '../../db/tallies.ts';
import { envelope, type ListQuery, type PageAnswer, type Trashed } from '../../kernel/page.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { tallyOf } from './file-count.ts';
import { countAllFiles, fileList } from './file-lists.store.ts';
import { type FileView, renderFiles } from './file-view.ts';
import { scopeWord } from './file-words.ts';

/** The files of one app. */
export const listAppFiles = handler(
  fileOperations.listAppFiles,
  async (call, { links }: { links: BlobLinks }) => await listFilesOf({ ...call, links }, call.on),
);

/** The files of every app that the caller can see. */
export const listFiles = handler(
  fileOperations.listFiles,
  async (call, { links }: { links: BlobLinks }) => await list({ ...call, links }, { viewer: call.on }),
);

/** A page of the files of an app. */
export async function listFilesOf(call: Listing, app: ReadableApp): Promise<PageAnswer> {
  return await list(call, { app });
}

type Listing = FileView & { readonly read: Read; readonly list: ListQuery };

/** The app of a list, or the viewer whose apps it covers. */
type Scope =
  | { readonly app: ReadableApp; readonly viewer?: never }
  | { readonly app?: never; readonly viewer: Viewer };

async function list(call: Listing, scope: Scope): Promise<PageAnswer> {
  const { app, viewer } = scope;
  const { read, caller, list } = call;
  const words = searchFilters(list, app === undefined ? undefined : [scopeWord(app.id)]);
  const isPlain = !words.settings.hasQuestion && !words.settings.hasTag;
  const {
    rows: files,
    count,
    next,
  } = await readList(read, fileList, {
    list,
    settings: {
      scope: viewer === undefined ? 'app' : viewer.isLimited ? 'visible' : 'all',
      trashed: list.trashed,
      ...words.settings,
    },
    parameters: {
      appId: app?.id ?? 0,
      userId: caller.user.id,
      directoryId: viewer?.directoryId ?? 0,
      ...words.parameters,
    },
    storedCount: isPlain ? () => countFiles(read, scope, list.trashed) : undefined,
  });
  if (list.countOnly) return envelope(list, { items: [], count });
  return envelope(list, {
    items: await renderFiles(read, call, { files, expand: list.expand }),
    count,
    next,
  });
}

/** How many files there are, from the stored counts. */
async function countFiles(read: Read, { app, viewer }: Scope, trashed: Trashed): Promise<number> {
  if (viewer === undefined) return await countOf(read, tallyOf(app.id), trashed);
  const sums = await read.get(countAllFiles(viewer.isLimited ? 'visible' : 'all'), {
    userId: viewer.userId,
    directoryId: viewer.directoryId,
  });
  return numberOf(sums ?? { live: 0, trashed: 0 }, trashed);
}
