import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runCommand } from '../support/command.ts';
import { startTestServer } from '../support/server.ts';

// The store in a data folder is opened by one server at a time, and never repaired in silence.
describe('a data folder', () => {
  test('is refused to a second server while the first one runs, and given after it stopped', async () => {
    const first = await startTestServer();
    await assert.rejects(
      startTestServer({}, { folder: first.folder }),
      /another Confab server is running on the data folder/,
    );
    assert.equal((await first.call('GET', '/api/apps')).status, 200);
    const { folder } = first;
    await first.running.close();
    const second = await startTestServer({}, { folder });
    assert.equal((await second.call('GET', '/api/apps')).status, 200);
    await second.close();
    rmSync(folder, { recursive: true });
  });

  test('that is taken is told in one line', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    const { code, stderr } = await runCommand(['serve', '--data-dir', server.folder, '--port', '0']);
    assert.equal(code, 1);
    assert.match(stderr, /^.*another Confab server is running on the data folder.*\n$/);
  });

  test('with a damaged store is refused with the reason', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
    writeFileSync(
      join(folder, 'confab.db'),
      'this is no database at all, but it is long enough to be read as one',
    );
    await assert.rejects(startTestServer({}, { folder }), /not a database/);
    rmSync(folder, { recursive: true });
  });
});
