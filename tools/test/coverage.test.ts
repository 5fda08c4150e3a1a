import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { missing, statusCoverage } from '../runner/coverage.ts';

/** What is read from the file of a run that has shown `lines`. */
function readOf<T>(lines: readonly string[], read: (file: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'confab-coverage-'));
  try {
    const file = path.join(folder, 'coverage');
    writeFileSync(file, lines.join('\n'));
    return read(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is missing of `getReaction` in a run that has shown `lines` of it. */
function missingOf(lines: readonly string[]): string[] {
  return readOf(lines, (file) => missing(file, 'sqlite').filter((line) => line.includes('getReaction')));
}

// A whole run names what no test has shown, and the file in which to add it.
describe('what a whole run has not shown', () => {
  it('is named with the file to change', () => {
    const lines = missingOf([]).join('\n');
    assert.match(
      lines,
      /success of getReaction in server\/test\/features\/reactions\/reactions\.test\.ts \(.*operation-tests\.ts\)/,
    );
    assert.match(lines, /success of getReaction in the access matrix \(.*test\/access\/neighbours\.ts/);
    assert.match(lines, /getReaction in the catalogue of bad input \(.*test\/catalogue\/\)/);
  });

  it('is nothing once each status was seen in each place', () => {
    const lines = [
      'getReaction 200 server/test/features/reactions/reactions.test.ts',
      'getReaction 200 server/test/access/neighbours.test.ts',
      'getReaction 404 server/test/catalogue/neighbours.test.ts',
      'getReaction 403 server/test/access/scopes.test.ts scope_missing',
      'getReaction 401 server/test/catalogue/credentials.test.ts',
    ];
    assert.deepEqual(missingOf(lines), []);
  });
});

// A whole run leaves how many operations document a status, and of how many it was observed.
describe('the coverage by status', () => {
  const of = (engine: 'sqlite' | 'postgres', lines: readonly string[] = []) =>
    readOf(lines, (file) => statusCoverage(file, engine));

  it('counts what was observed, by status in order', () => {
    const without = of('sqlite');
    const seen = of('sqlite', ['getReaction 200 server/test/features/reactions/reactions.test.ts']);
    const statuses = without.statuses.map(({ status }) => status);
    assert.deepEqual(
      statuses,
      statuses.toSorted((one, other) => one - other),
    );
    assert.ok(without.statuses.every(({ observed, documented }) => observed === 0 && documented > 0));
    assert.equal(seen.statuses.find(({ status }) => status === 200)?.observed, 1);
    assert.deepEqual(
      without.unseen.filter((pair) => !seen.unseen.includes(pair)),
      ['getReaction 200'],
    );
  });

  it('leaves out on PostgreSQL what can succeed on SQLite alone', () => {
    const hasBackups = (engine: 'sqlite' | 'postgres') =>
      of(engine).unseen.some((pair) => pair.startsWith('createBackup '));
    assert.ok(hasBackups('sqlite'));
    assert.ok(!hasBackups('postgres'));
  });
});
