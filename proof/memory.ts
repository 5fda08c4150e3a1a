/**
 * Checks that remembered rows are never wrong: `npx node proof/memory.ts`. It sends drawn changes and reads to two servers,
 * one of them without memory, and compares the reads. Then it plants changes that the memory does not notice, one for
 * each table of remembered rows and one for other processes, and fails unless it finds each. `--steps`, `--reads`
 * (after each step) and `--seed` change the run. Exits with 1 after a difference.
 */

import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { plants, runHistory } from 'confab-testing/memory/history.ts';

const { seed, steps, reads: readsPerStep } = readFlags({ seed: anySeed, steps: 5000, reads: 6 });
const suite = new Suite('memory');

async function compare(): Promise<void> {
  const { difference, ...history } = await runHistory({ seed, steps, readsPerStep });
  console.log(
    `${history.steps} steps, ${history.reads} reads, ${history.succeeded} of them answered with 200; ${history.remembered} rows came from memory`,
  );
  if (difference !== undefined) suite.fail(`a remembered row was wrong ${difference}`);
}

async function comparePlanted(plant: string): Promise<void> {
  const { difference, steps: needed } = await runHistory({ seed, steps, readsPerStep, plant });
  suite.planted(plant, difference && `by step ${needed}, ${difference}`);
}

console.log(`seed ${seed}`);
const planted = plants.map((plant) => [plant, () => comparePlanted(plant)] as const);
await suite.run({ compare, ...Object.fromEntries(planted) });
