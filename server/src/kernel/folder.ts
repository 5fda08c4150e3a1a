import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Folders whose contents survive a power cut: a name is on the disk only once its folder is synced. */

/** The mode of every folder that the server creates. */
export const folderMode = 0o700;

/** Makes changes of names in a folder durable: files and folders that were created, renamed or removed. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Creates a folder and its parents durably, accessible only to the user of this process; keeps an existing one. */
export function makeFolder(path: string): void {
  const last = resolve(path);
  const first = mkdirSync(last, { recursive: true, mode: folderMode });
  if (first === undefined) return;
  for (let folder = last; folder.length >= first.length; folder = dirname(folder))
    syncFolder(dirname(folder));
}
