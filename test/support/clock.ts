import type { Clock } from '../../src/kernel/clock.ts';

/** A clock that goes like the machine's and can be put forward or back. */
export type MovableClock = Clock & { move(ms: number): void };

/** Makes a clock that begins at the machine's time. */
export function movableClock(): MovableClock {
  let offsetMs = 0;
  return {
    now: () => Date.now() + offsetMs,
    move(ms) {
      offsetMs += ms;
    },
  };
}
