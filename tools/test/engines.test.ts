import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../places.ts';
import { isSlow, placeOf, testFiles } from '../runner/engines.ts';

// The folder of a test decides where and when it runs, so a misspelt folder would leave it out or run it too often.
describe('the folders of tests', () => {
  test('say on which engine a file runs', () => {
    assert.equal(placeOf('server/test/features/stars/stars.test.ts'), 'both');
    assert.equal(placeOf('server/test/engines/lists/names.test.ts'), 'each');
    assert.equal(placeOf('server/test/once/net/target.test.ts'), 'once');
    assert.equal(placeOf('server/test/postgres/nodes/wakes.test.ts'), 'postgres');
    assert.equal(placeOf('elements/test/thread.test.ts'), 'once');
  });

  test('say in which tier it runs', () => {
    assert.equal(isSlow('server/test/once/backup/slow/backup.test.ts'), true);
    assert.equal(isSlow('kits/test/chat.test.ts'), true);
    assert.equal(isSlow('server/test/features/stars/stars.test.ts'), false);
  });

  test('are one of these where they are not the name of what is tested', () => {
    const places = ['once', 'postgres', 'engines'];
    const wrong = testFiles().filter((file) => {
      const below = file.split('/');
      const named = below.filter((folder) => places.includes(folder));
      // `slow` is the last folder, and the others the first below `test`.
      return (
        (below.includes('slow') && below.at(-2) !== 'slow') ||
        named.some((folder) => below.indexOf(folder) !== below.indexOf('test') + 1)
      );
    });
    assert.deepEqual(wrong, []);
  });

  test('are below a package that the runner knows', () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    for (const file of testFiles()) {
      const [folder = ''] = file.split('/test/');
      assert.ok(existsSync(path.join(root, folder, 'package.json')), file);
      assert.ok([...manifest.workspaces, 'kits', 'proof'].includes(folder), file);
    }
  });
});
