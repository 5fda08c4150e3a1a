import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeComment, makeFile, makeUser } from 'confab-testing/fixtures.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { databaseOf } from 'confab-testing/stores/databases.ts';
import { databasesAt } from 'confab-testing/stores/postgres.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import pg from 'pg';

let nodes: Nodes;
before(async () => {
  nodes = await startNodes();
});
after(() => nodes.close());

/** The rows of a statement in a database. */
async function rowsOf(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

// However many nodes start at once on an empty database, they create everything once.
describe('nodes that start together', () => {
  test('create one schema, one first key, one secret and one demo', async () => {
    const origin = databaseOf(nodes.folder) ?? '';
    const databases = databasesAt(origin);
    const name = `${new URL(origin).pathname.slice(1)}_empty`;
    const url = await databases.createDatabase(name);
    const folder = mkdtempSync(join(tmpdir(), 'confab-starts-'));
    const started: TestServer[] = [];
    try {
      started.push(
        ...(await Promise.all(
          Array.from({ length: 4 }, () =>
            startTestServer({ CONFAB_DATABASE_URL: url, CONFAB_DEMO: 'here' }, { folder }),
          ),
        )),
      );
      assert.equal(started.filter(({ running }) => running.firstKey !== undefined).length, 1);
      const count = async (sql: string) => (await rowsOf(url, sql)).length;
      assert.equal(await count(`select id from api_keys where name = 'first'`), 1);
      // The version of the words is stored in the background.
      const named = `select name from settings where name <> 'words' order by name`;
      const settings = (await rowsOf(url, named)).map((row) => row.name);
      assert.deepEqual(settings, ['blob_link_secret', 'secrets_sealed']);
      assert.equal(await count(`select id from users where uid like 'demo-%'`), 4);
      assert.equal(await count(`select id from apps where uid like 'demo-%'`), 5);
      assert.equal(await count(`select id from events where action = 'app_created'`), 5);
      await Promise.all(started.map(({ running }) => running.fillDemo()));
      assert.equal(await count(`select id from events where action = 'file_created'`), 3);
    } finally {
      for (const server of started) await server.close();
      rmSync(folder, { recursive: true, force: true });
      await databases.dropDatabase(name);
    }
  });
});

// Nodes on one folder serve each other's uploads, with links that any of them signed.
describe('addresses over nodes', () => {
  test('are valid at every node', async () => {
    const app = await makeApp(nodes.a, { type: 'files', access: 'write' });
    const file = await makeFile(nodes.a, app.id);
    const { body } = await nodes.b.call('GET', `/api/files/${file}`);
    const { pathname, search } = new URL(body.download_url);
    const answer = await fetch(nodes.b.url + pathname + search);
    assert.deepEqual([answer.status, await answer.text()], [200, 'some text']);
    const changed = search.replace(/signature=./, (start) => `signature=${start.endsWith('A') ? 'B' : 'A'}`);
    assert.equal((await fetch(nodes.b.url + pathname + changed)).status, 404);
  });
});

// The nodes together remove everything that one node deleted.
describe('removal over nodes', () => {
  test('removes everything in a deleted app, and nothing else', async () => {
    const ada = await makeUser(nodes.a);
    const [gone, kept] = [
      await makeApp(nodes.a, { access: 'write' }),
      await makeApp(nodes.a, { access: 'write' }),
    ];
    for (const app of [gone, kept])
      await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          makeComment(n % 2 === 0 ? nodes.a : nodes.b, app.id, { text: 'x' }, { as: ada.token }),
        ),
      );
    await Promise.all([
      nodes.b.call('DELETE', `/api/apps/${gone.id}`),
      nodes.a.call('PATCH', `/api/apps/${kept.id}`, { name: 'Kept' }),
    ]);
    await poll('the app to be gone', () =>
      readStore(nodes.folder, `select id from apps where id = ${gone.id}`).length === 0 ? true : undefined,
    );
    assert.deepEqual(readStore(nodes.folder, `select id from entries where app_id = ${gone.id}`), []);
    assert.equal(readStore(nodes.folder, `select id from entries where app_id = ${kept.id}`).length, 30);
    assert.deepEqual(readStore(nodes.folder, 'select * from tallies where removed_at is not null'), []);
  });
});
