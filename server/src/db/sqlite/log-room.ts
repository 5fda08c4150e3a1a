import { statSync } from 'node:fs';
import { startTimer } from '../../kernel/timer.ts';

/**
 * Keeps the write-ahead log of SQLite short even while searches read from it one after another. The log can restart only
 * when all of it was copied back and no transaction reads from it; under continuous searches there is no such moment. So
 * a search waits until a long log was copied back (decision 0095).
 */

/**
 * The size of the log in bytes from which searches wait. It is also the size that the file may keep after long reads have
 * ended. It is eight times the amount that is copied back at a time.
 */
export const logBytesKept = 64 * 1024 * 1024;
/** The longest time that a search waits for the log, in milliseconds: less than searches wait for each other. */
const waitMsMax = 5000;
/** The pause after another program, or a slow disk, kept the log from being copied back, in milliseconds. */
const pauseMs = 10_000;

/** The size of the log of a file in bytes; 0 where there is none. */
export function logBytesOf(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Makes the function that a search waits for. `copyBack` copies the log back and returns whether no reader prevented
 * that; it never throws.
 */
export function createLogRoom(file: string, copyBack: () => Promise<boolean>): () => Promise<void> {
  let pauseUntil = 0;
  async function copy(): Promise<void> {
    if (!(await copyBack())) pauseUntil = performance.now() + pauseMs;
  }
  return async () => {
    if (logBytesOf(file) <= logBytesKept || performance.now() < pauseUntil) return;
    await new Promise<void>((resolve) => {
      const patience = startTimer(waitMsMax, resolve);
      void copy().finally(() => {
        patience.stop();
        resolve();
      });
    });
  };
}
