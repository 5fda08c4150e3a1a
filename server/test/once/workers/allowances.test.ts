import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAllowances } from '../../../src/workers/allowances.ts';

// A server that has sent to any number of webhooks keeps no more of them than of a thousand.
describe('the allowances of webhooks', () => {
  test('are forgotten of those that sent longest ago', () => {
    const allowances = createAllowances();
    for (let id = 1; id <= 3000; id += 1) {
      allowances.failed(id);
      allowances.delivered(1);
    }
    const known = Array.from({ length: 3000 }, (_, index) => index + 1).filter(
      (id) => allowances.healthOf(id) !== 'unknown',
    );
    assert.equal(known.length, 1024);
    assert.deepEqual([known[0], known[1], known.at(-1)], [1, 1978, 3000]);
    assert.equal(allowances.of(1), 4);
  });
});
