import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { BucketClient } from '../storage/bucket-client.ts';
import { isBackupId } from './manifest.ts';
import type { BackupPlace } from './place.ts';

/**
 * Files of backups in a bucket, under a prefix. The object `backups.json` lists the ids of the backups, because nothing
 * in a bucket is ever listed (decision 0025). Only one process may write backups under a prefix.
 */

/** Opens the place below `prefix`, which is empty or ends with a slash, without a request. Closing it closes the client. */
export async function openBucketPlace(client: BucketClient, prefix: string): Promise<BackupPlace> {
  const spool = await mkdtemp(join(tmpdir(), 'confab-backup-'));
  return placeIn(client, prefix, spool);
}

function placeIn(client: BucketClient, prefix: string, spool: string): BackupPlace {
  const index = `${prefix}backups.json`;

  async function ids(): Promise<string[]> {
    const stream = await client.get(index);
    if (stream === undefined) return [];
    let listed: unknown;
    try {
      listed = JSON.parse(await text(stream));
    } catch (error) {
      throw new Error('backups.json is no list of backups', { cause: error });
    }
    if (!Array.isArray(listed) || !listed.every(isBackupId))
      throw new Error('backups.json is no list of backups');
    return listed.toSorted();
  }

  async function note(all: readonly string[]): Promise<void> {
    const path = join(spool, 'backups.json');
    await writeFile(path, `${JSON.stringify(all)}\n`, { mode: 0o600 });
    await client.put(index, path);
  }

  return {
    spool,
    get log() {
      return placeIn(client, `${prefix}log/`, spool);
    },
    ids,
    begin: async (id) => await note([...(await ids()), id]),
    forget: async (id) => await note((await ids()).filter((other) => other !== id)),
    async put(name, path) {
      await client.put(prefix + name, path);
      await rm(path);
    },
    read: async (name) => await client.get(prefix + name),
    sizeOf: async (name) => await client.sizeOf(prefix + name),
    remove: async (name) => await client.remove(prefix + name),
    async close() {
      await rm(spool, { recursive: true, force: true });
      client.close();
    },
  };
}
