import { createServer } from 'node:net';

/**
 * Loaded into the server that is measured, ahead of its program (`node --import`). On a socket of its own it answers
 * each line with what the process has used so far: one line of JSON, a `Usage`.
 */

/** What a process has used so far. */
export type Usage = {
  /** Processor time of all threads, user and system, in microseconds. */
  readonly cpuUs: number;
  /**
   * The longest turn of the event loop since the last question, in milliseconds of processor time of the main thread:
   * unlike a wait on the clock it is the same on a machine that is busy with other things.
   */
  readonly heldMs: number;
  /** How many turns since the last question took how long: up to each of `turnSteps`, and longer. */
  readonly turns: readonly number[];
};

/** The steps of the histogram of turns, in milliseconds. */
export const turnSteps = [1, 5, 10, 15, 20, 25, 50, 100] as const;

/** The name of the variable that says where the socket is. */
export const probeVariable = 'REQUESTS_PROBE';

const tickMs = 1;
const path = process.env[probeVariable];

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

// Processes that the server starts get no environment, and so no probe.
if (path !== undefined) {
  let [lastMs, heldMs] = [threadMs(), 0];
  const turns = Array.from({ length: turnSteps.length + 1 }, () => 0);
  const look = () => {
    const nowMs = threadMs();
    const turnMs = nowMs - lastMs;
    heldMs = Math.max(heldMs, turnMs);
    const step = turnSteps.findIndex((ms) => turnMs <= ms);
    turns[step === -1 ? turnSteps.length : step] = (turns.at(step) ?? 0) + 1;
    lastMs = nowMs;
  };
  setInterval(look, tickMs).unref();
  const server = createServer((socket) => {
    socket.on('data', () => {
      look();
      const { user, system } = process.cpuUsage();
      const usage: Usage = { cpuUs: user + system, heldMs, turns: [...turns] };
      heldMs = 0;
      turns.fill(0);
      socket.write(`${JSON.stringify(usage)}\n`);
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(path);
  server.unref();
}
