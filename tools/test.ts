#!/usr/bin/env node
/**
 * Runs the tests. `npm test` runs the first tier: the product on SQLite, what runs once and is quick, and on PostgreSQL what
 * only that engine can break. `npm run test:all` adds the second tier: everything on PostgreSQL, and the tests below the
 * folders `slow` and in `kits/` and `proof/`. In the folder of a package, as `npm test -w NAME` runs it, all tests of that
 * package run. A whole run fails unless, on each engine that it ran all of, every (operation, status) pair of the
 * specification and of the whole contract was observed on a real response, and each operation succeeded in the test that
 * docs/operations.md names and in the access matrix, and met the catalogue of bad input. `npm test -- FILE…` runs some,
 * without that verdict. `--engine=sqlite` or `--engine=postgres` leaves the other out. It starts and stops a temporary
 * PostgreSQL and prints its version. Files that fail in a whole run are run again by themselves. The last lines are every
 * failure with its place and message, and the totals. `npm run test:all` leaves its coverage in `artifacts/tests.json`,
 * which the figures are made of.
 */

import { appendFileSync, chmodSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { beginRun } from 'confab-testing/harness/run-facts.ts';
import { createTemplate } from 'confab-testing/stores/databases.ts';
import { fastFolder } from 'confab-testing/stores/fast-folder.ts';
import { type Cluster, clusterVariable, startCluster } from 'confab-testing/stores/postgres.ts';
import { assemble } from './assembly.ts';
import { root } from './places.ts';
import { installBeside } from './runner/beside.ts';
import { missing } from './runner/coverage.ts';
import { type Engine, engines, isSlow, type Place, placeOf, testFiles } from './runner/engines.ts';
import { failureText, shortened } from './runner/failures.ts';
import { lanesVariable, makeLanes, unended } from './runner/lanes.ts';
import { writeRecord } from './runner/record.ts';
import { type FailedTest, filesToRunAgain } from './runner/unsteady.ts';

/** Test files that run together; `name` is printed with their totals. */
interface Part {
  readonly name: string;
  readonly engine: Engine;
  readonly files: readonly string[];
  /** Whether its files are the product on an engine, whose tests are the same on the other. */
  readonly isProduct: boolean;
}

/**
 * How many processes run tests at once: one more than processors, because tests wait for time limits and for other
 * processes. Each takes up to a gigabyte, so there are at most five.
 */
const concurrency = Math.min(availableParallelism(), 4) + 1;

/**
 * After how long a part is stopped in which no file of tests came to its end. The longest takes two and a half
 * minutes, and more where other work on the machine slows it down.
 */
const stillMsMax = 15 * 60_000;

/** The counts of the line of totals, in order, and the duration in milliseconds. */
const counted = ['tests', 'passed', 'failed', 'unsteady', 'cancelled', 'skipped', 'todo', 'ms'] as const;
type Totals = Readonly<Record<(typeof counted)[number], number>>;
const nothing: Totals = {
  tests: 0,
  passed: 0,
  failed: 0,
  unsteady: 0,
  cancelled: 0,
  skipped: 0,
  todo: 0,
  ms: 0,
};

/** What came of test files: the failed tests, and what else is wrong. */
type Outcome = {
  readonly failures: readonly FailedTest[];
  readonly faults: readonly string[];
  readonly totals: Totals;
};

const args = process.argv.slice(2);
/** npm runs the script of a package in its folder. */
const ownFolder = path.relative(root, process.cwd());
const named = args
  .filter((arg) => !arg.startsWith('-'))
  .map((file) => path.relative(root, path.resolve(file)));
process.chdir(root);
const chosen = args.find((arg) => arg.startsWith('--engine='))?.slice('--engine='.length);
const flags = args.filter((arg) => arg.startsWith('-') && arg !== '--all' && !arg.startsWith('--engine='));
const isOfTier = named.length === 0 && flags.length === 0 && ownFolder === '';
const isAll = isOfTier && args.includes('--all');
/** Whether a run has no second tier to leave out. */
const hasBothTiers = !isOfTier || isAll;
const absent = named.find((name) => globSync(name).length === 0);
if (absent !== undefined) {
  console.error(`no file has the name ${absent}`);
  process.exit(2);
}
const wanted = named.length > 0 ? globSync(named) : testFiles(ownFolder === '' ? undefined : ownFolder);

// Removed, because Node would treat this run as a nested one, and because it is not a setting of Confab.
const { NODE_TEST_CONTEXT: _, CONFAB_TEST_DATABASE_URL: __, ...environment } = process.env;
delete process.env['NODE_TEST_CONTEXT'];
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

/** The parts in the order in which they run: the first tier before the second. */
function parts(): Part[] {
  const at = (tier: 1 | 2, ...places: readonly Place[]) =>
    wanted.filter((file) => isSlow(file) === (tier === 2) && places.includes(placeOf(file)));
  const product = (engine: Engine, name: string, ...files: readonly string[]): Part => ({
    name,
    engine,
    files,
    isProduct: true,
  });
  const first: Part[] = [
    { name: 'once', engine: 'sqlite', files: at(1, 'once'), isProduct: false },
    product('sqlite', 'on sqlite', ...at(1, 'both', 'each')),
    product('postgres', 'on postgres', ...at(1, 'each')),
    { name: 'on postgres alone', engine: 'postgres', files: at(1, 'postgres'), isProduct: false },
  ];
  const second: Part[] = [
    product('sqlite', 'the slow on sqlite', ...at(2, 'both', 'each')),
    product('postgres', 'the rest on postgres', ...at(1, 'both'), ...at(2, 'both', 'each')),
    { name: 'the slow on postgres alone', engine: 'postgres', files: at(2, 'postgres'), isProduct: false },
    { name: 'the slow once', engine: 'sqlite', files: at(2, 'once'), isProduct: false },
  ];
  return [...first, ...(hasBothTiers ? second : [])].filter(
    ({ files, engine }) => files.length > 0 && (chosen === undefined || chosen === engine),
  );
}

function lineOf(totals: Totals): string {
  return counted
    .map((name) => (name === 'ms' ? `${(totals.ms / 1000).toFixed(1)} s` : `${totals[name]} ${name}`))
    .join(', ');
}

/** Calls `stop` when no further file of a list came to its end for a long time. */
function watchEnds(list: string, stop: () => void): NodeJS.Timeout {
  let last = { count: Number.NaN, at: 0 };
  return setInterval(() => {
    const count = unended(list).length;
    if (count !== last.count) last = { count, at: performance.now() };
    else if (performance.now() - last.at > stillMsMax) stop();
  }, 10_000);
}

/** Runs test files of a part in lanes, or each in a process of its own, showing their report as it comes. */
async function runFiles(
  { name, engine, files }: Part,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Outcome> {
  mkdirSync(folder);
  const lanes = files.length > 2 && flags.length === 0 ? makeLanes(folder, files, concurrency) : undefined;
  const still = new AbortController();
  const watch = lanes && watchEnds(lanes.list, () => still.abort());
  const stream = run({
    files: [...(lanes?.entries ?? files)],
    concurrency,
    execArgv: flags,
    signal: AbortSignal.any([stopping.signal, still.signal]),
    env: {
      ...environment,
      ...settings,
      TEST_ENGINE: engine,
      ...(lanes === undefined ? {} : { [lanesVariable]: lanes.list }),
    },
  });
  const failures: FailedTest[] = [];
  const faults: string[] = [];
  let totals: Totals | undefined;
  // Node reports in order: the last tests to start at the lower levels are those around the one that fails.
  const around: string[] = [];
  stream.on('test:start', ({ name: test, nesting }) => around.splice(nesting, around.length, test));
  stream.on('test:fail', (failure) => {
    const text = failureText(failure, around.slice(0, failure.nesting));
    if (text !== undefined) failures.push({ file: failure.file, text: `${name}: ${text}` });
  });
  stream.on('test:summary', ({ file, success, counts, duration_ms: ms }) => {
    // Each file counts as a suite as well.
    if (file !== undefined) return;
    totals = { ...nothing, ...counts, ms };
    if (!success && failures.length === 0) faults.push(`the tests ${name} failed`);
  });
  for await (const text of stream.compose(new spec())) process.stdout.write(text);
  clearInterval(watch);
  if (totals === undefined) faults.push(`the tests ${name} did not come to their end`);
  if (lanes !== undefined)
    faults.push(...unended(lanes.list).map((file) => `${file} did not come to its end`));
  return { failures, faults, totals: totals ?? nothing };
}

/**
 * Runs a part. Where few of its files fail, they run a second time, without the others beside them: a test that then
 * passes is *unsteady* and does not fail the run, which shows it (docs/decisions/0087-unsteady-tests.md).
 */
async function runPart(
  part: Part,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Outcome & { readonly unsteady: readonly string[] }> {
  const first = await runFiles(part, folder, settings);
  const files = isOfTier && first.faults.length === 0 ? filesToRunAgain(first.failures, part.files) : [];
  if (files.length === 0) return { ...first, unsteady: [] };
  console.log(`again, by themselves: ${files.join(', ')}`);
  const second = await runFiles({ ...part, files }, `${folder}-again`, settings);
  if (second.failures.length + second.faults.length > 0) return { ...first, unsteady: [] };
  const { failed, passed, ...totals } = first.totals;
  return {
    failures: [],
    faults: [],
    unsteady: first.failures.map(({ text }) => text),
    totals: { ...totals, passed, failed: 0, unsteady: failed },
  };
}

/** Runs every part; returns the failures of the whole run. */
async function runAll(
  { folder, scratch }: { folder: string; scratch: string },
  cluster: Cluster,
): Promise<string[]> {
  const facts = beginRun([]);
  const template = { [clusterVariable]: await createTemplate(cluster) };
  const faults: string[] = [];
  const unsteady: string[] = [];
  const done: { readonly part: Part; readonly totals: Totals }[] = [];
  for (const part of parts()) {
    if (stopping.signal.aborted) break;
    console.log(`${part.files.length} test files ${part.name}`);
    const partFolder = path.join(folder, part.name.replaceAll(' ', '-'));
    // What runs once, on SQLite, is seen on that engine too.
    const coverageFile = path.join(folder, `coverage-${part.engine}`);
    appendFileSync(coverageFile, '');
    const outcome = await runPart(part, partFolder, {
      ...template,
      TEST_COVERAGE_FILE: coverageFile,
      // The other parts also run programs from there, which a file system in memory may not allow.
      ...(part.isProduct ? { TMPDIR: scratch } : {}),
      // Many processes compile the same sources.
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
    });
    faults.push(...outcome.faults, ...outcome.failures.map(({ text }) => `failed ${text}`));
    unsteady.push(...outcome.unsteady);
    done.push({ part, totals: outcome.totals });
  }
  const judged = isOfTier && chosen === undefined ? (isAll ? engines : (['sqlite'] as const)) : [];
  for (const engine of judged) {
    console.log(`coverage on ${engine}`);
    faults.push(
      ...missing(path.join(folder, `coverage-${engine}`), engine).map(
        (pair) => `missing on ${engine}: ${pair}`,
      ),
    );
  }
  const testsOn = (engine: Engine) =>
    done
      .filter(({ part }) => part.isProduct && part.engine === engine)
      .reduce((sum, { totals }) => sum + totals.tests, 0);
  if (judged.length > 1 && testsOn('sqlite') !== testsOn('postgres'))
    faults.push('the engines have not run the same number of tests');
  if (judged.length === 0)
    console.log('Only some of the tests were asked for: nothing is said about coverage.');
  for (const line of shortened([...unsteady.map((text) => `unsteady ${text}`), ...faults])) console.log(line);
  for (const { part, totals } of done) console.log(`${part.name}: ${lineOf(totals)}`);
  const sums = counted.map((name) => [name, done.reduce((sum, { totals }) => sum + totals[name], 0)]);
  const totals = Object.fromEntries(sums) as Totals;
  console.log(`totals: ${lineOf(totals)}`);
  if (isAll) {
    const { tests, failed } = totals;
    writeRecord(folder, { run: facts(), tests, failed, judged });
  }
  return faults;
}

if (chosen !== undefined && !(engines as readonly string[]).includes(chosen)) {
  console.error(`--engine is one of ${engines.join(', ')}`);
  process.exit(2);
}
const folder = mkdtempSync(path.join(tmpdir(), 'confab-run-'));
const scratch = mkdtempSync(path.join(fastFolder(), 'confab-run-'));
// Some tests run PostgreSQL in it, as another user if this run is root.
chmodSync(scratch, 0o755);
let cluster: Cluster | undefined;
try {
  await assemble();
  for (const beside of ['kits', 'proof'])
    if (parts().some(({ files }) => files.some((file) => file.startsWith(`${beside}/`))))
      installBeside(beside);
  cluster = await startCluster();
  console.log(`PostgreSQL for the tests: ${cluster.kind}`);
  const faults = await runAll({ folder, scratch }, cluster);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await cluster?.stop();
  for (const each of [folder, scratch]) rmSync(each, { recursive: true, force: true });
}
