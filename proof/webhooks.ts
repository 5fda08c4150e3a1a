/**
 * Checks that deliveries arrive despite faults: `npx node proof/webhooks.ts`.
 *
 * Eight clients cause 5,000 events, and send as many requests that are refused, to a server that is killed 20 times
 * meanwhile. Two webhooks, one of them ordered, point to a receiver that randomly refuses, cuts off and ignores
 * requests. In the end no delivery may be missing, none may come from a refused request, and each repeated one must
 * have been in progress at a kill. `--events`, `--kills` and `--seed` change the run. Exits with 1 after a violation,
 * and then keeps the data folder and the log of the server.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'confab-testing/harness/client.ts';
import { runConfab } from 'confab-testing/harness/confab-command.ts';
import { type ConfabProcess, freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { type Attempt, startChaoticReceiver } from './webhooks/chaotic-receiver.ts';

const { events: wanted, kills, seed } = readFlags({ events: 5000, kills: 20, seed: anySeed });
const random = seededRandom(seed);
const clients = 8;
const drainMsMax = 120_000;
const hourMs = 3_600_000;

const suite = new Suite('webhooks');
const { folder } = suite;
const clockFile = join(folder, 'forward');
const key = freshKey();
const faults: string[] = [];
const killedAt: number[] = [];
const acknowledged = new Set<string>();
const unknown = new Set<string>();
const refused = new Set<string>();
let forwardMs = 0;

function forward(ms: number): void {
  forwardMs += ms;
  writeFileSync(clockFile, String(forwardMs));
}

async function start(): Promise<ConfabProcess> {
  const settings = { CONFAB_EGRESS_ALLOW: '127.0.0.0/8', CONFAB_LOG_LEVEL: 'error' };
  return await startConfab({ folder, key, plant: ['hurry', clockFile], settings });
}

let server = await start();
let client = new Client(server);
let restarting: Promise<void> | undefined;

async function killServer(): Promise<void> {
  killedAt.push(performance.now());
  await server.kill();
  await client.close();
  server = await start();
  client = new Client(server);
}

/** Creates comments until there are enough, each with a refused one whose event would already have been written. */
async function write(): Promise<void> {
  while (acknowledged.size + unknown.size < wanted) {
    await restarting;
    const text = `comment ${acknowledged.size + unknown.size + refused.size} ${random.integer(0, 2 ** 31)}`;
    const isRefused = random.oneIn(2);
    const body = isRefused ? { text, blobs: [999_999_999] } : { text };
    const answer = await client.send('POST', '/api/apps/chaos/comments', body);
    if (answer?.status === 201) acknowledged.add(text);
    else if (isRefused) refused.add(text);
    else unknown.add(text);
  }
}

function textOf({ body }: Attempt): string {
  return JSON.parse(body).comment.text;
}

/** The undelivered deliveries in the store. */
function waiting(): number {
  using database = new DatabaseSync(join(folder, 'data', 'confab.db'), { readOnly: true });
  const row = database.prepare(`select count(*) as n from deliveries where status <> 'delivered'`).get();
  return Number(row?.n);
}

/** An attempt that arrived twice was in progress at a kill: one lies between the two. */
function wasKilledBetween(one: Attempt, other: Attempt): boolean {
  return killedAt.some((at) => one.at <= at + 1000 && at <= other.at);
}

/**
 * Compares the requests to a path with the acknowledged and refused comments; returns how many attempts were repeated.
 */
function check(attempts: readonly Attempt[], path: string): number {
  const own = attempts.filter((each) => each.path === path);
  const texts = new Set(own.filter(({ isTaken }) => isTaken).map(textOf));
  for (const text of acknowledged) if (!texts.has(text)) faults.push(`${path}: "${text}" is missing`);
  for (const arrival of own)
    if (refused.has(textOf(arrival))) faults.push(`${path}: "${textOf(arrival)}" was refused and came`);
  let repeated = 0;
  for (const [guid, some] of Map.groupBy(own, (arrival) => arrival.guid)) {
    if (new Set(some.map(({ body }) => body)).size > 1) faults.push(`${path}: ${guid} came with other bytes`);
    if (new Set(some.map(({ sequence }) => sequence)).size > 1)
      faults.push(`${path}: ${guid} came with another number`);
    for (const [attempt, same] of Map.groupBy(some, (arrival) => arrival.attempt))
      for (const [index, other] of same.entries()) {
        const one = same[index - 1];
        if (one === undefined) continue;
        repeated += 1;
        if (!wasKilledBetween(one, other))
          faults.push(`${path}: attempt ${attempt} of ${guid} came again and no kill was between`);
      }
  }
  const numbers = new Set(own.map(({ sequence }) => sequence));
  if (Math.max(...numbers) !== numbers.size) faults.push(`${path}: the numbers of deliveries have gaps`);
  return repeated;
}

/** An ordered webhook sends nothing before all lower numbers were accepted. */
function checkOrder(attempts: readonly Attempt[], path: string): void {
  let taken = 0;
  for (const { path: to, sequence, isTaken } of attempts) {
    if (to !== path) continue;
    if (sequence > taken + 1)
      faults.push(`${path}: ${sequence} came when ${taken} was the last that was taken`);
    if (isTaken) taken = Math.max(taken, sequence);
  }
}

/** Causes the events while the server is killed repeatedly, then lets everything be delivered. */
async function run(): Promise<void> {
  using receiver = await startChaoticReceiver(random);
  console.log(`seed ${seed}: ${wanted} events, ${kills} kills, a receiver that fails one request in four`);
  await client.must('POST', '/api/apps', { uid: 'chaos', type: 'comments' });
  for (const path of ['/ordered', '/free']) {
    const ordered = path === '/ordered';
    const hook = { payload_url: receiver.url + path, triggers: ['comments'], ordered };
    await client.must('POST', '/api/webhooks', hook);
  }
  let isWriting = true;
  const writing = Promise.all(Array.from({ length: clients }, write)).finally(() => {
    isWriting = false;
  });
  while (isWriting && killedAt.length < kills) {
    const next = (wanted * (killedAt.length + 1)) / (kills + 1);
    while (isWriting && acknowledged.size < next) {
      await pause(random.integer(5, 60));
      forward(90_000);
    }
    restarting = killServer();
    await restarting;
  }
  await writing;
  const since = performance.now();
  while (waiting() > wanted / 10 && performance.now() - since < drainMsMax) {
    forward(90_000);
    await pause(50);
  }
  receiver.calm();
  while (waiting() > 0 && performance.now() - since < 2 * drainMsMax) {
    forward(hourMs);
    await pause(100);
  }
  if (waiting() > 0)
    faults.push(`${waiting()} deliveries are not delivered after ${(2 * drainMsMax) / 1000} s`);
  const repeated = ['/ordered', '/free'].map((path) => check(receiver.attempts, path));
  checkOrder(receiver.attempts, '/ordered');
  await client.close();
  await server.stop();
  const doctor = await runConfab(['doctor', '--data-dir', join(folder, 'data'), '--json']);
  const { findings } = JSON.parse(doctor.stdout || '{"findings":[]}');
  if (doctor.stdout.length === 0) faults.push(`the doctor says: ${doctor.stderr}`);
  // The run has set the clock of the server forward, so its newest event is to come.
  for (const { check, level, what } of findings)
    if (level === 'error' && check !== 'clock') faults.push(`the doctor says: ${what}`);
  console.log(
    `${acknowledged.size} events acknowledged, ${unknown.size} without an answer, ${refused.size} refused, ` +
      `${killedAt.length} kills; ${receiver.attempts.length} requests, ` +
      `${repeated.reduce((sum, count) => sum + count, 0)} attempts came again after a kill`,
  );
  if (faults.length > 0) suite.fail(`${faults.length} things were wrong`, faults);
  else
    console.log(
      'nothing missing, nothing of what was refused, nothing twice but what was under way at a kill',
    );
}

await suite.run({ run });
