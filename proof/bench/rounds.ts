import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'confab-testing/harness/client.ts';
import { median } from 'confab-testing/harness/figures.ts';
import { memoryMbOf } from 'confab-testing/harness/process-usage.ts';
import { prepareFloor } from './floors.ts';
import { type Effort, type Measured, measure } from './measure.ts';
import { commentsOf, type Row } from './rows.ts';
import { seed, startBare, startEmptyConfab, startFloor, startHello, startPlain } from './servers.ts';
import type { TableRow } from './table.ts';
import { type Deliveries, watchDeliveries } from './watched-deliveries.ts';

/** How long a server is left alone before its memory at rest is read. */
const restMs = 2000;

/** The names of what is measured once in each round. */
export const others = {
  start: 'start to first answer, on an empty folder',
  bareStart: 'start of bare Fastify with one route',
  rest: 'memory at rest, after that',
  restAfter: 'memory at rest, after the loads',
  sent: 'deliveries sent while creating, until the last',
  late: 'from the last create to the last delivery',
} as const;
type OtherName = (typeof others)[keyof typeof others];

/** What one round has measured, on servers that were started for it. */
export type Round = {
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

/** What a round measures, and how. */
export type RoundPlan = {
  /** An empty folder for the stores. */
  readonly folder: string;
  /** The program of Confab (`installPackage`). */
  readonly program: string;
  readonly rows: readonly Row[];
  readonly effort: Effort;
  /** Additional flags of Node for Confab. */
  readonly nodeArguments?: readonly string[];
};

/** Starts every server and measures each row once. */
export async function runRound(plan: RoundPlan): Promise<Round> {
  const { folder, program, rows, effort, nodeArguments = [] } = plan;
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
  const reads = rows
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
    for (const row of rows) {
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

/** The figures of a row over all rounds. */
export function tableRow({ name, base }: Row, all: readonly Round[]): TableRow {
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

/** What is measured once in each round: the name of the row, its figure, its unit. A figure that no round has is left out. */
export function otherFigures(
  all: readonly Round[],
): { name: OtherName; figure: number | undefined; unit: string }[] {
  const deliveries = all.flatMap((round) => round.deliveries ?? []);
  const lines: [name: OtherName, figures: (number | undefined)[], unit: string][] = [
    [others.start, all.map((round) => round.readyMs), 'ms'],
    [others.bareStart, all.map((round) => round.helloMs), 'ms'],
    [others.rest, all.map((round) => round.restMb), 'MB'],
    [others.restAfter, all.map((round) => round.restAfterMb), 'MB'],
    [others.sent, deliveries.map((one) => one.perSecond), 'a second'],
    [others.late, deliveries.map((one) => one.lateMs), 'ms'],
  ];
  return lines
    .filter(([, figures]) => figures.length > 0)
    .map(([name, figures, unit]) => ({ name, figure: middle(figures), unit }));
}

/** How many requests failed, without which the figures are to be trusted. */
export function failedIn(all: readonly Round[]): number {
  return all.flatMap((round) => [...round.measured.values()]).reduce((sum, one) => sum + one.failed, 0);
}
