import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { touchedTests } from '../runner/changed.ts';
import { testFiles } from '../runner/engines.ts';
import { type ImportGraph, readImports } from '../tidy/import-graph.ts';
import { readTree } from '../tidy/tree.ts';

/** `npm test -- --changed` runs what a change touches: too little would let a fault through, too much is the whole run. */
describe('the tests that a change affects', () => {
  const tests = testFiles();
  let graph: ImportGraph;
  before(() => {
    graph = readImports(readTree(process.cwd()));
  });
  const touched = (...changed: string[]) => touchedTests(changed, { tests, graph });

  it('are those of the feature, and of the features that use it', () => {
    const ofReactions = touched('server/src/features/reactions/add.ts');
    assert.ok(ofReactions.includes('server/test/features/reactions/reactions.test.ts'));
    assert.ok(!ofReactions.includes('server/test/features/files/files.test.ts'));
    assert.ok(ofReactions.length < 10, ofReactions.join(', '));
    const ofMarkdown = touched('server/src/features/markdown/markdown.ts');
    for (const feature of ['markdown/markdown', 'comments/comments', 'posts/posts', 'messages/messages'])
      assert.ok(ofMarkdown.includes(`server/test/features/${feature}.test.ts`), feature);
  });

  it('are those of the feature whose contract has changed', () => {
    assert.ok(touched('contract/src/stars.ts').includes('server/test/features/stars/stars.test.ts'));
  });

  it('are the test itself, or those that use a helper', () => {
    const test = 'server/test/features/stars/stars.test.ts';
    assert.deepEqual(touched(test), [test]);
    assert.ok(touched('testing/src/poll.ts').length > 20);
  });

  it('are all of them for a change of a common file', () => {
    for (const file of [
      'server/src/main/main.ts',
      'package-lock.json',
      'tools/runner/lanes.ts',
      'testing/src/server.ts',
    ])
      assert.ok(touched(file).length > tests.length / 2, file);
    assert.ok(touched('server/src/kernel/json.ts').length > tests.length / 2);
  });

  it('are none for a document', () => {
    assert.deepEqual(touched('README.md'), []);
  });
});
