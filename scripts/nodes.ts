/**
 * Whether several nodes on one PostgreSQL are one server: `npm run test:nodes`.
 *
 * It starts a PostgreSQL of its own, with fsync on, and two nodes as processes. It has 32 requests race over both of
 * them, asks of histories of one register whether they are linearisable, and then lets clients write through both for
 * more than a minute while nodes are killed and frozen, PostgreSQL crashes and connections are cut, and holds what is
 * there against what the clients know. Each part is done again with a bug planted on purpose that it must find.
 * `--only` chooses parts, `--seed`, `--rounds` and `--histories` change the run. The seed draws requests and faults;
 * which request meets which other also depends on the machine.
 *
 * Exits with 1 when anything was wrong, and keeps the folder of the run then.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freshKey } from './harness/confab-process.ts';
import { type Fault, runChaos } from './nodes/chaos.ts';
import { type Node, startPair } from './nodes/client.ts';
import { type Cluster, startCluster } from './nodes/cluster.ts';
import { runHistories } from './nodes/histories.ts';
import { runRaces } from './nodes/races.ts';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: '300' },
    histories: { type: 'string', default: '600' },
    faults: { type: 'string', default: '12' },
    only: { type: 'string' },
  },
});
const seed = Number(flags.seed);
const folder = mkdtempSync(join(tmpdir(), 'confab-nodes-'));
const plantedServer = join(import.meta.dirname, 'nodes/planted-server.ts');
const shownMax = 10;
/** The rounds in which the races have to find a planted bug. */
const plantedRounds = 30;
let isGood = true;

function fail(sentence: string): void {
  isGood = false;
  console.log(`FAILED: ${sentence}`);
}

function show(findings: readonly string[]): void {
  for (const finding of findings.slice(0, shownMax)) console.log(`  ${finding.slice(0, 400)}`);
  if (findings.length > shownMax) console.log(`  and ${findings.length - shownMax} more`);
}

type Run = { readonly cluster: Cluster; readonly pair: readonly [Node, Node]; readonly key: string };

/** Does something with two nodes on a database of their own. */
async function withPair<T>(
  name: string,
  bug: string | undefined,
  work: (run: Run & { folder: string }) => Promise<T>,
): Promise<T> {
  const own = mkdtempSync(join(folder, `${name}-`));
  const cluster = await startCluster();
  const key = freshKey();
  try {
    const pair = await startPair({
      folder: own,
      databaseUrl: cluster.url,
      key,
      ...(bug === undefined ? {} : { entry: [plantedServer, bug] }),
    });
    try {
      return await work({ cluster, pair, key, folder: own });
    } finally {
      for (const node of pair) await node.kill();
    }
  } finally {
    await cluster.stop();
  }
}

async function races(): Promise<void> {
  const results = await withPair('races', undefined, async ({ cluster, pair, key }) => {
    console.log(`on ${cluster.kind}`);
    return await runRaces(pair, { key, seed, rounds: Number(flags.rounds), rows: cluster.rows });
  });
  for (const { name, rounds, failures } of results) {
    console.log(`32-way ${name} over two nodes: right in ${rounds - failures.length} of ${rounds} rounds`);
    show(failures);
    if (failures.length > 0) fail(`${name}: ${failures.length} rounds`);
  }
  const planted = await withPair('races', 'unlocked-head', ({ cluster, pair, key }) =>
    runRaces(pair, { key, seed, rounds: plantedRounds, rows: cluster.rows }),
  );
  const wrong = planted.reduce((sum, { failures }) => sum + failures.length, 0);
  if (wrong === 0) fail('the planted bug "unlocked-head" was not found in the races');
  else console.log(`planted bug "unlocked-head": found in ${wrong} rounds of the races`);
}

async function histories(): Promise<void> {
  const count = Number(flags.histories);
  const options = { seed, count, isFirstEnough: false };
  const found = await withPair('histories', undefined, ({ pair, key }) =>
    runHistories(pair, { key, ...options }),
  );
  console.log(`linearisable: ${found.histories - found.violations.length} of ${found.histories} histories \
with ${found.operations} operations`);
  show(found.violations);
  if (found.violations.length > 0) fail('there are histories that no order explains');
  const planted = await withPair('stale-reads', 'stale-reads', ({ pair, key }) =>
    runHistories(pair, { key, ...options, isFirstEnough: true }),
  );
  if (planted.violations.length === 0) fail('the planted bug "stale-reads" was not found');
  else console.log(`planted bug "stale-reads": found after ${planted.histories} histories`);
}

async function chaos(): Promise<void> {
  const rounds = Number(flags.faults);
  const result = await withPair('chaos', undefined, (run) =>
    runChaos({ ...run, seed, rounds, onRound: (line) => console.log(`  ${line}`) }),
  );
  console.log(`faults ${result.rounds}, load ${(result.loadMs / 1000).toFixed(0)} s, acknowledged writes \
${result.acknowledged}, without an answer ${result.unknown}, refused ${result.refused}
events ${result.events}, deliveries ${result.deliveries} (sent ${result.sent} times), notifications \
${result.notifications}, late results refused ${result.late}
violations ${result.violations.length}`);
  show(result.violations);
  if (result.violations.length > 0) fail(`a promise was broken; the logs are in ${folder}`);
  if (result.rounds >= 12 && result.late === 0) fail('no frozen node came back with a late result');
}

async function chaosPlanted(bug: string, faults: readonly Fault[]): Promise<void> {
  const result = await withPair(bug, bug, (run) =>
    runChaos({ ...run, seed, rounds: 10, faults, onRound: () => undefined }),
  );
  const [first] = result.violations;
  if (first === undefined) fail(`the planted bug "${bug}" was not found in ${result.rounds} rounds`);
  else
    console.log(
      `planted bug "${bug}": found after ${result.rounds} rounds, ${result.violations.length} violations, first: ` +
        first.slice(0, 200),
    );
}

const parts: { readonly [name: string]: () => Promise<void> } = {
  races,
  histories,
  chaos,
  'unlocked-head': () => chaosPlanted('unlocked-head', ['kill', 'cut']),
  'async-commit': () => chaosPlanted('async-commit', ['crash']),
};
console.log(`seed ${seed}`);
const startedAt = performance.now();
for (const [name, part] of Object.entries(parts))
  if (flags.only === undefined || flags.only.split(',').includes(name)) await part();
console.log(`${isGood ? 'passed' : 'failed'} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
if (isGood) rmSync(folder, { recursive: true });
process.exitCode = isGood ? 0 : 1;
