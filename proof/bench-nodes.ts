/**
 * How fast several nodes write to a PostgreSQL that is on another machine: `npx node proof/bench-nodes.ts`.
 *
 * Four nodes run on one PostgreSQL, each with a proxy between that delays everything by some milliseconds in each
 * direction. Comments are created in 50 apps through one, two and all four of them, over as many connections to each
 * node, so twice the nodes have twice the clients; the rest is idle. The delays and numbers of nodes take turns in each
 * round, and the figures are medians of the rounds. All processes share this machine: without a delay its processors
 * are the limit. `--delays`, `--seconds`, `--rounds`, `--warm` and `--connections` change the effort.
 */

import { machine, median } from 'confab-testing/harness/figures.ts';
import { readFlags, temporaryFolder } from 'confab-testing/harness/suite.ts';
import { startCluster } from 'confab-testing/nodes/cluster.ts';
import { type Figures, startDistantNodes } from './bench/distant-nodes.ts';

const {
  connections,
  delays,
  rounds,
  seconds,
  warm: warmSeconds,
} = readFlags({ connections: 32, delays: '0,1,5', rounds: 3, seconds: 5, warm: 1 });

const nodeCounts = [1, 2, 4];
const appCount = 50;

using folder = temporaryFolder('bench-nodes');
await using cluster = await startCluster();

async function main(): Promise<void> {
  await using nodes = await startDistantNodes({ cluster, folder: folder.path, count: 4, appCount });
  console.log(`${rounds} rounds, ${seconds} s each, ${connections} connections to each node, ${appCount} apps;
all processes on this machine: ${machine()};
${cluster.kind}, fsync on.

delay each way, nodes   requests/s   of one   p50 ms   p99 ms   a group   µs of the node   µs of PostgreSQL`);
  const all = new Map<string, Figures[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const delay of delays.split(','))
      for (const count of nodeCounts) {
        const effort = { seconds, connections, warmSeconds };
        const figures = await nodes.load({ count, delayMs: Number(delay) }, effort);
        const name = `${delay} ms, ${count}`;
        all.set(name, [...(all.get(name) ?? []), figures]);
      }
  print(all);
}

function print(all: ReadonlyMap<string, readonly Figures[]>): void {
  let ofOne = Number.NaN;
  for (const [name, figures] of all) {
    const middle = (column: keyof Figures): number => median(figures.map((one) => one[column]));
    const perSecond = middle('perSecond');
    if (name.endsWith(', 1')) ofOne = perSecond;
    const cells = [
      perSecond.toFixed(0).padStart(11),
      (perSecond / ofOne).toFixed(2).padStart(9),
      middle('p50Ms').toFixed(1).padStart(9),
      middle('p99Ms').toFixed(1).padStart(9),
      middle('ofGroup').toFixed(1).padStart(10),
      middle('nodeUs').toFixed(0).padStart(17),
      middle('databaseUs').toFixed(0).padStart(19),
    ];
    console.log(name.padEnd(23) + cells.join(''));
  }
}

await main();
