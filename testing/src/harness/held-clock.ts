import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Clock } from 'confab-server/src/kernel/clock.ts';

/** A clock that stands still until it is moved. Servers that share one give the same times. */
export class HeldClock implements Clock {
  #now: UnixMs;
  constructor(now: UnixMs) {
    this.#now = now;
  }

  now(): UnixMs {
    return this.#now;
  }

  move(ms: number): void {
    this.#now += ms;
  }
}
