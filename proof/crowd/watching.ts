import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Client } from 'confab-testing/harness/client.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { quantile } from 'confab-testing/harness/figures.ts';
import { cpuUsOf, memoryMbOf } from 'confab-testing/harness/process-usage.ts';
import { createLookers, createReads, type Telling } from './lookers.ts';
import type { Neighbourly } from './neighbour.ts';

/**
 * Many people read one page without a credential while others write and read elsewhere: what each of them takes of memory, when
 * all have heard of a comment, and how long the requests of others take meanwhile.
 */

/** What one number of readers has shown. */
export type Watched = {
  readonly readers: number;
  readonly kbEach: number;
  readonly heapKbEach: number;
  /** From sending a comment until half of the readers and all of them had heard of it, the median and the most of the comments. */
  readonly halfMs: number;
  readonly allMs: number;
  readonly unheard: number;
  /** Until the last had read the list, and the 99th percentile of how long a list took. */
  readonly readWithinMs: number;
  readonly readP99Ms: number;
  /** The processor time of a comment that all were told of, with what they read, for each reader. */
  readonly cpuUsEach: number;
  /** The requests of others. */
  readonly before: Waits;
  readonly meanwhile: Waits;
  readonly after: Waits;
};
type Waits = { readonly count: number; readonly p50: number; readonly p99: number; readonly most: number };

const comments = 25;
const tellings = 3;
const quietMs = 4000;
/** How long a comment is waited for until all have heard of it and have read. */
const tellingMsMax = 30_000;
const tellingMsMin = 1500;
const restMs = 2000;
/** The connections of a proxy to the server. */
const readConnections = 200;
const page = '/api/apps/crowd/comments?order_by=id+desc&top=25&expand=created_by';

/** Measures some numbers of readers with one server, that of another checkout where `release` names one. */
export async function watchCrowd(
  folder: string,
  { steps, release }: { readonly steps: readonly number[]; readonly release?: string | undefined },
): Promise<Watched[]> {
  const most = Math.max(...steps);
  await using server = await startConfab({
    folder,
    settings: release === undefined ? { CONFAB_VISITOR_STREAMS: String(most) } : {},
    ...(release === undefined ? {} : { release: resolve(release) }),
  });
  await using client = new Client(server, { connections: 4 });
  for (const uid of ['crowd', 'elsewhere']) {
    await client.must('PUT', `/api/apps/${uid}`, { type: 'comments', access: 'write', visitors: 'read' });
    for (let n = 0; n < comments; n += 1)
      await client.create(`/api/apps/${uid}/comments`, {
        text: `Comment ${n} of some **length**. `.repeat(4),
      });
  }
  const { hostname: host, port } = new URL(server.url);
  const at = { host: host === 'localhost' ? '127.0.0.1' : host, port: Number(port) };
  const reads = createReads(at, { path: page, connections: readConnections });
  let telling: Telling | undefined;
  const path = '/api/apps/crowd/changes?page=true&present=true';
  const lookers = createLookers(at, { path, read: reads.read, telling: () => telling });
  const neighbours: Neighbourly[] = [];
  const workerData = { url: server.url, key: server.key, app: 'elsewhere' };
  const worker = new Worker(new URL('./neighbour.ts', import.meta.url), { workerData });
  worker.on('message', (message: Neighbourly) => neighbours.push(message));
  const waitsIn = (from: number, to: number) =>
    waitsOf(neighbours.filter(({ at: sentAt }) => sentAt >= from && sentAt < to).map(({ ms }) => ms));

  async function tell(): Promise<Telling> {
    telling = { since: performance.now(), heardAt: [], readMs: [], lastReadAt: performance.now() };
    await client.create('/api/apps/crowd/comments', { text: 'a comment that all hear of' });
    const count = lookers.count();
    await pause(tellingMsMin);
    while (telling.readMs.length < count && performance.now() - telling.since < tellingMsMax)
      await pause(100);
    return telling;
  }

  async function measure(readers: number, base: Memory): Promise<Watched> {
    await lookers.openUntil(readers);
    await pause(restMs);
    const memory = await memoryOf(server);
    const beganAt = Date.now();
    const cpuBefore = cpuUsOf(server.pid) ?? Number.NaN;
    await pause(quietMs);
    const cpuQuiet = cpuUsOf(server.pid) ?? Number.NaN;
    const toldAt = Date.now();
    const told: Telling[] = [];
    const within: [number, number][] = [];
    for (let n = 0; n < tellings; n += 1) {
      const from = Date.now();
      const one = await tell();
      within.push([from, from + Math.max(500, one.lastReadAt - one.since)]);
      told.push(one);
    }
    const endedAt = Date.now();
    const cpuOthers = ((cpuQuiet - cpuBefore) * (endedAt - toldAt)) / (toldAt - beganAt);
    const cpuUs = (cpuUsOf(server.pid) ?? Number.NaN) - cpuQuiet - cpuOthers;
    await pause(quietMs);
    const before = waitsIn(beganAt, toldAt);
    const during = neighbours.filter(({ at: sentAt }) =>
      within.some(([from, to]) => sentAt >= from && sentAt < to),
    );
    const heardAfter = (part: number) =>
      told.map(({ heardAt, since }) =>
        quantile(
          heardAt.map((time) => time - since),
          part,
        ),
      );
    return {
      readers: lookers.count(),
      kbEach: ((memory.rssMb - base.rssMb) * 1000) / readers,
      heapKbEach: ((memory.heapMb - base.heapMb) * 1000) / readers,
      halfMs: quantile(heardAfter(0.5), 0.5),
      allMs: Math.max(...heardAfter(1)),
      unheard: Math.max(...told.map(({ heardAt }) => readers - heardAt.length)),
      readWithinMs: Math.max(...told.map(({ lastReadAt, since }) => lastReadAt - since)),
      readP99Ms: quantile(
        told.flatMap(({ readMs }) => readMs),
        0.99,
      ),
      cpuUsEach: cpuUs / tellings / readers,
      before,
      meanwhile: waitsOf(during.map(({ ms }) => ms)),
      after: waitsIn(endedAt, Date.now()),
    };
  }

  try {
    // What the server makes once, it has made then.
    for (let n = 0; n < 300; n += 1) await reads.read();
    await pause(restMs);
    const base = await memoryOf(server);
    const found: Watched[] = [];
    for (const readers of steps) found.push(await measure(readers, base));
    return found;
  } finally {
    await worker.terminate();
    lookers.close();
    reads.close();
  }
}

type Memory = { readonly rssMb: number; readonly heapMb: number };

async function memoryOf({ url, key, pid }: { url: string; key: string; pid: number }): Promise<Memory> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  const heap = /^nodejs_heap_size_used_bytes ([\d.e+]+)$/m.exec(await response.text())?.[1];
  return { rssMb: memoryMbOf(pid) ?? Number.NaN, heapMb: Number(heap) / 1e6 };
}

function waitsOf(values: readonly number[]): Waits {
  if (values.length === 0) return { count: 0, p50: Number.NaN, p99: Number.NaN, most: Number.NaN };
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantile(values, part));
  return { count: values.length, p50: p50 ?? 0, p99: p99 ?? 0, most: most ?? 0 };
}
