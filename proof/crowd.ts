/**
 * Checks that a reader in the middle of a crowd loses nothing and is never moved: `npx node proof/crowd.ts`.
 *
 * 200 people write, answer, edit, remove and react in one thread over HTTP for five minutes, while one reads in the middle of
 * it with `<confab-comments>` in a browser, and writes. Each second the place of the comment that is being read is measured,
 * and whether anything is shown twice. In the end the reader shows everything, which must be what the server has said.
 * `--people`, `--minutes`, `--pause` (the seconds between two acts of a person on average) and `--seed` change the run.
 *
 * `--readers 1000,5000,10000` measures people who look on instead, without a browser: that many read one page without a
 * credential, and are told of comments. It prints the memory of each, when all have heard of a comment, and how long the
 * requests of other people take before, meanwhile and after. `--against` names a checkout whose server is measured before.
 *
 * With `--readers` it exits with 1 when somebody did not hear of a comment, or when 5,000 readers or more took 20 kB each or
 * had not all heard of it within half a second. Otherwise it exits with 1 when something was lost, doubled or moved, or when
 * a task of the page took more than 50 ms while everybody wrote.
 */

import { join } from 'node:path';
import { machine } from 'confab-testing/harness/figures.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { runCrowd } from './crowd/run.ts';
import { type Watched, watchCrowd } from './crowd/watching.ts';

const flags = readFlags({ people: 200, minutes: 5, pause: 15, seed: anySeed, readers: '', against: '' });
const suite = new Suite('crowd');
/** The most memory of a reader, and the longest time until all have heard of a comment, where there are this many. */
const kbEachMax = 20;
const allMsMax = 500;
const readersMin = 5000;

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

async function lookers(): Promise<void> {
  const steps = flags.readers.split(',').map(Number);
  console.log(machine());
  for (const release of flags.against === '' ? [undefined] : [flags.against, undefined]) {
    const name = release === undefined ? 'own' : 'against';
    for (const found of await watchCrowd(join(suite.folder, name), { steps, release })) {
      const { readers, kbEach, heapKbEach, halfMs, allMs, unheard } = found;
      console.log(`${name}: ${readers} readers, each ${kbEach.toFixed(1)} kB of memory, of which heap ${heapKbEach.toFixed(1)}
  half have heard of a comment after ${halfMs.toFixed(0)} ms, all after ${allMs.toFixed(0)}, never ${unheard}
  the last has read after ${found.readWithinMs.toFixed(0)} ms, p99 of a list ${found.readP99Ms.toFixed(1)} ms, \
processor time for each reader ${found.cpuUsEach.toFixed(0)} µs
  requests of others: before ${waits(found.before)}; meanwhile ${waits(found.meanwhile)}; after ${waits(found.after)}`);
      if (unheard > 0) suite.fail('somebody did not hear of a comment');
      if (release !== undefined || readers < readersMin) continue;
      if (!(kbEach < kbEachMax)) suite.fail(`a reader takes ${kbEachMax} kB or more`);
      if (!(allMs < allMsMax)) suite.fail(`not all heard of a comment within ${allMsMax} ms`);
    }
  }
}

function waits({ count, p50, p99, most }: Watched['before']): string {
  return `${count}, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, most ${most.toFixed(1)} ms`;
}

console.log(`seed ${flags.seed}`);
await suite.run(flags.readers === '' ? { crowd } : { lookers });
