import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { Problem } from 'confab-contract/problem.ts';
import { openBucketPlace } from '../backup/bucket-place.ts';
import { openFolderPlace } from '../backup/folder-place.ts';
import { Damage } from '../backup/manifest.ts';
import type { BackupPlace } from '../backup/place.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError, exitMisused } from '../kernel/command-error.ts';
import { type BucketClient, openBucketClient } from '../storage/bucket-client.ts';
import { BucketRefusal } from '../storage/bucket-errors.ts';
import { storedName } from '../storage/storage.ts';
import { blobFolder, bucketSettingsOf } from './blobs.ts';
import { createLog } from './store.ts';

/** The places that backups are written to, and the blobs that they are made of. */

/** How long a bucket may take to begin a response, in milliseconds. */
const bucketWaitMs = 30_000;

/** Does `work` with the place of a configuration: a folder, or `s3://bucket/prefix` with its access. */
export async function withPlace<T>(
  config: Config,
  { isWritten }: { isWritten: boolean },
  work: (place: BackupPlace) => Promise<T>,
): Promise<T> {
  const { backupTo: name } = config;
  if (name === undefined)
    throw new CommandError('name the place of the backups, or set CONFAB_BACKUP_TO', {
      exitCode: exitMisused,
    });
  let place: BackupPlace | undefined;
  try {
    place = await openPlace(config, name, { isWritten });
    return await work(place);
  } catch (error) {
    throw readableFailure(error);
  } finally {
    await place?.close();
  }
}

/** Opens a place by its name; the caller closes it. Throws as the two kinds of places do. */
export async function openPlace(
  config: Config,
  name: string,
  { isWritten }: { readonly isWritten: boolean },
): Promise<BackupPlace> {
  return isBucket(name)
    ? await bucketPlaceOf(name, config)
    : await openFolderPlace(resolve(name), { isWritten });
}

function isBucket(name: string): boolean {
  return name.startsWith('s3://');
}

/**
 * Opens the place that the server of a configuration ships its log to: the place of its backups and its folder `log`,
 * which this process holds.
 */
export async function openShelf(
  name: string,
  config: Config,
): Promise<{ readonly place: BackupPlace; readonly shelf: BackupPlace }> {
  if (isBucket(name)) {
    const place = await bucketPlaceOf(name, config);
    return { place, shelf: place.log };
  }
  const folder = resolve(name);
  const shelf = await openFolderPlace(join(folder, 'log'), { isWritten: true });
  return { place: await openFolderPlace(folder, { isWritten: false }), shelf };
}

/** Explains damage, a refused bucket, and errors of the operating system; any other error is a bug and keeps its stack. */
function readableFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof Problem) return new CommandError(error.message, { cause: error });
  const isTold = error.constructor === Error || error instanceof Damage || error instanceof BucketRefusal;
  return isTold ? new CommandError(error.message, { cause: error }) : error;
}

async function bucketPlaceOf(name: string, config: Config): Promise<BackupPlace> {
  const { host: bucket, pathname } = new URL(name);
  const prefix = pathname.slice(1).replace(/\/?$/, '/');
  const access = bucketSettingsOf({ ...config, s3Bucket: bucket });
  if (access === undefined) throw new Error(`${name} names no bucket`);
  return await openBucketPlace(await openClient(access, config), prefix === '/' ? '' : prefix);
}

/** Opens a bucket and makes sure that it can be used. */
export async function openClient(
  access: NonNullable<ReturnType<typeof bucketSettingsOf>>,
  config: Config,
): Promise<BucketClient> {
  const log = createLog(config);
  const client = await openBucketClient(access, {
    log,
    clock: systemClock,
    limits: { waitMs: bucketWaitMs },
  });
  await client.probe();
  return client;
}

/** Reads a blob; undefined when it has no bytes. */
type ReadBlob = (key: string) => Promise<Readable | undefined>;

/** Reads blobs where the configuration keeps them. */
export async function withBlobs<T>(config: Config, work: (readBlob: ReadBlob) => Promise<T>): Promise<T> {
  const access = bucketSettingsOf(config);
  if (access === undefined) {
    const folder = blobFolder(config);
    return await work(async (key) => {
      const path = join(folder, storedName({ key }));
      return existsSync(path) ? (await open(path, 'r')).createReadStream() : undefined;
    });
  }
  const client = await openClient(access, config);
  try {
    return await work(async (key) => await client.get(storedName({ key })));
  } finally {
    client.close();
  }
}
