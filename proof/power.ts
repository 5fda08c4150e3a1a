/**
 * Checks that acknowledged writes survive a power cut: `npx node proof/power.ts`.
 *
 * It starts the server as a separate process and lets 16 clients send the mix of writes of `test:crash`, while every
 * change of the data folder is recorded. From the record it rebuilds the folder as a power cut would have left it at
 * random moments: nothing that was not synced is there (clean), or a part of it (torn); `disk/disk.ts` says what a disk
 * is bound to keep. It starts a server on each and compares its API and its store with what the clients knew at that
 * moment. On PostgreSQL the changes of both folders are recorded, and what is left is moved to SQLite to be compared. The
 * same is done with the place of the backups of a server that ships its log (`backups`), and with imports, erasures
 * and the copying back of the log, which also are killed (`works`). Then it does the same with planted bugs and
 * fails unless it finds each of them. `--cuts`, `--postgres-cuts`, `--place-cuts`, `--work-cuts` and `--seed` change the
 * run, `--only` names one part.
 *
 * It needs Linux and a C compiler for the library that records changes. Exits with 1 after a violation, and then keeps
 * what the cuts left, the records and the logs of the servers.
 */

import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildShim, hasCompiler } from 'confab-testing/disk/shim.ts';
import { textOfViolation } from 'confab-testing/harness/model.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { cutPlace } from './power/backups.ts';
import { cutRecording, type Findings, noFindings } from './power/cuts.ts';
import { PostgresHome } from './power/postgres.ts';
import { record } from './power/recording.ts';
import { endWorks, workNames } from './power/works.ts';

const {
  cuts,
  'postgres-cuts': postgresCuts,
  seed,
  only,
  'place-cuts': placeCuts,
  'work-cuts': workCuts,
} = readFlags({
  cuts: 500,
  'postgres-cuts': 50,
  'place-cuts': 50,
  'work-cuts': 100,
  seed: anySeed,
  only: '',
});
if (!hasCompiler()) throw new Error('power cuts need Linux and a C compiler: install gcc or clang as "cc"');
const cutsPerRecording = 50;
/** How many cuts a planted bug has to lose something. */
const plantedCuts = 10;
/** How many requests the clients send in a recording. */
const requests = 400;
const suite = new Suite('power');
// The account that runs PostgreSQL needs to enter it.
chmodSync(suite.folder, 0o755);
const shim = buildShim(suite.folder);

type Run = { readonly name: string; readonly wanted: number; readonly bug?: string };

/** Cuts the power of as many servers as the cuts need, each with a new data folder. */
async function cutServers({ name, wanted, bug }: Run, postgres?: PostgresHome): Promise<Findings> {
  const random = seededRandom(seed);
  const findings = noFindings();
  for (let part = 1; findings.cuts < wanted; part += 1) {
    const folder = join(suite.folder, `${name}-${part}`);
    const recording = await record({
      seed: random.integer(0, 2 ** 31),
      folder,
      shim,
      requests,
      bug,
      postgres,
    });
    const each = Math.min(cutsPerRecording, wanted - findings.cuts);
    await cutRecording(recording, { cuts: each, folder, random, findings, postgres });
    if (bug === undefined) console.log(`  ${findings.cuts} cuts, ${findings.violations.length} violations`);
    if (findings.violations.length === 0) rmSync(folder, { recursive: true });
  }
  return findings;
}

function report({ violations, ...sums }: Findings): void {
  console.log(`cuts ${sums.cuts}, acknowledged writes before each in sum ${sums.acknowledged}, without an answer \
${sums.unknown}, unsynced changes ${sums.unsynced}
lost writes ${sums.lost}, other violations ${violations.length - sums.lost}`);
  if (violations.length > 0) suite.fail('the server broke a promise', violations.map(textOfViolation));
}

async function sqlite(): Promise<void> {
  console.log(`seed ${seed}: ${cuts} power cuts under 16 writing clients on SQLite, every other one torn`);
  report(await cutServers({ name: 'sqlite', wanted: cuts }));
}

async function postgres(): Promise<void> {
  const home = new PostgresHome();
  console.log(`${postgresCuts} power cuts on ${home.kind}, every other one torn`);
  report(await cutServers({ name: 'postgres', wanted: postgresCuts }, home));
  home.remove();
}

async function backups(): Promise<void> {
  console.log(`seed ${seed}: ${placeCuts} power cuts of the place of backups, every other one torn`);
  const found = await cutPlace({
    folder: join(suite.folder, 'backups'),
    shim,
    cuts: placeCuts,
    random: seededRandom(seed),
  });
  console.log(`  ${found.restored} times there was a backup, with ${found.segments} segments in sum`);
  if (found.violations.length > 0) suite.fail('a finished backup is not whole', found.violations);
}

async function endedWorks(): Promise<void> {
  const each = Math.ceil(workCuts / workNames.length);
  console.log(`seed ${seed}: ${each} kills and power cuts each of: ${workNames.join(', ')}`);
  const folder = join(suite.folder, 'works');
  const found = await endWorks({ folder, shim, each, random: seededRandom(seed) });
  console.log(`ends ${found.ends}, of them kills ${found.kills}; the work was unfinished after ${found.unfinished}
wrong ${found.violations.length}`);
  if (found.violations.length > 0)
    suite.fail('a work that was ended did not come to its end', found.violations);
}

async function plantedInWork(bug: string): Promise<void> {
  const only = ['copying back'];
  const folder = join(suite.folder, `works-${bug}`);
  const { violations, ends } = await endWorks({
    folder,
    shim,
    each: plantedCuts,
    random: seededRandom(seed),
    only,
    bug,
  });
  const [first] = violations;
  suite.planted(
    `${bug} in a work`,
    first && `in ${ends} ends, ${violations.length} violations, first: ${first}`,
  );
}

async function planted(bug: string, home?: PostgresHome): Promise<void> {
  const { violations, ...sums } = await cutServers({ name: bug, wanted: plantedCuts, bug }, home);
  const first = violations.find(({ what }) => what === 'lost write');
  const figures = `in ${sums.cuts} cuts, ${sums.lost} of ${sums.acknowledged} acknowledged writes lost`;
  suite.planted(bug, first && `${figures}, first: ${first.detail}`);
}

await suite.run(
  {
    sqlite,
    postgres,
    backups,
    works: endedWorks,
    'works-relaxed-sync': () => plantedInWork('relaxed-sync'),
    'relaxed-sync': () => planted('relaxed-sync'),
    'unsynced-names': () => planted('unsynced-names'),
    async 'async-commit'() {
      const home = new PostgresHome();
      await planted('async-commit', home);
      home.remove();
    },
  },
  only,
);
