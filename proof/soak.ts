/**
 * Runs a server for an hour at half of what it can do, and then with five times as much as it can do: `npx node proof/soak.ts`.
 *
 * The server runs as a separate process with a webhook; the clients read pages and comments, write and edit. First it is
 * found out how many requests a second it answers. The hour prints memory, files and latency as it goes on, and the
 * slope of the memory over its second half. The overload sends five times as many requests as the server can answer,
 * half of them with an API key, whether or not earlier ones were answered. Afterwards the server must answer as before
 * within seconds, and every comment whose creation was answered must be there.
 *
 * `--minutes`, `--overload` (seconds), `--apps`, `--people` and `--seed` change the run.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { quantile } from 'confab-testing/harness/figures.ts';
import { cpuUsOf, memoryMbOf } from 'confab-testing/harness/process-usage.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { startReceiver } from 'confab-testing/harness/receiver.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { Clients, type Site, type Traffic } from './soak/traffic.ts';

const { minutes, overload, apps, people, seed } = readFlags({
  minutes: 60,
  overload: 120,
  apps: 50,
  people: 100,
  seed: anySeed,
});

/** How many connections it takes to keep the server busy, and for how many seconds that is measured. */
const busyConnections = 64;
const busySeconds = 20;
/** The most connections of the overload: each is a request that waits. */
const overloadConnections = 6000;
const overloadTimes = 5;
/** The least part of what the server can do that it must still do in the overload. */
const goodputMin = 0.8;
/** How long it may take until the server answers as before, in seconds. */
const recoverySecondsMax = 10;
/** The most growth of memory over the second half, in MB an hour. */
const slopeMbMax = 30;

const suite = new Suite('soak');
const random = seededRandom(seed);
console.log(`seed ${seed}`);
const receiver = await startReceiver();
const server = await startConfab({
  folder: suite.folder,
  settings: { CONFAB_EGRESS_ALLOW: '127.0.0.0/8', CONFAB_LOG_LEVEL: 'warn' },
});
const site = await furnish();
const clients = new Clients(site, random, overloadConnections);
let best = 0;

/** Creates people, apps and a webhook. */
async function furnish(): Promise<Site> {
  await using client = new Client(server);
  const tokens: string[] = [];
  for (let n = 0; n < people; n += 1) {
    await client.must('PUT', `/api/users/p${n}`, { name: `Person ${n}` });
    tokens.push(await issueToken(client, `p${n}`));
  }
  const appIds: number[] = [];
  for (let n = 0; n < apps; n += 1) {
    const app = await client.must('PUT', `/api/apps/soak-${n}`, { type: 'comments', access: 'write' });
    appIds.push(Number(app['id']));
  }
  await client.create('/api/webhooks', { payload_url: receiver.url, triggers: ['comments'] });
  return { url: server.url, key: server.key, tokens, appIds };
}

function storeMb(): number {
  const sizeOf = (name: string) =>
    statSync(join(suite.folder, 'data', name), { throwIfNoEntry: false })?.size ?? 0;
  return (sizeOf('confab.db') + sizeOf('confab.db-wal')) / 1e6;
}

function ms(times: readonly number[]): string {
  return `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`;
}

function judge(traffic: Traffic, part: string): void {
  if (traffic.wrong.length > 0) suite.fail(`${part}: answers that should not be`, traffic.wrong);
}

/** Measures the processor time of the server, and of the clients beside it, for each request that is answered. */
function startCpu(): { of(traffic: Traffic, seconds: number): string } {
  const [server0, clients0] = [cpuUsOf(server.pid) ?? 0, process.cpuUsage()];
  return {
    of({ answeredMs: { length } }, seconds) {
      const { user, system } = process.cpuUsage(clients0);
      const serverUs = (cpuUsOf(server.pid) ?? 0) - server0;
      const part = (us: number) => `${(us / 1e6 / seconds).toFixed(2)} processors`;
      return `server ${part(serverUs)} and ${(serverUs / length).toFixed(0)} µs a request answered, clients ${part(user + system)}`;
    },
  };
}

/** Finds out how many requests a second the server answers. */
async function capacity(): Promise<void> {
  await clients.saturate(busyConnections, 5);
  const cpu = startCpu();
  const traffic = await clients.saturate(busyConnections, busySeconds);
  judge(traffic, 'capacity');
  best = traffic.answeredMs.length / busySeconds;
  console.log(
    `capacity ${best.toFixed(0)} requests a second, ${ms(traffic.answeredMs)}, ${cpu.of(traffic, busySeconds)}`,
  );
}

/** Half of the capacity for a long time. */
async function soak(): Promise<void> {
  const rate = best / 2;
  const memory: { readonly minute: number; readonly mb: number }[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const [cpuBefore, createdBefore, mbBefore] = [
      cpuUsOf(server.pid) ?? 0,
      clients.created.length,
      storeMb(),
    ];
    const traffic = await clients.send({ rate, seconds: 60 });
    judge(traffic, `minute ${minute}`);
    if (traffic.unsent + traffic.lost + traffic.refused.key + traffic.refused.person > 0)
      suite.fail(
        `minute ${minute}: ${JSON.stringify({ ...traffic.refused, lost: traffic.lost + traffic.unsent })} not answered`,
      );
    const mb = memoryMbOf(server.pid) ?? 0;
    memory.push({ minute, mb });
    const cpu = ((cpuUsOf(server.pid) ?? 0) - cpuBefore) / traffic.sent;
    const kb = ((storeMb() - mbBefore) * 1000) / Math.max(1, clients.created.length - createdBefore);
    if (minute <= 5 || minute > minutes - 5 || minute % 10 === 0)
      console.log(
        `minute ${minute}: ${rate.toFixed(0)}/s, ${ms(traffic.answeredMs)}, ${cpu.toFixed(0)} µs a request, memory ${mb.toFixed(0)} MB, store ${storeMb().toFixed(0)} MB, ${kb.toFixed(1)} kB a comment`,
      );
  }
  const late = memory.slice(Math.floor(memory.length / 2));
  const slope = slopeOf(late.map(({ minute, mb }) => [minute / 60, mb]));
  console.log(`memory over the second half: ${slope.toFixed(1)} MB an hour`);
  if (minutes >= 30 && slope > slopeMbMax) suite.fail(`memory grows by ${slope.toFixed(1)} MB an hour`);
}

/** The slope of the line through some points (least squares). */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread;
}

/** Several times the capacity, and how long it takes until all is as before. */
async function overloaded(): Promise<void> {
  const before = await clients.send({ rate: best / 4, seconds: 10 });
  const rate = best * overloadTimes;
  const cpu = startCpu();
  const traffic = await clients.send({ rate, seconds: overload, ofKeys: 5 });
  judge(traffic, 'overload');
  const goodput = traffic.answeredMs.length / overload / best;
  console.log(
    `overload: ${rate.toFixed(0)} requests a second due, ${(traffic.sent / overload).toFixed(0)} sent over ${overloadConnections} connections, ${(100 * goodput).toFixed(0)} % of the capacity answered (${ms(traffic.answeredMs)}; what people read ${ms(traffic.readMs)}), refused ${traffic.refused.key} of keys and ${traffic.refused.person} of people, without an answer ${traffic.lost}, memory ${memoryMbOf(server.pid)?.toFixed(0)} MB, ${cpu.of(traffic, overload)}`,
  );
  if (goodput < goodputMin) suite.fail(`only ${(100 * goodput).toFixed(0)} % of the capacity was answered`);
  const limit = 2 * quantile(before.answeredMs, 0.99) + 5;
  for (let second = 1; ; second += 1) {
    const { answeredMs } = await clients.send({ rate: best / 4, seconds: 1 });
    if (quantile(answeredMs, 0.99) <= limit) {
      console.log(`recovered after ${second} s: ${ms(answeredMs)} (before ${ms(before.answeredMs)})`);
      break;
    }
    if (second === recoverySecondsMax) {
      suite.fail(`not recovered after ${second} s: ${ms(answeredMs)} (before ${ms(before.answeredMs)})`);
      break;
    }
  }
}

/** Nothing that was answered may be lost. */
async function complete(): Promise<void> {
  await clients.close();
  await server.stop();
  receiver.close();
  using store = new DatabaseSync(join(suite.folder, 'data', 'confab.db'), { readOnly: true });
  const isThere = store.prepare('select 1 from entries where id = ?');
  const lost = clients.created.filter((id) => isThere.get(id) === undefined);
  const verdict = store.prepare('pragma quick_check').get() as { quick_check: string };
  console.log(
    `${clients.created.length} comments created, ${lost.length} lost, store ${verdict.quick_check}`,
  );
  if (lost.length > 0) suite.fail('comments whose creation was answered are gone', lost.map(String));
  if (verdict.quick_check !== 'ok') suite.fail('the store is damaged');
}

await suite.run({ capacity, soak, overloaded, complete });
