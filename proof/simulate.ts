/**
 * Runs Confab on a simulated clock: `npx node proof/simulate.ts`.
 *
 * Each *history* is some days of one to three nodes that share a store, with their clients, receivers of webhooks and a
 * mail server, in one process and on one clock that moves from one thing to do to the next. The code is that of a server;
 * only time, randomness and the network are replaced. Nodes end between any two steps, stall and have clocks that jump;
 * receivers fail in many ways. What the guides promise about time is checked all the while (`proof/simulate/`). A
 * history follows from its seed.
 *
 * `--hours` is how many simulated hours to run at least, in histories with the seeds from `--seed` on; `--length` is how many
 * of a history clients write in. `--plant NAME` puts
 * a mistake into the sources, which must be found; `--plant all` does that with each (`simulate/plants.ts`).
 *
 * Exits with 1 after a broken promise, with the last steps and the command that repeats them.
 */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { anySeed, readFlags } from 'confab-testing/harness/suite.ts';
import { plants } from './simulate/plants.ts';
import type { RunOptions, RunResult } from './simulate/world.ts';

/** How many hours clients write in a history by default; it goes on until all is delivered. */
const historyHours = 340;
/** Within how many hours a planted mistake must be found. */
const plantedHours = 12_000;

const { seed, hours, length, plant } = readFlags({
  seed: anySeed,
  hours: 2000,
  length: historyHours,
  plant: '',
});

/** Runs a history in a thread of its own, with a mistake where `planted` names one. */
async function runHistory(options: RunOptions, planted: string): Promise<RunResult> {
  const thread = new Worker(new URL('./simulate/history.ts', import.meta.url), {
    workerData: { ...options, plant: planted },
  });
  const [result] = (await once(thread, 'message')) as [RunResult];
  await thread.terminate();
  return result;
}

/** Runs histories until they have so many hours, or a promise is broken. */
async function runHistories(wanted: number, planted = ''): Promise<readonly RunResult[]> {
  const results: RunResult[] = [];
  let left = wanted;
  for (let next = seed; left > 0; next += 1) {
    const result = await runHistory({ seed: next, hours: length }, planted);
    results.push(result);
    left -= result.hours;
    if (process.stdout.isTTY) process.stdout.write(`\r${Math.round(wanted - left)} hours`);
    if (result.broken !== undefined) break;
  }
  return results;
}

function sum(results: readonly RunResult[], of: (result: RunResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}

function print(results: readonly RunResult[]): void {
  for (const [climate, some] of Map.groupBy(results, (result) => result.climate)) {
    const counts = Object.keys(some[0]?.counts ?? {})
      .map((name) => `${name} ${sum(some, (result) => result.counts[name] ?? 0)}`)
      .join(', ');
    console.log(
      `${climate}: ${some.length} histories, ${Math.round(sum(some, (one) => one.hours))} hours, ${counts}`,
    );
  }
}

async function runSound(): Promise<void> {
  const startedAt = process.hrtime.bigint();
  console.log(`seed ${seed}`);
  const results = await runHistories(hours);
  print(results);
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  const total = sum(results, (result) => result.hours);
  console.log(
    `${Math.round(total)} simulated hours in ${results.length} histories, ${sum(results, (one) => one.steps)} steps, ${seconds.toFixed(0)} s`,
  );
  const broken = results.at(-1);
  if (broken?.broken === undefined) return console.log('passed');
  for (const step of broken.broken.steps) console.log(`  ${step}`);
  console.log(
    `FAILED (${broken.broken.check}) after ${broken.broken.hours.toFixed(1)} hours of seed ${broken.seed}: ${broken.broken.message}`,
  );
  console.log(
    `repeat it with: npx node proof/simulate.ts --seed ${broken.seed} --hours 1 --length ${length}`,
  );
  process.exitCode = 1;
}

async function runPlanted(name: string): Promise<void> {
  const results = await runHistories(plantedHours, name);
  const { broken } = results.at(-1) ?? {};
  const total = sum(results, (result) => result.hours).toFixed(1);
  if (broken !== undefined)
    return console.log(
      `planted "${name}": found by the check of ${broken.check} after ${total} hours: ${broken.message}`,
    );
  console.log(`FAILED: planted "${name}" was not found in ${total} hours`);
  process.exitCode = 1;
}

function runAllPlanted(): void {
  for (const name of Object.keys(plants)) {
    const given = [import.meta.filename, '--plant', name, '--seed', String(seed)];
    const { status } = spawnSync(process.execPath, given, { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

if (plant === '') await runSound();
else if (plant === 'all') runAllPlanted();
else await runPlanted(plant);
