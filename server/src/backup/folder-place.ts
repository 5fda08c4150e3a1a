import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { lockFile } from '../db/sqlite/file-lock.ts';
import { folderMode, makeFolder, syncFolder } from '../kernel/folder.ts';
import { isBackupId } from './manifest.ts';
import type { BackupPlace } from './place.ts';

/** Files of backups in a folder of this machine. */

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function present<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/**
 * Opens a folder of backups. With `isWritten` it is made if there is none, and held: throws an Error for the operator
 * while another process writes backups there. Otherwise nothing is written, so the folder may be read-only.
 */
export async function openFolderPlace(
  folder: string,
  { isWritten }: { readonly isWritten: boolean },
): Promise<BackupPlace> {
  if (!isWritten && !existsSync(folder)) throw new Error(`there is no folder ${folder}`);
  if (!isWritten) return placeIn(folder, () => {});
  makeFolder(folder);
  const lock = lockFile(join(folder, 'backup.lock'), `another backup is being made or pruned in ${folder}`);
  const place = placeIn(folder, () => lock.release());
  await rm(place.spool, { recursive: true, force: true });
  makeFolder(place.spool);
  return place;
}

function placeIn(folder: string, release: () => void): BackupPlace {
  const lasting = new Set<string>();

  async function makeLasting(path: string): Promise<void> {
    if (lasting.has(path)) return;
    await mkdir(path, { recursive: true, mode: folderMode });
    // Its own name and that of its parent, which may be new as well.
    syncFolder(dirname(path));
    if (path !== folder) await makeLasting(dirname(path));
    lasting.add(path);
  }

  return {
    spool: join(folder, 'tmp'),
    get log() {
      return placeIn(join(folder, 'log'), () => {});
    },
    ids: async () => ((await present(readdir(folder))) ?? []).filter(isBackupId).toSorted(),
    begin: async (id) => await makeLasting(join(folder, id)),
    async forget(id) {
      await present(rmdir(join(folder, id)));
      syncFolder(folder);
    },
    async put(name, path) {
      const target = join(folder, name);
      await makeLasting(dirname(target));
      const file = await open(path, 'r+');
      try {
        await file.chmod(0o600);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(path, target);
      const parent = await open(dirname(target), 'r');
      try {
        await parent.sync();
      } finally {
        await parent.close();
      }
    },
    async read(name): Promise<Readable | undefined> {
      return (await present(open(join(folder, name), 'r')))?.createReadStream();
    },
    sizeOf: async (name) => (await present(stat(join(folder, name))))?.size,
    remove: async (name) => await rm(join(folder, name), { force: true }),
    async close() {
      release();
    },
  };
}
