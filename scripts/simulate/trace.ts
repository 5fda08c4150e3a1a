import { timestamp } from '../../src/kernel/clock.ts';
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
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
  /** The name of the check that found it. */
  readonly check: string;
  readonly hours: number;
  readonly steps: readonly string[];

  constructor(
    check: string,
    sentence: string,
    { hours, steps }: { hours: number; steps: readonly string[] },
  ) {
    super(sentence);
    this.check = check;
    this.hours = hours;
    this.steps = steps;
  }
}

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
    this.broken ??= new BrokenPromise(check, sentence, {
      hours: this.#time.now() / 3_600_000,
      steps: [...this.#steps],
    });
  }
}
