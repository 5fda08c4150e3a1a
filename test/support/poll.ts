import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `state` until it returns a value, or fails after `timeoutMs`: the only place where tests wait by the clock. A
 * busy machine may take long, and only a test that fails waits to the end.
 */
export async function poll<T>(
  what: string,
  state: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 60_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await state();
    if (value !== undefined) return value;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await pause(5);
  }
}
