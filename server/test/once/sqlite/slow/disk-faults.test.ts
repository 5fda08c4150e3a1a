import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { hasCompiler } from 'confab-testing/disk/shim.ts';

// A sample of `npx node proof/faults.ts`, which lets every call fail.
describe('a fault of the disk in the middle of a write', () => {
  test('is a clear error, and leaves the change whole or absent', (t) => {
    if (!hasCompiler()) {
      t.diagnostic('there is no C compiler, so no call failed');
      return;
    }
    const args = ['proof/faults.ts', '--only', 'edit,early-answer', '--every', '24'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.match(stdout, /^edit: \d+ points: .*503 storage_unavailable/m);
    assert.match(stdout, /planted bug "early-answer": found/);
  });
});
