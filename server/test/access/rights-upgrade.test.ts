import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeBlob, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { dropDatabaseOf, engine } from 'confab-testing/stores/databases.ts';
import { writeStore } from 'confab-testing/stores/store-watch.ts';
import { rights } from '../../src/db/migrations/0013-rights.ts';
import { postgresDialect } from '../../src/db/postgres/schema.ts';
import { sqliteDialect } from '../../src/db/sqlite/schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'confab-rights-'));
let server: TestServer;
let creator: string;
let author: string;
let app: number;
const trashed: { readonly path: string; readonly byAuthor: boolean }[] = [];

/** Reverts what the step added, so that the store is one of the previous release, and applies the step again. */
function takeStepAgain(): void {
  for (const sql of [
    // Indexes of a later step name the column.
    'drop index members_moderators',
    'drop index members_moderated',
    'alter table members drop column role',
    'alter table entries drop column trashed_by_id',
    'alter table files drop column trashed_by_id',
    ...rights.up(engine === 'sqlite' ? sqliteDialect : postgresDialect),
  ])
    writeStore(folder, sql);
}

async function make(path: string, body: object): Promise<string> {
  const answer = await server.call('POST', path, body, { as: author });
  assert.equal(answer.status, 201, answer.text);
  return `/api/${path.split('/').at(-1)}/${answer.body.id}`;
}

before(async () => {
  server = await startTestServer({}, { folder, isQuiet: true });
  creator = (await makeUser(server)).token;
  const member = await makeUser(server);
  author = member.token;
  for (const type of ['comments', 'posts', 'chat', 'files']) {
    const place = await makeApp(server, { type, uid: `of-${type}`, access: 'write' }, { as: creator });
    if (type === 'comments') app = place.id;
    const kind = type === 'chat' ? 'messages' : type;
    for (const byAuthor of [true, false]) {
      const body = type === 'files' ? { blob_id: await makeBlob(server, { as: author }) } : { text: 'words' };
      const path = await make(`/api/apps/${place.id}/${kind}`, body);
      // The last one who put it there counts.
      const first = byAuthor ? creator : author;
      await server.call('POST', `${path}/trash`, undefined, { as: first });
      await server.call('POST', `${path}/restore`);
      await server.call('POST', `${path}/trash`, undefined, byAuthor ? { as: author } : {});
      trashed.push({ path, byAuthor });
    }
  }
  await server.running.close();
  writeStore(folder, `update apps set name = '  ' where uid = 'of-posts'`);
  takeStepAgain();
  server = await startTestServer({}, { folder, isQuiet: true });
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  await dropDatabaseOf(folder);
});

// A store of the release before keeps its managers and knows from its log who put things in the trash.
describe('a store of the previous release', () => {
  test('keeps the managers it had', async () => {
    const rename = async (as: string) =>
      (await server.call('PATCH', `/api/apps/${app}`, { name: 'Named' }, { as })).status;
    assert.deepEqual([await rename(creator), await rename(author)], [200, 403]);
  });

  test('lets authors restore only what they trashed themselves', async () => {
    assert.equal(trashed.length, 8);
    for (const { path, byAuthor } of trashed) {
      const answer = await server.call('POST', `${path}/restore`, undefined, { as: author });
      if (byAuthor) assert.equal(answer.status, 200, path);
      else assertProblem(answer, 403, 'moderated');
    }
  });

  test('shows an app with a blank name by its uid', async () => {
    assert.equal((await server.call('GET', '/api/apps/of-posts')).body.display_name, 'of-posts');
  });
});
