import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type DatabaseCopy, openCopy } from '../db/sqlite-copies.ts';
import { storedName } from '../storage/storage.ts';
import { type BlobLine, Damage, fileNames, findManifest, type Manifest, parseBlobLines } from './manifest.ts';
import { type BackupPlace, type Digest, digestOf, forEachOf, writeDigested } from './place.ts';

/** Brings a backup to a folder of this machine and checks everything in it. */

/** How many blobs are read at the same time. */
const blobsRunningMax = 8;

/** What fetching takes. */
export type FetchOptions = {
  readonly place: BackupPlace;
  readonly id: string;
  /** Where the database goes, and the list of blobs and the sealed key beside it. */
  readonly folder: string;
  /** Keeps a blob and returns what was read; by default blobs are only read. */
  readonly keepBlob?: (line: BlobLine, bytes: Readable) => Promise<Digest>;
};

/** A backup that was fetched, and what is wrong with it, each a sentence that names the file. */
export type Fetched = {
  readonly manifest: Manifest;
  readonly lines: readonly BlobLine[];
  readonly damage: readonly string[];
};

/**
 * Fetches a backup: compares size and checksum of every file and blob, checks the database, and compares it with the
 * counts of the manifest and the list of blobs. Throws `Damage` when the manifest is missing or damaged.
 */
export async function fetchBackup(options: FetchOptions): Promise<Fetched> {
  const { place, id, folder } = options;
  const manifest = await findManifest(place, id);
  if (manifest === undefined)
    throw new Damage(`${id}/${fileNames.manifest} is missing: the backup was not finished`);
  const damage: string[] = [];
  for (const [name, expected] of Object.entries(manifest.files)) {
    const found = await place.read(`${id}/${name}`);
    const digest = found === undefined ? undefined : await writeDigested(found, join(folder, name));
    damage.push(...compared(`${id}/${name}`, digest, expected));
  }
  // What does not have the checksum of the manifest is not even opened.
  if (damage.length > 0) return { manifest, lines: [], damage };
  const lines = parseBlobLines(await readFile(join(folder, fileNames.blobs), 'utf8'));
  damage.push(...(await fetchBlobs(lines, options)));
  damage.push(...databaseDamage(join(folder, fileNames.database), { manifest, lines }));
  return { manifest, lines, damage };
}

/** What is wrong with a file, if anything. */
function compared(name: string, found: Digest | undefined, expected: Digest): string[] {
  if (found === undefined) return [`${name} is missing`];
  if (found.bytes < expected.bytes)
    return [`${name} is truncated: ${found.bytes} of ${expected.bytes} bytes`];
  if (found.bytes > expected.bytes)
    return [`${name} is too long: ${found.bytes} bytes instead of ${expected.bytes}`];
  return found.sha256 === expected.sha256 ? [] : [`${name} differs from its checksum`];
}

async function fetchBlobs(
  lines: readonly BlobLine[],
  { place, keepBlob = async (_line, bytes) => await digestOf(bytes) }: FetchOptions,
): Promise<string[]> {
  const damage: string[] = [];
  await forEachOf(lines, blobsRunningMax, async (line) => {
    const { key, bytes, sha256 } = line;
    if (sha256 === undefined) return;
    const name = `blobs/${storedName({ key })}`;
    const found = await place.read(name);
    const digest = found === undefined ? undefined : await keepBlob(line, found);
    damage.push(...compared(name, digest, { bytes, sha256 }));
  });
  return damage.toSorted();
}

/** What is wrong with the database of a backup, within itself and against the rest. */
function databaseDamage(
  path: string,
  { manifest, lines }: { manifest: Manifest; lines: readonly BlobLine[] },
): string[] {
  const name = `${manifest.id}/${fileNames.database}`;
  const copy = openCopy(path);
  try {
    const faults = copy.faults();
    return faults.length > 0
      ? faults.map((fault) => `${name} is damaged: ${fault}`)
      : differences(copy, { name, manifest, lines });
  } catch (error) {
    // The engine refuses to read what is not even a database.
    return [`${name} is damaged: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    copy.close();
  }
}

/** Where an undamaged database differs from the manifest and the list of blobs. */
function differences(
  copy: DatabaseCopy,
  {
    name,
    manifest,
    lines,
  }: { readonly name: string; readonly manifest: Manifest; readonly lines: readonly BlobLine[] },
): string[] {
  const { tables, schema, position } = copy.facts();
  const damage: string[] = [];
  for (const table of new Set([...Object.keys(tables), ...Object.keys(manifest.tables)]))
    if (tables[table] !== manifest.tables[table])
      damage.push(
        `${name} has ${tables[table] ?? 0} rows in ${table}, and the manifest says ${manifest.tables[table] ?? 0}`,
      );
  if (schema !== manifest.schema || position !== manifest.moment.position)
    damage.push(`${name} is of another moment than the manifest says`);
  const listed = new Set(lines.map(({ key }) => key));
  for (const { key, isUsed } of copy.blobs())
    if (isUsed && !listed.has(key)) damage.push(`${manifest.id}/${fileNames.blobs} lacks the blob ${key}`);
  return damage;
}
