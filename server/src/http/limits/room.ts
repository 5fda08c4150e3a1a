import { statfs } from 'node:fs/promises';
import type { Operation } from 'confab-contract/operation.ts';
import { Problem } from 'confab-contract/problem.ts';

/**
 * The room on the disk of the data folder. A store on a full disk cannot even delete, because deleting writes as well. So
 * the server stops taking files when the free space that it should have is gone, and comments, posts and messages when
 * half of that is gone too; the rest is for changing and deleting what is there.
 */
export type Room = {
  /** Looks how much is free; until the first time there is enough. */
  look(): Promise<void>;
  /** Throws `storage_unavailable` for an operation that there is no room for. */
  check(operation: Operation): void;
};

/** Watches `folder`, which should have `freeBytesMin` free. `hasStore` is whether the database is in it. */
export function createRoom({
  folder,
  freeBytesMin,
  hasStore,
}: {
  folder: string;
  freeBytesMin: number;
  hasStore: boolean;
}): Room {
  let freeBytes = Number.POSITIVE_INFINITY;
  return {
    async look() {
      freeBytes = await freeBytesOf(folder);
    },
    check({ upload, effect }) {
      if (freeBytes >= freeBytesMin) return;
      if (upload !== undefined)
        throw new Problem('storage_unavailable', 'The disk of the server is nearly full: it takes no files.');
      if (effect === 'add' && hasStore && freeBytes < freeBytesMin / 2)
        throw new Problem(
          'storage_unavailable',
          'The disk of the server is nearly full: what is there can be changed and deleted, but nothing new is taken.',
        );
    },
  };
}

/** The bytes that unprivileged users can still write to the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
