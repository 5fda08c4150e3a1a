import type { FilePatch } from '../../contract/files.ts';
import type { Clearable } from '../../contract/operation.ts';
import type { Db, Tx } from '../../db/db.ts';
import { fileIndex } from '../../db/search-index.ts';
import { changeCount } from '../../db/tallies.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sortKey } from '../../kernel/fold.ts';
import type { Input } from '../../kernel/input.ts';
import { isSameJson, type Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { Problem } from '../../kernel/problem.ts';
import { searchWords } from '../../kernel/search.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import type { FileRow } from '../access/file.sql.ts';
import { readName } from '../blobs/blob-name.ts';
import { dropBlobs, useBlobs } from '../blobs/blobs.ts';
import { removeFiles } from './attachments.ts';
import { keepVersion } from './file-versions.store.ts';
import { everything, type FileView } from './file-view.ts';
import {
  deleteFileTags,
  deleteSubscription,
  fileByName,
  insertFileTags,
  insertSubscription,
  replaceContent,
  updateFile,
} from './files.store.ts';

/** The word that the files of one app have in the search index; U+E000 cannot come from anyone's text. */
export function scopeWord(appId: number): string {
  return `\uE000fileapp${appId}`;
}

/** The words that a file of an app is found by. */
export function fileWords(appId: number, name: string): string {
  return `${scopeWord(appId)} ${searchWords(name)}`;
}

/** What counts the files of an app. */
export function tallyOf(appId: number) {
  return { parentType: 'app', parentId: appId, kind: 'file', appId };
}

/** The error for a name that another file of the app has. */
export function nameTaken(name: string): Problem {
  return new Problem('name_taken', `There is a file named "${name}" in this app.`);
}

/** Replaces the tags that a file is found by. */
export async function setFileTags(
  tx: Tx,
  { id, appId }: Pick<FileRow, 'id' | 'appId'>,
  tags: readonly string[],
): Promise<void> {
  await tx.run(deleteFileTags, { id });
  if (tags.length > 0) await tx.run(insertFileTags, { id, appId, tags });
}

/** What a file is changed to, prepared; what is absent stays. */
type Change = {
  readonly blobId: number | undefined;
  readonly isKept: boolean;
  readonly name: string | undefined;
  readonly metadata: string | null | undefined;
  readonly tags: readonly string[] | undefined;
};

/** The readers of what a body says about a file. */
export const fileReaders = { name: readName, tags: normaliseTags } as const;

function prepareChange(sent: Clearable<FilePatch>): Change {
  return {
    blobId: sent.blob_id ?? undefined,
    isKept: sent.backup === true,
    name: sent.name ?? undefined,
    metadata:
      sent.metadata === undefined || sent.metadata === null ? sent.metadata : JSON.stringify(sent.metadata),
    tags: sent.tags === undefined ? undefined : (sent.tags ?? []),
  };
}

/** The part of the files feature that changes and deletes files and subscribes to them. */
export function createFileChanges({ db, clock, view }: { db: Db; clock: Clock; view: FileView }) {
  const { editableFile, readableFile, record, reload, removableFile, renderOne } = view;

  /** Gives a file another content; the one before is kept as a version or let go. */
  async function changeContent(
    tx: Tx,
    principal: Principal,
    file: FileRow,
    { blobId, isKept }: { blobId: number; isKept: boolean },
  ): Promise<void> {
    const at = clock.now();
    await useBlobs(tx, principal, { ids: [blobId], pointerOf: () => '/blob_id', at });
    if (isKept) await tx.run(keepVersion, { fileId: file.id });
    await tx.run(replaceContent, { id: file.id, blobId, at, userId: principal.user.id });
    await dropBlobs(tx, [file.blobId], at);
  }

  async function changeWords(
    tx: Tx,
    principal: Principal,
    file: FileRow,
    next: Pick<FileRow, 'name' | 'metadata' | 'tags'>,
  ): Promise<void> {
    const { name, metadata, tags } = next;
    if (name !== file.name) {
      const other = await tx.get(fileByName, { userId: principal.user.id, appId: file.appId, name });
      if (other !== undefined) throw nameTaken(name);
      tx.later(fileIndex, { id: file.id, words: fileWords(file.appId, name) });
    }
    const { id } = file;
    await tx.run(updateFile, {
      id,
      name,
      nameKey: sortKey(name),
      metadata,
      tags,
      at: clock.now(),
      userId: principal.user.id,
    });
    if (tags !== file.tags) await setFileTags(tx, file, JSON.parse(tags) as string[]);
  }

  async function setSubscribed(principal: Principal, id: number, isSubscribed: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const { file } = await readableFile(tx, principal, id);
      if ((file.isSubscribed === 1) === isSubscribed) return await renderOne(tx, principal, file, everything);
      const subscription = { userId: principal.user.id, id };
      if (isSubscribed) await tx.run(insertSubscription, subscription);
      else await tx.run(deleteSubscription, subscription);
      const changed = await reload(tx, principal, id);
      const action = isSubscribed ? 'file_subscribed' : 'file_unsubscribed';
      await record(tx, principal, changed, { action, at: clock.now() });
      return await renderOne(tx, principal, changed, everything);
    });
  }

  return {
    /** A body that changes nothing is no edit and no event. */
    async updateFile(principal: Principal, id: number, input: Input<Clearable<FilePatch>>): Promise<Json> {
      const prepared = input.read(fileReaders).map(prepareChange);
      return await db.write(async (tx) => {
        const file = await editableFile(tx, principal, id);
        const { blobId, isKept, ...sent } = prepared.valid();
        const next = {
          name: sent.name ?? file.name,
          metadata: sent.metadata === undefined ? file.metadata : sent.metadata,
          tags: sent.tags === undefined ? file.tags : JSON.stringify(sent.tags),
        };
        const isSaid =
          next.name !== file.name || !isSameJson(next.metadata, file.metadata) || next.tags !== file.tags;
        if (!isSaid && blobId === undefined) return await renderOne(tx, principal, file, everything);
        // The content first, because a version has the name that the file had.
        if (blobId !== undefined) await changeContent(tx, principal, file, { blobId, isKept });
        if (isSaid) await changeWords(tx, principal, file, next);
        const changed = await reload(tx, principal, id);
        await record(tx, principal, changed, { action: 'file_updated', at: clock.now() });
        return await renderOne(tx, principal, changed, everything);
      });
    },

    /** Deletes a file for good with its versions and comments, in the trash or not. */
    async deleteFile(principal: Principal, id: number): Promise<undefined> {
      await db.write(async (tx) => {
        const file = await removableFile(tx, principal, id, 'any');
        const at = clock.now();
        await record(tx, principal, file, { action: 'file_deleted', at });
        await removeFiles(tx, [file], at);
        tx.later(fileIndex, { id, words: null });
        const isTrashed = file.trashedAt !== null;
        await changeCount(tx, tallyOf(file.appId), {
          live: isTrashed ? 0 : -1,
          trashed: isTrashed ? -1 : 0,
        });
      });
    },

    subscribeFile: async (principal: Principal, id: number) => await setSubscribed(principal, id, true),
    unsubscribeFile: async (principal: Principal, id: number) => await setSubscribed(principal, id, false),
  };
}
