import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { exportOf, type KindOfImport, kindsOfImports } from 'confab-testing/import-kinds.ts';
import { importAll, reached, takeBack, tryImport } from 'confab-testing/imports.ts';
import { countOf } from 'confab-testing/lists.ts';
import { type TestServer, useServer } from 'confab-testing/server.ts';

type Stored = { id: number; reply_to_id?: number; text: string; metadata: { source_id: string } };
const commentsOf = ({ apps }: KindOfImport) => Object.values(apps).flatMap((app) => Object.entries(app));

/** What is stored of an app, in the form in which it is expected. */
async function storedIn(server: TestServer, uid: string) {
  const { data } = await server.read(`/api/apps/${uid}/comments?top=100`);
  const comments = data as unknown as readonly Stored[];
  const sourceOf = new Map(comments.map(({ id, metadata }) => [id, metadata.source_id]));
  return Object.fromEntries(
    comments.map(({ reply_to_id, text, metadata }) => [
      metadata.source_id,
      [reply_to_id === undefined ? null : sourceOf.get(reply_to_id), text],
    ]),
  );
}

async function allStored(server: TestServer, expected: KindOfImport) {
  const uids = Object.keys(expected.apps);
  return Object.fromEntries(await Promise.all(uids.map(async (uid) => [uid, await storedIn(server, uid)])));
}

/**
 * A file of JSON with pages of two sites, and a database with the address of its site. What differs between the systems
 * is read and planned before the store is asked, which `read.test.ts` tests for each of them.
 */
const stored = kindsOfImports.filter(({ kind }) => kind === 'artalk' || kind === 'isso');

// What an export has is what an import makes; it is made once, and can be taken back.
for (const expected of stored) {
  const { kind, site, found } = expected;
  const options = { kind, ...(site === undefined ? {} : { site }) };
  const comments = commentsOf(expected).length;
  const apps = Object.keys(expected.apps).length;

  describe(`an export of ${kind}`, () => {
    const server = useServer();
    let first = 0;

    test('is reported before anything is written', async () => {
      const id = await tryImport(server, exportOf(expected), options);
      const { planned, state, ...rest } = await reached(server, id, 'ready');
      assert.deepEqual(
        [state, planned?.found, planned?.comments, planned?.apps, planned?.users, rest.site],
        ['ready', found, comments, apps, expected.users, site],
      );
      assert.deepEqual(
        Object.fromEntries(planned?.left_out.map(({ reason, count }) => [reason, count]) ?? []),
        expected.leftOut,
      );
      const leftOut = Object.values(expected.leftOut).reduce((sum, count) => sum + count, 0);
      assert.equal(comments + leftOut, found);
      assert.match(planned?.notes.join('\n') ?? '', expected.notes ?? /^$/);
      await server.call('POST', `/api/imports/${id}/stop`);
    });

    test('makes its comments with their threads', async () => {
      const { id, made } = await importAll(server, exportOf(expected), options);
      first = id;
      assert.deepEqual(made, { comments, restored: 0, apps, users: expected.users });
      assert.deepEqual(await allStored(server, expected), expected.apps);
      const users = await server.read('/api/users?top=100&order_by=id');
      const names = users.data.filter(({ uid }) => uid.startsWith(`${kind}-`)).map(({ name }) => name);
      assert.deepEqual(names.sort(), [...expected.names].sort());
      assert.ok(users.data.every(({ email }) => email === undefined));
    });

    test('adds nothing the second time, packed or not', async () => {
      const { made } = await importAll(server, gzipSync(exportOf(expected)), options);
      assert.deepEqual(made, { comments: 0, restored: 0, apps: 0, users: 0 });
    });

    test('is taken back, and comes back with its threads', async () => {
      const { undone } = await takeBack(server, first);
      assert.deepEqual(undone, { comments, apps, users: expected.users });
      assert.equal(await countOf(server, `/api/users?q=${kind}`), 0);
      for (const uid of Object.keys(expected.apps))
        assert.equal((await server.call('GET', `/api/apps/${uid}`)).status, 404);
      const again = await importAll(server, exportOf(expected), options);
      assert.equal(again.made.restored, comments);
      assert.deepEqual(await allStored(server, expected), expected.apps);
      await takeBack(server, again.id);
    });
  });
}
