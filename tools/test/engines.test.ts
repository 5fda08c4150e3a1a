import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { isAt, onOneEngine, placeOf, testFiles, withoutStore } from '../runner/engines.ts';

/** The files of this project that a file loads, each with those that it loads itself. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  // What a test makes up may name files that are not there.
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8').replaceAll(/import type [^;]*;/g, '');
  for (const [, target = ''] of text.matchAll(/(?:from |import |import\()'(\.[^']*\.ts)'/g))
    loaded(path.join(path.dirname(file), target), seen);
  return seen;
}

/** The files that open a store or start a server. */
const opening =
  /^(src\/(main\/main|setup\/store|cli|db\/(sqlite\/sqlite|postgres\/postgres))\.ts|test\/support\/(server|command)\.ts)$/;

// What has to do with a store is tried on each engine, unless a reason is given why one is enough.
describe('the test files', () => {
  test('that run once without a reason start no server and open no store', () => {
    const faults = testFiles()
      .filter((file) => placeOf(file) === 'once')
      .flatMap((file) =>
        [...loaded(file)].filter((each) => opening.test(each)).map((each) => `${file} loads ${each}`),
      );
    assert.deepEqual(faults, []);
  });

  test('that open a store are seen to do so', () => {
    for (const file of [
      'server/test/features/comments/comments.test.ts',
      'server/test/once/sqlite/transactions.test.ts',
      'server/test/commands/cli.test.ts',
    ])
      assert.ok(
        [...loaded(file)].some((each) => opening.test(each)),
        file,
      );
  });

  test('are in every listed place, each in only one', () => {
    const places = [...withoutStore, ...Object.keys(onOneEngine)];
    for (const place of places)
      assert.ok(
        testFiles().some((file) => isAt(place, file)),
        place,
      );
    for (const file of testFiles()) assert.ok(places.filter((place) => isAt(place, file)).length <= 1, file);
    for (const { reason } of Object.values(onOneEngine)) assert.ok(reason.length > 20);
  });
});
