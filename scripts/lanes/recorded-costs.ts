import type { Costs } from './model.ts';

/**
 * Costs as `--parts costs` measured them, so that the tables of the record can be repeated without a PostgreSQL. The
 * machine was busy with other work: times of processors are reduced by one factor, so that a node has the time for a
 * comment that docs/scaling.md has from a quiet one (0.18 to 0.22 ms), and a sync takes a millisecond. What the load and
 * the proxies take is what the full processors of that table leave for it.
 */
const quiet = 0.45;

export const recordedCosts: Costs = {
  node: { before: 0.223 * quiet, within: 0.149 * quiet, after: 0.124 * quiet },
  credential: 0.001,
  reads: { group: 0.153 * quiet, write: 0 },
  entries: { group: 1.155 * quiet, write: 0.0326 * quiet },
  words: { group: 0.294 * quiet, write: 0.0474 * quiet },
  log: { group: 0.495 * quiet, write: 0.0507 * quiet },
  change: { trips: 6, work: 2.5 * quiet },
  later: 0.004 * quiet,
  handOver: 0.054 * quiet,
  syncs: [1],
  load: 0.6,
};

/** What `bench:nodes` measured on a quiet machine: requests a second of one, two and four nodes, by the delay each way. */
export const recordedNodes: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1641, 1892, 1797]],
  [1, [768, 1161, 1281]],
  [5, [348, 636, 807]],
]);

/** By how much the proxies delayed more than they were told, in milliseconds: timers are late. */
export const recordedLateness = 0.4;
