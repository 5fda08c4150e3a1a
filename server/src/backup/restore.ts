import { readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { folderMode, makeFolder, syncFolder } from '../kernel/folder.ts';
import { storedName } from '../storage/storage.ts';
import { fetchBackup } from './fetch.ts';
import { type BlobLine, Damage, fileNames, type Manifest } from './manifest.ts';
import { type BackupPlace, type Digest, writeDigested } from './place.ts';
import type { Applied } from './replay.ts';
import { openKeyText } from './sealed-key.ts';
import { runKeyName } from './segment.ts';

/** The options of a restore. */
export type RestoreOptions = {
  readonly place: BackupPlace;
  readonly id: string;
  /** The data folder to make; it must not exist, or be empty. */
  readonly to: string;
  readonly passphrase: string | undefined;
  /** The time up to which the shipped log is applied; undefined for the backup alone. */
  readonly upTo: UnixMs | undefined;
  /** Where blobs go that are not kept in the data folder. */
  readonly bucket:
    | {
        sizeOf(name: string): Promise<number | undefined>;
        put(name: string, path: string): Promise<void>;
      }
    | undefined;
};

/** The result of a restore. */
export type Restored = {
  readonly manifest: Manifest;
  readonly applied: Applied | undefined;
  readonly hasKey: boolean;
};

function isFree(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    throw error;
  }
}

/**
 * Restores a backup to a data folder, which appears when everything in it was checked and is on the disk. Throws
 * `Damage`, and an Error for the operator when the folder has files or the passphrase is another one.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const to = resolve(options.to);
  if (!isFree(to)) throw new Error(`${to} is not empty: name a folder that does not exist`);
  const draft = `${to}.restoring`;
  await rm(draft, { recursive: true, force: true });
  makeFolder(draft);
  try {
    const restored = await fill(draft, options);
    // Takes the place of an empty folder, too.
    await rename(draft, to);
    syncFolder(dirname(to));
    return restored;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Makes the data folder at `draft` and syncs all of it. */
async function fill(draft: string, options: RestoreOptions): Promise<Restored> {
  const { place, id, upTo, bucket } = options;
  const blobs = join(draft, 'blobs');
  await mkdir(blobs, { mode: folderMode });
  const { manifest, applied, damage } = await fetchBackup({
    place,
    id,
    upTo,
    folder: draft,
    keepBlob: async (line, bytes) => {
      const path = join(blobs, storedName(line));
      await mkdir(dirname(path), { recursive: true, mode: folderMode });
      return await moveToBucket(line, { path, digest: await writeDigested(bytes, path), bucket });
    },
  });
  const [first] = damage;
  if (first !== undefined)
    throw new Damage(damage.length === 1 ? first : `${first} (and ${damage.length - 1} more faults)`);
  const keys = await keysOf(manifest, draft, options);
  if (keys !== undefined) await writeFile(join(draft, 'secrets.key'), keys, { mode: 0o600, flush: true });
  for (const name of [fileNames.key, fileNames.blobs]) await rm(join(draft, name), { force: true });
  for (const shelf of await readdir(blobs)) syncFolder(join(blobs, shelf));
  syncFolder(blobs);
  syncFolder(draft);
  return { manifest, applied, hasKey: keys !== undefined };
}

/** The keys of webhook secrets of a backup, after those that were in use while the log was shipped. */
async function keysOf(
  { id, key, log }: Manifest,
  draft: string,
  { place, passphrase, upTo }: RestoreOptions,
): Promise<string | undefined> {
  if (passphrase === undefined) return undefined;
  const keys: string[] = [];
  if (log !== undefined && upTo !== undefined) {
    const shipped = await place.log.read(runKeyName(log.run));
    if (shipped !== undefined) keys.push(openKeyText(await text(shipped), passphrase, log.run));
  }
  if (key === 'sealed')
    keys.push(openKeyText(await readFile(join(draft, fileNames.key), 'utf8'), passphrase, id));
  return keys.length === 0 ? undefined : [...new Set(keys.join('').match(/.+\n/g))].join('');
}

/** Moves a fetched blob to the bucket, if the store keeps blobs there. */
async function moveToBucket(
  line: BlobLine,
  {
    path,
    digest,
    bucket,
  }: { readonly path: string; readonly digest: Digest; readonly bucket: RestoreOptions['bucket'] },
): Promise<Digest> {
  if (bucket === undefined || digest.sha256 !== line.sha256) return digest;
  if ((await bucket.sizeOf(storedName(line))) !== line.bytes) await bucket.put(storedName(line), path);
  await rm(path);
  return digest;
}
