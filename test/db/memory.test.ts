import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plants, runHistory } from '../../scripts/memory/history.ts';

const seed = 20_261_122;

/** A remembered row is never outdated; `npm run test:memory` says so of far longer histories. */
describe('remembered rows', () => {
  it('give the same responses to a drawn history as a server without memory', async (test) => {
    const { steps, reads, succeeded, remembered, difference } = await runHistory({
      seed,
      steps: 200,
      readsPerStep: 5,
    });
    test.diagnostic(`${steps} steps, ${reads} reads, ${remembered} rows from memory`);
    assert.equal(difference, undefined);
    assert.ok(succeeded > reads / 3, `only ${succeeded} of ${reads} reads succeeded`);
    assert.ok(remembered > reads, `only ${remembered} rows came from memory`);
  });

  for (const plant of plants)
    it(`are detected as wrong when a change is not noticed: ${plant}`, async () => {
      const { difference } = await runHistory({ seed, steps: 1500, readsPerStep: 5, plant });
      assert.notEqual(difference, undefined);
    });
});
