import { limits } from 'confab-contract/fields.ts';
import { invalidField } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { BlobRow } from '../../access/blob/blob.sql.ts';
import { isOwnedBy } from '../../access/lookup.ts';
import type { Read, Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { blobsByIds, claimBlobs, releaseBlobs, uncountBlobs } from './blobs.store.ts';
import { addStored, removeStored } from './stored-bytes.ts';

/**
 * Blobs are uploads and links to files stored elsewhere. One comment, post, message, file, user or app can use each blob. A
 * blob that nothing uses in time, or any longer, is swept.
 */

/** How long an unused blob is kept, in milliseconds: a day covers a text that is written over an evening. */
export const unusedMsMax = 24 * 3_600_000;

/** The owner whose blobs a caller may use; an API key may use the blobs of any user. */
function claimant(caller: Principal): { userId: number; anyones: number } {
  return { userId: caller.user.id, anyones: caller.kind === 'key' ? 1 : 0 };
}

/**
 * Claims blobs, each permanently for one item of an app, or for no app; must run in the transaction that uses them. Three
 * statements for any number. Throws `validation_failed` at `pointerOf(index)` for the first one that does not exist,
 * belongs to another user, is already in use or is listed twice, or has too many bytes, and `storage_quota_reached`. Returns their names by id.
 */
export async function useBlobs(
  tx: Tx,
  caller: Principal,
  request: {
    ids: readonly number[];
    appId: number | null;
    pointerOf: (index: number) => string;
    at: UnixMs;
    /** The most bytes of an upload; as many as most uploads may have when absent. */
    bytesMax?: number;
    /** Whether only pictures that the server has made again can be used. */
    isRemadeOnly?: boolean;
  },
): Promise<Map<number, string>> {
  const { ids, appId, pointerOf, at, bytesMax = limits.uploadBytesMax, isRemadeOnly = false } = request;
  const remadeOnly = isRemadeOnly ? 1 : 0;
  const rows = await tx.all(claimBlobs, { ids, appId, ...claimant(caller), remadeOnly, now: at });
  const names = new Map(rows.map((row) => [row.id, row.name]));
  const wrong = ids.findIndex((id, index) => !names.has(id) || ids.indexOf(id) !== index);
  if (wrong !== -1) throw invalidField(pointerOf(wrong), 'not_found', 'is no blob of yours that is free');
  const tooLarge = rows.find(({ provider, size }) => provider === null && size > bytesMax);
  if (tooLarge !== undefined)
    throw invalidField(pointerOf(ids.indexOf(tooLarge.id)), 'too_long', `has more than ${bytesMax} bytes`);
  await addStored(tx, caller, rows);
  return names;
}

/** A blob whose bytes are here, in any state; undefined for a file stored elsewhere. */
export async function findUpload(
  read: Pick<Read, 'all'>,
  id: number,
): Promise<{ readonly key: string } | undefined> {
  const [blob] = await read.all(blobsByIds, { ids: [id] });
  return blob?.provider === null ? blob : undefined;
}

/** The blobs among some that the caller may see: their own, or any with an API key. */
export async function findOwnBlobs(
  read: Pick<Read, 'all'>,
  caller: Principal,
  ids: readonly number[],
): Promise<Map<number, BlobRow>> {
  const rows = await read.all(blobsByIds, { ids });
  return new Map(rows.filter((row) => isOwnedBy(caller, row)).map((row) => [row.id, row]));
}

/** The uploads among some blobs that are texts and not empty, in the order of `ids`. */
export async function findTexts(read: Pick<Read, 'all'>, ids: readonly number[]): Promise<BlobRow[]> {
  const rows = await read.all(blobsByIds, { ids });
  return ids
    .map((id) => rows.find((row) => row.id === id))
    .filter((row) => row !== undefined)
    .filter(({ provider, mediaType, size }) => provider === null && size > 0 && isTextType(mediaType));
}

function isTextType(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json';
}

/**
 * Releases blobs: those that nothing else uses are swept soon. Must run in the transaction that removes what used them,
 * after the removal.
 */
export async function dropBlobs(tx: Tx, ids: readonly number[], at: UnixMs): Promise<void> {
  if (ids.length === 0) return;
  const released = await tx.all(releaseBlobs, { ids, at });
  const stored = released.filter(({ isCounted }) => isCounted === 1);
  if (stored.length === 0) return;
  await tx.run(uncountBlobs, { ids: stored.map(({ id }) => id) });
  await removeStored(tx, stored);
}
