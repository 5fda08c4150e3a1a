import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from 'confab-testing/harness/suite.ts';
import { runCrowd } from '../crowd/run.ts';

// The short form of `npx node proof/crowd.ts`: somebody reads and writes in the middle of a thread in which others write.
test('among people who write, a reader loses nothing, sees nothing twice and is not moved', async () => {
  using folder = temporaryFolder('crowd');
  const found = await runCrowd({ folder: folder.path, people: 20, seconds: 6, seed: 1, pauseMs: 1500 });
  const { lost, doubled, moved, faults, own, comments } = found;
  assert.deepEqual({ lost, doubled, moved, faults }, { lost: [], doubled: [], moved: [], faults: [] });
  assert.ok(own > 0 && comments > 80);
});
