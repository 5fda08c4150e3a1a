import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from 'confab-tools/places.ts';
import { installBeside } from 'confab-tools/runner/beside.ts';

// The root's check of types leaves out what it does not install, so the folders beside the workspaces have their own.
test('the types of proof/ and kits/ fit', () => {
  // A checkout may be without the kits.
  if (existsSync(join(root, 'kits'))) installBeside('kits');
  const program = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [program, '-p', 'proof'], { cwd: root, encoding: 'utf8' });
  assert.equal(stdout, '');
});
