/** One lane, as `lanes.ts` explains. Each file is a suite, so that its hooks apply only to its own tests. */

import path from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { poll } from 'confab-testing/poll.ts';
import { enterTestFile } from 'confab-testing/test-file.ts';
import { filesOf, lanesVariable, noteEnd, take } from './lanes.ts';

/** Waits until no server of this process listens: one that a file leaves open would keep the process from ending. */
async function awaitNoServer(file: string): Promise<void> {
  const listening = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
  await poll(`the end of each server of ${file}`, () => listening() === 0 || undefined);
}

/** Runs all tests of a file. */
async function run(file: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  describe(path.dirname(file), () => {
    // The next file begins when this one has ended completely, even if one of its hooks fails.
    after(async () => {
      await awaitNoServer(file).finally(resolve);
    });
    describe(path.basename(file), async () => {
      enterTestFile(file);
      await import(pathToFileURL(path.resolve(file)).href);
    });
  });
  await promise;
}

/** Runs the file that was assigned to this lane, and then those that it takes. */
export async function runLane(first: number): Promise<void> {
  const list = process.env[lanesVariable];
  if (list === undefined) throw new Error(`${lanesVariable} says which files there are`);
  for (const [number, file] of filesOf(list).entries())
    if (number === first || take(list, number)) {
      await run(file);
      noteEnd(list, number);
    }
}
