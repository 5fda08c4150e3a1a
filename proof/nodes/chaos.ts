import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { leaseMs } from 'confab-server/src/features/webhooks/sending/lanes.ts';
import { freshTally, Model, type Tally, type Violation } from 'confab-testing/harness/model.ts';
import { type Random, seededRandom } from 'confab-testing/harness/random.ts';
import { Ledger, startReceiver, take } from 'confab-testing/harness/receiver.ts';
import type { Cluster } from 'confab-testing/nodes/cluster.ts';
import type { Node } from 'confab-testing/nodes/node.ts';
import { Check } from './chaos-check.ts';
import { buildWorld, type World } from './chaos-world.ts';
import { followNode } from './follower.ts';
import { factsOf } from './load.ts';

/**
 * What happens in a round: a node is killed, PostgreSQL crashes, half of the connections are cut, a node is frozen, or
 * one node after the other is replaced by one of another release.
 */
export type Fault = 'kill' | 'crash' | 'cut' | 'freeze' | 'roll';

/** The parameters of a run. */
export type ChaosOptions = {
  readonly cluster: Cluster;
  readonly pair: readonly [Node, Node];
  /** The folder of the nodes' logs. */
  readonly folder: string;
  readonly seed: number;
  readonly rounds: number;
  /** The faults to draw from; by default each in turn, with two freezes in a dozen. */
  readonly faults?: readonly Fault[];
  /** Stops a node and starts it with the other release. */
  readonly roll?: (node: Node) => Promise<void>;
  readonly onRound: (line: string) => void;
};

/** The findings of a run, which ends with the first round that finds a violation. */
export type ChaosResult = Tally & {
  rounds: number;
  loadMs: number;
  events: number;
  deliveries: number;
  notifications: number;
  sent: number;
  late: number;
  readonly violations: readonly Violation[];
};

const aDozen = 'kill crash cut freeze kill cut crash kill freeze cut crash kill'.split(' ') as Fault[];
/** How long a path that begins with `/slow` takes to respond. */
const slowMs = 700;
/** How long a node is frozen: longer than it holds its webhooks. */
const frozenMs = leaseMs + 3000;

/** How many attempts of each node are waiting for a response. */
type Waiting = { [node: string]: number };

/** Lets clients write through two nodes while one fault follows the other. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { cluster, pair, folder, onRound } = options;
  const random = seededRandom(options.seed);
  const tally = freshTally();
  const model = new Model(factsOf, tally);
  const result = { rounds: 0, loadMs: 0 };
  const ledger = new Ledger();
  const waiting: Waiting = {};
  using receiver = await startReceiver(async (response, arrival) => {
    ledger.note(arrival);
    // The names of the headers identify the node.
    const node = pair.find(({ name }) => `x-${name.toLowerCase()}-delivery` in arrival.headers)?.name ?? '';
    waiting[node] = (waiting[node] ?? 0) + 1;
    if (arrival.path.startsWith('/slow')) await pause(slowMs);
    waiting[node] -= 1;
    take(response);
  });
  const world = await buildWorld(pair[0], { model, receiverUrl: receiver.url, random });
  const followers = pair.map(followNode);
  const check = new Check({ cluster, nodes: pair, model, world, ledger, followers });
  const faults = options.faults ?? aDozen;
  try {
    while (result.rounds < options.rounds && model.violations.length === 0) {
      const fault = faults[result.rounds % faults.length] ?? 'kill';
      tally.slowestMs = 0;
      const before = { ...tally, late: lateOf(folder) };
      const startedAt = performance.now();
      await writeDuring(options, world, () => strike(options, { fault, random, waiting }));
      result.loadMs += performance.now() - startedAt;
      await check.look();
      result.rounds += 1;
      const ms = (performance.now() - startedAt).toFixed(0);
      onRound(
        `round ${result.rounds} ${fault}: ${tally.acknowledged - before.acknowledged} acknowledged, ` +
          `${tally.unknown - before.unknown} without an answer, slowest ${tally.slowestMs.toFixed(0)} ms, ` +
          `late results refused ${lateOf(folder) - before.late}, ${model.violations.length} violations, ${ms} ms`,
      );
    }
    const sums = await check.sums();
    const { violations } = model;
    return { ...tally, ...result, ...sums, sent: receiver.received(), late: lateOf(folder), violations };
  } finally {
    await Promise.all(followers.map((follower) => follower.stop()));
  }
}

/** Lets every client write while `work` runs, and until both nodes have recovered. */
async function writeDuring({ pair }: ChaosOptions, world: World, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const writing = world.writers.map((writer) => writer.write(pair, () => isDone));
  const ticking = (async () => {
    for (let n = 0; !isDone; n += 1) {
      // Events for the slow webhooks, so that each node always has running attempts.
      await pair[n % 2]?.send('PATCH', `/api/apps/${world.tickerAppId}`, {
        name: `tick ${n} ${performance.now()}`,
      });
      await pause(150);
    }
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await Promise.all([...writing, ticking]);
  }
  // Requests that arrived at a frozen node may still be in progress, and later ones queue behind them.
  for (const node of pair) await untilWrites(node, world.tickerAppId);
  await pause(500);
  for (const node of pair) await untilWrites(node, world.tickerAppId);
}

async function untilWrites(node: Node, appId: number): Promise<void> {
  for (const since = performance.now(); ; await pause(50)) {
    const answer = await node.send('PATCH', `/api/apps/${appId}`, { description: `${performance.now()}` });
    if (answer?.status === 200) return;
    if (performance.now() - since > 60_000) throw new Error(`${node.name} takes no writes any more`);
  }
}

async function strike(
  { cluster, pair, roll }: ChaosOptions,
  { fault, random, waiting }: { fault: Fault; random: Random; waiting: Waiting },
): Promise<void> {
  const drawn = random.draw(pair);
  await pause(random.integer(1000, 2500));
  if (fault === 'kill') {
    await drawn.kill();
    await pause(random.integer(300, 1500));
    await drawn.start();
  } else if (fault === 'crash') await cluster.crash();
  else if (fault === 'roll')
    for (const node of pair) {
      await roll?.(node);
      await pause(random.integer(2000, 4000));
    }
  else if (fault === 'cut')
    for (let n = 0; n < 4; n += 1) {
      await cluster.rows(
        `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
           where application_name = 'confab' order by random()
           limit (select count(*) / 2 from pg_stat_activity where application_name = 'confab')) as half`,
      );
      await pause(random.integer(100, 600));
    }
  else {
    const node = await oneThatSends(pair, drawn, waiting);
    process.kill(node.process.pid, 'SIGSTOP');
    await pause(frozenMs);
    process.kill(node.process.pid, 'SIGCONT');
  }
  await pause(random.integer(1500, 3000));
}

/** A node with a running attempt, if there is one soon; preferably the drawn one. */
async function oneThatSends(pair: readonly Node[], drawn: Node, waiting: Waiting): Promise<Node> {
  for (const since = performance.now(); performance.now() - since < 10_000; await pause(5)) {
    const sending = [drawn, ...pair].find(({ name }) => (waiting[name] ?? 0) > 0);
    if (sending !== undefined) return sending;
  }
  return drawn;
}

/** How many outcomes of attempts the nodes did not record because another node had the lease of the webhook by then. */
function lateOf(folder: string): number {
  let late = 0;
  for (const name of ['One', 'Two'])
    for (const line of readFileSync(`${folder}/${name}.log`, 'utf8').split('\n'))
      if (line.includes('webhooks were deleted or taken over'))
        late += (JSON.parse(line) as { attempts: number }).attempts;
  return late;
}
