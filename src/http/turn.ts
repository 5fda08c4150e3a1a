let turn: Promise<void> | undefined;

/**
 * Resolves when all requests of this turn of the event loop have been processed, so that their responses are sent
 * together. Sent one by one, each would wake the other process, which costs more than most responses.
 */
export function turnEnd(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}
