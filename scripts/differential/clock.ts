import type { Clock, UnixMs } from '../../src/kernel/clock.ts';

/**
 * The shared clock of both servers. It stops while a request and its follow-up work run, so both servers return the
 * same times and the comparison can include all of them.
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
