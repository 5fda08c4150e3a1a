import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Folders whose contents outlast a power cut: a name is on the disk only once the folder that holds it is synced. */

/** The mode of every folder that the server makes. */
export const folderMode = 0o700;

/** Makes the names in a folder durable: of files and folders that were made, renamed or removed in it. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Makes a folder, and those above it, durably and for the user of this process alone; leaves one that is there as it is. */
export function makeFolder(path: string): void {
  const last = resolve(path);
  const first = mkdirSync(last, { recursive: true, mode: folderMode });
  if (first === undefined) return;
  for (let made = last; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}
