import { handler } from '../../binding/handler.ts';
import { fileOperations } from '../../contract/files.ts';
import type { Read } from '../../db/db.ts';
import { filtersOf } from '../../db/filters.ts';
import { countOf, numberOf } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { ReadableApp, Viewer } from '../access/access.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { tallyOf } from './file-count.ts';
import {
  countAllFiles,
  countFiles,
  type FileListParameters,
  type FileListShape,
  listFiles as filesOfList,
} from './file-lists.store.ts';
import { type FileView, renderFiles } from './file-view.ts';
import { scopeWord } from './file-words.ts';

/** The files of one app. */
export const listAppFiles = handler(
  fileOperations.listAppFiles,
  async (call, { links }: { links: BlobLinks }) => await list({ ...call, links }, { app: call.on }),
);

/** The files of every app that the caller can see. */
export const listFiles = handler(
  fileOperations.listFiles,
  async (call, { links }: { links: BlobLinks }) => await list({ ...call, links }, { viewer: call.on }),
);

type Listing = FileView & { readonly read: Read; readonly list: ListQuery };

/** The app that a list is of, or the viewer whose apps it is of. */
type Scope =
  | { readonly app: ReadableApp; readonly viewer?: never }
  | { readonly app?: never; readonly viewer: Viewer };

async function list(call: Listing, { app, viewer }: Scope): Promise<Json> {
  const { read, caller, list } = call;
  const filters = filtersOf(list, app === undefined ? undefined : scopeWord(app.id));
  const shape: FileListShape = {
    scope: viewer === undefined ? 'app' : viewer.isLimited ? 'visible' : 'all',
    order: list.order.field as FileListShape['order'],
    descending: list.order.descending,
    trashed: list.trashed,
    ...filters.shape,
  };
  const parameters = {
    appId: app?.id ?? 0,
    userId: caller.user.id,
    directoryId: viewer?.directoryId ?? 0,
    ...filters.parameters,
  };
  const count = list.count ? await countList(read, shape, parameters) : undefined;
  if (list.countOnly) return envelope(list, { items: [], count });
  const files = await read.all(filesOfList(JSON.stringify(shape)), parameters);
  return envelope(list, { items: await renderFiles(read, call, { files, expand: list.expand }), count });
}

/** Uses the kept counts; only with a question or a tag does the database count the matches. */
async function countList(read: Read, shape: FileListShape, parameters: FileListParameters): Promise<number> {
  if (shape.hasQuestion || shape.hasTag)
    return (await read.get(countFiles(JSON.stringify(shape)), parameters))?.count ?? 0;
  if (shape.scope === 'app') return await countOf(read, tallyOf(parameters.appId), shape.trashed);
  const { userId, directoryId } = parameters;
  const sums = await read.get(countAllFiles(shape.scope), { userId, directoryId });
  return numberOf(sums ?? { live: 0, trashed: 0 }, shape.trashed);
}
