import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A file system in memory, if there is one with this much space. */
const memory = '/dev/shm';
const memoryBytesMin = 4 * 1024 ** 3;

/**
 * The folder for the stores of tests: in memory where there is space, because waiting for a disk is slow, and otherwise
 * that for temporary files. Programs may not be allowed to run from it.
 */
export function fastFolder(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= memoryBytesMin ? memory : tmpdir();
}
