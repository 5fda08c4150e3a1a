import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A thread that asks a server for `/healthz` again and again, so that what the measuring thread does with a large
 * answer is not taken for a wait. Each message is answered with what was seen since the last one.
 */

/** What was seen since the last message. */
export type Polled = {
  readonly polls: number;
  /** The longest wait for an answer, in milliseconds. */
  readonly longestMs: number;
};

const everyMs = 2;
const { url } = workerData as { url: string };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let [polls, longestMs] = [0, 0];
let startedAt = performance.now();

function ask(): void {
  startedAt = performance.now();
  const request = get(`${url}/healthz`, { agent }, (response) => {
    response.resume();
    response.on('end', () => {
      polls += 1;
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      setTimeout(ask, everyMs);
    });
  });
  request.on('error', () => setTimeout(ask, everyMs));
}

parentPort?.on('message', () => {
  parentPort?.postMessage({ polls, longestMs } satisfies Polled);
  [polls, longestMs] = [0, 0];
});
ask();
