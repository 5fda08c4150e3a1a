import { join } from 'node:path';
import { temporaryFolder } from 'confab-testing/harness/suite.ts';
import { measureCheckouts, startRow, summaryOf } from '../bench/checkouts.ts';
import { speedsOfDeliveries } from '../bench/delivery-speed.ts';
import { installPackage } from '../bench/installed.ts';
import { failedIn, otherFigures, others, type Round, runRound, tableRow } from '../bench/rounds.ts';
import { isBase, rows } from '../bench/rows.ts';
import { type Aim, type FigureRow, known } from './data.ts';

/** The speed of this checkout beside the bare framework, its floors, the last release and the bare client of HTTP. */

/** How often, how long and how hard each row is measured: the whole of `npx node proof/figures.ts` takes a quarter of an hour at most. */
export const efforts = {
  speed: { rounds: 3, effort: { connections: 50, seconds: 2, warmSeconds: 1 } },
  releases: { rounds: 2, effort: { connections: 50, seconds: 2, warmSeconds: 1 } },
  deliveries: { rounds: 2, deliveries: 10_000 },
} as const;

/** The aims of docs/performance.md: the most that a request may cost, as a multiple of its floor. */
const mostOfFloor: { readonly [row: string]: number } = {
  'create a comment, all in one app': 1.5,
  'create a comment, over 1000 apps': 1.5,
  'list 25 comments, each time of another page or app': 1.3,
  'list 25 comments of an app, again and again': 1.3,
  'get one comment': 1.3,
};

/** How long a start may take, as a multiple of that of bare Fastify with one route. */
const mostOfBareStart = 2;
/** The most memory, in MB. */
const mostMemory: { readonly [row: string]: number } = { [others.rest]: 130, [others.restAfter]: 240 };
/** The least fraction of what the bare client sends, in the order of the ways of sending. */
const leastOfClient = [0.45, 0.5, 0.55] as const;

/** The rows of this checkout, and the programs that one of them is held against. */
const measuredRows = rows.filter(
  (row) => !isBase(row) || rows.some((each) => each.base === row.name && !isBase(each)),
);

/** What `npx node proof/bench.ts` measures: the rows, and what is measured once in a round. */
export async function measureSpeed(rounds: number): Promise<{ requests: FigureRow[]; process: FigureRow[] }> {
  const { effort } = efforts.speed;
  using folder = temporaryFolder('figures');
  const program = await installPackage(join(folder.path, 'installed'));
  const all: Round[] = [];
  for (let round = 0; round < rounds; round += 1)
    all.push(
      await runRound({ folder: join(folder.path, `round-${round}`), program, rows: measuredRows, effort }),
    );
  if (failedIn(all) > 0) process.exitCode = 1;
  return { requests: measuredRows.map((row) => requestRow(row, all)), process: processRows(all) };
}

function requestRow(row: (typeof rows)[number], all: readonly Round[]): FigureRow {
  const { name, perSecond, fraction, ofFloor, p50Ms, p99Ms, cpuUs, memoryMb, failed } = tableRow(row, all);
  const most = mostOfFloor[name];
  const why =
    failed === 0 ? {} : { note: `${failed} requests failed, so these figures are not to be trusted` };
  return {
    name,
    values: {
      perSecond: known(perSecond),
      ofBare: known(fraction),
      ofFloor: known(ofFloor),
      p50Ms: known(p50Ms),
      p99Ms: known(p99Ms),
      cpuUs: known(cpuUs),
      memoryMb: known(memoryMb),
    },
    ...(most === undefined ? {} : { aim: { of: 'ofFloor', most } }),
    ...why,
  };
}

function processRows(all: readonly Round[]): FigureRow[] {
  const figures = otherFigures(all);
  const bareStart = figures.find(({ name }) => name === others.bareStart)?.figure;
  return figures.map(({ name, figure, unit }) => {
    const most =
      name === others.start && bareStart !== undefined ? mostOfBareStart * bareStart : mostMemory[name];
    const aim: Aim | undefined = most === undefined ? undefined : { of: 'value', most };
    return { name, unit, values: { value: known(figure) }, ...(aim === undefined ? {} : { aim }) };
  });
}

/** The processor time of a request of this checkout and of the last release, whose checkout is in a folder. */
export async function measureReleases(against: string, rounds: number): Promise<FigureRow[]> {
  const asked = rows.filter(({ isNew }) => isNew !== true);
  const pairs = await measureCheckouts(against, { ...efforts.releases, rounds, rows: asked });
  return [...pairs].map(([name, all]) => {
    const { own, other, ratio, least, most } = summaryOf(all);
    const unit = name === startRow ? 'ms' : 'µs';
    const values = { own: known(own), release: known(other), ratio: known(ratio) };
    return {
      name: name === startRow ? 'start to first answer' : name,
      unit,
      values: { ...values, least: known(least), most: known(most) },
      ...(Number.isNaN(ratio) ? { note: 'a request failed' } : {}),
    };
  });
}

/** The rows of `measureReleases` where there is no checkout of the release, with what a request costs without it. */
export function rowsWithoutRelease(why: string, requests: readonly FigureRow[]): FigureRow[] {
  const own = new Map(requests.map(({ name, values }) => [name, values['cpuUs'] ?? null]));
  return rows
    .filter((row) => !isBase(row) && row.isNew !== true)
    .map(({ name }) => ({
      name,
      unit: 'µs',
      values: { own: own.get(name) ?? null, release: null, ratio: null, least: null, most: null },
      note: why,
    }));
}

/** How fast full queues are sent, beside the bare client. */
export async function measureSending(rounds: number): Promise<FigureRow[]> {
  const found: FigureRow[] = [];
  for await (const { name, own, client, fraction, cpuUs } of speedsOfDeliveries({
    ...efforts.deliveries,
    rounds,
  })) {
    const least = leastOfClient[found.length];
    found.push({
      name,
      values: {
        own: known(own),
        client: known(client),
        fraction: known(fraction),
        cpuUs: known(cpuUs),
      },
      ...(least === undefined ? {} : { aim: { of: 'fraction', least } }),
    });
  }
  return found;
}
