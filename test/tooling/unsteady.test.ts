import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { filesToRunAgain } from '../../scripts/test/unsteady.ts';

const failed = (...files: string[]) => files.map((file) => ({ file: path.resolve(file), text: 'a failure' }));

// A failed test of a whole run is run again only where that says something.
describe('the files that are run again', () => {
  const ran = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts', 'test/d.test.ts'];

  test('are those of the failed tests, each once', () => {
    assert.deepEqual(filesToRunAgain(failed('test/b.test.ts', 'test/b.test.ts'), ran), ['test/b.test.ts']);
  });

  test('are none where many files fail', () => {
    assert.deepEqual(filesToRunAgain(failed(...ran), ran), []);
  });

  test('are none where a failure is in no test file', () => {
    const ofLane = failed('test/a.test.ts', 'scripts/test/lane.ts');
    assert.deepEqual(filesToRunAgain(ofLane, ran), []);
    assert.deepEqual(filesToRunAgain([{ file: undefined, text: 'a failure' }], ran), []);
  });

  test('are none where no test fails', () => {
    assert.deepEqual(filesToRunAgain([], ran), []);
  });
});
