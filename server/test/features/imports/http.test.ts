import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Import } from 'confab-contract/imports.ts';
import { runCommand } from 'confab-testing/command.ts';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { makeImport, makeUser } from 'confab-testing/fixtures.ts';
import { importAll as importFile, reached, takeBack, tryImport as tryFile } from 'confab-testing/imports.ts';
import { countOf } from 'confab-testing/lists.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, type TestServer, useServer } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { upload } from 'confab-testing/uploads.ts';
import { rootUrl } from 'confab-tools/places.ts';

const fixture = (name: string) => new URL(`importers/fixtures/${name}`, rootUrl);
const disqusApp = 'garden.example:23:21:2Fpeas';
const tryImport = async (
  server: TestServer,
  file: string | Uint8Array<ArrayBuffer> = readFileSync(fixture('disqus.xml')),
  options: object = {},
) => await tryFile(server, file, options);
const comments = `/api/apps/${disqusApp}/comments`;

/** Imports the fixture, or another file. */
const importAll = async (server: TestServer, file: string = readFileSync(fixture('disqus.xml'), 'utf8')) =>
  await importFile(server, file);

// An import is tried, run and taken back over HTTP, and everything that it changes has its event.
describe('an import over HTTP', () => {
  const server = useServer();
  let id = 0;

  test('is tried without writing anything', async () => {
    id = await tryImport(server);
    const { planned, made } = await reached(server, id, 'ready');
    assert.deepEqual(made, { comments: 0, restored: 0, apps: 0, users: 0 });
    assert.deepEqual(
      [planned?.source, planned?.found, planned?.comments, planned?.there_before, planned?.apps],
      ['disqus', 9, 3, 0, 1],
    );
    assert.deepEqual(planned?.left_out.slice(0, 2), [
      { reason: 'unreadable', count: 3 },
      { reason: 'spam', count: 1 },
    ]);
    assert.match(planned?.notes[1] ?? '', /line \d+ is unreadable/);
    assert.equal((await server.call('GET', comments)).status, 404);
    const early = await server.call('POST', `/api/imports/${id}/undo`);
    assertProblem(early, 422, 'validation_failed');
  });

  test('is run once, calls no webhook, and keeps no e-mail address', async () => {
    const { body: webhook } = await server.call('POST', '/api/webhooks', {
      payload_url: 'http://127.0.0.1:9/',
      triggers: ['comments', 'apps', 'members'],
    });
    const { status, body } = await server.call('POST', `/api/imports/${id}/run`);
    assert.deepEqual([status, body.state], [202, 'running']);
    const { made } = await reached(server, id, 'finished');
    assert.deepEqual(made, { comments: 3, restored: 0, apps: 1, users: 2 });
    assert.equal(await countOf(server, comments), 3);
    assert.equal(await countOf(server, `/api/webhooks/${webhook.id}/deliveries`), 0);
    const users = await server.read('/api/users?top=100');
    assert.ok(users.data?.every(({ email }) => email === undefined));
    // Repeating the request changes nothing.
    assert.equal((await server.call('POST', `/api/imports/${id}/run`)).body.state, 'finished');
    // The file is left to the sweep of uploads.
    const [row] = readStore(server.folder, 'select expires_at from blobs');
    assert.notEqual(row?.expires_at, null);
  });

  test('is listed, the newest first', async () => {
    const other = await tryImport(server);
    const { planned } = await reached(server, other, 'ready');
    assert.deepEqual([planned?.there_before, planned?.restorable], [3, 0]);
    const body = await server.read('/api/imports');
    assert.deepEqual(
      body.data?.map((each) => [each.id, each.state]),
      [
        [other, 'ready'],
        [id, 'finished'],
      ],
    );
    assert.equal(await countOf(server, '/api/imports?q=disqus'), 0);
  });

  test('is taken back into the trash, with events and without deliveries', async () => {
    const { undone } = await takeBack(server, id);
    assert.deepEqual(undone, { comments: 3, apps: 1, users: 2 });
    assert.equal((await server.call('GET', comments)).status, 404);
    const app = await server.read(`/api/apps/${disqusApp}?trashed=true`);
    assert.equal(await countOf(server, `/api/comments?trashed=true`), 0);
    const events = readStore(
      server.folder,
      `select action, count(*) as count, sum(is_silent) as silent from events
       where action in ('comment_trashed', 'app_trashed', 'user_trashed') group by action order by action`,
    );
    assert.deepEqual(
      events.map(({ action, count, silent }) => [action, Number(count), Number(silent)]),
      [
        ['app_trashed', 1, 1],
        ['comment_trashed', 3, 3],
        ['user_trashed', 2, 0],
      ],
    );
    assert.equal(app.is_trashed, true);
    const again = await server.call('POST', `/api/imports/${id}/undo`);
    assert.deepEqual([again.status, again.body.state], [202, 'undone']);
    assertProblem(await server.call('POST', `/api/imports/${id}/run`), 422, 'validation_failed');
  });

  test('restores what was taken back when it is imported again, and can be taken back again', async () => {
    const again = await tryImport(server);
    const { planned } = await reached(server, again, 'ready');
    assert.deepEqual([planned?.there_before, planned?.restorable], [0, 3]);
    await server.call('POST', `/api/imports/${again}/run`);
    const { made } = await reached(server, again, 'finished');
    assert.deepEqual(made, { comments: 0, restored: 3, apps: 0, users: 0 });
    assert.equal(await countOf(server, comments), 3);
    const { undone } = await takeBack(server, again);
    assert.deepEqual(undone, { comments: 3, apps: 1, users: 2 });
    assert.deepEqual((await importAll(server)).made.restored, 3);
  });

  test('appends an event for each change of its state', async () => {
    const body = await server.read('/api/events?top=1000');
    const states = body.data
      .filter(({ import: of }: any) => of?.id === id)
      .map(({ action, import: of }: any) => [action, of.state]);
    assert.deepEqual(states, [
      ['import_created', 'reading'],
      ['import_updated', 'ready'],
      ['import_updated', 'running'],
      ['import_updated', 'finished'],
      ['import_updated', 'undoing'],
      ['import_updated', 'undone'],
    ]);
  });
});

// What others did with imported things is left alone when the import is taken back.
describe('taking an import back', () => {
  const server = useServer();

  test('leaves what others wrote, with its app, and users who signed in', async () => {
    const { id } = await importAll(server);
    const imported = await server.read(`${comments}?expand=created_by`);
    const [first] = imported.data ?? [];
    const user = await makeUser(server);
    const reply = { text: 'A reply', metadata: { parent_id: first?.id } };
    const { body: written } = await user.call('POST', comments, reply);
    const author = first?.created_by?.uid ?? '';
    await server.call('POST', `/api/users/${author}/tokens`);
    const { undone } = await takeBack(server, id);
    assert.deepEqual(undone, { comments: 3, apps: 0, users: 1 });
    const left = await user.read(comments);
    assert.deepEqual(
      left.data?.map(({ id: each }) => each),
      [written.id],
    );
    assert.equal((await server.call('GET', `/api/users/${author}`)).status, 200);
    // A later import brings the comments back to where they were.
    assert.equal((await importAll(server)).made.restored, 3);
    assert.equal(await countOf(server, comments), 4);
  });

  test('does not bring back what a moderator put in the trash', async () => {
    const before = await server.read('/api/imports');
    const newest = before.data?.[0]?.id ?? 0;
    const body = await server.read(`${comments}?q=typed`);
    await server.call('POST', `/api/comments/${body.data?.[0]?.id}/trash`);
    assert.equal((await takeBack(server, newest)).undone?.comments, 2);
    assert.equal((await importAll(server)).made.restored, 2);
    assert.equal(await countOf(server, comments), 3);
  });

  test('keeps a user and an app that another import needs as well', async () => {
    const other = await startTestServer();
    try {
      const first = await importAll(other, disqusExport(1));
      const second = await importAll(other, disqusExport(2));
      assert.deepEqual(second.made, { comments: 1, restored: 0, apps: 0, users: 0 });
      assert.deepEqual((await takeBack(other, first.id)).undone, { comments: 1, apps: 0, users: 0 });
      assert.equal(await countOf(other, '/api/apps/a.example~page/comments'), 1);
      // The second import has them now.
      assert.deepEqual((await takeBack(other, second.id)).undone, { comments: 1, apps: 1, users: 1 });
    } finally {
      await other.close();
    }
  });

  test('works for an import of the command line, whose users have addresses until they are imported without', async () => {
    const other = await startTestServer();
    try {
      const file = fixture('wordpress.xml').pathname;
      const flags = ['--keep-emails', '--data-dir', other.folder];
      assert.equal((await runCommand(['import', 'wordpress', file, ...flags])).code, 0);
      const body = await other.read('/api/imports');
      const { id = 0, name, state, made } = body.data?.[0] ?? {};
      assert.deepEqual([name, state, made?.comments], ['wordpress.xml', 'finished', 3]);
      await takeBack(other, id);
      const addresses = async () => {
        const users = await other.read('/api/users?top=100&trashed=null');
        return users.data?.filter(({ email }) => email !== undefined).length ?? 0;
      };
      assert.ok((await addresses()) > 0);
      const restored = await runCommand(['import', 'wordpress', file, '--data-dir', other.folder]);
      assert.match(restored.stdout, /^Restored: 3 comments of an import that was taken back\.$/m);
      assert.equal(await addresses(), 0);
    } finally {
      await other.close();
    }
  });
});

// A file that cannot be imported is refused with a reason, and never stays on the server.
describe('an import that cannot be run', () => {
  let now = Date.parse('2026-11-21T08:00:00Z');
  const server = useServer({}, { clock: { now: () => now } });
  const failed = async (id: number): Promise<Import> =>
    await poll('the import to fail', async () => {
      const body = await server.read(`/api/imports/${id}`);
      return body.state === 'failed' ? body : undefined;
    });

  test('says what is wrong with its file', async () => {
    const { error } = await failed(await tryImport(server, '<rss/>'));
    assert.match(error ?? '', /^disqus\.xml:1:\d+: this is a feed or an export of WordPress, not of Disqus/);
    const id = await tryImport(server, 'not XML');
    assert.match((await failed(id)).error ?? '', /is not XML/);
    assertProblem(await server.call('POST', `/api/imports/${id}/run`), 422, 'validation_failed');
    assertProblem(await server.call('POST', `/api/imports/${id}/undo`), 422, 'validation_failed');
  });

  test('names the app that stands in its way', async () => {
    await server.call('PUT', `/api/apps/${disqusApp}`, { type: 'chat' });
    const { error, planned } = await failed(await tryImport(server));
    assert.match(error ?? '', /nothing was imported: the app "garden.*" is of type chat/);
    assert.equal(planned?.comments, 3);
  });

  test('stops where an app is put in the trash while it waits', async () => {
    const file = (await readFileSync(fixture('disqus.xml'), 'utf8')).replace('/#!/peas', '/beans');
    const id = await tryImport(server, file);
    await reached(server, id, 'ready');
    await server.call('PUT', '/api/apps/garden.example~beans', { type: 'comments' });
    await server.call('POST', '/api/apps/garden.example~beans/trash');
    await server.call('POST', `/api/imports/${id}/run`);
    assert.match((await failed(id)).error ?? '', /"garden.example~beans" is in the trash/);
  });

  test('takes no file kept elsewhere, and each upload once', async () => {
    const { body: elsewhere } = await server.call('POST', '/api/blobs/external', {
      provider: 'Drive',
      link: 'https://example.com/1',
      name: 'disqus.xml',
    });
    const external = { kind: 'disqus', blob_id: elsewhere.id } as const;
    assertProblem(await server.call('POST', '/api/imports', external), 422, 'validation_failed');
    const { id } = await upload(server);
    await server.create('/api/imports', { kind: 'disqus', blob_id: id });
    const twice = await server.call('POST', '/api/imports', { kind: 'disqus', blob_id: id });
    assertProblem(twice, 422, 'validation_failed');
  });

  test('is still being read', async () => {
    const id = await makeImport(server, 'reading');
    assertProblem(await server.call('POST', `/api/imports/${id}/run`), 422, 'validation_failed');
  });

  test('expires with its file after a day', async () => {
    const id = await tryImport(server, readFileSync(fixture('wordpress.xml')), { kind: 'wordpress' });
    await reached(server, id, 'ready');
    now += 25 * 3_600_000;
    // Something else wakes the loop.
    await tryImport(server, '<rss/>');
    await reached(server, id, 'expired');
    const [row] = readStore(server.folder, `select blob_id from import_runs where id = ${id}`);
    assert.equal(row?.blob_id, null);
  });
});
