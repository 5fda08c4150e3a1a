import { timestamp } from 'confab-contract/values/time.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** When a check looks at the store, in milliseconds. */
export type Look = {
  readonly now: number;
  /** The most by which a clock may have been wrong. */
  readonly wrongMs: number;
  /** How long some node has been running undisturbed. */
  readonly wellMs: number;
};

/** How many of the last steps a failure shows. */
const shownMax = 40;

/** A promise that was broken in a run. */
export type BrokenPromise = {
  /** The name of the check that found it. */
  readonly check: string;
  readonly message: string;
  readonly hours: number;
  readonly steps: readonly string[];
};

/** The last steps of a run, and its first broken promise. */
export class Trace {
  readonly #time: SimulatedTime;
  readonly #steps: string[] = [];
  broken: BrokenPromise | undefined;

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  note(step: string): void {
    this.#steps.push(`${timestamp(Math.floor(this.#time.trueTime()))}  ${step}`);
    if (this.#steps.length > shownMax) this.#steps.shift();
  }

  /** Notes that a promise was broken; the run ends after the present step. */
  fail(check: string, sentence: string): void {
    this.note(`BROKEN (${check}): ${sentence}`);
    this.broken ??= {
      ...{ check, message: sentence },
      hours: this.#time.now() / 3_600_000,
      steps: [...this.#steps],
    };
  }
}
