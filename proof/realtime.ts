/**
 * Measures how quickly and completely events reach listeners: `npx node proof/realtime.ts`.
 *
 * The server runs as a separate process; this one has all the clients, so one clock measures both ends. First there is
 * one listener and no other load: it measures the time from the response to a comment until the listener has its event.
 * Then many open connections, each listening to a few apps that are drawn from the seed, under a steady rate of
 * comments: afterwards each must have every comment of its apps exactly once and in order. `--connections`, `--rate`,
 * `--seconds`, `--apps`, `--each`, `--samples` and `--seed` change the run.
 *
 * Exits with 1 when an event was lost, repeated or out of order, or when the idle median is not under 50 ms.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { type ConfabProcess, freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import { quantile } from 'confab-testing/harness/figures.ts';
import { cpuUsOf, memoryMbOf } from 'confab-testing/harness/process-usage.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { type Listener, openListener } from './realtime/listener.ts';

const {
  connections,
  rate,
  seconds,
  apps: appCount,
  each,
  samples,
  seed,
} = readFlags({ connections: 2000, rate: 100, seconds: 25, apps: 100, each: 5, samples: 500, seed: anySeed });

/** The limit of the idle median. */
const idleMsMax = 50;
/** How many users the connections belong to. */
const people = 200;
/** How many connections are opened at a time. */
const openedAtOnce = 50;
/** How long the server rests before its memory is measured. */
const restMs = 5000;
/** How long the last events may take after the last comment. */
const lateMsMax = 30_000;

type Comment = { readonly id: number; readonly appId: number; readonly answeredAt: number };

const random = seededRandom(seed);
const suite = new Suite('realtime');
const key = freshKey();
let server: ConfabProcess;
let client: Client;

/** Restarts the server on the same data. */
async function start(): Promise<void> {
  server = await startConfab({ folder: suite.folder, key });
  client = new Client(server, { connections: 20 });
}

async function stop(): Promise<void> {
  await client.close();
  await server.stop();
}

async function comment(appId: number): Promise<Comment> {
  const text = `A comment with **some** words. ${seed}`;
  const id = await client.create(`/api/apps/${appId}/comments`, { text });
  return { id, appId, answeredAt: performance.now() };
}

async function makeTokens(): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 0; n < people; n += 1) tokens.push(await issueToken(client, `listener-${n}`));
  return tokens;
}

async function makeApps(): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < appCount; n += 1)
    ids.push(await client.create('/api/apps', { uid: `app-${n}`, type: 'comments', access: 'read' }));
  return ids;
}

function quantiles(values: readonly number[]): string {
  const at = (part: number) => quantile(values, part).toFixed(2);
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, most ${at(1)}`;
}

async function measureIdle(token: string, appId: number): Promise<void> {
  const listener = await openListener(server.url, token, [appId]);
  const [afterAnswer, afterRequest]: [number[], number[]] = [[], []];
  for (let n = 0; n < samples; n += 1) {
    const sentAt = performance.now();
    const { id, answeredAt } = await comment(appId);
    const until = answeredAt + lateMsMax;
    let arrival = listener.arrivals.at(-1);
    while (arrival?.commentId !== id) {
      if (performance.now() > until) throw new Error(`the event of comment ${id} did not come`);
      await pause(0);
      arrival = listener.arrivals.at(-1);
    }
    afterAnswer.push(arrival.at - answeredAt);
    afterRequest.push(arrival.at - sentAt);
    await pause(random.integer(5, 25));
  }
  listener.close();
  console.log(`idle, ${samples} comments one after the other, milliseconds until a listener has the event
  from the answer   ${quantiles(afterAnswer)} (below zero: it came before the answer)
  from the request  ${quantiles(afterRequest)}`);
  if (!(quantile(afterAnswer, 0.5) < idleMsMax)) suite.fail(`the idle median is not under ${idleMsMax} ms`);
}

function drawApps(appIds: readonly number[]): number[] {
  const drawn = new Set<number>();
  while (drawn.size < Math.min(each, appIds.length)) {
    const id = random.pick(appIds);
    if (id !== undefined) drawn.add(id);
  }
  return [...drawn];
}

async function openAll(tokens: readonly string[], appIds: readonly number[]): Promise<Listener[]> {
  const listeners: Listener[] = [];
  while (listeners.length < connections) {
    const batch = Array.from({ length: Math.min(openedAtOnce, connections - listeners.length) }, (_, index) =>
      openListener(server.url, tokens[(listeners.length + index) % tokens.length] ?? '', drawApps(appIds)),
    );
    listeners.push(...(await Promise.all(batch)));
  }
  return listeners;
}

/** Sends comments at a steady rate, without waiting for earlier responses. */
async function commentSteadily(appIds: readonly number[]): Promise<Comment[]> {
  const begun = performance.now();
  const sent: Promise<Comment>[] = [];
  for (let n = 0; n < rate * seconds; n += 1) {
    const dueMs = begun + (n * 1000) / rate - performance.now();
    if (dueMs > 0) await pause(dueMs);
    sent.push(comment(random.draw(appIds)));
  }
  return await Promise.all(sent);
}

/** Compares the received events with the responses; returns the time of each event from the response on. */
function judge(listeners: readonly Listener[], comments: readonly Comment[]): number[] {
  const byId = new Map(comments.map((each) => [each.id, each]));
  const waits: number[] = [];
  const wrong = { lost: 0, repeated: 0, disordered: 0, foreign: 0, closed: 0 };
  for (const { appIds, arrivals, isOpen } of listeners) {
    const apps = new Set(appIds);
    const missing = new Set(comments.filter(({ appId }) => apps.has(appId)).map(({ id }) => id));
    let last = 0;
    if (!isOpen()) wrong.closed += 1;
    for (const { position, commentId, at } of arrivals) {
      const found = byId.get(commentId);
      if (found === undefined || !apps.has(found.appId)) wrong.foreign += 1;
      else if (!missing.delete(commentId)) wrong.repeated += 1;
      else waits.push(at - found.answeredAt);
      if (position <= last) wrong.disordered += 1;
      last = position;
    }
    wrong.lost += missing.size;
  }
  console.log(`  events told ${waits.length}, lost ${wrong.lost}, repeated ${wrong.repeated}, out of order \
${wrong.disordered}, of other apps ${wrong.foreign}, connections cut ${wrong.closed}`);
  for (const [name, count] of Object.entries(wrong)) if (count > 0) suite.fail(`${name}: ${count}`);
  return waits;
}

async function measureMany(tokens: readonly string[], appIds: readonly number[]): Promise<void> {
  const { pid } = server;
  await pause(restMs);
  const beforeMb = memoryMbOf(pid) ?? Number.NaN;
  const openedAt = performance.now();
  const listeners = await openAll(tokens, appIds);
  const openMs = performance.now() - openedAt;
  await pause(restMs);
  const openMb = memoryMbOf(pid) ?? Number.NaN;
  const cpuUs = cpuUsOf(pid) ?? Number.NaN;
  const begun = performance.now();
  const comments = await commentSteadily(appIds);
  const sentMs = performance.now() - begun;
  const chosen = new Map<number, number>();
  for (const { appId } of comments) chosen.set(appId, (chosen.get(appId) ?? 0) + 1);
  const wanted = listeners.reduce(
    (sum, { appIds: own }) => sum + own.reduce((count, id) => count + (chosen.get(id) ?? 0), 0),
    0,
  );
  const until = performance.now() + lateMsMax;
  const told = () => listeners.reduce((sum, { arrivals }) => sum + arrivals.length, 0);
  while (told() < wanted && performance.now() < until) await pause(100);
  const cpuShare = ((cpuUsOf(pid) ?? Number.NaN) - cpuUs) / 1000 / sentMs;
  console.log(`${connections} connections of ${people} people, ${each} of ${appCount} apps each, opened in ${(
    openMs / 1000
  ).toFixed(1)} s
${comments.length} comments at ${(comments.length / (sentMs / 1000)).toFixed(0)} a second`);
  const waits = judge(listeners, comments);
  console.log(`  milliseconds from the answer  ${quantiles(waits)}
  events told a second ${(waits.length / (sentMs / 1000)).toFixed(0)}, processor time of the server ${(
    cpuShare * 100
  ).toFixed(0)} % of one
memory of the server: ${beforeMb.toFixed(0)} MB without connections, ${openMb.toFixed(0)} MB with them, \
${(((openMb - beforeMb) * 1000) / connections).toFixed(1)} kB a connection, ${(memoryMbOf(pid) ?? Number.NaN).toFixed(0)} MB after the load`);
  for (const listener of listeners) listener.close();
}

async function run(): Promise<void> {
  await start();
  const tokens = await makeTokens();
  const appIds = await makeApps();
  await measureIdle(tokens[0] ?? '', appIds[0] ?? 0);
  // A busy server has garbage; connections that reuse its space would seem to need no memory.
  await stop();
  await start();
  await measureMany(tokens, appIds);
  await stop();
}

console.log(`seed ${seed}`);
await suite.run({ run });
