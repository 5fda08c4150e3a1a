import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { auditNames, hasStrace } from 'confab-testing/disk/sync-audit.ts';

// A file whose name a power cut takes away is as lost as one without content.
describe('the names of files and folders', () => {
  test('are on the disk before the response that relies on them', async (t) => {
    if (!hasStrace()) {
      t.diagnostic('strace is not installed, so nothing was audited');
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), 'confab-names-'));
    const { names, early } = await auditNames(folder);
    assert.deepEqual(early, []);
    // Three folders down to the data, the folder of blobs, one of its shelves, the blob, the key.
    assert.equal(names, 7);
    rmSync(folder, { recursive: true });
  });
});
