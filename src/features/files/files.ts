import type { FileCreate } from '../../contract/files.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { filtersOf } from '../../db/filters.ts';
import { fileIndex } from '../../db/search-index.ts';
import { changeCount, countOf, numberOf } from '../../db/tallies.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sortKey } from '../../kernel/fold.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';
import {
  assertMayChange,
  assertMayRemove,
  assertNotModerated,
  asWritable,
  mayChange,
  type ReadableApp,
  readableApp,
  takesOver,
  viewerOf,
  type WritableApp,
  writableApp,
} from '../access/access.ts';
import type { FileRow } from '../access/file.sql.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { useBlobs } from '../blobs/blobs.ts';
import { subscribeAuthor } from '../subscriptions/subscriptions.ts';
import { hideBelow } from './attachments.ts';
import {
  createFileChanges,
  fileReaders,
  fileWords,
  nameTaken,
  scopeWord,
  setFileTags,
  tallyOf,
} from './file-changes.ts';
import { keepVersion } from './file-versions.store.ts';
import { createFileVersions } from './file-versions.ts';
import { createFileView, everything } from './file-view.ts';
import {
  countAllFiles,
  countFiles,
  type FileListParameters,
  type FileListShape,
  fileByName,
  insertFile,
  insertFileTags,
  listFiles,
  replaceContent,
  setFileTrashed,
  updateFile,
} from './files.store.ts';

/** What a file is created with, prepared. Absent metadata and tags leave those of a file that is replaced. */
type Draft = {
  readonly blobId: number;
  readonly name: string | undefined;
  readonly metadata: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly isReplacing: boolean;
};

function prepareFile(sent: FileCreate): Draft {
  return {
    blobId: sent.blob_id,
    name: sent.name,
    metadata: sent.metadata === undefined ? undefined : JSON.stringify(sent.metadata),
    tags: sent.tags,
    isReplacing: sent.replace === true,
  };
}

/** What the files feature does; see the operations of the same names. */
export type Files = ReturnType<typeof createFiles>;

/** The files feature: named uploads in files apps; attachments are files that belong to comments and posts. */
export function createFiles({ db, clock, links }: { db: Db; clock: Clock; links: BlobLinks }) {
  const view = createFileView(links);
  const { readableFile, record, reload, renderOne } = view;

  async function insert(
    tx: Tx,
    principal: Principal,
    app: WritableApp,
    draft: Draft & { name: string },
  ): Promise<FileRow> {
    const { blobId, name, tags = [] } = draft;
    const at = clock.now();
    const row = await tx.get(insertFile, {
      appId: app.id,
      blobId,
      name,
      nameKey: sortKey(name),
      metadata: draft.metadata ?? null,
      tags: JSON.stringify(tags),
      at,
      userId: principal.user.id,
    });
    if (row === undefined) throw nameTaken(name);
    tx.later(fileIndex, { id: row.id, words: fileWords(app.id, name), isNew: true });
    if (tags.length > 0) await tx.run(insertFileTags, { id: row.id, appId: app.id, tags });
    await changeCount(tx, tallyOf(app.id), { live: 1, trashed: 0 });
    await subscribeAuthor(tx, principal, { type: 'file', id: row.id });
    const file = await reload(tx, principal, row.id);
    await record(tx, principal, file, { action: 'file_created', at });
    return file;
  }

  /** Gives a file its next version and keeps the earlier one; one in the trash comes back with it. */
  async function replace(tx: Tx, principal: Principal, old: FileRow, draft: Draft): Promise<FileRow> {
    const at = clock.now();
    const userId = principal.user.id;
    await tx.run(keepVersion, { fileId: old.id });
    await tx.run(replaceContent, { id: old.id, blobId: draft.blobId, at, userId });
    await tx.run(updateFile, {
      id: old.id,
      name: old.name,
      nameKey: sortKey(old.name),
      metadata: draft.metadata ?? old.metadata,
      tags: draft.tags === undefined ? old.tags : JSON.stringify(draft.tags),
      at,
      userId,
    });
    if (draft.tags !== undefined) await setFileTags(tx, old, draft.tags);
    const isBack = old.trashedAt !== null;
    if (isBack) await moveCount(tx, old, { isTrashed: false });
    const file = await reload(tx, principal, old.id);
    await record(tx, principal, file, { action: isBack ? 'file_restored' : 'file_updated', at });
    return file;
  }

  async function setTrashed(principal: Principal, id: number, isTrashed: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const { file, app } = await readableFile(tx, principal, id, 'any');
      assertMayRemove(principal, app, file);
      if (!isTrashed) assertNotModerated(principal, file);
      if (file.parentType !== 'app')
        throw invalidField('', 'attachment', 'is an attachment: edit what it belongs to instead');
      const isMoved = (file.trashedAt !== null) !== isTrashed;
      if (!isMoved && !takesOver(principal, file)) return await renderOne(tx, principal, file, everything);
      const at = clock.now();
      const trashedAt = isTrashed ? (file.trashedAt ?? at) : null;
      await tx.run(setFileTrashed, { id, trashedAt, trashedById: isTrashed ? principal.user.id : null });
      if (isMoved) await moveCount(tx, file, { isTrashed });
      const changed = await reload(tx, principal, id);
      await record(tx, principal, changed, { action: isTrashed ? 'file_trashed' : 'file_restored', at });
      return await renderOne(tx, principal, changed, everything);
    });
  }

  return {
    ...createFileChanges({ db, clock, view }),
    ...createFileVersions({ db, clock, view }),

    /** Answers whether the file was made, or else got a new version. */
    async createFile(
      principal: Principal,
      ref: Ref,
      input: Input<FileCreate>,
    ): Promise<{ isNew: boolean; body: Json }> {
      const prepared = input.read(fileReaders).map(prepareFile);
      return await db.write(async (tx) => {
        const app = await writableApp(tx, principal, ref);
        if (app.type !== 'files')
          throw invalidField('', 'app_type', `cannot be a file in an app of type ${app.type}`);
        const draft = prepared.valid();
        const names = await useBlobs(tx, principal, {
          ids: [draft.blobId],
          pointerOf: () => '/blob_id',
          at: clock.now(),
        });
        const name = draft.name ?? names.get(draft.blobId) ?? '';
        const old = await tx.get(fileByName, { userId: principal.user.id, appId: app.id, name });
        if (old === undefined) {
          const file = await insert(tx, principal, app, { ...draft, name });
          return { isNew: true, body: await renderOne(tx, principal, file, everything) };
        }
        // A file in the trash comes back unasked, but only for those who may change it.
        const isAsked = draft.isReplacing || (old.trashedAt !== null && mayChange(principal, app, old));
        if (!isAsked) throw nameTaken(name);
        assertMayChange(principal, app, old);
        assertNotModerated(principal, old);
        const file = await replace(tx, principal, old, draft);
        return { isNew: false, body: await renderOne(tx, principal, file, everything) };
      });
    },

    async getFile(principal: Principal, id: number, query: { trashed?: boolean }): Promise<Json> {
      const { file } = await readableFile(db.read, principal, id, query.trashed === true ? 'any' : 'live');
      return await renderOne(db.read, principal, file, everything);
    },

    async listAppFiles(principal: Principal, ref: Ref, list: ListQuery): Promise<Json> {
      const app = await readableApp(db.read, principal, ref);
      return await listFilesOf(await db.readForList(), principal, app, list);
    },

    listFiles: async (principal: Principal, list: ListQuery) =>
      await listFilesOf(db.read, principal, undefined, list),

    trashFile: async (principal: Principal, id: number) => await setTrashed(principal, id, true),
    restoreFile: async (principal: Principal, id: number) => await setTrashed(principal, id, false),

    /** The file as a place for comments; throws `not_found` or `write_forbidden`. */
    async writable(read: Read, principal: Principal, id: number) {
      const { app } = await readableFile(read, principal, id);
      return { app: asWritable(app), parentType: 'file', parentId: id } as const;
    },

    /** Throws `not_found` unless the caller may see the file. */
    async readable(read: Read, principal: Principal, id: number): Promise<void> {
      await readableFile(read, principal, id);
    },
  };

  /** The files of an app, whose readability the caller has settled, or of all apps the caller may see. */
  async function listFilesOf(
    read: Read,
    principal: Principal,
    app: ReadableApp | undefined,
    list: ListQuery,
  ): Promise<Json> {
    const viewer = viewerOf(principal);
    const scope = app === undefined ? undefined : scopeWord(app.id);
    const filters = filtersOf(list, scope);
    const shape: FileListShape = {
      scope: app !== undefined ? 'app' : viewer === undefined ? 'all' : 'visible',
      order: list.order.field as FileListShape['order'],
      descending: list.order.descending,
      trashed: list.trashed,
      ...filters.shape,
    };
    const parameters = {
      appId: app?.id ?? 0,
      userId: principal.user.id,
      directoryId: viewer?.directoryId ?? 0,
      ...filters.parameters,
    };
    const count = list.count ? await countList(read, shape, parameters) : undefined;
    if (list.countOnly) return envelope(list, { items: [], count });
    const rows = await read.all(listFiles(JSON.stringify(shape)), parameters);
    return envelope(list, { items: await view.renderFiles(read, principal, rows, list.expand), count });
  }
}

/** Counts a file among those in the trash or those that are not, and takes its comments along. */
async function moveCount(tx: Tx, file: FileRow, { isTrashed }: { isTrashed: boolean }): Promise<void> {
  const sign = isTrashed ? 1 : -1;
  await changeCount(tx, tallyOf(file.appId), { live: -sign, trashed: sign });
  await hideBelow(tx, { type: 'file', ids: [file.id], isHidden: isTrashed });
}

/** From the maintained counts; only a question or a tag makes the database count what matches. */
async function countList(read: Read, shape: FileListShape, parameters: FileListParameters): Promise<number> {
  if (shape.hasQuestion || shape.hasTag)
    return (await read.get(countFiles(JSON.stringify(shape)), parameters))?.count ?? 0;
  if (shape.scope === 'app') return await countOf(read, tallyOf(parameters.appId), shape.trashed);
  const { userId, directoryId } = parameters;
  const sums = await read.get(countAllFiles(shape.scope), { userId, directoryId });
  return numberOf(sums ?? { live: 0, trashed: 0 }, shape.trashed);
}
