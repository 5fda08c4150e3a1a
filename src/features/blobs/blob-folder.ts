import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Problem } from '../../kernel/problem.ts';

/**
 * The bytes of blobs as files under random keys. An upload is written and synced in `tmp`, which is emptied at start,
 * and gets its place only after its row is in the store. So whatever moment the process ends at, a file outside `tmp`
 * has a row, and the sweep of the rows finds every file.
 */

/** A file that was written and has no place yet. */
export type Written = {
  readonly key: string;
  readonly size: number;
  /** The first bytes, at most as many as were asked for. */
  readonly head: Uint8Array;
};

/** What can be made of a blob and is kept beside it. */
export const derivedForms = ['thumbnail', 'preview', 'picture', 'code'] as const;
/** One of them. A `picture` is that of a person; `code` is the fragment that shows source code. */
export type DerivedForm = (typeof derivedForms)[number];

/** The folder of blobs. */
export type BlobFolder = {
  /** Writes and syncs `bytes` to the end. When they fail, throws what they fail with and leaves nothing. */
  write(bytes: Readable, options: { headBytesMax: number }): Promise<Written>;
  /** Gives a written file its place, for good once it answers. */
  place(key: string): Promise<void>;
  /** Removes a written file that gets no place. */
  discard(key: string): Promise<void>;
  /** Opens a file for reading; undefined when it is not there. The caller closes it. */
  open(key: string): Promise<FileHandle | undefined>;
  /** Removes a file if it is there, with everything that was made of it. */
  remove(key: string): Promise<void>;
  /** Opens what was made of a blob; undefined when nothing was. The caller closes it. An empty file says that nothing can be made. */
  openDerived(key: string, form: DerivedForm): Promise<FileHandle | undefined>;
  /**
   * Keeps what `make` writes to `target` from the blob at `source` beside the blob, whole or not at all; an empty file
   * when `make` answers false. Throws what `make` throws and keeps nothing then, and nothing for a blob that is gone.
   */
  derive(
    key: string,
    form: DerivedForm,
    make: (paths: { source: string; target: string }) => Promise<boolean>,
  ): Promise<void>;
};

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** A full disk is the operator's matter and passes; anything else is what it is. */
function toStorageProblem(error: unknown): unknown {
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS'].includes(String(codeOf(error)));
  return isFull
    ? new Problem('storage_unavailable', 'The store could not keep this file.', { cause: error })
    : error;
}

/** Makes what happened inside a folder durable: files that were made, renamed or removed in it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readHead(file: FileHandle, bytesMax: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, 0);
  return buffer.subarray(0, bytesRead);
}

/** Opens the folder at `path`, making it or emptying its `tmp`. */
export async function openBlobFolder(path: string): Promise<BlobFolder> {
  const tmp = join(path, 'tmp');
  await rm(tmp, { recursive: true, force: true });
  await mkdir(tmp, { recursive: true, mode: 0o700 });
  const waiting = (key: string) => join(tmp, key);
  const shelf = (key: string) => join(path, key.slice(0, 2));
  const placed = (key: string) => join(shelf(key), key);
  const derived = (key: string, form: DerivedForm) => `${placed(key)}.${form}`;
  async function openPresent(file: string): Promise<FileHandle | undefined> {
    try {
      return await open(file, 'r');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
  // The shelves that this process knows to outlast a power cut; a shelf is one of 256 folders.
  const lasting = new Set<string>();

  return {
    async write(bytes, { headBytesMax }) {
      const key = randomBytes(16).toString('hex');
      try {
        const file = await open(waiting(key), 'wx+', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
          const { size } = await file.stat();
          return { key, size, head: await readHead(file, Math.min(headBytesMax, size)) };
        } finally {
          await file.close();
        }
      } catch (error) {
        await rm(waiting(key), { force: true });
        throw toStorageProblem(error);
      }
    },

    async place(key) {
      try {
        if (!lasting.has(shelf(key))) {
          await mkdir(shelf(key), { recursive: true, mode: 0o700 });
          await syncFolder(path);
          lasting.add(shelf(key));
        }
        await rename(waiting(key), placed(key));
        await syncFolder(shelf(key));
      } catch (error) {
        throw toStorageProblem(error);
      }
    },

    discard: async (key) => await rm(waiting(key), { force: true }),

    open: async (key) => await openPresent(placed(key)),

    async remove(key) {
      // The blob first: `derive` looks for it after its rename, so nothing it makes meanwhile can stay behind.
      await rm(placed(key), { force: true });
      for (const form of derivedForms) await rm(derived(key, form), { force: true });
    },

    openDerived: async (key, form) => await openPresent(derived(key, form)),

    async derive(key, form, make) {
      const target = waiting(`${key}.${form}.${randomBytes(4).toString('hex')}`);
      try {
        const isMade = await make({ source: placed(key), target });
        const file = await open(target, isMade ? 'r+' : 'w', 0o600);
        try {
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(target, derived(key, form));
      } catch (error) {
        await rm(target, { force: true });
        throw toStorageProblem(error);
      }
      const blob = await openPresent(placed(key));
      if (blob === undefined) await rm(derived(key, form), { force: true });
      await blob?.close();
    },
  };
}
