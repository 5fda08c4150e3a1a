import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { dropDatabaseOf, engine } from 'confab-testing/stores/databases.ts';
import { watchStore, writeStore } from 'confab-testing/stores/store-watch.ts';
import { sendUpload } from 'confab-testing/uploads.ts';
import { storedBytes } from '../../../src/db/migrations/0025-stored-bytes.ts';
import { postgresDialect } from '../../../src/db/postgres/schema.ts';
import { sqliteDialect } from '../../../src/db/sqlite/schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'confab-stored-'));
let server: TestServer;
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  await dropDatabaseOf(folder);
});

/** What is counted, by table. */
function counts() {
  const watch = watchStore(folder);
  const rows = ['users', 'apps'].map((table) =>
    watch.rows(`select id, stored_bytes from ${table} where stored_bytes <> 0 order by id`),
  );
  const blobs = watch.rows('select id, app_id, is_counted from blobs order by id');
  watch.close();
  return { rows, blobs };
}

before(async () => {
  server = await startTestServer({}, { folder, isQuiet: true });
  const { token: as } = await makeUser(server);
  const upload = async (kibibytes: number) =>
    (await sendUpload(server.as(as), { bytes: new Uint8Array(kibibytes * 1024) })).body.id as number;
  const [comments, files] = [
    await makeApp(server, { access: 'write' }),
    await makeApp(server, { type: 'files', access: 'write' }),
  ];
  const blobs = [await upload(1), await upload(2)];
  await server.as(as).create(`/api/apps/${comments.id}/comments`, { text: 'x', blobs });
  const file = await server.as(as).create(`/api/apps/${files.id}/files`, { blob_id: await upload(4) });
  await server.as(as).call('PATCH', `/api/files/${file.id}`, { blob_id: await upload(8), backup: true });
  await upload(32);
  await server.running.close();
});

// A store of the release before has no counts, and the step makes those that the server would have kept.
describe('the step that counts stored bytes', () => {
  test('finds what was counted while it was stored', async () => {
    const kept = counts();
    assert.equal(kept.rows.flat().length, 3, JSON.stringify(kept));
    for (const sql of [
      'alter table blobs drop column app_id',
      'alter table blobs drop column is_counted',
      'alter table users drop column stored_bytes',
      'alter table apps drop column stored_bytes',
      ...storedBytes.up(engine === 'sqlite' ? sqliteDialect : postgresDialect),
    ])
      writeStore(folder, sql);
    assert.deepEqual(counts(), kept);
    server = await startTestServer({}, { folder, isQuiet: true });
  });
});
