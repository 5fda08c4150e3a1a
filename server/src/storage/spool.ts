import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Problem } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { makeFolder } from '../kernel/folder.ts';
import type { MakeDerived, StagedFile } from './storage.ts';

/** The spool is the folder of unfinished files. */
export type Spool = {
  /** The path of a written file. */
  pathOf(key: string): string;
  /** A fresh path for a file derived from the file `key`. */
  freshPath(key: string): string;
  /** Writes `bytes` under a random key. If they fail, throws their error and leaves nothing. */
  write(bytes: Readable, options: { headBytesMax: number; isSynced: boolean }): Promise<StagedFile>;
  /** Replaces a written file by what `make` writes; undefined where it writes nothing. */
  remake(
    key: string,
    make: MakeDerived,
    options: { headBytesMax: number; isSynced: boolean },
  ): Promise<StagedFile | undefined>;
  /** Removes a file if it exists. */
  discard(key: string): Promise<void>;
};

/** The code of a failed system call, such as `ENOENT`. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The codes of a disk that is full or fails, and of a process or a machine without free file descriptors. */
const passingCodes = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'];

/** What keeps files from being written for a time becomes `storage_unavailable`; any other error stays as it is. */
export function toStorageProblem(error: unknown): unknown {
  return passingCodes.includes(String(codeOf(error)))
    ? new Problem('storage_unavailable', 'The store could not keep this file.', { cause: error })
    : error;
}

async function readHead(file: FileHandle, bytesMax: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, 0);
  return buffer.subarray(0, bytesRead);
}

/** Syncs a written file to the disk where `isSynced`, and describes it. */
async function finish(
  path: string,
  { key, headBytesMax, isSynced }: { key: string; headBytesMax: number; isSynced: boolean },
): Promise<StagedFile> {
  const file = await open(path, 'r+');
  try {
    if (isSynced) await file.sync();
    const { size } = await file.stat();
    return { key, size, head: await readHead(file, Math.min(headBytesMax, size)) };
  } finally {
    await file.close();
  }
}

/** The result of an operation on a file; undefined when the file does not exist. */
export async function present<T>(operation: () => Promise<T>): Promise<T | undefined> {
  try {
    return await operation();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Opens the spool in the folder at `path` and removes files last written before `unfinishedUntil`. */
export async function openSpool(path: string, unfinishedUntil: UnixMs): Promise<Spool> {
  const tmp = join(path, 'tmp');
  makeFolder(tmp);
  for (const name of await readdir(tmp)) {
    const file = join(tmp, name);
    const written = await present(() => stat(file));
    if (written !== undefined && written.mtimeMs < unfinishedUntil)
      await rm(file, { recursive: true, force: true });
  }
  const pathOf = (key: string) => join(tmp, key);
  const freshPath = (key: string) => pathOf(`${key}.${randomBytes(4).toString('hex')}`);
  return {
    pathOf,
    freshPath,

    async remake(key, make, { headBytesMax, isSynced }) {
      const target = freshPath(key);
      try {
        if (!(await make({ source: async () => pathOf(key), target }))) return undefined;
        const staged = await finish(target, { key, headBytesMax, isSynced });
        await rename(target, pathOf(key));
        return staged;
      } catch (error) {
        throw toStorageProblem(error);
      } finally {
        await rm(target, { force: true });
      }
    },

    async write(bytes, { headBytesMax, isSynced }) {
      const key = randomBytes(16).toString('hex');
      try {
        const file = await open(pathOf(key), 'wx+', 0o600);
        try {
          await file.writeFile(bytes);
          if (isSynced) await file.sync();
          const { size } = await file.stat();
          return { key, size, head: await readHead(file, Math.min(headBytesMax, size)) };
        } finally {
          await file.close();
        }
      } catch (error) {
        await rm(pathOf(key), { force: true });
        throw toStorageProblem(error);
      }
    },

    discard: async (key) => await rm(pathOf(key), { force: true }),
  };
}
