import { join, resolve } from 'node:path';
import { machine, median } from 'confab-testing/harness/figures.ts';
import { temporaryFolder } from 'confab-testing/harness/suite.ts';
import { root } from 'confab-tools/places.ts';
import { type Effort, type Measured, measure } from './measure.ts';
import { isBase, type Row } from './rows.ts';
import { type SeededConfab, seed, startEmptyConfab } from './servers.ts';
import { watchDeliveries } from './watched-deliveries.ts';

/** What both checkouts cost in one round. */
export type Pair = { readonly own: number; readonly other: number };
type Side = keyof Pair;

/** How many times the two take turns within a row, so that other work of the machine reaches both. */
const slices = 5;

/** The parts of a comparison that are chosen. */
export type Chosen = { readonly rounds: number; readonly effort: Effort; readonly rows: readonly Row[] };

/** The name of the row that tells how long a server takes to its first answer, in milliseconds. */
export const startRow = 'start to first answer, in ms';

/** Measures this checkout and the one in a folder, and prints the figures of both, their ratio and its spread over the rounds. */
export async function compareCheckouts(against: string, chosen: Chosen): Promise<void> {
  const { rounds, effort } = chosen;
  console.log(`This checkout beside ${against}: ${rounds} rounds, ${effort.seconds} s a row after ${effort.warmSeconds} s of
warming up, ${effort.connections} connections, SQLite, one log line a request, on ${machine()}.
Processor time of the server for an answered request, in µs.
`);
  printPairs(await measureCheckouts(against, chosen));
}

/**
 * Measures this checkout and the one in a folder in turns, row by row: the processor time of a request of both in each
 * round. Both servers run all the time and take turns within each row, so that whatever else the machine does reaches
 * both; the figures of a round are medians over the turns.
 */
export async function measureCheckouts(
  against: string,
  { rounds, effort, rows }: Chosen,
): Promise<ReadonlyMap<string, readonly Pair[]>> {
  const asked = rows.filter((row) => !isBase(row));
  using folder = temporaryFolder('bench');
  const pairs = new Map<string, Pair[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, pair] of await runRound(join(folder.path, `${round}`), {
      against,
      effort,
      asked,
      round,
    }))
      pairs.set(name, [...(pairs.get(name) ?? []), pair]);
  return pairs;
}

async function runRound(
  folder: string,
  chosen: {
    readonly against: string;
    readonly effort: Effort;
    readonly asked: readonly Row[];
    readonly round: number;
  },
): Promise<Map<string, Pair>> {
  const { effort, asked, round } = chosen;
  const pairs = new Map<string, Pair>();
  // Both as a release, so that neither counts requests for rate limits, which not all of them have.
  await using emptyOwn = await startEmptyConfab({ folder: join(folder, 'own'), release: root });
  await using emptyOther = await startEmptyConfab({
    folder: join(folder, 'other'),
    release: resolve(chosen.against),
  });
  pairs.set(startRow, { own: emptyOwn.readyMs, other: emptyOther.readyMs });
  const sides = { own: await seed(emptyOwn), other: await seed(emptyOther) };
  for (const [index, row] of asked.entries()) {
    const costs: { readonly [side in Side]: number[] } = { own: [], other: [] };
    for (let slice = 0; slice < slices; slice += 1) {
      const order: readonly Side[] = (index + round + slice) % 2 === 0 ? ['own', 'other'] : ['other', 'own'];
      const warmSeconds = slice === 0 ? effort.warmSeconds : 0;
      for (const side of order)
        costs[side].push(
          await costOf(row, sides[side], { ...effort, warmSeconds, seconds: effort.seconds / slices }),
        );
    }
    pairs.set(row.name, { own: soundMedian(costs.own), other: soundMedian(costs.other) });
  }
  return pairs;
}

/** The processor time of a request, in µs; NaN where one failed, which is printed and ends the run with 1. */
async function costOf(row: Row, confab: SeededConfab, effort: Effort): Promise<number> {
  let measured: Measured | undefined;
  const load = async () => {
    measured = await measure(confab, effort, row.load(confab));
  };
  if (row.server === 'confab with a webhook') await watchDeliveries(confab, load);
  else await load();
  if (measured === undefined || measured.failed > 0) {
    console.log(`${measured?.failed} requests of "${row.name}" failed at ${confab.url}, so it has no figure`);
    process.exitCode = 1;
    return Number.NaN;
  }
  return measured.cpuUs ?? Number.NaN;
}

/** The median, or NaN where one of the values is. */
function soundMedian(values: readonly number[]): number {
  return values.some(Number.isNaN) ? Number.NaN : median(values);
}

function printPairs(pairs: ReadonlyMap<string, readonly Pair[]>): void {
  const width = Math.max(...[...pairs.keys()].map((name) => name.length));
  const line = (name: string, cells: readonly string[]) =>
    console.log(name.padEnd(width) + cells.map((cell) => cell.padStart(13)).join(''));
  line('', ['this', 'other', 'ratio', 'spread']);
  for (const [name, all] of pairs) {
    const { own, other, ratio, least, most } = summaryOf(all);
    const spread = `${least.toFixed(2)}–${most.toFixed(2)}`;
    line(name, [own.toFixed(1), other.toFixed(1), ratio.toFixed(3), spread]);
  }
}

/** The medians of both and of their ratio over the rounds, with the least and the most ratio. NaN where a request failed. */
export function summaryOf(pairs: readonly Pair[]) {
  const ratios = pairs.map(({ own, other }) => own / other);
  return {
    own: soundMedian(pairs.map((pair) => pair.own)),
    other: soundMedian(pairs.map((pair) => pair.other)),
    ratio: soundMedian(ratios),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
  };
}
