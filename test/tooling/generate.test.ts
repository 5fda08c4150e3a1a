import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
let copy: string;

function check(): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/generate.ts', '--check'], {
    cwd: copy,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

// The committed files are what the code makes of them, and a change to one of them by hand is noticed by name.
describe('generated files', () => {
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'confab-generate-'));
    for (const part of [
      'src',
      'scripts',
      'docs',
      'client',
      'clients',
      'console',
      'deploy/helm',
      'elements',
      'test',
      'openapi.json',
      'package.json',
    ])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true }));

  test('are up to date', () => {
    assert.deepEqual(check(), { status: 0, said: check().said });
  });

  for (const file of [
    'openapi.json',
    'docs/configuration.md',
    'docs/confab.schema.json',
    'docs/operations.md',
    'clients/go/types.go',
    'clients/python/src/confab/operations.py',
    'deploy/helm/confab/values.schema.json',
    'docs/figures.md',
    'docs/figures/releases.svg',
    'src/http/console/built/console.css',
    'src/http/elements/built/elements.js',
  ])
    test(`are not when ${file} was edited`, () => {
      const path = join(copy, file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, `${text}\n`);
      const { status, said } = check();
      writeFileSync(path, text);
      assert.notEqual(status, 0);
      assert.match(said, new RegExp(file));
    });
});
