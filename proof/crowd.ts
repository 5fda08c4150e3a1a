/**
 * Checks that a reader in the middle of a crowd loses nothing and is never moved: `npx node proof/crowd.ts`.
 *
 * 200 people write, answer, edit, remove and react in one thread over HTTP for five minutes, while one reads in the middle of
 * it with `<confab-comments>` in a browser, and writes. Each second the place of the comment that is being read is measured,
 * and whether anything is shown twice. In the end the reader shows everything, which must be what the server has said.
 * `--people`, `--minutes`, `--pause` (the seconds between two acts of a person on average) and `--seed` change the run.
 *
 * Exits with 1 when something was lost, doubled or moved, or when a task of the page took more than 50 ms while everybody
 * wrote.
 */

import { machine } from 'confab-testing/harness/figures.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { runCrowd } from './crowd/run.ts';

const flags = readFlags({ people: 200, minutes: 5, pause: 15, seed: anySeed });
const suite = new Suite('crowd');

async function crowd(): Promise<void> {
  const { people, minutes, pause, seed } = flags;
  const seconds = minutes * 60;
  const found = await runCrowd({ folder: suite.folder, people, seconds, seed, pauseMs: pause * 1000 });
  const acts = Object.values(found.done).reduce((sum, count) => sum + count, 0);
  const says = Object.entries(found.done).map(([act, count]) => `${act} ${count}`);
  console.log(`${machine()}
${people} people for ${seconds} s: ${(acts / seconds).toFixed(1)} a second (${says.join(', ')}), refused ${found.refusals.length}
comments in the end ${found.comments}, of the reader ${found.own}: lost ${found.lost.length}, doubled ${found.doubled.length}
place measured ${found.measured} times, moved ${found.moved.length}
tasks of more than 50 ms: ${told(found.slow)}; while everything was shown in the end: ${told(found.slowAfter)}`);
  for (const [what, faults] of Object.entries({
    'something was lost': found.lost,
    'something was doubled': found.doubled,
    'the place of the reader moved': found.moved,
    'tasks were long': found.slow.map(
      ({ at, ms }) => `${Math.round(ms)} ms, ${(at / 1000).toFixed(1)} s after the page began`,
    ),
    'the page had faults': found.faults,
  }))
    if (faults.length > 0) suite.fail(what, faults);
}

function told(tasks: readonly { readonly ms: number }[]): string {
  const longest = Math.max(0, ...tasks.map(({ ms }) => ms));
  return tasks.length === 0 ? 'none' : `${tasks.length}, the longest ${Math.round(longest)} ms`;
}

console.log(`seed ${flags.seed}`);
await suite.run({ crowd });
