import type { Clock } from 'confab-server/src/kernel/clock.ts';

/** A clock that runs like the machine's and can be moved forward or back. */
export type MovableClock = Clock & { move(ms: number): void };

/** Creates a clock that starts at the machine's time. */
export function movableClock(): MovableClock {
  let offsetMs = 0;
  return {
    now: () => Date.now() + offsetMs,
    move(ms) {
      offsetMs += ms;
    },
  };
}
