/**
 * The turns of the event loop. In each one the server reads and answers what has arrived, and nothing else happens
 * meanwhile. So work that can wait waits for the next turn once the present one has gone on for long.
 */

/** How long a turn goes on before what can wait is left to the next, in milliseconds. */
const turnMsMax = 10;

let startedAt: number | undefined;
let end: Promise<void> | undefined;

/** Whether the present turn has gone on for long, as seen from the first call in it. */
export function isTurnLong(): boolean {
  const now = performance.now();
  if (startedAt === undefined) {
    startedAt = now;
    // Timers come first in a turn. One that ends within the millisecond that a timer takes counts to the next.
    setTimeout(() => {
      startedAt = undefined;
    }, 0);
  }
  return now - startedAt > turnMsMax;
}

/** Resolves in a later turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    // The first of the two may still be called in the present turn, after what has arrived was read.
    setImmediate(() =>
      setImmediate(() => {
        isTurnLong();
        resolve();
      }),
    );
  });
}

/**
 * Creates what long work calls before each of its steps: it resolves in a later turn once the steps of this one have taken
 * `ms`, and is undefined until then. A request passes several turns until it is answered, so each must be short.
 */
export function createSlices(ms: number): () => Promise<void> | undefined {
  let until = performance.now() + ms;
  return () =>
    performance.now() < until
      ? undefined
      : nextTurn().then(() => {
          until = performance.now() + ms;
        });
}

/**
 * Resolves when all requests of this turn have been processed, so that their responses are sent together. Sent one by
 * one, each would wake the other process, which costs more than most responses.
 */
export function turnEnd(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined;
      resolve();
    });
  });
  return end;
}
