import { isTurnLong, nextTurn } from '../kernel/turn.ts';
import type { Writer } from './writer.ts';

/** How long a group may run at least in a turn that it has waited for, however long the turn is, in milliseconds. */
const resumedMsMin = 5;

/**
 * The turns of the event loop while jobs run on an engine that answers at once. It notes when a job makes the event loop
 * turn, since there is nothing that a job could wait for, and lets statements wait for the next turn where this one has
 * gone on for long. With an engine that answers later it does nothing.
 */
export function createTurnWatch({ isImmediate }: Pick<Writer, 'isImmediate'>) {
  let immediate: NodeJS.Immediate | undefined;
  let hasTurned = false;
  /** How many statements wait for the next turn, and until when those that have waited run. */
  let pausing = 0;
  let runsUntil = 0;

  function noteNextTurn(): void {
    if (!isImmediate) return;
    clearImmediate(immediate);
    immediate = setImmediate(() => {
      hasTurned = true;
    });
  }

  async function pause(): Promise<void> {
    pausing += 1;
    clearImmediate(immediate);
    await nextTurn();
    pausing -= 1;
    runsUntil = performance.now() + resumedMsMin;
    if (pausing === 0) noteNextTurn();
  }

  return {
    /** Begins to watch. */
    watch(): void {
      hasTurned = false;
      noteNextTurn();
    },

    unwatch: (): void => clearImmediate(immediate),

    /** Whether the event loop has turned since `watch`, other than for statements that waited for it. */
    hasTurned: (): boolean => hasTurned,

    /** Runs a statement of a job: in the next turn of the event loop where this one has gone on for long. */
    inTime<T>(run: () => Promise<T>): Promise<T> {
      if (!isImmediate || !isTurnLong() || performance.now() < runsUntil) return run();
      return pause().then(run);
    },
  };
}
