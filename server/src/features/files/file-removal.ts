import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Tx } from '../../db/db.ts';
import { fileIndex } from '../../db/search-index.ts';
import { orphanBelow } from '../../db/tallies.ts';
import { dropBlobs } from '../blobs/blobs.ts';
import { closeReportsOf } from '../moderation/queue.ts';
import { type ChangedItems, refreshNotifications } from '../notifications/refresh.ts';
import { endSubscriptions } from '../notifications/subscriptions.ts';
import { queueRedaction } from '../redactions/redactions.ts';
import {
  blobsOfVersions,
  deleteFiles,
  deleteTagsOfFiles,
  deleteVersions,
  filesBelow,
  filesOfApp,
  setHidden,
} from './file-removal.store.ts';

/**
 * Removes files and attachments permanently with their versions, tags and subscriptions. Comments on them are hidden at
 * once and removed later; blobs that nothing else uses are swept.
 */
export async function removeFiles(
  tx: Tx,
  files: readonly { id: number; blobId: number }[],
  at: UnixMs,
): Promise<void> {
  if (files.length === 0) return;
  const ids = files.map((file) => file.id);
  await hideBelow(tx, { type: 'file', ids, isHidden: true });
  await orphanBelow(tx, { type: 'file', ids, at });
  await queueRedaction(tx, { type: 'file', ids, at });
  await tx.run(deleteTagsOfFiles, { ids });
  await endSubscriptions(tx, { type: 'file', ids });
  await closeReportsOf(tx, { type: 'file', ids, at });
  const earlier = await tx.all(blobsOfVersions, { ids });
  await tx.run(deleteVersions, { ids });
  await tx.run(deleteFiles, { ids });
  const blobIds = [...files, ...earlier].map(({ blobId }) => blobId);
  await dropBlobs(tx, blobIds, at);
  await refreshNotifications({ tx, at }, { type: 'file', ids });
}

/**
 * Removes the first files of an app permanently, with everything below them; returns how many there were. Must run in a
 * transaction, after the app is hidden. The counts of the app are removed with the app.
 */
export async function removeFilesOfApp(
  tx: Tx,
  appId: number,
  { top, at }: { top: number; at: UnixMs },
): Promise<number> {
  const files = await tx.all(filesOfApp, { appId, top });
  if (files.length === 0) return 0;
  await removeFiles(tx, files, at);
  for (const { id } of files) tx.defer(fileIndex, { id, words: null });
  return files.length;
}

/**
 * Hides everything below some parents of one type, or shows it again: their comments, the comments on their
 * attachments, and so on down. An item that is itself in the trash keeps its state, with everything below it. Returns what
 * has comments that are concerned.
 */
export async function hideBelow(
  tx: Tx,
  parents: { type: string; ids: readonly number[]; isHidden: boolean },
): Promise<ChangedItems[]> {
  const isHidden = parents.isHidden ? 1 : 0;
  const levels: ChangedItems[] = [];
  let { type, ids } = parents;
  // One round for each level of files with comments; there is seldom more than one.
  while (ids.length > 0) {
    await tx.run(setHidden, { type, ids, isHidden });
    levels.push({ type, ids, isBelow: true });
    ids = (await tx.all(filesBelow, { type, ids })).map((file) => file.id);
    type = 'file';
  }
  return levels;
}
