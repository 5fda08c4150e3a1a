import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { testFiles } from '../runner/engines.ts';

/** The scenarios of failing deliveries are numbered; a test of one begins with its number and a colon. */
const scenarios = 60;

// A scenario of failing deliveries that no test stands for is found out by this one.
describe('the scenarios of failing deliveries', () => {
  it('each have a test with their name', () => {
    const named = new Set(
      testFiles().flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/['"`](\d{1,2}): /g)].map(([, number]) => Number(number)),
      ),
    );
    const missing = Array.from({ length: scenarios }, (_, index) => index + 1).filter(
      (number) => !named.has(number),
    );
    assert.deepEqual(missing, []);
  });
});
