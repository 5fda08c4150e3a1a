import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { filesToRunAgain } from '../runner/unsteady.ts';

const failed = (...files: string[]) => files.map((file) => ({ file: path.resolve(file), text: 'a failure' }));

// A failed test of a whole run is run again only where that says something.
describe('the files that are run again', () => {
  const ran = [
    'server/test/a.test.ts',
    'server/test/b.test.ts',
    'server/test/c.test.ts',
    'server/test/d.test.ts',
  ];

  test('are those of the failed tests, each once', () => {
    assert.deepEqual(filesToRunAgain(failed('server/test/b.test.ts', 'server/test/b.test.ts'), ran), [
      'server/test/b.test.ts',
    ]);
  });

  test('are none where many files fail', () => {
    assert.deepEqual(filesToRunAgain(failed(...ran), ran), []);
  });

  test('are none where a failure is in no test file', () => {
    const ofLane = failed('server/test/a.test.ts', 'tools/runner/lane.ts');
    assert.deepEqual(filesToRunAgain(ofLane, ran), []);
    assert.deepEqual(filesToRunAgain([{ file: undefined, text: 'a failure' }], ran), []);
  });

  test('are none where no test fails', () => {
    assert.deepEqual(filesToRunAgain([], ran), []);
  });
});
