/**
 * What it would take to let nodes write without taking turns: `npm run bench:lanes`. The record is
 * docs/decisions/0131-the-log-in-lanes.md.
 *
 * - `orders` tries ways to order the log on a real PostgreSQL: writers that pause, roll back and are killed, a crash of
 *   the server, and a reader that follows. Nothing may be missed, and mistakes made on purpose have to be found.
 * - `costs` measures what the parts of a write cost on a real PostgreSQL. Without it recorded costs are used.
 * - `check` compares the simulation with what `bench:nodes` has measured, and `reality` with real nodes in the same run:
 *   where they differ, the simulation proves nothing.
 * - `table` simulates 1 to 16 nodes with 1 to 16 lanes and the alternatives. It needs no PostgreSQL.
 *
 * `--parts` chooses some of them, `--seed` repeats a run of them, `--seconds` is how long each measurement takes and
 * `--simulated` how long each simulation pretends to.
 */

import { startDistantNodes } from './bench/distant-nodes.ts';
import { machine, median, quantile } from './harness/figures.ts';
import { seededRandom } from './harness/random.ts';
import { anySeed, readFlags, Suite } from './harness/suite.ts';
import { measureCosts, measureDelays, measuredSettings } from './lanes/costs.ts';
import { type Costs, type Outcome, type Setting, simulate, type Way } from './lanes/model.ts';
import { orders } from './lanes/orders.ts';
import { recordedCosts, recordedLateness, recordedNodes } from './lanes/recorded-costs.ts';
import { tryOrder } from './lanes/trial.ts';
import { type Cluster, startCluster } from './nodes/cluster.ts';

const flags = readFlags({ parts: '', seed: anySeed, seconds: 3, simulated: 2, writers: 4 });
const suite = new Suite('lanes');
const appCount = 50;
/** The real nodes and the simulated ones may differ by so much. */
const differenceMax = 0.25;
/** The same where both are known from a quiet machine. */
const recordedDifferenceMax = 0.15;

let costs: Costs = recordedCosts;

function print(cells: readonly (string | number)[], widths: readonly number[]): void {
  console.log(
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 10;
        return index === 0 ? `${cell}`.padEnd(width) : `${cell}`.padStart(width);
      })
      .join(''),
  );
}

/** Tries every order with writers that are killed. */
async function tryOrders(): Promise<void> {
  await using cluster = await startCluster();
  const widths = [50, 11, 8, 8, 8, 8, 10, 8, 10, 10];
  print(
    ['order', 'committed', 'killed', 'undone', 'missed', 'twice', 'disorder', 'late', 'seen p50', 'p99 ms'],
    widths,
  );
  const trial = { writers: flags.writers, seconds: flags.seconds };
  for (const order of orders) {
    const found = await tryOrder(cluster, { order, trial, random: seededRandom(flags.seed) });
    const { committed, killed, rolledBack, missed, twice, outOfOrder, late, seenMs } = found;
    const times = [quantile(seenMs, 0.5).toFixed(1), quantile(seenMs, 0.99).toFixed(1)];
    print([order.name, committed, killed, rolledBack, missed, twice, outOfOrder, late, ...times], widths);
    const wrong = missed + twice + outOfOrder + late;
    if (order.isMistake !== true && wrong > 0) suite.fail(`"${order.name}" is wrong ${wrong} times`);
    if (order.isMistake === true) suite.planted(order.name, wrong > 0 ? `${wrong} times` : undefined);
  }
}

/** A setting of the simulation that is like `bench:nodes`. */
function settingOf(changes: Partial<Setting>): Setting {
  return {
    way: 'turn',
    nodes: 1,
    lanes: 1,
    apps: appCount,
    clients: 128,
    pause: 0,
    delay: 0.25,
    changing: 0,
    appless: 0,
    processors: 8,
    shared: false,
    seconds: flags.simulated,
    seed: flags.seed,
    ...changes,
  };
}

/** Measures the costs, and compares the simulation with real nodes in the same run. */
async function measure(withReality: boolean): Promise<void> {
  await using cluster = await startCluster(measuredSettings);
  await using nodes = await startDistantNodes({ cluster, folder: suite.folder, count: 4, appCount });
  costs = await measureCosts(cluster, nodes, flags.seconds);
  console.log(`${machine()}; ${cluster.kind}, fsync on; milliseconds:`);
  const syncs = { p50: median(costs.syncs), p99: quantile(costs.syncs, 0.99) };
  console.log(
    JSON.stringify({ ...costs, syncs }, (_, value) =>
      typeof value === 'number' ? Number(value.toFixed(4)) : value,
    ),
  );
  if (withReality) await compareWithReality(cluster, nodes);
}

async function compareWithReality(
  cluster: Cluster,
  nodes: Awaited<ReturnType<typeof startDistantNodes>>,
): Promise<void> {
  const connections = 32;
  const delays = await measureDelays(cluster, [0, 1, 5]);
  const widths = [24, 10, 8, 10, 10, 12, 8, 10, 10];
  print(
    [
      'delay each way, nodes',
      'real',
      'of one',
      'a group',
      'p50 ms',
      'simulated',
      'of one',
      'a group',
      'p50 ms',
    ],
    widths,
  );
  for (const [delayMs, delay, what] of [
    ...[...delays].map(([delayMs, delay]) => [delayMs, delay, undefined] as const),
    [1, delays.get(1) ?? 1, 'edits'] as const,
  ]) {
    const ones: number[] = [];
    for (const count of [1, 2, 4]) {
      const effort = { seconds: flags.seconds, connections, warmSeconds: 1 };
      const real = await nodes.load({ count, delayMs, ...(what === undefined ? {} : { what }) }, effort);
      const like = settingOf({
        nodes: count,
        clients: connections,
        delay,
        processors: 2,
        shared: true,
        changing: what === undefined ? 0 : 1,
      });
      const simulated = simulate(like, costs);
      if (count === 1) ones.push(real.perSecond, simulated.perSecond);
      print(
        [
          `${what ?? 'comments'} ${delayMs} ms (${delay.toFixed(2)}), ${count}`,
          real.perSecond.toFixed(0),
          (real.perSecond / (ones[0] ?? 0)).toFixed(2),
          real.ofGroup.toFixed(1),
          real.p50Ms.toFixed(1),
          simulated.perSecond.toFixed(0),
          (simulated.perSecond / (ones[1] ?? 0)).toFixed(2),
          simulated.ofGroup.toFixed(1),
          simulated.p50Ms.toFixed(1),
        ],
        widths,
      );
      const [ofReal, ofSimulated] = [real.perSecond / (ones[0] ?? 0), simulated.perSecond / (ones[1] ?? 0)];
      if (delayMs > 0 && Math.abs(ofSimulated / ofReal - 1) > differenceMax)
        suite.fail(`the simulation differs from ${count} real nodes at ${delayMs} ms`);
    }
  }
}

/** Compares the simulation with what `bench:nodes` measured on a quiet machine. */
function checkRecorded(): Promise<void> {
  const widths = [24, 18, 22, 26];
  print(['delay each way', 'of one', 'simulated', 'simulated a second'], widths);
  for (const [delayMs, real] of recordedNodes) {
    const delay = delayMs === 0 ? 0.03 : delayMs + recordedLateness;
    const simulated = [1, 2, 4].map((nodes) => {
      const like = settingOf({ nodes, clients: 32, delay, processors: 2, shared: true });
      return simulate(like, recordedCosts).perSecond;
    });
    const ofOne = (all: readonly number[]) => all.map((one) => one / (all[0] ?? Number.NaN));
    const [ofReal, ofSimulated] = [ofOne(real), ofOne(simulated)];
    const text = (all: readonly number[]) => all.map((one) => one.toFixed(2)).join(' ');
    print(
      [`${delayMs} ms`, text(ofReal), text(ofSimulated), simulated.map((one) => one.toFixed(0)).join(' ')],
      widths,
    );
    if (Math.abs((ofSimulated[1] ?? 0) / (ofReal[1] ?? 1) - 1) > recordedDifferenceMax)
      suite.fail(`the simulation of two nodes differs from what was measured at ${delayMs} ms`);
  }
  return Promise.resolve();
}

const nodeCounts = [1, 2, 4, 8, 16];

/** The ways that are compared, with the numbers of lanes. */
const compared: readonly (readonly [Way, number])[] = [
  ['turn', 1],
  ['apart', 1],
  ['at once', 1],
  ['two connections', 1],
  ['large groups', 1],
  ['early', 1],
  ['end', 1],
  ['sequencer', 1],
  ['horizon', 1],
  ...[2, 4, 8, 16].map((lanes) => ['lanes', lanes] as const),
  ['lanes, one connection', 16],
  ['lanes by node', 16],
];

function compareWays(changes: Partial<Setting>, cellOf: (outcome: Outcome) => string): void {
  for (const [way, lanes] of compared) {
    const cells = nodeCounts.map((nodes) =>
      cellOf(simulate(settingOf({ ...changes, way, lanes, nodes }), costs)),
    );
    const name = way.startsWith('lanes') ? `${way}: ${lanes}` : way;
    print([name, ...cells], [26, 17, 17, 17, 17, 17]);
  }
}

function printTables(): Promise<void> {
  const heading = ['', ...nodeCounts.map((count) => `${count} nodes`)];
  const widths = [26, 17, 17, 17, 17, 17];
  const perSecond = ({ perSecond: all, busy }: Outcome) => `${all.toFixed(0)} (${(busy * 100).toFixed(0)} %)`;
  for (const [what, changes] of [
    ['round trip 1 ms, comments only', {}],
    ['round trip 1 ms, one write in ten changes something', { changing: 0.1 }],
    [
      'round trip 1 ms, one write in ten changes something, one in a hundred has no app',
      { changing: 0.1, appless: 0.01 },
    ],
    ['round trip 0.2 ms, one write in ten changes something', { delay: 0.1, changing: 0.1 }],
  ] as const) {
    console.log(`\nwrites a second (processors of PostgreSQL), ${what}`);
    print(heading, widths);
    compareWays({ delay: 0.5, ...changes }, perSecond);
  }
  console.log(
    '\np50 / p99 ms, and p99 until a reader may see it, at about 500 writes a second on each node; round trip 1 ms, one in ten changes something',
  );
  print(heading, widths);
  compareWays({ delay: 0.5, changing: 0.1, clients: 100, pause: 200 }, ({ p50Ms, p99Ms, seenP99Ms }) =>
    [p50Ms, p99Ms, seenP99Ms].map((ms) => ms.toFixed(0)).join(' / '),
  );
  return Promise.resolve();
}

console.log(`seed ${flags.seed}`);
const only = flags.parts === '' ? ['orders', 'check', 'table'] : flags.parts.split(',');
await suite.run(
  {
    orders: tryOrders,
    check: checkRecorded,
    costs: () => measure(false),
    reality: () => measure(true),
    table: printTables,
  },
  only.join(','),
);
