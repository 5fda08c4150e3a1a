/**
 * The load generator, in a process of its own so that its work is not charged to a server: reads a `LoadPlan` from
 * stdin, loads a server for that long, or until SIGTERM, and prints a `LoadResult`.
 */

import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { quantile } from 'confab-testing/harness/figures.ts';

/** What to send, over how many connections, for how long. Each connection sends its part of the requests in turn. */
export type LoadPlan = {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly requests: readonly autocannon.Request[];
};

/** What came back. */
export type LoadResult = {
  /** Requests that were answered with a 2xx, and how long it took until the last connection was done. */
  readonly answered: number;
  readonly seconds: number;
  /** Requests that failed or were answered with anything else. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

/**
 * The requests of one connection: its part of all, so that no two connections send the same at the same time, beginning
 * at a place of its own, so that they do not send reads together and then writes together.
 */
function requestsOf({ requests, connections }: LoadPlan, connection: number): readonly autocannon.Request[] {
  const from = Math.floor((connection * requests.length) / connections);
  const to = Math.floor(((connection + 1) * requests.length) / connections);
  const own = to > from ? requests.slice(from, to) : requests;
  const first = connection % own.length;
  return [...own.slice(first), ...own.slice(0, first)];
}

async function load(plan: LoadPlan): Promise<LoadResult> {
  let connection = 0;
  // The histogram of autocannon counts whole milliseconds, so the times are kept here.
  const times: number[] = [];
  let refused = 0;
  const instance = autocannon({
    url: plan.url,
    connections: plan.connections,
    duration: plan.seconds,
    setupClient(client) {
      client.setRequests(requestsOf(plan, connection));
      connection += 1;
    },
  });
  instance.on('response', (_client, status: number, _bytes, ms: number) => {
    if (status >= 200 && status < 300) times.push(ms);
    else refused += 1;
  });
  process.once('SIGTERM', () => instance.stop());
  const { errors, timeouts, duration } = await instance;
  return {
    answered: times.length,
    seconds: duration,
    failed: refused + errors + timeouts,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

const plan = JSON.parse(await text(process.stdin)) as LoadPlan;
process.stdout.write(JSON.stringify(await load(plan)));
