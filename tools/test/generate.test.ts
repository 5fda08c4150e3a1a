import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from '../places.ts';

let copy: string;

function check(): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/generate.ts', '--check'], {
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
    const { status, said } = check();
    assert.equal(status, 0, said);
  });

  // One check reports all of them, because each takes as long as making every file.
  test('are not when they were edited, each by its name', () => {
    const edited = [
      'openapi.json',
      'docs/configuration.md',
      'docs/confab.schema.json',
      'docs/operations.md',
      'clients/go/types.go',
      'clients/python/src/confab/operations.py',
      'deploy/helm/confab/values.schema.json',
      'docs/figures.md',
      'docs/figures/releases.svg',
      'server/src/http/console/built/console.css',
      'server/src/http/elements/built/elements.js',
    ];
    for (const file of edited) appendFileSync(join(copy, file), '\n');
    const { status, said } = check();
    assert.notEqual(status, 0);
    for (const file of edited) assert.ok(said.includes(file), `${file} is not among\n${said}`);
  });
});
