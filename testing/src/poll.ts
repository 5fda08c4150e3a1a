import { setTimeout as pause } from 'node:timers/promises';

/**
 * How long a test waits for a state before it fails, in milliseconds. A busy machine may take long, and only
 * a failing test waits to the end. So no test uses a shorter limit, unless it tests the limit itself.
 */
export const patienceMs = 60_000;

/**
 * Calls `state` until it returns a value, or fails after `timeoutMs`: the only place where tests wait by the
 * clock.
 */
export async function poll<T>(
  what: string,
  state: () => Promise<T | undefined> | T | undefined,
  timeoutMs = patienceMs,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await state();
    if (value !== undefined) return value;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await pause(5);
  }
}
