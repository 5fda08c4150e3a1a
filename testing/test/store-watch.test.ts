import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { before, freshUid, useServer } from '../src/server.ts';
import { databaseOf } from '../src/stores/databases.ts';
import { readStore, type StoreWatch, watchStore, writeStore } from '../src/stores/store-watch.ts';

// Tests that assert that nothing was written rely on a watch that notices every write.
describe('the watch of a store', () => {
  let watch: StoreWatch;
  const server = useServer({}, { isQuiet: true });
  before(async () => {
    await server.call('PUT', '/api/users/kept', { name: 'Kept', tags: ['one', 'two'] });
    watch = watchStore(server.folder);
  });
  after(async () => {
    watch.close();
  });

  const seen = () => ({ hasCommitted: watch.hasCommitted(), hasChanged: watch.hasChanged() });

  test('sees nothing after reads and refusals', async () => {
    assert.equal((await server.call('GET', '/api/users/kept')).status, 200);
    assert.equal((await server.call('PUT', '/api/users/other', { name: 7 })).status, 400);
    assert.equal((await server.call('DELETE', '/api/apps/nobody')).status, 404);
    assert.deepEqual(seen(), { hasCommitted: false, hasChanged: false });
  });

  test('sees a created, changed or deleted row once', async () => {
    const uid = freshUid();
    assert.equal((await server.call('PUT', `/api/users/${uid}`, {})).status, 201);
    assert.deepEqual(seen(), { hasCommitted: true, hasChanged: true });
    writeStore(server.folder, `update users set comment = 'changed' where uid = '${uid}'`);
    assert.deepEqual(seen(), { hasCommitted: true, hasChanged: true });
    writeStore(server.folder, "delete from user_tags where tag = 'one'");
    assert.deepEqual(seen(), { hasCommitted: true, hasChanged: true });
    assert.deepEqual(seen(), { hasCommitted: false, hasChanged: false });
  });

  test('distinguishes rows written unchanged from different ones', () => {
    writeStore(server.folder, "update users set comment = 'passing' where uid = 'kept'");
    writeStore(server.folder, "update users set comment = null where uid = 'kept'");
    assert.deepEqual(seen(), { hasCommitted: true, hasChanged: false });
  });

  test('shows all rows', () => {
    assert.deepEqual(watch.rows("select uid, is_bot from users where uid = 'kept'"), [
      { uid: 'kept', is_bot: 0 },
    ]);
    assert.equal(watch.count('user_tags'), 1);
  });
});

/** Writes a row on a connection of this process; returns what rolls the transaction back and closes the connection. */
async function startedTransaction(folder: string): Promise<() => Promise<void> | void> {
  const write = "insert into directories (name, created_at) values ('unfinished', 0)";
  const url = databaseOf(folder);
  if (url === undefined) {
    const writer = new DatabaseSync(join(folder, 'confab.db'));
    writer.exec(`begin immediate; ${write}`);
    return () => writer.close();
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`begin; ${write}`);
  return () => client.end();
}

// The server of a test is in the process that waits for the answer to the watch, and cannot end a transaction meanwhile.
describe('a store with a transaction that has not ended', () => {
  const server = useServer({}, { isQuiet: true });

  test('can be watched', async () => {
    const end = await startedTransaction(server.folder);
    const watch = watchStore(server.folder);
    try {
      assert.equal(watch.count('directories'), 0);
    } finally {
      watch.close();
      await end();
    }
  });

  test('refuses a write that waits for it, and answers what comes after', async () => {
    const end = await startedTransaction(server.folder);
    try {
      assert.throws(() => writeStore(server.folder, 'drop table directories'), /lock/);
      assert.deepEqual(readStore(server.folder, 'select count(*) as n from directories'), [{ n: 0 }]);
    } finally {
      await end();
    }
  });
});
