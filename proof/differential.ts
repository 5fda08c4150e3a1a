/**
 * Checks that both engines respond alike: `npx node proof/differential.ts`. It can also compare two checkouts: with
 * `--against FOLDER` the sources in another folder, such as those of the last release, replace the other engine, and
 * `--engine` selects the engine of both.
 *
 * It starts two servers with the same settings and a shared clock, one on SQLite and one on a temporary PostgreSQL,
 * sends each drawn request to both, waits until both have done the work that follows (notifications, deliveries,
 * removals) and compares the responses: status, headers, body. Then it repeats this with planted mistakes and fails
 * unless it finds each. `--requests` and `--seed` change the run, `--plant` selects one mistake and `--plant none`
 * leaves them out. One of `--second` requests asks for the second form, 4 by default and 0 for none; with `--against` none
 * does, because an older checkout may not have it. The seed draws every request.
 *
 * Exits with 1 after a difference.
 */

import { tryLive } from 'confab-testing/differential/live.ts';
import { plants } from 'confab-testing/differential/plants.ts';
import { type Divergence, type Result, Run } from 'confab-testing/differential/run.ts';
import { bothCheckouts, bothEngines, startServers } from 'confab-testing/differential/servers.ts';
import { needed } from 'confab-testing/differential/weights.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';

const { seed, requests, plant, against, engine, second } = readFlags({
  seed: anySeed,
  requests: 20_000,
  plant: '',
  against: '',
  engine: 'sqlite',
  second: 4,
});
if (engine !== 'sqlite' && engine !== 'postgres') throw new Error('--engine is sqlite or postgres');
const secondOneIn = against === '' ? second : 0;
const contestants = against === '' ? bothEngines : await bothCheckouts(against, engine);
const { left, right } = contestants;
/** A planted mistake has this many requests to show itself. */
const plantedRequestsMax = 8000;
/** Fewer requests may leave an operation out, and rare ones may be left out by any run. */
const completeMin = 20_000;
const suite = new Suite('differential');

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
    const run = new Run(servers, seed, secondOneIn);
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
    if (result.divergences.length > 0) suite.fail(`${left.name} and ${right.name} do not answer alike`);
    const disorders = result.identities.disorders();
    if (disorders.length > 0) suite.fail(`ids are not in one order: ${disorders.slice(0, 3).join('; ')}`);
    const untried = needed.filter(({ id }) => (result.byOperation.get(id)?.succeeded ?? 0) === 0);
    if (untried.length > 0 && requests >= completeMin)
      suite.fail(`never succeeded: ${untried.map(({ id }) => id).join(', ')}`);
    if (servers.logged.length > 0) suite.fail(`a server logged a failure: ${servers.logged[0]}`);
  } finally {
    await servers.stop();
  }
}

async function comparePlanted(name: string): Promise<void> {
  const servers = await startServers(contestants, plants[name]);
  try {
    const run = new Run(servers, seed);
    await run.begin();
    await run.send(plantedRequestsMax, { divergencesMax: 1 });
    const [first] = run.result.divergences;
    const [finding] = first?.findings ?? [];
    suite.planted(
      name,
      first &&
        `by request ${first.number}, ${first.name}${finding?.where}: ${finding?.left.slice(0, 80)} and ${finding?.right.slice(0, 80)}`,
    );
  } finally {
    await servers.stop();
  }
}

console.log(`seed ${seed}`);
const planted = Object.keys(plants).map((name) => [name, () => comparePlanted(name)] as const);
const only = { '': '', none: 'compare' }[plant] ?? plant;
await suite.run({ compare, ...Object.fromEntries(planted) }, only);
