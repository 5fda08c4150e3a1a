import assert from 'node:assert/strict';
import { closeSync, copyFileSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runCommand, runDoctor } from 'confab-testing/command.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { useFolders } from 'confab-testing/folders.ts';
import { startTestServer } from 'confab-testing/server.ts';

const freshFolder = useFolders();

/** What the write-ahead log has drawn for itself when it began; another value when it has begun again. */
function saltsOf(folder: string): string {
  const open = openSync(join(folder, 'confab.db-wal'), 'r');
  const salts = Buffer.alloc(8);
  readSync(open, salts, 0, 8, 16);
  closeSync(open);
  return salts.toString('hex');
}

// A program that copies one file after the other gets a database and a log of different moments.
describe('a data folder that is copied while its server writes', () => {
  test('is found to be damaged, and a backup that is made meanwhile is whole', async () => {
    const folder = freshFolder();
    const server = await startTestServer({}, { folder });
    const app = await makeApp(server);
    const text = 'a line of a comment that takes some room '.repeat(300);
    for (let number = 0; number < 20; number += 1) await makeComment(server, app.id, { text });
    const copy = freshFolder();
    copyFileSync(join(folder, 'confab.db'), join(copy, 'confab.db'));
    const salts = saltsOf(folder);
    let comments = 20;
    for (; saltsOf(folder) === salts && comments < 3000; comments += 1)
      await makeComment(server, app.id, { text: `${comments} ${text}` });
    assert.notEqual(saltsOf(folder), salts, `the log has not begun again after ${comments} comments`);
    for (let number = 0; number < 20; number += 1) await makeComment(server, app.id, { text });
    copyFileSync(join(folder, 'confab.db-wal'), join(copy, 'confab.db-wal'));
    const place = join(freshFolder(), 'place');
    const { code, stderr } = await runCommand(['backup', 'create', place, '--data-dir', folder]);
    assert.equal(code, 0, stderr);
    await server.close();

    const { findings } = await runDoctor(['--data-dir', copy]);
    const [found] = findings.filter(({ check }) => check === 'integrity');
    assert.match(found?.what ?? JSON.stringify(findings), /^The database is damaged: /);
    assert.match(found?.mend ?? '', /restore the newest backup/);

    const to = join(freshFolder(), 'restored');
    assert.equal((await runCommand(['backup', 'restore', place, '--to', to])).code, 0);
    const again = await startTestServer({}, { folder: to });
    const { count } = await again.read(`/api/apps/${app.id}/comments?count_only=true`);
    assert.equal(count, comments + 20);
    await again.close();
  });
});
