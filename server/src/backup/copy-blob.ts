import type { Readable } from 'node:stream';
import { storedName } from '../storage/storage.ts';
import { type BackupPlace, type Digest, digestOf, spoolPath, writeDigested } from './place.ts';

/** Where blobs are read for a backup. */
export type BlobSource = {
  /** Reads a blob of the store; undefined when it has no bytes. */
  readonly readBlob: (key: string) => Promise<Readable | undefined>;
};

/** The name of a blob at a place of backups. */
export function blobName(key: string): string {
  return `blobs/${storedName({ key })}`;
}

/**
 * Has a blob at the place, copying it unless it is there; `known` are the checksums of blobs that are. `digest` is
 * undefined when the store does not have its bytes.
 */
export async function copyBlob(
  { key, size }: { readonly key: string; readonly size: number },
  { source, place, known }: { source: BlobSource; place: BackupPlace; known: ReadonlyMap<string, string> },
): Promise<{ readonly digest: Digest | undefined; readonly isNew: boolean }> {
  const name = blobName(key);
  if ((await place.sizeOf(name)) === size) {
    const sha256 = known.get(key);
    if (sha256 !== undefined) return { digest: { bytes: size, sha256 }, isNew: false };
    const stored = await place.read(name);
    if (stored !== undefined) return { digest: await digestOf(stored), isNew: false };
  }
  const stream = await source.readBlob(key);
  if (stream === undefined) return { digest: undefined, isNew: false };
  const path = spoolPath(place, key);
  const digest = await writeDigested(stream, path);
  await place.put(name, path);
  return { digest, isNew: true };
}
