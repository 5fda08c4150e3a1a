import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { lanesVariable, makeLanes, unended } from '../runner/lanes.ts';

const root = mkdtempSync(path.join(tmpdir(), 'confab-lanes-'));
after(() => rmSync(root, { recursive: true }));

const head = "import { after, before, test } from 'node:test';\n";
const { NODE_TEST_CONTEXT: _, ...environment } = process.env;

/** Runs test files of these contents in two lanes. */
function runInLanes(contents: { readonly [name: string]: string }) {
  const folder = mkdtempSync(path.join(root, 'run-'));
  const files = Object.entries(contents).map(([name, text]) => {
    const file = path.join(folder, `${name}.test.ts`);
    writeFileSync(file, head + text);
    return file;
  });
  mkdirSync(path.join(folder, 'lanes'));
  const { list, entries } = makeLanes(path.join(folder, 'lanes'), files, 2);
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...entries], {
    encoding: 'utf8',
    env: { ...environment, [lanesVariable]: list },
  });
  return {
    code: status,
    report: stdout,
    counts: ['tests', 'pass'].map((name) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(stdout)?.[1])),
    unended: unended(list).map((file) => path.basename(file, '.test.ts')),
  };
}

const passing = "test('a', () => {});\ntest('b', () => {});\n";

// A file that runs in a process with others is run once, from its beginning to its end, whatever they do.
describe('test files in lanes', () => {
  test('are each run once', () => {
    const names = Array.from({ length: 7 }, (_, n) => `file-${n}`);
    const { code, counts, unended } = runInLanes(Object.fromEntries(names.map((name) => [name, passing])));
    assert.deepEqual([code, counts, unended], [0, [14, 14], []]);
  });

  test('begin after the previous one has cleaned up', () => {
    const tidy = `
      before(() => { if (globalThis.isInUse) throw new Error('in use'); globalThis.isInUse = true; });
      after(async () => { await new Promise((done) => setImmediate(done)); globalThis.isInUse = false; });
      if (globalThis.isInUse) throw new Error('in use');
      ${passing}`;
    const { code, counts } = runInLanes({ one: tidy, two: tidy, three: tidy, four: tidy, five: tidy });
    assert.deepEqual([code, counts], [0, [10, 10]]);
  });

  for (const [how, text] of [
    ['cannot be loaded', "import './there-is-none.ts';"],
    ['has a hook that fails before', `before(() => { throw new Error('x'); });\n${passing}`],
    ['has a hook that fails after', `after(() => { throw new Error('x'); });\n${passing}`],
  ] as const)
    test(`are run after one that ${how}`, () => {
      const { code, report, unended } = runInLanes({ bad: text, one: passing, two: passing, three: passing });
      assert.deepEqual([code, unended], [1, []]);
      assert.match(report, /✖ bad\.test\.ts/);
      for (const name of ['one', 'two', 'three']) assert.match(report, new RegExp(`✔ ${name}\\.test\\.ts`));
    });

  test('are reported when their process ends during them', () => {
    const { unended } = runInLanes({ gone: `${passing}test('c', () => process.exit(0));\n`, one: passing });
    assert.deepEqual(unended, ['gone']);
  });
});
