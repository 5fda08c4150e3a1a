/**
 * Checks that acknowledged writes survive `kill -9`: `npx node proof/crash.ts`.
 *
 * It starts the server as a separate process, lets 16 clients write a mix of everything, kills it after 50 to 1,500 ms,
 * restarts it and compares its API and its store with what the clients know, 100 times. Then it does the same with
 * planted bugs and fails unless it finds each of them. It also audits the system calls of a server for a sync before
 * each response, including the names of its files. `--cycles` and `--seed` change the run, `--only` names one part. The
 * seed draws the requests and the moments of the kills; which request a kill hits also depends on the machine.
 *
 * Exits with 1 after a violation, and then keeps the data folder and the log of the server.
 */

import { join } from 'node:path';
import { auditNames, auditSyncs, hasStrace } from 'confab-testing/disk/sync-audit.ts';
import { quantile } from 'confab-testing/harness/figures.ts';
import { textOfViolation, type Violation } from 'confab-testing/harness/model.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { type RunResult, runCycles } from './crash/run.ts';

const { cycles, seed, only } = readFlags({ cycles: 100, seed: anySeed, only: '' });
const cyclesPerFolder = 25;
/** A planted bug has this many kills to show itself; each is likely to. */
const plantedCyclesMax = 30;
const suite = new Suite('crash');
const { folder } = suite;

async function crashServer(): Promise<void> {
  console.log(
    `seed ${seed}: ${cycles} kills under 16 writing clients, a new data folder each ${cyclesPerFolder}`,
  );
  const onCycle = (result: RunResult) => {
    if (result.cycles % 10 === 0)
      console.log(`  ${result.cycles} kills, ${result.acknowledged} acknowledged writes`);
  };
  const result = await runCycles({ seed, cycles, cyclesPerFolder, folder: join(folder, 'server'), onCycle });
  const { violations, readyMs } = result;
  const lost = violations.filter(({ what }) => what === 'lost write').length;
  console.log(`kills ${result.cycles}, acknowledged writes ${result.acknowledged}, refused ${result.refused}, \
without an answer ${result.unknown}, deliveries ${result.deliveries}
lost writes ${lost}, other violations ${violations.length - lost}
ready after a restart: p50 ${quantile(readyMs, 0.5).toFixed(0)} ms, most ${quantile(readyMs, 1).toFixed(0)} ms`);
  if (violations.length > 0) suite.fail('the server broke a promise', violations.map(textOfViolation));
}

async function crashPlanted(bug: string, signs: readonly Violation['what'][]): Promise<void> {
  const { violations, cycles: kills } = await runCycles({
    seed,
    cycles: plantedCyclesMax,
    cyclesPerFolder: plantedCyclesMax,
    folder: join(folder, bug),
    bug,
  });
  const first = violations.find(({ what }) => signs.includes(what));
  const found = `after ${kills} kills, ${violations.length} violations, first: `;
  suite.planted(bug, first && found + textOfViolation(first));
}

async function audit(): Promise<void> {
  if (!hasStrace()) {
    console.log('NOT DONE: strace is not installed, so no sync before an answer was looked for.');
    return;
  }
  const server = await auditSyncs(join(folder, 'audit'));
  console.log(`synced before the answer: ${server.answers - server.early} of ${server.answers} creates`);
  if (server.early > 0 || server.answers === 0) suite.fail('an answer left before its write was synced');
  const relaxed = await auditSyncs(join(folder, 'audit-relaxed'), 'relaxed-sync');
  const found = `${relaxed.early} of ${relaxed.answers} creates were not synced`;
  suite.planted('relaxed-sync', relaxed.early === 0 ? undefined : found);
  const { names, early } = await auditNames(join(folder, 'audit-names'));
  console.log(`names synced before the answer: ${names - early.length} of ${names}`);
  if (early.length > 0 || names === 0) suite.fail('names were not synced before an answer', early);
}

await suite.run(
  {
    server: crashServer,
    'early-answer': () => crashPlanted('early-answer', ['lost write', 'wrong content']),
    'event-apart': () => crashPlanted('event-apart', ['event']),
    'kept-apart': () => crashPlanted('kept-apart', ['event', 'id', 'answer']),
    audit,
  },
  only,
);
