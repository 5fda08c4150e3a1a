import { createInterface } from 'node:readline';
import { paddingOf, tarEnd, tarHeader } from '../features/exports/tar.ts';
import { blobName } from './copy-blob.ts';
import { Damage, fileNames, type Manifest, manifestText, parseBlobLines } from './manifest.ts';
import type { BackupPlace } from './place.ts';

/**
 * A backup as a tar archive that unpacks to a place with this one backup. The manifest comes last, as it does when a
 * backup is made, so an archive that was cut off is no finished backup. Nothing is held in memory but the piece that is
 * being sent.
 */

/** A file of an archive: its name at the place, and the size that it must have. */
type Entry = { readonly name: string; readonly bytes: number };

/** The archive of a finished backup, piece by piece. Throws `Damage` where a file is missing or has another size. */
export async function* archiveOf(place: BackupPlace, manifest: Manifest): AsyncGenerator<Buffer> {
  // The shipped log stays at the place, so a manifest that names it would make the copy look damaged.
  const { log: _log, ...own } = manifest;
  const { id, files } = own;
  const at = Date.parse(own.copied_at);
  for (const [file, { bytes }] of Object.entries(files))
    yield* entryOf(place, { name: `${id}/${file}`, bytes }, at);
  const list = await place.read(`${id}/${fileNames.blobs}`);
  if (list === undefined) throw new Damage(`${id}/${fileNames.blobs} is missing`);
  for await (const line of createInterface({ input: list }))
    for (const { key, bytes, sha256 } of parseBlobLines(line))
      if (sha256 !== undefined) yield* entryOf(place, { name: blobName(key), bytes }, at);
  const text = Buffer.from(manifestText(own));
  yield tarHeader({ name: `${id}/${fileNames.manifest}`, bytes: text.length, at });
  yield text;
  yield paddingOf(text.length);
  yield tarEnd;
}

async function* entryOf(place: BackupPlace, { name, bytes }: Entry, at: number): AsyncGenerator<Buffer> {
  const stream = await place.read(name);
  if (stream === undefined) throw new Damage(`${name} is missing`);
  yield tarHeader({ name, bytes, at });
  let bytesSent = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    bytesSent += piece.length;
    if (bytesSent > bytes) break;
    yield piece;
  }
  if (bytesSent !== bytes) throw new Damage(`${name} has another size than the backup says`);
  yield paddingOf(bytes);
}
