import { type FileCreate, fileOperations } from 'confab-contract/files.ts';
import {
  assertMayChange,
  assertNotHeld,
  assertNotModerated,
  mayChange,
  type WritableApp,
} from '../../access/access.ts';
import type { FileRow } from '../../access/file/file.sql.ts';
import { reloadedFile } from '../../access/file/file-access.ts';
import { heldState, shown } from '../../access/held.ts';
import { assertUnlocked } from '../../access/locks.ts';
import { handler } from '../../binding/handler.ts';
import { fileIndex } from '../../db/search-index.ts';
import { changeCount } from '../../db/tallies.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import { sortKey } from '../../kernel/sort-key.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { useBlobs } from '../blobs/blobs.ts';
import { cleanName, extensionOf } from '../media/file-name.ts';
import { approvalFor } from '../moderation/approvals.ts';
import { enterQueue } from '../moderation/queue.ts';
import { subscribeAuthor } from '../notifications/subscriptions.ts';
import { systemUserId } from '../users/users.sql.ts';
import { setContent } from './file-content.ts';
import { moveCount, tallyOf } from './file-count.ts';
import { fileReaders, nameTaken, setFileTags } from './file-fields.ts';
import { queuedFile } from './file-json.ts';
import { type FileChange, fileDetail, recordFile } from './file-view.ts';
import { fileWords } from './file-words.ts';
import { fileByName, insertFile, insertFileTags, setFileState, updateFile } from './files.store.ts';
import { recordEdit } from './hold.ts';

/**
 * Files are named uploads in files apps. A file has versions and comments, and its name is unique in its app.
 */

/** A file to create, or the next version of one. Without metadata or tags, a replaced file keeps its own. */
export type FileDraft = {
  readonly blobId: number;
  readonly name: string | undefined;
  readonly metadata: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly isReplacing: boolean;
};

function draftOf(input: FileCreate): FileDraft {
  return {
    blobId: input.blob_id,
    name: input.name,
    metadata: input.metadata === undefined ? undefined : JSON.stringify(input.metadata),
    tags: input.tags,
    isReplacing: input.replace === true,
  };
}

const prepare = (input: Input<FileCreate>) => input.read(fileReaders).map(draftOf);

/** Creates a file from an upload (201), or the next version of the file with the same name (200). */
export const createFile = handler(
  fileOperations.createFile,
  prepare,
  async (call, { links }: { links: BlobLinks }) => {
    const { tx, on: app, caller, body: draft, at } = call;
    const change = { ...call, links };
    const used = { ids: [draft.blobId], appId: app.id, pointerOf: () => '/blob_id', at };
    const names = await useBlobs(tx, caller, used);
    const name = draft.name ?? names.get(draft.blobId) ?? '';
    const old = await tx.get(fileByName, { userId: caller.user.id, appId: app.id, name });
    if (old === undefined) {
      return { status: 201, body: (await insertNamed(change, app, { ...draft, name })).detail };
    }
    // A file in the trash comes back without `replace`, but only for a caller who may change it.
    const isWanted = draft.isReplacing || (old.trashedAt !== null && mayChange(caller, app, old));
    if (!isWanted) throw nameTaken(name);
    assertMayChange(caller, app, old);
    assertNotModerated(caller, old);
    assertNotHeld(old);
    assertUnlocked(app, at, old);
    return { status: 200, body: await replace(change, app, { old, draft }) };
  },
);

/**
 * Creates a file from an upload under its name, or under the next free one (`plan (2).pdf`); returns its id. An import uses
 * it, for an app that was here before can have a file of that name.
 */
export async function addFile(
  change: FileChange,
  app: WritableApp,
  draft: Pick<FileDraft, 'blobId' | 'metadata' | 'tags'> & { readonly name: string },
): Promise<number> {
  const { tx, caller, at } = change;
  await useBlobs(tx, caller, { ids: [draft.blobId], appId: app.id, pointerOf: () => '/blob_id', at });
  const cleaned = cleanName(draft.name) ?? 'file';
  const extension = extensionOf(cleaned);
  const stem = extension === '' ? cleaned : cleaned.slice(0, -extension.length - 1);
  let name = cleaned;
  for (
    let number = 2;
    (await tx.get(fileByName, { userId: caller.user.id, appId: app.id, name })) !== undefined;
    number += 1
  )
    name = `${stem} (${number})${extension === '' ? '' : `.${extension}`}`;
  return (await insertNamed(change, app, { ...draft, name })).id;
}

/** Creates a file whose blob is claimed; returns its id and the file in full. Throws `name_taken`. */
async function insertNamed(
  change: FileChange,
  app: WritableApp,
  draft: Pick<FileDraft, 'blobId' | 'metadata' | 'tags'> & { readonly name: string },
): Promise<{ readonly id: number; readonly detail: Json }> {
  const { tx, caller, at, isSilent = false } = change;
  const { blobId, name, tags = [] } = draft;
  const row = await tx.get(insertFile, {
    appId: app.id,
    blobId,
    name,
    nameKey: sortKey(name),
    metadata: draft.metadata ?? null,
    tags: JSON.stringify(tags),
    at,
    userId: caller.user.id,
  });
  if (row === undefined) throw nameTaken(name);
  tx.defer(fileIndex, { id: row.id, words: fileWords(app.id, name), isNew: true });
  if (tags.length > 0) await tx.run(insertFileTags, { id: row.id, appId: app.id, tags });
  const reason = await approvalFor(tx, caller, app);
  if (reason !== undefined)
    await tx.run(setFileState, {
      id: row.id,
      ...heldState(reason, { byId: systemUserId, at, isUnannounced: 1 }),
    });
  await changeCount(tx, tallyOf(app.id), { live: reason === undefined ? 1 : 0, trashed: 0 });
  if (!isSilent) await subscribeAuthor(tx, caller, { type: 'file', id: row.id });
  const file = await reloadedFile(tx, caller, row.id);
  if (reason !== undefined) await enterQueue(change, queuedFile(file), { reason });
  const recorded = recordFile(change, reason === undefined ? 'file_created' : 'file_held', file);
  const [detail] = await Promise.all([fileDetail(tx, change, file), recorded]);
  return { id: row.id, detail };
}

/** Adds the next version of a file and keeps the earlier one; this restores a file in the trash. */
async function replace(
  change: FileChange,
  app: WritableApp,
  { old, draft }: { readonly old: FileRow; readonly draft: FileDraft },
): Promise<Json> {
  const { tx, caller, at } = change;
  await setContent(change, old, { blobId: draft.blobId, isKept: true });
  await tx.run(updateFile, {
    id: old.id,
    name: old.name,
    nameKey: sortKey(old.name),
    metadata: draft.metadata ?? old.metadata,
    tags: draft.tags === undefined ? old.tags : JSON.stringify(draft.tags),
    modifiedAt: at,
    modifiedById: caller.user.id,
  });
  if (draft.tags !== undefined) await setFileTags(tx, old, draft.tags);
  const isBack = old.trashedAt !== null;
  if (isBack) await moveCount(change, old, shown);
  return await recordEdit(change, app, {
    file: await reloadedFile(tx, caller, old.id),
    action: isBack ? 'file_restored' : 'file_updated',
  });
}
