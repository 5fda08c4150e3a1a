import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freshUid, startTestServer, type TestServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import { writeStore } from 'confab-testing/stores/store-watch.ts';
import { userOfKey } from '../../src/features/credentials/credentials.store.ts';

async function stateOf(server: TestServer, path: string, as: string | null = server.key) {
  const answer = await fetch(server.url + path, {
    headers: as === null ? {} : { authorization: `Bearer ${as}` },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
}

// A monitor needs no credential to see whether the server is alive and ready, and an API key to see why it is not.
describe('the state of a server', () => {
  test('is ok when it can serve', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    const health = await stateOf(server, '/healthz');
    assert.equal(health.status, 200);
    assert.equal(health.body.status, 'ok');
    assert.equal(health.headers.get('cache-control'), 'no-store');
    const ready = await stateOf(server, '/readyz');
    assert.equal(ready.status, 200);
    assert.equal(ready.body.status, 'ready');
    assert.deepEqual(Object.keys(ready.body.checks), [
      'store',
      'schema',
      'disk',
      'secrets',
      'deliveries',
      'notifications',
    ]);
    assert.ok(ready.body.checks.disk.free_bytes > 0);
    assert.equal(ready.body.checks.store.log_bytes > 0, engine === 'sqlite');
    assert.equal(ready.body.checks.deliveries.lag_ms, 0);
    for (const secret of [server.key, server.folder]) assert.ok(!ready.text.includes(secret));
  });

  test('is one word without a credential or for users, and 401 for an invalid credential', async (t) => {
    const server = await startTestServer({ CONFAB_DISK_FREE_MIB: '1000000000' });
    t.after(() => server.close());
    for (const as of [null, await server.token(freshUid())]) {
      const ready = await stateOf(server, '/readyz', as);
      assert.equal(ready.status, 503);
      assert.deepEqual(ready.body, { status: 'not ready' });
    }
    assert.equal((await stateOf(server, '/readyz', 'wys_wrong')).status, 401);
    assert.equal((await stateOf(server, '/healthz', 'wys_wrong')).status, 200);
  });

  test('is not ready, but alive, with too little room on the disk', async (t) => {
    const server = await startTestServer({ CONFAB_DISK_FREE_MIB: '1000000000' });
    t.after(() => server.close());
    const ready = await stateOf(server, '/readyz');
    assert.equal(ready.status, 503);
    assert.equal(ready.headers.get('retry-after'), '5');
    assert.equal(ready.body.status, 'not ready');
    assert.equal(ready.body.checks.disk.ok, false);
    assert.equal(ready.body.checks.store.ok, true);
    assert.equal((await stateOf(server, '/healthz')).status, 200);
  });

  test('is not ready when the store is not', async (t) => {
    let isBroken = false;
    const server = await startTestServer(
      {},
      {
        wrapDb: (db) => ({
          read: {
            // The key can still be looked up; otherwise no caller would see the reasons.
            get: (...asked) =>
              isBroken && (asked[0] as unknown) !== userOfKey
                ? Promise.reject(new Error('/secret/path'))
                : db.read.get(...asked),
            all: (...asked) => db.read.all(...asked),
          },
          readForList: () => db.readForList(),
          readLong: (asked, work) => db.readLong(asked, work),
          write: (work) => db.write(work),
          onCommit: (topic, listener) => db.onCommit(topic, listener),
          listenToPeers: () => db.listenToPeers(),
          forgetDeleted: () => db.forgetDeleted(),
          health: async () => (isBroken ? { ok: false, detail: 'the store is broken' } : await db.health()),
          close: () => db.close(),
        }),
      },
    );
    t.after(() => server.close());
    assert.equal((await stateOf(server, '/readyz')).status, 200);
    isBroken = true;
    const ready = await stateOf(server, '/readyz');
    assert.equal(ready.status, 503);
    assert.deepEqual(ready.body.checks.store, { ok: false, detail: 'the store is broken' });
    assert.deepEqual(ready.body.checks.schema, { ok: false, detail: 'cannot be found out' });
    assert.ok(!ready.text.includes('/secret/path'));
    assert.deepEqual((await stateOf(server, '/readyz', null)).body, { status: 'not ready' });
  });

  test('stays ready with a newer schema, unless a step breaks this program', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    writeStore(server.folder, "insert into migrations (id, name, applied_at) values (98, 'expands', 0)");
    const beside = await stateOf(server, '/readyz');
    assert.equal(beside.status, 200);
    assert.equal(beside.body.checks.schema.stored, 98);
    writeStore(
      server.folder,
      "insert into migrations (id, name, applied_at, breaks_before) values (99, 'contracts', 0, 98)",
    );
    const broken = await stateOf(server, '/readyz');
    assert.equal(broken.status, 503);
    assert.equal(broken.body.checks.schema.ok, false);
  });
});
