/**
 * Checks that a write survives a fault of the disk at any of its system calls: `npx node proof/faults.ts`.
 *
 * For each scenario it lets the first call that changes or opens a file fail, then the second, until the scenario has no
 * more calls: once with a single EIO and once with ENOSPC from that call on; and it runs each with a disk that is
 * read-only (EROFS). Each time the response must be the right one or a clear error, reads must go on, and a server that
 * is started on a copy of the folder, as if this one had been killed, must show the change whole if it was
 * acknowledged, and whole or not at all otherwise. The start of a server on a store is a scenario, too. A planted bug,
 * answers before the commit, must be found.
 *
 * In a backup and in an import the disk is full from each call on: the backup before must stay whole, and with room again
 * the next backup and the import must come to their ends. One in `--every-long` calls is tried, 8 by default.
 *
 * The servers run in this process, which starts itself again with the library of `disk/` that lets calls fail. It needs
 * Linux and a C compiler. `--only` names scenarios, `--every 10` takes one in ten calls. Exits with 1 after a violation.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildShim, FaultPlan, hasCompiler, shimEnvironment } from 'confab-testing/disk/shim.ts';
import { answersEarly } from 'confab-testing/harness/store-wrapper.ts';
import { readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { FullDisk } from './faults/full-disk.ts';
import { scenarios } from './faults/scenarios.ts';
import { type Fault, type Point, Sweep } from './faults/sweep.ts';

const faults: readonly Fault[] = [
  { error: 'EIO', isLasting: false },
  { error: 'ENOSPC', isLasting: true },
];
const readOnly: Fault = { error: 'EROFS', isLasting: true };
const folder = process.env['FAULTS_FOLDER'];
if (folder === undefined) startWithShim();
else await sweep(folder);

function startWithShim(): void {
  if (!hasCompiler())
    throw new Error('faults of the disk need Linux and a C compiler: install gcc or clang as "cc"');
  const { folder: own } = new Suite('faults');
  const root = join(own, 'disk');
  const fault = join(own, 'plan');
  mkdirSync(root);
  new FaultPlan(fault);
  const shim = shimEnvironment(buildShim(own), { root, fault });
  const env = { ...process.env, ...shim, FAULTS_FOLDER: own };
  const [program = '', ...args] = process.argv.slice(1);
  process.exitCode = spawnSync(process.execPath, [program, ...args], { env, stdio: 'inherit' }).status ?? 1;
}

async function sweep(own: string): Promise<void> {
  const { only, every, 'every-long': everyLong } = readFlags({ only: '', every: 1, 'every-long': 8 });
  const suite = new Suite('faults', own);
  const plan = new FaultPlan(join(own, 'plan'));
  const run = new Sweep(join(own, 'disk'), plan);
  const all: Point[] = [];
  const report = (name: string, points: readonly Point[]) => {
    all.push(...points);
    console.log(`${name}: ${summary(points)}`);
    const wrong = points.flatMap(({ what, wrong: its }) => its.map((detail) => `${what}: ${detail}`));
    if (wrong.length > 0) suite.fail(`faults of ${name}`, wrong);
  };
  const parts = Object.entries(scenarios).map(([name, scenario]) => [
    name,
    async () => {
      const points = [await run.once(scenario, { first: 1, fault: readOnly })];
      for (const fault of faults)
        points.push(...(await run.everyCall(every, (first) => run.once(scenario, { first, fault }))));
      report(name, points);
    },
  ]);
  const start = async () => {
    const points = [await run.start(scenarios.edit, 1, readOnly)];
    for (const fault of faults)
      points.push(...(await run.everyCall(every, (first) => run.start(scenarios.edit, first, fault))));
    report('start', points);
  };
  const full = new FullDisk(join(own, 'disk'), plan);
  const backup = async () =>
    report('backup', await run.everyCall(everyLong, async (first) => await full.backup(first)));
  const importing = async () =>
    report('import', await run.everyCall(everyLong, async (first) => await full.import(first)));
  const planted = async () => {
    const fault: Fault = { error: 'EIO', isLasting: false };
    const parts = { wrapDb: answersEarly };
    const { what, wrong } = await run.once(scenarios.edit, { first: 1, fault, parts });
    suite.planted('early-answer', wrong[0] && `with ${what}: ${wrong[0]}`);
  };
  await suite.run(
    { ...Object.fromEntries(parts), start, backup, import: importing, 'early-answer': planted },
    only,
  );
  console.log(`in all ${summary(all)}`);
}

/** How many points there were, and how often each outcome. */
function summary(points: readonly Point[]): string {
  const outcomes = Map.groupBy(points, ({ outcome }) => outcome);
  const counts = [...outcomes].map(([outcome, its]) => `${outcome} ${its.length}`).sort();
  return `${points.length} points: ${counts.join(', ')}`;
}
