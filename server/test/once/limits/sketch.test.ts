import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Sketch } from '../../../src/features/limits/sketch.ts';

const addressOf = (index: number) => `address ${index >>> 16}.${(index >>> 8) & 255}.${index & 255}.7 read`;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The memory in use, in bytes. */
function memory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// A fixed amount of memory counts any number of addresses, and never too low, so that nobody is forgotten.
describe('the counts of addresses', () => {
  test('take 4 MiB for a million addresses, and forget none that is at its limit', () => {
    const before = memory();
    const counts = new Sketch();
    for (let hit = 0; hit < 1000; hit += 1) counts.add('address of an offender');
    let highest = 0;
    for (let index = 0; index < 1_000_000; index += 1)
      highest = Math.max(highest, counts.add(addressOf(index)));
    assert.ok(counts.count('address of an offender') >= 1000);
    assert.equal(counts.bytes, 4 * 1024 * 1024);
    const grown = memory() - before - counts.bytes;
    assert.ok(grown < 1024 * 1024, `grew by ${grown} bytes besides the counts`);
    // An address that came once is far from any limit, though a million others share the cells.
    assert.ok(highest < 20, `${highest} counted for one request`);
  });

  test('are exact for as many callers as a server has in a minute', () => {
    const counts = new Sketch();
    for (let round = 1; round <= 20; round += 1)
      for (let index = 0; index < 5000; index += 1) assert.ok(counts.add(addressOf(index)) >= round);
    const wrong = Array.from({ length: 5000 }, (_, index) => counts.count(addressOf(index))).filter(
      (count) => count !== 20,
    );
    assert.ok(wrong.length <= 5, `${wrong.length} of 5000 are not exact`);
    counts.clear();
    assert.equal(counts.count(addressOf(1)), 0);
  });
});
