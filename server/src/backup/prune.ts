import { text } from 'node:stream/consumers';
import { blobName } from './copy-blob.ts';
import { fileNames, findManifest, type Manifest, parseBlobLines, readBlobLines } from './manifest.ts';
import { type BackupPlace, forEachOf } from './place.ts';
import { findHead, headName, readSegment, runKeyName, segmentName } from './segment.ts';

/** How many blobs are removed at the same time. */
const blobsRunningMax = 8;

/** The result of pruning. */
export type Pruned = {
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly removedBlobs: number;
};

/**
 * Keeps the newest `keep` finished backups, at least one, and removes all others with the blobs that only they have.
 * Unfinished backups are removed too, so no backup may be running. A pruning that was stopped is continued by the next.
 * Throws `Damage` if a damaged manifest or list leaves unknown which blobs a backup has.
 */
export async function pruneBackups(place: BackupPlace, keep: number): Promise<Pruned> {
  const finished: Manifest[] = [];
  const ids = await place.ids();
  for (const id of ids) {
    const manifest = await findManifest(place, id);
    if (manifest !== undefined) finished.push(manifest);
  }
  const keeping = finished.slice(-keep);
  const remaining = keeping.map(({ id }) => id);
  const removed = ids.filter((id) => !remaining.includes(id));
  if (removed.length === 0) return { removed, kept: remaining, removedBlobs: 0 };
  const usedBlobs = new Set<string>();
  for (const manifest of keeping)
    for (const { key } of await readBlobLines(place, manifest)) usedBlobs.add(key);
  let removedBlobs = 0;
  for (const id of removed) {
    // Without its manifest it is no backup any more. The lists go last: they say which blobs are to be removed.
    await place.remove(`${id}/${fileNames.manifest}`);
    const unused = (await blobKeysOf(place, id)).filter((key) => !usedBlobs.has(key));
    await forEachOf(unused, blobsRunningMax, async (key) => {
      await place.remove(blobName(key));
      // Another removed backup may list it as well.
      usedBlobs.add(key);
      removedBlobs += 1;
    });
    for (const name of [fileNames.database, fileNames.key, fileNames.begun, fileNames.blobs])
      await place.remove(`${id}/${name}`);
    await place.forget(id);
  }
  return {
    removed,
    kept: remaining,
    removedBlobs: removedBlobs + (await pruneLog(place, { keeping, used: usedBlobs })),
  };
}

/** Removes the segments that no kept backup needs, with the blobs that only they have; returns how many blobs. */
async function pruneLog(
  place: BackupPlace,
  { keeping, used }: { readonly keeping: readonly Manifest[]; readonly used: ReadonlySet<string> },
): Promise<number> {
  const { log } = place;
  const starts = keeping.flatMap(({ log: start }) => (start === undefined ? [] : [start]));
  const runs = await log.ids();
  let removedBlobs = 0;
  for (const run of runs) {
    const needed = starts.filter((start) => start.run === run).map(({ after }) => after);
    const head = await findHead(log, run);
    if (head === undefined) continue;
    // Without a backup a run is of no use, unless the first one of the newest run is still being made.
    const isOver = keeping.some(({ moment }) => Date.parse(moment.time) > Date.parse(head.complete_to));
    if (needed.length === 0 && run === runs.at(-1) && !isOver) continue;
    const upTo = needed.length === 0 ? head.last : Math.min(...needed);
    let first = upTo;
    while (first > 0 && (await log.sizeOf(segmentName(run, first))) !== undefined) first -= 1;
    // The first go first, so that those that are left have no gap.
    for (let number = first + 1; number <= upTo; number += 1) {
      const { facts } = await readSegment(log, run, number);
      for (const { key } of facts.blobs.filter(({ key }) => !used.has(key))) {
        await place.remove(blobName(key));
        removedBlobs += 1;
      }
      await log.remove(segmentName(run, number));
    }
    if (needed.length > 0) continue;
    // The head may not know of the very last segment.
    for (const name of [segmentName(run, head.last + 1), runKeyName(run), headName(run)])
      await log.remove(name);
    await log.forget(run);
  }
  return removedBlobs;
}

/** The keys of the blobs that a backup lists, as far as it was made. */
async function blobKeysOf(place: BackupPlace, id: string): Promise<string[]> {
  const lists = await Promise.all(
    [fileNames.begun, fileNames.blobs].map(async (name) => await place.read(`${id}/${name}`)),
  );
  const texts = await Promise.all(lists.map(async (list) => (list === undefined ? '' : await text(list))));
  return texts.flatMap((content) => parseBlobLines(content).map(({ key }) => key));
}
