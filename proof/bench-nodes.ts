/**
 * How fast several nodes write to a PostgreSQL that is on another machine: `npx node proof/bench-nodes.ts`.
 *
 * Four nodes run on one PostgreSQL, each with a proxy between that delays everything by some milliseconds in each
 * direction. Clients create comments in 50 apps, or change something (`--loads`, see `distant-loads.ts`), through one, two
 * and all four nodes, over as many connections to each node, so twice the nodes have twice the clients; the rest is idle.
 * With `--against FOLDER` the nodes of another checkout, on a PostgreSQL of their own, take turns with them. The loads,
 * delays and numbers of nodes take turns in each round, and the figures are medians of the rounds. All processes share
 * this machine: without a delay its processors are the limit. `--delays`, `--nodes`, `--seconds`, `--rounds`, `--warm` and
 * `--connections` change the effort.
 */

import { join } from 'node:path';
import { machine, median } from 'confab-testing/harness/figures.ts';
import { readFlags, temporaryFolder } from 'confab-testing/harness/suite.ts';
import { startCluster } from 'confab-testing/nodes/cluster.ts';
import { root } from 'confab-tools/places.ts';
import { type LoadName, loadNames } from './bench/distant-loads.ts';
import { type Figures, startDistantNodes } from './bench/distant-nodes.ts';

const flags = readFlags({
  against: '',
  connections: 32,
  delays: '0,0.5,1',
  loads: loadNames.join(),
  nodes: '1,2,4',
  rounds: 3,
  seconds: 5,
  warm: 1,
});
const { against, connections, rounds, seconds } = flags;

const nodeCounts = flags.nodes.split(',').map(Number);
const delays = flags.delays.split(',').map(Number);
const loads = loadNames.filter((name) => flags.loads.split(',').includes(name));
const appCount = 50;
const sides = against === '' ? ['this build'] : ['this build', 'the other'];

type Case = {
  readonly what: LoadName;
  readonly delayMs: number;
  readonly count: number;
  readonly side: string;
};

using folder = temporaryFolder('bench-nodes');
const figuresOf = new Map<string, Figures[]>();

async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const nodes = new Map<string, Awaited<ReturnType<typeof startDistantNodes>>>();
  let kind = '';
  for (const side of sides) {
    const cluster = stack.use(await startCluster());
    kind = cluster.kind;
    // Beside another one this build is started as a release too, so that neither counts requests for rate limits.
    const release = against === '' ? undefined : side === 'this build' ? root : against;
    const own = {
      cluster,
      folder: join(folder.path, side),
      count: Math.max(...nodeCounts),
      appCount,
      release,
    };
    nodes.set(side, stack.use(await startDistantNodes(own)));
  }
  console.log(`${rounds} rounds, ${seconds} s each, ${connections} connections to each node, ${appCount} apps;
all processes on this machine: ${machine()}; ${kind}, fsync on.`);
  for (let round = 0; round < rounds; round += 1)
    for (const one of everyCase()) {
      const figures = await nodes.get(one.side)?.load(one, { seconds, connections, warmSeconds: flags.warm });
      if (figures !== undefined) figuresOf.set(nameOf(one), [...(figuresOf.get(nameOf(one)) ?? []), figures]);
    }
  print();
}

function everyCase(): Case[] {
  return loads.flatMap((what) =>
    delays.flatMap((delayMs) =>
      nodeCounts.flatMap((count) => sides.map((side) => ({ what, delayMs, count, side }))),
    ),
  );
}

function nameOf({ what, delayMs, count, side }: Case): string {
  return `${what}, ${delayMs} ms, ${count}, ${side}`;
}

function middle(one: Case, column: keyof Figures): number {
  return median((figuresOf.get(nameOf(one)) ?? []).map((figures) => figures[column]));
}

/** One line for each load, delay and number of nodes; `of the other` is the ratio to the same row of the other checkout. */
function print(): void {
  console.log(`
| load | delay each way, nodes | a second | of the other | of comments | p50 ms | p99 ms | a group | µs of the node | µs of PostgreSQL |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|`);
  for (const one of everyCase().filter(({ side }) => side === 'this build')) {
    const perSecond = middle(one, 'perSecond');
    const other = middle({ ...one, side: 'the other' }, 'perSecond');
    const comments = middle({ ...one, what: 'comments' }, 'perSecond');
    const ratio = (to: number) => (Number.isFinite(to) ? (perSecond / to).toFixed(2) : '');
    const cells = [
      one.what,
      `${one.delayMs} ms, ${one.count}`,
      perSecond.toFixed(0),
      Number.isFinite(other) ? `${ratio(other)} (${other.toFixed(0)})` : '',
      ratio(comments),
      middle(one, 'p50Ms').toFixed(1),
      middle(one, 'p99Ms').toFixed(1),
      middle(one, 'ofGroup').toFixed(1),
      middle(one, 'nodeUs').toFixed(0),
      middle(one, 'databaseUs').toFixed(0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

await main();
