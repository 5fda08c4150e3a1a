/**
 * What lists cost in a large store: `npm run bench:size`.
 *
 * Makes a store with a million comments in one app and a million over 1,000 others, whose texts have a vocabulary of
 * 30,000 words as frequent as those of a language, and sends every list in every order, with searches, counts and pages
 * far down, one request after the other. Of each it prints how long the answer took and, from inside the server, how
 * long its event loop was held: nobody else is answered meanwhile.
 *
 * `--comments N` makes both millions smaller, `--store FOLDER` keeps the store and uses it again, `--only TEXT` sends
 * only the requests with that text, `--over MS` prints only those that hold the event loop for longer, `--repeat N`
 * sends each so often. `--engine=postgres` moves the store to PostgreSQL first.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { largeStore } from './bench/large-store.ts';
import { type Caller, type ListRequest, listRequests } from './bench/list-requests.ts';
import { movedToPostgres } from './bench/moved-store.ts';
import { Client } from './harness/client.ts';
import { startConfab } from './harness/confab-process.ts';
import { quantile } from './harness/figures.ts';
import { readFlags } from './harness/suite.ts';
import { usageOf } from './requests/measure.ts';
import { probeVariable } from './requests/probe.ts';

const flags = readFlags({
  comments: 1_000_000,
  engine: 'sqlite',
  only: '',
  over: 0,
  repeat: 15,
  store: '',
});

/** A request that took longer than this is not sent as often. */
const slowMs = 500;
const slowRepeats = 2;

type Cost = { readonly status: number; readonly waits: number[]; readonly held: number[] };

const folder = mkdtempSync(join(tmpdir(), 'confab-size-'));
const kept = flags.store === '' ? join(folder, 'store') : flags.store;
const probePath = join(folder, 'probe');

async function measure(
  { url, probe, tokens }: { url: string; probe: Socket; tokens: Record<Caller, string> },
  { caller, path }: ListRequest,
): Promise<Cost> {
  const cost = { status: 0, waits: [] as number[], held: [] as number[] };
  const headers = { authorization: `Bearer ${tokens[caller]}` };
  for (let n = 0; n < flags.repeat; n += 1) {
    await usageOf(probe);
    const startedAt = performance.now();
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    const waitMs = performance.now() - startedAt;
    cost.status = response.status;
    cost.waits.push(waitMs);
    cost.held.push((await usageOf(probe)).heldMs);
    if (waitMs > slowMs && n + 1 >= slowRepeats) break;
  }
  return cost;
}

function print(name: string, cost: Cost): void {
  if (quantile(cost.held, 0.5) < flags.over) return;
  const figures = [
    quantile(cost.waits, 0.5),
    quantile(cost.waits, 0.99),
    quantile(cost.held, 0.5),
    quantile(cost.held, 0.99),
  ];
  const [p50, p99, held50, held99] = figures.map((ms) => ms.toFixed(1).padStart(6));
  const status = cost.status === 200 ? '' : ` (answered ${cost.status})`;
  console.log(`${p50} ${p99}    ${held50} ${held99}  ${name}${status}`);
}

function printHistogram(held: readonly number[]): void {
  const steps = [1, 5, 10, 25, 100, 500, Number.POSITIVE_INFINITY];
  const histogram = steps.map((to, n) => {
    const from = steps[n - 1] ?? 0;
    return `${from}-${to}: ${held.filter((ms) => ms >= from && ms < to).length}`;
  });
  console.log(`requests by the milliseconds they hold the event loop (p50): ${histogram.join(', ')}`);
}

async function run(): Promise<void> {
  const world = await largeStore(kept, flags.comments);
  const database = flags.engine === 'postgres' ? await movedToPostgres(join(kept, 'data')) : undefined;
  const server = await startConfab({
    folder: database === undefined ? kept : folder,
    nodeArguments: ['--import', join(import.meta.dirname, 'requests/probe.ts')],
    settings: { CONFAB_LOG_LEVEL: 'error', [probeVariable]: probePath, ...database?.settings },
  });
  try {
    const client = new Client(server);
    const issue = async (user: string) =>
      String((await client.must('POST', `/api/users/${user}/tokens`))['access_token']);
    const tokens = { key: server.key, reader: await issue('reader'), guest: await issue('guest') };
    await client.close();
    const probe = connect(probePath);
    console.log('    wait ms           held ms\n   p50    p99       p50    p99  request');
    const held: number[] = [];
    for (const request of listRequests(world).filter(({ name }) => name.includes(flags.only))) {
      const cost = await measure({ url: server.url, probe, tokens }, request);
      print(request.name, cost);
      held.push(quantile(cost.held, 0.5));
    }
    probe.destroy();
    printHistogram(held);
  } finally {
    await server.kill();
    await database?.stop();
  }
}

try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
