import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { poll } from 'confab-testing/poll.ts';

describe('a server that has nothing to do', () => {
  test('gives back the room that its start needed', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-idle-'));
    t.after(() => rmSync(folder, { recursive: true }));
    await using server = await startConfab({ folder, settings: { CONFAB_LOG_LEVEL: 'debug' } });
    const line = await poll('the line about it', () =>
      readFileSync(join(folder, 'server.log'), 'utf8')
        .split('\n')
        .find((text) => text.includes('gave memory back')),
    );
    const { bytes, bytes_after: after } = JSON.parse(line) as { bytes: number; bytes_after: number };
    // The young generation alone has 16 MB.
    assert.ok(after < bytes - 8_000_000, `${bytes} bytes became ${after}`);
    await server.stop();
  });
});
