/**
 * Whether both engines answer alike: `npm run test:differential`. And whether two checkouts do: with `--against FOLDER`
 * the sources in another folder, such as those of the last release, take the place of the other engine; `--engine` says
 * on which of the two engines both are tried.
 *
 * It starts two servers with the same settings and one clock, one on SQLite and one on a PostgreSQL of its own, sends
 * each drawn request to both, waits until both have done what follows from it (notifications, deliveries, removals) and
 * holds the answers against each other: status, headers, body. Then it does so with servers that make a mistake on
 * purpose and fails unless it finds each. `--requests` and `--seed` change the run, `--plant` takes one mistake alone
 * and `--plant none` leaves them out. The seed draws every request.
 *
 * Exits with 1 when anything differed.
 */

import { parseArgs } from 'node:util';
import { operationList } from '../src/contract/index.ts';
import { tryLive } from './differential/live.ts';
import { plants } from './differential/plants.ts';
import { type Divergence, type Result, Run } from './differential/run.ts';
import { bothCheckouts, bothEngines, startServers } from './differential/servers.ts';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    requests: { type: 'string', default: '20000' },
    plant: { type: 'string' },
    against: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
  },
});
if (flags.engine !== 'sqlite' && flags.engine !== 'postgres')
  throw new Error('--engine is sqlite or postgres');
const contestants =
  flags.against === undefined ? bothEngines : await bothCheckouts(flags.against, flags.engine);
const { left, right } = contestants;
const seed = Number(flags.seed);
const requests = Number(flags.requests);
/** A planted mistake has so many requests in which to show. */
const plantedRequestsMax = 8000;
/** Fewer requests may leave an operation out. */
const completeMin = 10_000;
let isGood = true;

function fail(sentence: string): void {
  isGood = false;
  console.log(`FAILED: ${sentence}`);
}

function show({ number, sent, findings }: Divergence): void {
  console.log(`  request ${number}: ${sent.slice(0, 600)}`);
  for (const finding of findings.slice(0, 4))
    console.log(
      `    ${finding.where}\n      ${left.name}: ${finding.left}\n      ${right.name}: ${finding.right}`,
    );
}

function figures(result: Result): string {
  const classes = Map.groupBy(result.byStatus, ([status]) => `${Math.floor(status / 100)}xx`);
  const statuses = [...classes].sort().map(([name, each]) => {
    const sum = each.reduce((total, [, count]) => total + count, 0);
    const single = each.sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    return `  ${name} ${sum} (${single.join(', ')})`;
  });
  const byOperation = [...result.byOperation]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { sent, succeeded }]) => `${name} ${succeeded}/${sent}`);
  const renamed = result.identities
    .sizes()
    .map(({ kind, known, differing }) => `${kind} ${known} (${differing})`);
  return `requests ${result.requests}, of them changed something ${result.mutating}
${statuses.join('\n')}
things met, and how many of them have another name on each side: ${renamed.join(', ')}
by operation, succeeded/sent: ${byOperation.join(', ')}`;
}

async function compare(): Promise<void> {
  const servers = await startServers(contestants);
  try {
    console.log(`${requests} requests to ${left.name} and ${right.name}; ${servers.kind}`);
    const run = new Run(servers, seed);
    const { result } = run;
    const startedAt = performance.now();
    await run.begin();
    await run.send(requests, { onThousand: () => console.log(`  ${result.requests} requests`) });
    await tryLive(run, servers);
    console.log(figures(result));
    console.log(
      `in ${((performance.now() - startedAt) / 1000).toFixed(0)} s, differences ${result.divergences.length}`,
    );
    for (const divergence of result.divergences) show(divergence);
    if (result.divergences.length > 0) fail(`${left.name} and ${right.name} do not answer alike`);
    const disorders = result.identities.disorders();
    if (disorders.length > 0) fail(`ids are not in one order: ${disorders.slice(0, 3).join('; ')}`);
    const untried = operationList.filter(({ id }) => (result.byOperation.get(id)?.succeeded ?? 0) === 0);
    if (untried.length > 0 && requests >= completeMin)
      fail(`never succeeded: ${untried.map(({ id }) => id).join(', ')}`);
    if (servers.logged.length > 0) fail(`a server logged a failure: ${servers.logged[0]}`);
  } finally {
    await servers.stop();
  }
}

async function comparePlanted(name: string): Promise<void> {
  const difference = plants[name];
  if (difference === undefined) throw new Error(`no such mistake: ${name}`);
  const servers = await startServers(contestants, difference);
  try {
    const run = new Run(servers, seed);
    await run.begin();
    await run.send(plantedRequestsMax, { divergencesMax: 1 });
    const [first] = run.result.divergences;
    if (first === undefined) return fail(`the planted mistake "${name}" was not found`);
    const finding = first.findings[0];
    console.log(
      `planted mistake "${name}": found by request ${first.number}, ${first.name}${finding?.where}: ${finding?.left.slice(0, 80)} and ${finding?.right.slice(0, 80)}`,
    );
  } finally {
    await servers.stop();
  }
}

console.log(`seed ${seed}`);
const startedAt = performance.now();
if (flags.plant === undefined || flags.plant === 'none') await compare();
if (flags.plant !== 'none')
  for (const name of flags.plant === undefined ? Object.keys(plants) : [flags.plant])
    await comparePlanted(name);
console.log(`${isGood ? 'passed' : 'failed'} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
process.exitCode = isGood ? 0 : 1;
