import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { watch } from 'confab-testing/command.ts';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { useFolders } from 'confab-testing/folders.ts';
import { reached, tryImport } from 'confab-testing/imports.ts';
import { patienceMs, poll } from 'confab-testing/poll.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { storeSettings } from 'confab-testing/stores/databases.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';

const freshFolder = useFolders();

const commentCount = 700;

/** Runs a server that kills itself at a statement, or after the commit of its transaction. */
async function killAt(folder: string, statement: string, moment: 'statement' | 'commit'): Promise<void> {
  // The node before died with its lease.
  writeStore(folder, 'update leases set until = 0');
  const child = spawn(process.execPath, ['testing/src/killed-server.ts', '2', statement, moment], {
    // A server that never comes to the statement would run for ever.
    timeout: patienceMs,
    env: {
      ...process.env,
      CONFAB_LOG_LEVEL: 'error',
      CONFAB_DATA_DIR: folder,
      CONFAB_PORT: '0',
      ...(await storeSettings(folder)),
    },
  });
  const { ended, said } = watch(child);
  assert.equal(await ended, 'SIGKILL', said.stderr);
}

// A server that dies in the middle of an import continues after its next start, and nothing comes or goes twice.
describe('an import on servers that are killed', () => {
  test('writes and takes back everything once', async () => {
    const folder = freshFolder();
    const first = await startTestServer({}, { folder });
    const id = await tryImport(first, disqusExport(commentCount, { authors: 5 }));
    await reached(first, id, 'ready');
    await first.close();
    writeStore(folder, "update import_runs set state = 'running', started_at = created_at");
    await killAt(folder, '^insert into "imported_items"', 'statement');
    await killAt(folder, '^insert into "imported_items"', 'commit');
    const written = Number(readStore(folder, 'select count(*) as n from imports')[0]?.['n']);
    assert.ok(written > 0 && written < commentCount, String(written));

    writeStore(folder, 'update leases set until = 0');
    const second = await startTestServer({}, { folder });
    const { made } = await reached(second, id, 'finished');
    assert.deepEqual(made, { comments: commentCount, restored: 0, apps: 1, users: 5 });
    const count = '/api/apps/a.example~page/comments?count_only=true';
    assert.equal((await second.read(count)).count, commentCount);
    const [events] = readStore(
      folder,
      `select count(*) as n, count(distinct entity_id) as once from events where action = 'comment_created'`,
    );
    assert.deepEqual([Number(events?.['n']), Number(events?.['once'])], [commentCount, commentCount]);
    await second.close();

    writeStore(
      folder,
      `update import_runs set state = 'undoing', undone = '{"comments":0,"apps":0,"users":0}'`,
    );
    await killAt(folder, '^update "imported_items"', 'commit');
    writeStore(folder, 'update leases set until = 0');
    const third = await startTestServer({}, { folder });
    const { undone } = await reached(third, id, 'undone');
    assert.deepEqual(undone, { comments: commentCount, apps: 1, users: 5 });
    const [trashed] = readStore(folder, "select count(*) as n from events where action = 'comment_trashed'");
    assert.equal(Number(trashed?.['n']), commentCount);
    await third.close();
  });

  test('fails one of which they die each time, and goes on with the next', async () => {
    const folder = freshFolder();
    const first = await startTestServer({}, { folder });
    const id = await tryImport(first, disqusExport(3000));
    await reached(first, id, 'ready');
    await first.close();
    writeStore(folder, "update import_runs set state = 'reading'");
    // The file has been read then, and what it has is looked up in the store, a thousand comments at a time.
    for (let time = 1; time <= 3; time += 1) await killAt(folder, '^select "source_id"', 'statement');
    const [row] = readStore(folder, 'select attempts from import_runs');
    assert.equal(Number(row?.['attempts']), 3);

    writeStore(folder, 'update leases set until = 0');
    const second = await startTestServer({}, { folder });
    const { error } = await poll('the import to fail', async () => {
      const body = await second.read(`/api/imports/${id}`);
      return body.state === 'failed' ? body : undefined;
    });
    assert.equal(error, 'disqus.xml: the server ended 3 times while it read or wrote this import');
    await reached(second, await tryImport(second, disqusExport(2)), 'ready');
    await second.close();
  });

  test('is read again by a server that was stopped in order, however often', async () => {
    const folder = freshFolder();
    let server = await startTestServer({}, { folder });
    const id = await tryImport(server, disqusExport(10_000));
    for (let time = 1; time <= 4; time += 1) {
      await poll(
        'the file to be opened',
        () => readStore(folder, 'select attempts from import_runs where attempts = 1')[0],
      );
      await server.close();
      assert.equal(Number(readStore(folder, 'select attempts from import_runs')[0]?.['attempts']), 0);
      server = await startTestServer({}, { folder });
    }
    assert.equal((await reached(server, id, 'ready')).planned?.comments, 10_000);
    await server.close();
  });
});
