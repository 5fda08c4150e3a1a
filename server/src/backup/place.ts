import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * The place of backups: a folder (`folder-place.ts`) or a bucket (`bucket-place.ts`). It has a folder for each backup,
 * named by its id, and `blobs/` with the bytes of blobs, which all backups share: a blob never changes.
 */
export type BackupPlace = {
  /** The ids of all backups, the oldest first; also of those that were begun and not finished. */
  ids(): Promise<string[]>;
  /** Records that a backup begins, before any file of it is stored. */
  begin(id: string): Promise<void>;
  /** Removes the record of a backup after all its files were removed. */
  forget(id: string): Promise<void>;
  /** Moves a file of the spool to a name, whole or not at all, durably once it returns. */
  put(name: string, path: string): Promise<void>;
  /** Reads a file; undefined when there is none. */
  read(name: string): Promise<Readable | undefined>;
  /** The size of a file in bytes; undefined when there is none. */
  sizeOf(name: string): Promise<number | undefined>;
  /** Removes a file if it exists. */
  remove(name: string): Promise<void>;
  /** The folder `log` of the place, with an `ids` of its own: the runs of shipped segments (`segment.ts`). Not held. */
  readonly log: BackupPlace;
  /** The folder of this machine where files are written before they move to the place. */
  readonly spool: string;
  close(): Promise<void>;
};

/** A size in bytes with the SHA-256 in hexadecimal digits. */
export type Digest = { readonly bytes: number; readonly sha256: string };

/** The size and checksum of a stream, which is read to its end; each piece goes to `onPiece` as well. */
export async function digestOf(stream: AsyncIterable<Uint8Array>): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stream) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Writes a stream to a file of this user alone, and returns what was written. */
export async function writeDigested(stream: Readable, path: string): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    stream,
    async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    },
    createWriteStream(path, { mode: 0o600, flush: true }),
  );
  return { bytes, sha256: hash.digest('hex') };
}

/** Puts a finished file of the spool, and returns its size and checksum. */
export async function putDigested(place: BackupPlace, name: string, path: string): Promise<Digest> {
  const digest = await digestOf(createReadStream(path));
  await place.put(name, path);
  return digest;
}

/** A path in the spool for the file that becomes `name`. */
export function spoolPath(place: BackupPlace, name: string): string {
  return join(place.spool, name.replaceAll('/', '-'));
}

/** Does `work` for each item, at most `runningMax` at a time; the first failure ends it. */
export async function forEachOf<T>(
  items: Iterable<T>,
  runningMax: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const run = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: runningMax }, run));
}
