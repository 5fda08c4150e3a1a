import type { Tx } from '../../db/db.ts';
import { fileIndex } from '../../db/search-index.ts';
import { changeCount } from '../../db/tallies.ts';
import { append } from '../../events/events.ts';
import { timestamp } from '../../kernel/clock.ts';
import { json, jsonString } from '../../kernel/json.ts';
import { countIn } from '../access/held.ts';
import { dropBlobs } from '../blobs/blobs.ts';
import { tallyOf } from '../files/file-count.ts';
import { removeFiles } from '../files/file-removal.ts';
import type { JsonFields } from '../redactions/blank.ts';
import { actorOf } from '../users/user-json.ts';
import type { Counts, ErasingStep } from './erasures.ts';
import {
  deleteVersions,
  entryForCount,
  newestVersion,
  setAttachmentCount,
  setFileContent,
} from './walks.store.ts';

/** A file whose present content the person put in. */
type ErasedFile = {
  readonly id: number;
  readonly appId: number;
  readonly parentType: string;
  readonly parentId: number;
  readonly blobId: number;
  readonly version: number;
  readonly createdById: number;
  readonly createdAt: number;
  readonly trashedAt: number | null;
  readonly heldAt: number | null;
};

/** Removes earlier contents that the person put into files. */
export async function eraseVersions(
  tx: Tx,
  rows: readonly { readonly id: number; readonly number: number; readonly blobId: number }[],
  { at }: ErasingStep,
): Promise<Counts> {
  for (const [fileId, versions] of Map.groupBy(rows, ({ id }) => id))
    await tx.run(deleteVersions, { fileId, numbers: versions.map(({ number }) => number) });
  await dropBlobs(
    tx,
    rows.map(({ blobId }) => blobId),
    at,
  );
  return { file_versions: rows.length };
}

/**
 * Removes files whose content the person put in. A file that has an earlier content of another user gets that one back,
 * under the next number; contents of the person among the earlier ones must be removed before.
 */
export async function eraseFiles(tx: Tx, files: readonly ErasedFile[], step: ErasingStep): Promise<Counts> {
  let removed = 0;
  for (const file of files) {
    const earlier = await tx.get(newestVersion, { fileId: file.id });
    if (earlier !== undefined) {
      await tx.run(deleteVersions, { fileId: file.id, numbers: [earlier.number] });
      const { blobId, createdAt, createdById } = earlier;
      await tx.run(setFileContent, { id: file.id, blobId, contentAt: createdAt, contentById: createdById });
      await dropBlobs(tx, [file.blobId], step.at);
    } else {
      await removeFile(tx, file, step);
      removed += 1;
    }
  }
  return { files: removed, file_contents: files.length - removed };
}

async function removeFile(tx: Tx, file: ErasedFile, { at, caller }: ErasingStep): Promise<void> {
  await removeFiles(tx, [file], at);
  if (file.parentType !== 'app') {
    await countAttachmentLess(tx, file);
    return;
  }
  tx.defer(fileIndex, { id: file.id, words: null });
  const { live, trashed } = countIn(file);
  await changeCount(tx, tallyOf(file.appId), { live: -live, trashed: -trashed });
  await append(tx, {
    action: 'file_deleted',
    actor: actorOf(caller),
    appId: file.appId,
    entity: { id: file.id, json: deletedFile(file) },
    at,
  });
}

/** The file in the event of its deletion: what it was and where, without its name. */
function deletedFile({ id, appId, version, createdAt, createdById, trashedAt }: ErasedFile) {
  return json(
    `{"id":${id},"parent":{"id":${appId},"type":"app"},"app_id":${appId},"version":${version},"name":"",` +
      `"kind":"file","media_type":"application/octet-stream","size":0,"tags":[],"preview_format":"none",` +
      `"created_at":${jsonString(timestamp(createdAt))},"created_by_id":${createdById},"comment_count":0,` +
      `"comments":[],"is_subscribed":false,"is_trashed":${trashedAt !== null}}`,
  );
}

async function countAttachmentLess(tx: Tx, { parentId }: ErasedFile): Promise<void> {
  const entry = await tx.get(entryForCount, { id: parentId });
  if (entry === undefined) return;
  const attachmentCount = entry.attachmentCount - 1;
  const content = { ...(JSON.parse(entry.content) as JsonFields), attachment_count: attachmentCount };
  await tx.run(setAttachmentCount, { id: parentId, attachmentCount, content: JSON.stringify(content) });
}
