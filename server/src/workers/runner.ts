import { Problem } from 'confab-contract/problem.ts';
import type { Log } from '../kernel/log.ts';

/**
 * The runner of background loops. A loop repeats a *step*, one at a time: after the delay that the last step returned,
 * or at once after a *nudge*. A step that throws is logged and repeated after a pause that doubles and that no nudge
 * shortens, so that an unavailable store is not flooded.
 */

/** The pause after a first failure; it doubles with each further failure in a row. */
const failurePauseMs = 250;
const failurePauseMsMax = 30_000;
/**
 * The longest pause while the store is unavailable. Live connections and deliveries wait for this pause even
 * after the store is back. A failover of the database takes half a minute (decision 0128).
 */
const storePauseMsMax = 2000;

/** A running loop. */
export type Loop = {
  /** Starts a step soon; simultaneous nudges cause one step. */
  nudge(): void;
  /** Aborts the signal of the steps and resolves when the running one has ended. No step starts afterwards. */
  stop(): Promise<void>;
};

/** One turn of a loop; returns the milliseconds until the next one, or undefined to wait for a nudge. */
export type Step = (signal: AbortSignal) => Promise<number | undefined>;

/** Starts a loop; its first step starts soon. The name appears in the log. */
export function startLoop({ name, step, log }: { name: string; step: Step; log: Log }): Loop {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** The running step. A nudge can come from its first, synchronous part, before it is a promise. */
  let running: Promise<void> | undefined;
  let isRunning = false;
  let isNudged = false;
  let isScheduled = false;
  let failures = 0;

  function schedule(): void {
    if (isScheduled || stopping.signal.aborted) return;
    isScheduled = true;
    clearTimeout(timer);
    // One turn later, so that all nudges of this turn cause one step.
    setImmediate(() => {
      isScheduled = false;
      if (stopping.signal.aborted) return;
      isNudged = false;
      isRunning = true;
      running = run();
    });
  }

  async function run(): Promise<void> {
    let waitMs: number | undefined;
    try {
      waitMs = await step(stopping.signal);
      failures = 0;
    } catch (error) {
      failures += 1;
      waitMs = Math.min(failurePauseMs * 2 ** (failures - 1), pauseMsMaxOf(error));
      if (!stopping.signal.aborted) log.error({ err: error, loop: name, failures, waitMs }, 'a loop failed');
    }
    isRunning = false;
    if (stopping.signal.aborted) return;
    if (failures === 0 && isNudged) schedule();
    else if (waitMs !== undefined) timer = setTimeout(schedule, waitMs);
  }

  schedule();
  return {
    nudge() {
      isNudged = true;
      if (!isRunning && failures === 0) schedule();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

function pauseMsMaxOf(error: unknown): number {
  return error instanceof Problem && error.code === 'storage_unavailable'
    ? storePauseMsMax
    : failurePauseMsMax;
}

/** Waits until `work` has ended, at most `budgetMs`; returns whether it has. A failure of `work` counts as its end. */
export async function endsWithin(work: Promise<unknown>, budgetMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), budgetMs);
  });
  const ended = work.then(
    () => true,
    () => true,
  );
  const isEnded = await Promise.race([ended, late]);
  clearTimeout(timer);
  return isEnded;
}
