/**
 * How fast Confab is, beside the bare framework in the same run on the same machine: `npm run bench`.
 *
 * Requests a second say little about another machine; the fraction of what the framework alone does and the
 * processor time of a request say more. A run is a number of rounds; in each one every row is measured once, on
 * servers that were started for it, and the table shows the median over the rounds. `--seconds`, `--rounds`, `--warm`,
 * `--connections` and `--deliveries` change the effort, `--only TEXT` leaves out the rows of Confab without the text,
 * `--profile FOLDER` writes a processor profile of each Confab there. `--against FOLDER` measures this checkout and another,
 * such as that of the last release or of the commit before, in turns instead.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compareCheckouts } from './bench/checkouts.ts';
import { measureDeliveries } from './bench/delivery-speed.ts';
import { prepareFloor } from './bench/floors.ts';
import { installPackage } from './bench/installed.ts';
import { type Effort, type Measured, measure } from './bench/measure.ts';
import { commentsOf, isBase, type Row, rows } from './bench/rows.ts';
import {
  listedComments,
  seed,
  startBare,
  startEmptyConfab,
  startFloor,
  startHello,
  startPlain,
} from './bench/servers.ts';
import { printTable, type TableRow } from './bench/table.ts';
import { type Deliveries, watchDeliveries } from './bench/watched-deliveries.ts';
import { Client } from './harness/client.ts';
import { machine, median } from './harness/figures.ts';
import { memoryMbOf } from './harness/process-usage.ts';
import { readFlags, temporaryFolder } from './harness/suite.ts';

const {
  warm: warmSeconds,
  rounds,
  only,
  profile,
  against,
  deliveries: deliveriesSent,
  ...sizes
} = readFlags({
  seconds: 5,
  warm: 2,
  rounds: 3,
  connections: 50,
  deliveries: 20_000,
  only: '',
  profile: '',
  against: '',
});
const effort: Effort = { ...sizes, warmSeconds };

/** How long a server is left alone before its memory at rest is read. */
const restMs = 2000;
type Round = {
  readonly measured: ReadonlyMap<string, Measured>;
  /** The floors by the names of their rows. */
  readonly floors: ReadonlyMap<string, Measured>;
  readonly readyMs: number;
  /** The same of Fastify with one route. */
  readonly helloMs: number;
  readonly restMb: number | undefined;
  readonly restAfterMb: number | undefined;
  readonly deliveries: Deliveries | undefined;
};

const asked = rows.filter((row) => isBase(row) || row.name.includes(only));

async function runRound(folder: string, program: string): Promise<Round> {
  const nodeArguments = profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const hello = await startHello();
  await hello.stop();
  const empty = await startEmptyConfab({ folder, nodeArguments, program });
  await pause(restMs);
  const restMb = memoryMbOf(empty.pid);
  const confab = await seed(empty);
  const user = new Client({ url: confab.url, key: confab.token });
  const listFile = join(folder, 'list.json');
  writeFileSync(listFile, JSON.stringify(await user.must('GET', `/api/apps/${confab.listedAppId}/comments`)));
  await user.close();
  const bare = await startBare(listFile, join(folder, 'bare.log'));
  const visitedFile = join(folder, 'visited.json');
  const visited = await fetch(confab.url + commentsOf(confab.listedAppId));
  writeFileSync(visitedFile, await visited.text());
  const plain = await startPlain(visitedFile);
  const reads = asked
    .filter(({ hasFloor }) => hasFloor === true)
    .flatMap((row) => row.load(confab).requests.filter(({ method }) => method === 'GET'));
  const paths = new Set(reads.map(({ path }) => path ?? ''));
  const floorFolder = join(folder, 'floor');
  await prepareFloor(
    { ...confab, store: join(folder, 'data', 'confab.db') },
    { paths: [...paths], folder: floorFolder },
  );
  const floor = await startFloor(floorFolder);
  const measured = new Map<string, Measured>();
  const floors = new Map<string, Measured>();
  let deliveries: Deliveries | undefined;
  try {
    for (const row of asked) {
      const load = row.load(confab);
      if (row.server !== 'confab with a webhook') {
        const server = { bare, plain, confab }[row.server];
        measured.set(row.name, await measure(server, effort, load));
      } else
        deliveries = await watchDeliveries(confab, async () => {
          measured.set(row.name, await measure(confab, effort, load));
        });
      if (row.hasFloor === true) floors.set(row.name, await measure(floor, effort, load));
    }
    await pause(restMs);
    const restAfterMb = memoryMbOf(confab.pid);
    return {
      measured,
      floors,
      readyMs: empty.readyMs,
      helloMs: hello.readyMs,
      restMb,
      restAfterMb,
      deliveries,
    };
  } finally {
    await bare.stop();
    await plain.stop();
    await floor.stop();
    await confab.stop();
  }
}

/** The median over the rounds, or undefined where a round could not tell. */
function middle(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length < figures.length || known.length === 0 ? undefined : median(known);
}

/** The processor time of a request of a row as a multiple of its floor's. */
function timesFloor({ measured, floors }: Round, name: string): number | undefined {
  const [own, floor] = [measured.get(name)?.cpuUs, floors.get(name)?.cpuUs];
  return own === undefined || floor === undefined ? undefined : own / floor;
}

function tableRow({ name, base }: Row, all: readonly Round[]): TableRow {
  const pairs = all.flatMap((round) => {
    const own = round.measured.get(name);
    return own === undefined ? [] : [{ own, whole: round.measured.get(base ?? '') }];
  });
  return {
    name,
    perSecond: middle(pairs.map(({ own }) => own.perSecond)),
    fraction: middle(pairs.map(({ own, whole }) => whole && own.perSecond / whole.perSecond)),
    ofFloor: middle(all.map((round) => timesFloor(round, name))),
    p50Ms: middle(pairs.map(({ own }) => own.p50Ms)),
    p99Ms: middle(pairs.map(({ own }) => own.p99Ms)),
    cpuUs: middle(pairs.map(({ own }) => own.cpuUs)),
    memoryMb: middle(pairs.map(({ own }) => own.memoryMb)),
    failed: pairs.reduce((sum, { own }) => sum + own.failed, 0),
  };
}

function printOthers(all: readonly Round[]): void {
  const deliveries = all.flatMap((round) => round.deliveries ?? []);
  const lines: [name: string, figures: (number | undefined)[], unit: string][] = [
    ['start to first answer, on an empty folder', all.map((round) => round.readyMs), 'ms'],
    ['start of bare Fastify with one route', all.map((round) => round.helloMs), 'ms'],
    ['memory at rest, after that', all.map((round) => round.restMb), 'MB'],
    ['memory at rest, after the loads', all.map((round) => round.restAfterMb), 'MB'],
    ['deliveries sent while creating, until the last', deliveries.map((one) => one.perSecond), 'a second'],
    ['from the last create to the last delivery', deliveries.map((one) => one.lateMs), 'ms'],
  ];
  console.log('');
  for (const [name, figures, unit] of lines.filter(([, figures]) => figures.length > 0))
    console.log(`${name.padEnd(52)} ${(middle(figures)?.toFixed(0) ?? 'not known').padStart(8)} ${unit}`);
}

async function main(): Promise<void> {
  console.log(`Confab beside bare Fastify: ${rounds} rounds, ${effort.seconds} s a row after ${effort.warmSeconds} s of
warming up, ${effort.connections} connections without pipelining, all processes on this machine:
${machine()}, ${process.platform}.
Confab is \`confab serve\` of the package with its defaults (SQLite, every answer after its sync, one log line a request, to a file),
called with a user's access token; the app that is listed again and again has ${listedComments} comments. Bare Fastify keeps nothing,
and logs only where a row says so.
Figures are medians over the rounds; "of bare" is the median of the fraction inside each round. "Of floor" is the
processor time of a request as a multiple of that of the shortest program that sends the same bytes and keeps the
same promises.
`);
  using folder = temporaryFolder('bench');
  const program = await installPackage(join(folder.path, 'installed'));
  const all: Round[] = [];
  for (let i = 0; i < rounds; i += 1) all.push(await runRound(join(folder.path, `round-${i}`), program));
  printTable(asked.map((row) => tableRow(row, all)));
  printOthers(all);
  if (only === '') {
    console.log('');
    await measureDeliveries({ rounds, deliveries: deliveriesSent });
  }
  const failed = all
    .flatMap((round) => [...round.measured.values()])
    .reduce((sum, one) => sum + one.failed, 0);
  if (failed > 0) {
    console.log(`\n${failed} requests failed: these figures are not to be trusted.`);
    process.exitCode = 1;
  }
}

if (against === '') await main();
else await compareCheckouts(against, { rounds, effort, rows: asked });
