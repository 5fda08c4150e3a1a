let turn: Promise<void> | undefined;

/**
 * Resolves when what arrived in this turn of the event loop has been worked on, so that its answers leave together:
 * sent one by one, each would wake the other side, and waking it costs more than most answers.
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
