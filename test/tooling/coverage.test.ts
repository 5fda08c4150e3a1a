import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { missing } from '../../scripts/test/coverage.ts';

/** What is missing of `getReaction` in a run that has shown `lines` of it. */
function missingOf(lines: readonly string[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'confab-coverage-'));
  try {
    const file = path.join(folder, 'coverage');
    writeFileSync(file, lines.join('\n'));
    return missing(file, 'sqlite').filter((line) => line.includes('getReaction'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// A whole run names what no test has shown, and the file in which to add it.
describe('what a whole run has not shown', () => {
  it('is named with the file to change', () => {
    const lines = missingOf([]).join('\n');
    assert.match(
      lines,
      /success of getReaction in test\/features\/reactions\/reactions\.test\.ts \(.*operation-tests\.ts\)/,
    );
    assert.match(lines, /success of getReaction in the access matrix \(.*test\/access\/neighbours\.ts/);
    assert.match(lines, /getReaction in the catalogue of bad input \(.*test\/catalogue\/\)/);
  });

  it('is nothing once each status was seen in each place', () => {
    const lines = [
      'getReaction 200 test/features/reactions/reactions.test.ts',
      'getReaction 200 test/access/neighbours.test.ts',
      'getReaction 404 test/catalogue/neighbours.test.ts',
      'getReaction 403 test/access/scopes.test.ts scope_missing',
      'getReaction 401 test/catalogue/credentials.test.ts',
    ];
    assert.deepEqual(missingOf(lines), []);
  });
});
