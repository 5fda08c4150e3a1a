import { setTimeout as pause } from 'node:timers/promises';
import { poll } from 'confab-testing/poll.ts';

/** How long it waits between two looks, in milliseconds: a look costs the servers of the run as much as some writes. */
const betweenMs = 250;
/** How long it looks, in milliseconds, unless it is told otherwise. */
const patienceMs = 180_000;

/** Calls `state` until it returns a value, or fails after `timeoutMs`. */
export async function pollSlowly<T>(
  what: string,
  state: () => Promise<T | undefined>,
  timeoutMs = patienceMs,
): Promise<T> {
  return await poll(
    what,
    async () => {
      const value = await state();
      if (value === undefined) await pause(betweenMs);
      return value;
    },
    timeoutMs,
  );
}
