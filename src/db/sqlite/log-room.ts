import { statSync } from 'node:fs';
import { startTimer } from '../../kernel/timer.ts';

/**
 * Keeps the write-ahead log of SQLite short although searches read from it one after the other. The log can start again
 * only when all of it was copied back and nobody reads from it, and without a pause there is no such moment. So a search
 * waits until a long log was copied back (decision 0095).
 */

/**
 * From which size of the log on searches wait, and how long its file may stay once nobody reads from it for long, in
 * bytes: eight times what is copied back at a time.
 */
export const logBytesKept = 64 * 1024 * 1024;
/** How long a search waits at most, in milliseconds: less than searches wait for each other. */
const waitMsMax = 5000;
/** For how long nothing is tried after another program, or a slow disk, kept the log from being copied back, in milliseconds. */
const pauseMs = 10_000;

/** The size of the log of a file in bytes; 0 where there is none. */
export function logBytesOf(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Makes the function that a search waits for. `copyBack` copies the log back and returns whether nobody kept it from
 * that; it throws nothing.
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
