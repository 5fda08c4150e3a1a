import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { type DatabaseCopy, openCopy } from '../db/sqlite/copies.ts';
import { blobName } from './copy-blob.ts';
import { type BlobLine, Damage, fileNames, findManifest, type Manifest, parseBlobLines } from './manifest.ts';
import { type BackupPlace, type Digest, digestOf, forEachOf, writeDigested } from './place.ts';
import { type Applied, replayLog } from './replay.ts';

/** Brings a backup to a folder of this machine and checks everything in it. */

/** How many blobs are read at the same time. */
const blobsRunningMax = 8;

/** The options of fetching. */
export type FetchOptions = {
  readonly place: BackupPlace;
  readonly id: string;
  /** Where the database goes, and the list of blobs and the sealed key beside it. */
  readonly folder: string;
  /** Keeps a blob of the store and returns what was read; by default all blobs are only read. */
  readonly keepBlob?: (line: BlobLine, bytes: Readable) => Promise<Digest>;
  /** The time up to which the shipped log is applied; undefined for the backup alone. */
  readonly upTo: UnixMs | undefined;
};

/** A backup that was fetched, and what is wrong with it, each a sentence that names the file. */
export type Fetched = {
  readonly manifest: Manifest;
  /** The applied part of the shipped log; undefined for the backup alone. */
  readonly applied: Applied | undefined;
  readonly damage: readonly string[];
};

/**
 * Fetches a backup: compares size and checksum of every file and blob, checks the database, and compares it with the
 * counts of the manifest and the list of blobs. Then it applies the shipped log, and checks what that makes of it.
 * Throws `Damage` when the manifest is missing or damaged.
 */
export async function fetchBackup(options: FetchOptions): Promise<Fetched> {
  const { place, id, folder, keepBlob } = options;
  const manifest = await findManifest(place, id);
  if (manifest === undefined)
    throw new Damage(`${id}/${fileNames.manifest} is missing: the backup was not finished`);
  const damage: string[] = [];
  for (const name of Object.keys(manifest.files)) damage.push(...(await fetchFile(manifest, name, options)));
  // A file whose checksum differs from the manifest is not opened.
  if (damage.length > 0) return { manifest, applied: undefined, damage };
  const lines = parseBlobLines(await readFile(join(folder, fileNames.blobs), 'utf8'));
  damage.push(...databaseDamage(join(folder, fileNames.database), { manifest, lines }));
  const applied = damage.length > 0 ? undefined : await applyLog(manifest, options);
  if (applied !== undefined) {
    lines.push(...applied.blobs);
    damage.push(...applied.damage, ...storeDamage(join(folder, fileNames.database), { manifest, lines }));
  }
  const isKept = keepBlob === undefined || damage.length > 0 ? () => true : keptBlobs(folder, applied);
  damage.push(...(await fetchBlobs(lines.filter(isKept), options)));
  return { manifest, applied, damage };
}

async function fetchFile(
  manifest: Manifest,
  file: string,
  { place, folder }: FetchOptions,
): Promise<string[]> {
  const name = `${manifest.id}/${file}`;
  const stream = await place.read(name);
  const digest = stream === undefined ? undefined : await writeDigested(stream, join(folder, file));
  return compared(name, digest, manifest.files[file]);
}

/** Applies the shipped log to the fetched database; undefined when that changes nothing. */
async function applyLog(manifest: Manifest, options: FetchOptions): Promise<Applied | undefined> {
  const { place, folder, upTo } = options;
  if (upTo === undefined || manifest.log === undefined) return undefined;
  const path = join(folder, fileNames.database);
  const applied = await replayLog({ log: place.log, start: manifest.log, upTo, path });
  if (applied.hasReached || applied.segments === 0) return applied;
  // The log ends before the copy does, so that the copy is the newest there is.
  await fetchFile(manifest, fileNames.database, options);
  return { ...applied, segments: 0, blobs: [] };
}

/** Tells which blobs the store in a folder has. Those that the log removed are not restored. */
function keptBlobs(folder: string, applied: Applied | undefined): (line: BlobLine) => boolean {
  if (applied === undefined || applied.segments === 0) return () => true;
  const copy = openCopy(join(folder, fileNames.database));
  try {
    const keys = new Set([...copy.blobs()].map(({ key }) => key));
    return ({ key }) => keys.has(key);
  } finally {
    copy.close();
  }
}

/** The fault of a file, if it has one. */
function compared(name: string, actual: Digest | undefined, expected: Digest | undefined): string[] {
  if (actual === undefined || expected === undefined) return [`${name} is missing`];
  if (actual.bytes < expected.bytes)
    return [`${name} is truncated: ${actual.bytes} of ${expected.bytes} bytes`];
  if (actual.bytes > expected.bytes)
    return [`${name} is too long: ${actual.bytes} bytes instead of ${expected.bytes}`];
  return actual.sha256 === expected.sha256 ? [] : [`${name} differs from its checksum`];
}

async function fetchBlobs(
  lines: readonly BlobLine[],
  { place, keepBlob = async (_line, bytes) => await digestOf(bytes) }: FetchOptions,
): Promise<string[]> {
  const damage: string[] = [];
  await forEachOf(lines, blobsRunningMax, async (line) => {
    const { key, bytes, sha256 } = line;
    if (sha256 === undefined) return;
    const name = blobName(key);
    const stream = await place.read(name);
    const digest = stream === undefined ? undefined : await keepBlob(line, stream);
    damage.push(...compared(name, digest, { bytes, sha256 }));
  });
  return damage.toSorted();
}

type ListedBackup = { readonly manifest: Manifest; readonly lines: readonly BlobLine[] };

/** The faults of the database of a backup, by itself and compared with the rest. */
function databaseDamage(path: string, listed: ListedBackup): string[] {
  return damageOf(path, `${listed.manifest.id}/${fileNames.database}`, (copy, name) =>
    differences(copy, { name, ...listed }),
  );
}

/** The faults of a database to which the log was applied. */
function storeDamage(path: string, { manifest, lines }: ListedBackup): string[] {
  return damageOf(path, `${manifest.id} with the log applied`, (copy, name) =>
    lacking(copy, lines).map((key) => `${name} uses the blob ${key}, which no segment lists`),
  );
}

function damageOf(
  path: string,
  name: string,
  more: (copy: DatabaseCopy, name: string) => string[],
): string[] {
  const copy = openCopy(path);
  try {
    const faults = copy.faults();
    return faults.length > 0 ? faults.map((fault) => `${name} is damaged: ${fault}`) : more(copy, name);
  } catch (error) {
    // The engine refuses to read what is not even a database.
    return [`${name} is damaged: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    copy.close();
  }
}

/** The keys of blobs in use that are not listed. */
function lacking(copy: DatabaseCopy, lines: readonly BlobLine[]): string[] {
  const listed = new Set(lines.map(({ key }) => key));
  return [...copy.blobs()].filter(({ key, isUsed }) => isUsed && !listed.has(key)).map(({ key }) => key);
}

/** Where an undamaged database differs from the manifest and the list of blobs. */
function differences(
  copy: DatabaseCopy,
  { name, manifest, lines }: ListedBackup & { readonly name: string },
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
  for (const key of lacking(copy, lines))
    damage.push(`${manifest.id}/${fileNames.blobs} lacks the blob ${key}`);
  return damage;
}
