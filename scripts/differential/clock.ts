import type { Clock, UnixMs } from '../../src/kernel/clock.ts';

/**
 * The one clock of both servers. It stands still while a request is answered and while what follows from it is done, so
 * both tell the same times and nothing that the product says about time has to be left out of the comparison.
 */
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
