import type { UnixMs } from 'confab-contract/values/time.ts';

/** The time of day, injected so that tests can move it. */
export type Clock = { now(): UnixMs };

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };
