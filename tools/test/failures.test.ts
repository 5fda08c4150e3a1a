import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { root } from '../places.ts';
import { shortened } from '../runner/failures.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'confab-failures-'));
after(() => rmSync(folder, { recursive: true }));

const failing = `import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
describe('outside', () => {
  describe('inside', () => {
    test('is unequal', () => assert.deepEqual(['the wrong one'], []));
  });
  describe('with a hook', () => {
    before(() => { throw new Error('the hook broke'); });
    test('does not run', () => {});
  });
});
`;

// Often only the end of the output is kept, so it has to explain the failure.
describe('the last lines of a run', () => {
  for (const [how, count] of [
    ['in processes of their own', 1],
    ['in lanes', 3],
  ] as const)
    test(`say what failed, where and why, ${how}`, () => {
      const files = Array.from({ length: count }, (_, number) => path.join(folder, `file-${number}.test.ts`));
      for (const [number, file] of files.entries())
        writeFileSync(
          file,
          number === 0 ? failing : "import { test } from 'node:test';\ntest('passes', () => {});\n",
        );
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const { status, stdout } = spawnSync(
        process.execPath,
        ['tools/test.ts', '--engine=sqlite', ...files.map((file) => path.relative(root, file))],
        { cwd: root, encoding: 'utf8', env },
      );
      assert.equal(status, 1);
      const end = stdout.trimEnd().split('\n').slice(-40).join('\n');
      assert.match(
        end,
        /failed once: is unequal\n {4}in .*outside > inside \(\S*confab-failures-\w+\/file-0\.test\.ts:5\)/,
      );
      assert.match(end, /'the wrong one'/);
      assert.match(end, /with a hook[\s\S]*the hook broke/);
      assert.doesNotMatch(end, /failed on sqlite: (?:outside|inside)\n/);
    });

  test('are shared by several failures, and cut long ones', () => {
    const long = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
    for (const count of [1, 2, 8]) {
      const lines = shortened(Array(count).fill(long)).join('\n').split('\n');
      assert.ok(lines.length <= 40, `${lines.length} lines for ${count}`);
    }
    assert.match(shortened([long])[0] ?? '', /^line 0\n[\s\S]*\n {4}… \d+ more lines$/);
    assert.ok((shortened(['x'.repeat(10_000)])[0] ?? '').length < 400);
    assert.deepEqual(shortened(['a\nb']), ['a\nb']);
  });
});
