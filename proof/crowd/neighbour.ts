import { parentPort, workerData } from 'node:worker_threads';
import { Client } from 'confab-testing/harness/client.ts';

/**
 * What other people do while readers are told: one comment is created and one list is read with a credential, ten times a
 * second each, in a thread of its own, so that the readers of this process do not delay what is measured.
 */

/** A request of a neighbour: when it was sent, on the clock of all threads, and how long it took, in milliseconds. */
export type Neighbourly = { readonly at: number; readonly ms: number };

const everyMs = 100;
const { url, key, app } = workerData as { url: string; key: string; app: string };
const client = new Client({ url, key }, { connections: 20 });

async function timed(send: () => Promise<unknown>): Promise<void> {
  const at = Date.now();
  const begun = performance.now();
  await send();
  parentPort?.postMessage({ at, ms: performance.now() - begun } satisfies Neighbourly);
}

setInterval(() => {
  const path = `/api/apps/${app}/comments`;
  void timed(() => client.must('POST', path, { text: 'said by somebody else' }));
  void timed(() => client.must('GET', `${path}?order_by=id+desc&top=25`));
}, everyMs);
