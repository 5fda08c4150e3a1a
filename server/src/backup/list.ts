import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import { Damage, findManifest, type Manifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { findHead } from './segment.ts';

/** A backup in a list. What a damaged or unfinished one holds is unknown. */
export type BackupEntry = {
  readonly id: string;
  readonly state: 'whole' | 'unfinished' | 'damaged';
  readonly moment?: Manifest['moment'];
  /** The size of its own files; blobs are shared. */
  readonly bytes?: number;
  readonly blobs?: number;
  readonly blob_bytes?: number;
  readonly key?: Manifest['key'];
  /** Until when a store can be restored that goes on from it, where the log was shipped. */
  readonly until?: string;
};

/** Lists the newest backups, at most `top`, the oldest of them first. `whole` means that the manifest is; `verify` checks the rest. */
export async function listBackups(
  place: BackupPlace,
  top: number = Number.POSITIVE_INFINITY,
): Promise<BackupEntry[]> {
  const entries: BackupEntry[] = [];
  for (const id of (await place.ids()).slice(-top)) entries.push(await entryOf(place, id));
  return entries;
}

async function entryOf(place: BackupPlace, id: string): Promise<BackupEntry> {
  try {
    const manifest = await findManifest(place, id);
    if (manifest === undefined) return { id, state: 'unfinished' };
    const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0);
    const { moment, blobs, key } = manifest;
    const entry: BackupEntry = {
      id,
      state: 'whole',
      moment,
      bytes,
      blobs: blobs.count,
      blob_bytes: blobs.bytes,
      key,
    };
    const head = manifest.log === undefined ? undefined : await findHead(place.log, manifest.log.run);
    return head === undefined || head.last <= (manifest.log?.after ?? 0)
      ? entry
      : { ...entry, until: head.complete_to };
  } catch (error) {
    if (error instanceof Damage) return { id, state: 'damaged' };
    throw error;
  }
}

/**
 * The id of the newest finished backup of a time before `at`. Throws an Error for the operator when there is none, and
 * `Damage` for a damaged manifest.
 */
export async function lastBefore(place: BackupPlace, at: UnixMs): Promise<string> {
  for (const id of (await place.ids()).toReversed()) {
    const manifest = await findManifest(place, id);
    if (manifest !== undefined && Date.parse(manifest.copied_at) <= at) return id;
  }
  throw new Error(`there is no finished backup of a time before ${timestamp(at)}`);
}

/**
 * The id of the newest finished backup. Throws an Error for the operator when there is none; a damaged manifest throws
 * `Damage`, so that an older backup is never taken for the newest.
 */
export async function lastFinished(place: BackupPlace): Promise<string> {
  for (const id of (await place.ids()).toReversed())
    if ((await findManifest(place, id)) !== undefined) return id;
  throw new Error('there is no finished backup');
}
