/**
 * Checks that several nodes on one PostgreSQL behave as one server: `npx node proof/nodes.ts`.
 *
 * It starts a temporary PostgreSQL, with fsync on, and two nodes as processes. It races 32 requests over both of them
 * and checks histories of one register for linearisability. Then it lets clients write through both for more than a
 * minute while nodes are killed and frozen, PostgreSQL crashes and connections are cut, and compares the store with
 * what the clients know. Each part is repeated with a planted bug that it must find. `--only` chooses parts; `--seed`,
 * `--rounds` and `--histories` change the run. The seed draws requests and faults; which requests coincide also depends
 * on the machine.
 *
 * Exits with 1 after a violation, and then keeps the folder of the run.
 */

import { textOfViolation } from 'confab-testing/harness/model.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { runHistories } from 'confab-testing/nodes/histories.ts';
import { runRaces } from 'confab-testing/nodes/races.ts';
import { type Fault, runChaos } from './nodes/chaos.ts';
import { type OwnPair, withPair } from './nodes/own-pair.ts';

const { seed, only, ...sizes } = readFlags({
  seed: anySeed,
  rounds: 300,
  histories: 600,
  faults: 12,
  only: '',
});
/** The rounds within which the races and the chaos must find a planted bug. */
const plantedRounds = { races: 30, chaos: 10 };
const suite = new Suite('nodes');

/** Runs work with two nodes in which a bug may be planted. */
async function run<T>(bug: string | undefined, work: (nodes: OwnPair) => Promise<T>): Promise<T> {
  return await withPair({ parent: suite.folder, bug }, work);
}

async function races(): Promise<void> {
  const race = (bug: string | undefined, rounds: number) =>
    run(bug, ({ cluster: { rows }, pair }) => runRaces(pair, { seed, rounds, rows }));
  for (const { name, rounds, failures } of await race(undefined, sizes.rounds)) {
    console.log(`32-way ${name} over two nodes: right in ${rounds - failures.length} of ${rounds} rounds`);
    if (failures.length > 0) suite.fail(`${name}: ${failures.length} rounds`, failures);
  }
  for (const bug of ['unlocked-head', 'read-ahead']) {
    const planted = await race(bug, plantedRounds.races);
    const wrong = planted.filter(({ failures }) => failures.length > 0);
    const found = wrong.map(({ name, failures }) => `in ${failures.length} rounds of ${name}`).join(', ');
    suite.planted(bug, found || undefined);
  }
}

async function histories(): Promise<void> {
  const find = (bug?: string) =>
    run(bug, ({ pair }) =>
      runHistories(pair, { seed, count: sizes.histories, isFirstEnough: bug !== undefined }),
    );
  const found = await find();
  console.log(`linearisable: ${found.histories - found.violations.length} of ${found.histories} histories \
with ${found.operations} operations`);
  if (found.violations.length > 0) suite.fail('there are histories that no order explains', found.violations);
  const planted = await find('stale-reads');
  const isFound = planted.violations.length > 0;
  suite.planted('stale-reads', isFound ? `after ${planted.histories} histories` : undefined);
}

async function chaos(): Promise<void> {
  const result = await run(undefined, async (nodes) => {
    console.log(`on ${nodes.cluster.kind}`);
    return await runChaos({
      ...nodes,
      seed,
      rounds: sizes.faults,
      onRound: (line) => console.log(`  ${line}`),
    });
  });
  console.log(`faults ${result.rounds}, load ${(result.loadMs / 1000).toFixed(0)} s, acknowledged writes \
${result.acknowledged}, without an answer ${result.unknown}, refused ${result.refused}
events ${result.events}, deliveries ${result.deliveries} (sent ${result.sent} times), notifications \
${result.notifications}, late results refused ${result.late}
violations ${result.violations.length}`);
  const details = result.violations.map(textOfViolation);
  if (details.length > 0) suite.fail('a promise was broken', details);
  if (result.rounds >= 12 && result.late === 0) suite.fail('no frozen node came back with a late result');
}

async function chaosPlanted(bug: string, faults: readonly Fault[]): Promise<void> {
  const { rounds, violations } = await run(bug, (nodes) =>
    runChaos({ ...nodes, seed, rounds: plantedRounds.chaos, faults, onRound: () => undefined }),
  );
  const [first] = violations;
  const found = `after ${rounds} rounds, ${violations.length} violations, first: `;
  suite.planted(bug, first && found + textOfViolation(first));
}

console.log(`seed ${seed}`);
await suite.run(
  {
    races,
    histories,
    chaos,
    'unlocked-head': () => chaosPlanted('unlocked-head', ['kill', 'cut']),
    'async-commit': () => chaosPlanted('async-commit', ['crash']),
  },
  only,
);
