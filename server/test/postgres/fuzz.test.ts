import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Run } from 'confab-testing/differential/run.ts';
import { startTarget } from 'confab-testing/fuzz/target.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';

const seed = 20_261_128;

// What PostgreSQL refuses and SQLite takes shows in damaged requests; `npx node proof/fuzz.ts` sends far more of them.
test('1,000 drawn and damaged requests are answered as the contract declares', async () => {
  const { servers, tally } = await startTarget({ engine: 'postgres', random: seededRandom(seed) });
  try {
    const run = new Run(servers, seed);
    await run.begin();
    while (tally.requests < 1000) await run.send(50);
    assert.deepEqual(
      tally.faults.map(({ what, sent }) => `${what}: ${sent.method} ${sent.path}`),
      [],
    );
    assert.ok(tally.mutated > 300, `only ${tally.mutated} were damaged`);
    assert.deepEqual(servers.logged, []);
  } finally {
    await servers.stop();
  }
});
