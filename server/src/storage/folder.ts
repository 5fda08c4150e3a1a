import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { folderMode } from '../kernel/folder.ts';
import { codeOf, openSpool, present, toStorageProblem } from './spool.ts';
import { type BlobStorage, derivedForms, type Stored, storedName } from './storage.ts';

/** Syncs a folder (`r`) or a file (`r+`, or `w` to empty it) to disk, without delaying other requests. */
async function sync(path: string, flags: 'r' | 'r+' | 'w' = 'r'): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a folder unless it exists. A recursive `mkdir` would report a disk that fails as ENOENT. */
async function makeShelf(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: folderMode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Keeps blobs as files under random keys in the folder at `path`. Unfinished files from before `unfinishedUntil` are
 * removed.
 */
export async function openBlobFolder(path: string, unfinishedUntil: UnixMs): Promise<BlobStorage> {
  const spool = await openSpool(path, unfinishedUntil);
  const shelf = (key: string) => join(path, key.slice(0, 2));
  const placed = (stored: Stored) => join(path, storedName(stored));
  const sizeOf = async (stored: Stored): Promise<number | undefined> =>
    (await present(() => stat(placed(stored))))?.size;
  // The shelves that this process has synced to disk; a shelf is one of 256 folders.
  const lasting = new Set<string>();

  return {
    write: async (bytes, { headBytesMax }) => await spool.write(bytes, { headBytesMax, isSynced: true }),

    remake: async (key, make, { headBytesMax }) =>
      await spool.remake(key, make, { headBytesMax, isSynced: true }),

    async place(key) {
      try {
        if (!lasting.has(shelf(key))) {
          await makeShelf(shelf(key));
          await sync(path);
          lasting.add(shelf(key));
        }
        await rename(spool.pathOf(key), placed({ key }));
        await sync(shelf(key));
      } catch (error) {
        throw toStorageProblem(error);
      }
    },

    discard: spool.discard,

    async read(stored, range) {
      const file = await present(() => open(placed(stored), 'r'));
      return file?.createReadStream(range);
    },

    sizeOf,

    async remove(key) {
      // The blob goes first: `derive` checks for it after its rename, so no file derived meanwhile can stay behind.
      await rm(placed({ key }), { force: true });
      for (const form of derivedForms) await rm(placed({ key, form }), { force: true });
    },

    async derive(key, form, make) {
      const target = spool.freshPath(key);
      try {
        const isMade = await make({ source: async () => placed({ key }), target });
        await sync(target, isMade ? 'r+' : 'w');
        await rename(target, placed({ key, form }));
      } catch (error) {
        await rm(target, { force: true });
        throw toStorageProblem(error);
      }
      if ((await sizeOf({ key })) === undefined) await rm(placed({ key, form }), { force: true });
    },
  };
}
