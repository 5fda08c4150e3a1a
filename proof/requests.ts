/**
 * What the most expensive requests cost that a user with write access can make: `npx node proof/requests.ts`.
 *
 * Starts a server as a process of its own on SQLite, with a store that is as unfavourable as it can become, and sends
 * one request after the other: each operation of the contract with everything at its limit and with bodies that are
 * wrong in many ways, lists with searches, orders and far down, hostile texts, pictures and pages. Of each it measures
 * the processor time of the server until it is idle again, the longest wait of `/healthz` meanwhile, the bytes of the
 * answer and how much memory grew. `--only TEXT` measures only the rows with that text, `--rows N` prints so many,
 * `--store FOLDER` keeps the store in a folder and uses it again, `--seed` repeats what was drawn.
 *
 * Exits with 1 when a row exceeds a limit that it is not exempt from.
 */

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfabProcess, freshKey } from 'confab-testing/harness/confab-process.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { anySeed, readFlags, temporaryFolder } from 'confab-testing/harness/suite.ts';
import { type Cost, Meter, send } from './requests/measure.ts';
import { startPages } from './requests/pages.ts';
import { startProbed } from './requests/probed-server.ts';
import { allRows, type Row } from './requests/rows.ts';
import { supplyOf } from './requests/supply.ts';
import { multiply, Preparation, sizes, type World } from './requests/world.ts';

const {
  only,
  rows: shownMax,
  seed,
  store: given,
} = readFlags({ only: '', rows: 60, seed: anySeed, store: '' });

/** What no row may exceed. */
const most = { waitMs: 50, bytes: 5_000_000, memoryMb: 64 } as const;
/** How often a row that exceeds a limit, or might, is tried: other programs on the machine disturb one try, not all of them. */
const tries = 3;
/** How many requests of each of some kinds come before anything is measured. */
const warmingRequests = 20;

type Measured = { readonly row: Row; readonly cost: Cost };

using folder = temporaryFolder('requests');
const kept = given === '' ? join(folder.path, 'store') : given;
const key = freshKey();
using pages = await startPages();
const probePath = join(folder.path, 'probe');

/** Makes the store, unless the folder has one. */
async function prepare(): Promise<World> {
  const noted = join(kept, 'world.json');
  if (!existsSync(noted)) {
    console.log(
      `preparing ${Object.entries(sizes)
        .map(([name, size]) => `${size} ${name}`)
        .join(', ')}`,
    );
    const server = await startProbed(probePath, { folder: kept, key });
    const preparation = new Preparation(server);
    const world = await preparation.fill();
    await preparation.close();
    await server.stop();
    writeFileSync(noted, JSON.stringify(multiply(join(kept, 'data/confab.db'), world)));
  }
  return JSON.parse(readFileSync(noted, 'utf8')) as World;
}

function isOver(cost: Cost): boolean {
  return isSlow(cost) || cost.bytes > most.bytes || cost.memoryMb > most.memoryMb;
}

/** Whether the processor time alone could make a row exceed a limit: work that was left by others may be counted. */
function isDear({ cpuMs }: Cost): boolean {
  return cpuMs > most.waitMs / 2;
}

/** A wait in which the server itself worked less is the machine's: other programs had the processor. */
function isSlow({ waitMs, cpuMs, heldMs }: Cost): boolean {
  return waitMs > most.waitMs && cpuMs > most.waitMs && heldMs > most.waitMs / 2;
}

/** The least of two measurements of one request in everything that others can only add to. */
function least(a: Cost, b: Cost): Cost {
  const lower = (name: 'answeredMs' | 'cpuMs' | 'waitMs' | 'heldMs' | 'memoryMb') =>
    Math.min(a[name], b[name]);
  return {
    ...b,
    answeredMs: lower('answeredMs'),
    cpuMs: lower('cpuMs'),
    waitMs: lower('waitMs'),
    heldMs: lower('heldMs'),
    memoryMb: lower('memoryMb'),
  };
}

async function measureRow(meter: Meter, row: Row): Promise<Measured> {
  let cost = await meter.measure(await row.make());
  for (let n = 1; n < tries && row.isRepeatable && (isOver(cost) || isDear(cost)); n += 1)
    cost = least(cost, await meter.measure(await row.make()));
  return { row, cost };
}

function print(measured: readonly Measured[]): void {
  const sorted = [...measured].sort((a, b) => b.cost.cpuMs - a.cost.cpuMs);
  const shown = sorted.filter(({ cost }, index) => index < shownMax || isOver(cost));
  const cells = (row: readonly string[]) =>
    [7, 7, 7, 10, 7, 12, 8].map((width, n) => row[n]?.padStart(width)).join('');
  console.log(cells(['CPU ms', 'wait', 'held', 'bytes', 'MB', 'pictures', 'status']), ' request');
  for (const { row, cost } of shown) {
    const { pictures } = cost;
    const figures = [
      cost.cpuMs.toFixed(0),
      cost.waitMs.toFixed(0),
      cost.heldMs.toFixed(0),
      String(cost.bytes),
      cost.memoryMb.toFixed(0),
      pictures === undefined ? '' : `${pictures.cpuMs.toFixed(0)}/${pictures.memoryMb.toFixed(0)}`,
      String(cost.status),
    ];
    console.log(cells(figures), ` ${row.name}`);
  }
  console.log(`${sorted.length - shown.length} cheaper rows are not shown.`);
}

/** Says what exceeds which limit; answers whether anything does that is not exempt. */
function judge(measured: readonly Measured[]): boolean {
  let isFailed = false;
  for (const { row, cost } of measured.filter((each) => isOver(each.cost))) {
    const over = [
      ...(isSlow(cost) ? [`${cost.waitMs.toFixed(0)} ms wait`] : []),
      ...(cost.bytes > most.bytes ? [`${(cost.bytes / 1e6).toFixed(1)} MB answer`] : []),
      ...(cost.memoryMb > most.memoryMb ? [`${cost.memoryMb.toFixed(0)} MB memory`] : []),
    ].join(', ');
    const exemption = row.exemption === undefined ? '' : ` (exempt: ${row.exemption})`;
    console.log(`over: ${row.name}: ${over}${exemption}`);
    isFailed ||= row.exemption === undefined;
  }
  const broken = measured.filter(({ cost }) => cost.status >= 500);
  for (const { row, cost } of broken) console.log(`answered ${cost.status}: ${row.name}`);
  return isFailed || broken.length > 0;
}

async function run(): Promise<boolean> {
  const world = await prepare();
  const copy = join(folder.path, 'run');
  cpSync(kept, copy, { recursive: true });
  await using server = await startProbed(probePath, { folder: copy, key });
  const measured = await measureAll(server, world);
  print(measured);
  console.log(`${measured.length} requests, seed ${seed}`);
  return judge(measured);
}

async function measureAll(server: ConfabProcess, world: World): Promise<Measured[]> {
  const preparation = new Preparation(server);
  const supply = supplyOf(preparation, pages);
  const headers = { authorization: `Bearer ${await preparation.token()}` };
  const rows = await allRows({ world, supply, pages, random: seededRandom(seed), headers });
  // The first requests of each kind pay for compiling what all others use.
  for (const path of ['/api/apps', '/api/comments', '/api/users', '/api/conversations'])
    for (let n = 0; n < warmingRequests; n += 1) await send(server.url, { method: 'GET', path, headers });
  const meter = await Meter.start(server, probePath);
  const measured: Measured[] = [];
  const wanted = rows.filter(({ name }) => name.includes(only));
  for (const row of wanted) {
    const each = await measureRow(meter, row);
    measured.push(each);
    if (isOver(each.cost) || measured.length % 100 === 0)
      console.error(`${measured.length} of ${wanted.length}: ${row.name}, ${each.cost.cpuMs.toFixed(0)} ms`);
  }
  await meter.close();
  await preparation.close();
  return measured;
}

if (await run()) process.exitCode = 1;
