/**
 * Measures what this release is like and writes it as a page with pictures: `npx node proof/figures.ts`.
 *
 * The figures are kept in `docs/figures.json`; `docs/figures.md` and the pictures in `docs/figures/` are drawn from it, by
 * `npm run generate` as well. A whole run takes at most a quarter of an hour on two cores that do nothing else. What takes
 * longer is read: the ledger of `npx node proof/proof.ts`, and the coverage that the last `npm run test:all` left in `artifacts/`.
 *
 * `--draw` draws without measuring. `--part speed,sizes` measures some parts (`figures/data.ts`) and keeps the others
 * as they are, each with its own commit. `--against FOLDER` names a checkout of the last release, with its packages;
 * without it one is made in a temporary folder, for which npm installs the packages of that release. Where that fails,
 * the figures of the release are missing and the page says why. `--rounds 1` measures speed, releases and deliveries once
 * instead of two or three times, for a rough look.
 *
 * Times are measured once the load of the machine has fallen to a fifth of its cores; the run waits for that, and then
 * fails. A part that fails keeps its earlier figures, and so does the coverage where a test of the last run failed. A row
 * whose requests fail says so. The run then exits with 1.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sourcesIn } from 'confab-testing/harness/checkout.ts';
import { checkOutRelease, lastRelease, type ReleaseCheckout } from 'confab-testing/harness/last-release.ts';
import { beginRun, minuteLoad } from 'confab-testing/harness/run-facts.ts';
import { readFlags, temporaryFolder } from 'confab-testing/harness/suite.ts';
import type { RowFigure } from './bench/elements/figures.ts';
import type { Effort } from './bench/measure.ts';
import { coverageFigures } from './figures/coverage.ts';
import {
  dataFile,
  type FigureRow,
  known,
  type PartFigures,
  type PartName,
  partNames,
  quietLoad,
  readFigures,
  timedParts,
  writeFigures,
} from './figures/data.ts';
import { figureFiles, pageFile, pictureFolder } from './figures/page.ts';
import { proofRows } from './figures/proofs.ts';
import { measureSizes } from './figures/sizes.ts';
import {
  efforts,
  measureReleases,
  measureSending,
  measureSpeed,
  rowsWithoutRelease,
} from './figures/speed.ts';
import { ledgerFile, readLedger } from './ledger/ledger.ts';

/** How long the load of the minute before a run may take to fall, such as that of `npm test`. */
const quietMsMax = 5 * 60_000;

/** What a part has measured; one that was run elsewhere brings its run and its command. */
type Measured = Pick<PartFigures, 'tables' | 'note'> & Partial<PartFigures>;

/** Draws the page and the pictures from the figures that are kept. */
function draw(): void {
  mkdirSync(pictureFolder, { recursive: true });
  for (const [file, text] of Object.entries(figureFiles(readFigures()))) writeFileSync(file, text);
  console.log(`drew ${pageFile} and the pictures in ${pictureFolder}/`);
}

/** Runs a script that writes its figures as JSON. Its exit code may say that an aim is missed, which the page says too. */
function figuresOfScript(args: readonly string[], folder: string): unknown {
  const file = path.join(folder, 'figures.json');
  const { status } = spawnSync(process.execPath, [...args, '--json', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (!existsSync(file)) throw new Error(`${args.join(' ')} ended with ${status} and without figures`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

type Limits = {
  readonly costs: { readonly [name: string]: number };
  readonly addresses: number;
  readonly memoryMib: number;
};

function measureLimits(folder: string): FigureRow[] {
  const args = ['--expose-gc', 'proof/limits.ts', '--seed', '1'];
  const { costs, addresses, memoryMib } = figuresOfScript(args, folder) as Limits;
  return [
    ...Object.entries(costs).map(([name, us]) => ({ name, unit: 'µs', values: { value: known(us) } })),
    {
      name: `the memory of ${addresses.toLocaleString('en-US')} addresses`,
      unit: 'MiB',
      values: { value: known(memoryMib) },
    },
  ];
}

function measureElements(folder: string): FigureRow[] {
  const args = ['proof/bench-elements.ts', '--rounds', '1', '--only', 'visible,writer', '--seed', '7'];
  return (figuresOfScript(args, folder) as readonly RowFigure[]).map(({ title, own, others, aims }) => ({
    name: title,
    values: {
      'confab-comments': known(own),
      ...Object.fromEntries(Object.entries(others).map(([name, figure]) => [name, known(figure)])),
    },
    ...(aims.length === 0 ? {} : { aim: { of: 'confab-comments', most: Math.min(...aims) } }),
  }));
}

/** What is chosen for a run: the checkout of the last release, and how many rounds; 0 for as many as the part needs. */
type Chosen = { readonly against: string; readonly rounds: number };

/** Such as "2 rounds". */
function inRounds(rounds: number): string {
  return rounds === 1 ? 'one round' : `${rounds} rounds`;
}

/** How often and how long each row was measured, as a note. */
function effortText(rounds: number, { seconds, warmSeconds, connections }: Effort): string {
  return `each row in ${inRounds(rounds)} of ${seconds} s after ${warmSeconds} s of warming up, over ${connections} connections`;
}

/** The checkout of the last release: the folder of `--against`, or one that is made. */
function releaseIn(given: string, folder: string): ReleaseCheckout {
  if (given === '') return checkOutRelease(lastRelease.commit, folder);
  const own = path.resolve(given);
  return sourcesIn(own) === undefined
    ? { why: 'the folder of --against has no sources of a server' }
    : { folder: own };
}

async function compareReleases({ against, rounds }: Chosen, folder: string): Promise<Measured> {
  const checkout = releaseIn(against, path.join(folder, 'release'));
  const times = rounds || efforts.releases.rounds;
  if ('folder' in checkout)
    return {
      note: effortText(times, efforts.releases.effort),
      tables: { costs: await measureReleases(checkout.folder, times) },
    };
  const requests = readFigures().parts.speed?.tables['requests'] ?? [];
  return { note: checkout.why, tables: { costs: rowsWithoutRelease(checkout.why, requests) } };
}

async function measureRequests({ rounds }: Chosen): Promise<Measured> {
  const times = rounds || efforts.speed.rounds;
  return { note: effortText(times, efforts.speed.effort), tables: await measureSpeed(times) };
}

async function measureDeliveries({ rounds }: Chosen): Promise<Measured> {
  const times = rounds || efforts.deliveries.rounds;
  const note = `${efforts.deliveries.deliveries.toLocaleString('en-US')} deliveries, ${inRounds(times)}`;
  return { note, tables: { ways: await measureSending(times) } };
}

/** How each part is measured, with a temporary folder; undefined where there is nothing to read. */
const measures: {
  readonly [P in PartName]: (chosen: Chosen, folder: string) => Promise<Measured | undefined>;
} = {
  speed: measureRequests,
  releases: compareReleases,
  deliveries: measureDeliveries,
  limits: async (_, folder) => ({ tables: { costs: measureLimits(folder) } }),
  elements: async (_, folder) => ({ tables: { browser: measureElements(folder) } }),
  sizes: async () => ({ tables: await measureSizes() }),
  proofs: async () => ({ tables: { parts: proofRows(readLedger()) } }),
  coverage: async () => coverageFigures(),
};

/** The command that measures a part in the same way. The rounds matter to the parts that load a server. */
function commandOf(part: PartName, { rounds }: Chosen): string {
  const hasRounds = rounds > 0 && part in efforts;
  return `npx node proof/figures.ts --part ${part}${hasRounds ? ` --rounds ${rounds}` : ''}`;
}

/** Waits until no other programs load the machine, and returns its load. Throws an Error where they go on. */
async function quietMachine(): Promise<number> {
  const most = quietLoad * availableParallelism();
  for (const since = performance.now(); ; await pause(5000)) {
    const load = minuteLoad();
    if (load <= most) return load;
    if (performance.now() - since > quietMsMax)
      throw new Error(
        `the load of the machine is ${load}, and times are measured below ${most}: end other programs`,
      );
  }
}

async function measureParts(wanted: readonly PartName[], chosen: Chosen): Promise<void> {
  // Later parts would see the load of the earlier ones.
  const loadBefore = wanted.some((part) => timedParts.includes(part)) ? await quietMachine() : minuteLoad();
  const written = [dataFile, pageFile, pictureFolder, ledgerFile];
  for (const part of wanted) {
    using folder = temporaryFolder('figures');
    const facts = beginRun(written, loadBefore);
    console.log(`${part} …`);
    try {
      const measured = await measures[part](chosen, folder.path);
      if (measured === undefined) {
        console.log('  nothing to read: run npm run test:all first');
        continue;
      }
      const { parts } = readFigures();
      const figures = { run: facts(), command: commandOf(part, chosen), ...measured };
      writeFigures({ release: lastRelease, parts: { ...parts, [part]: figures } });
      console.log(`  ${figures.run.seconds} s`);
    } catch (error) {
      console.log(`FAILED: ${part}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
}

if (!process.argv.includes('--draw')) {
  const { part, ...chosen } = readFlags({ part: partNames.join(','), against: '', rounds: 0 });
  const names = part.split(',');
  const wanted = partNames.filter((name) => names.includes(name));
  if (wanted.length < names.length) throw new RangeError(`--part takes some of ${partNames.join(',')}`);
  await measureParts(wanted, chosen);
}
draw();
