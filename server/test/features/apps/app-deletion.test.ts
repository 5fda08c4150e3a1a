import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startServe } from 'confab-testing/command.ts';
import {
  addMembers,
  makeApp,
  makeBlob,
  makeComment,
  makeFile,
  makePost,
  makeUser,
} from 'confab-testing/fixtures.ts';
import { startReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch, watchStore, writeStore } from 'confab-testing/stores/store-watch.ts';

let now = Date.parse('2026-11-21T08:00:00Z');
const server = useServer({}, { clock: { now: () => now } });
const watch = useStoreWatch(server);

const remove = (app: number | string, as: string | null = server.key) =>
  server.as(as).call('DELETE', `/api/apps/${app}`);

async function untilGone(id: number): Promise<void> {
  await poll('the app to be gone', () => {
    now += 1000;
    return watch.rows(`select id from apps where id = ${id}`).length === 0 || undefined;
  });
}

/**
 * How many rows of each table belong to apps and their content. The log and the notifications stay, because they
 * describe the past.
 */
function contents(): Record<string, number> {
  const kept =
    /^(migrations|log_head|nodes|presence|leases|settings|users|user_|api_keys|access_tokens|directories|directory_|events|event_|webhook|deliver|attempts|notification|embeds|meetings|blobs$|redactions$)/;
  const tables = watch.tables().filter((name) => !kept.test(name));
  return Object.fromEntries(
    tables.map((name) => [
      name,
      name === 'tallies'
        ? watch.rows("select 1 from tallies where parent_type not in ('users', 'directory', 'webhook')")
            .length
        : watch.count(name),
    ]),
  );
}

/** Everything that apps can contain, in one app of each type. */
async function fill(token: string): Promise<number[]> {
  const as = { as: token };
  const act = async (method: string, path: string, body?: unknown) => {
    const answer = await server.call(method, path, body, as);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  };
  const apps = [];
  for (const type of ['comments', 'posts', 'files', 'chat'])
    apps.push((await makeApp(server, { type, access: 'write', name: 'Doomed', tags: ['doomed'] }, as)).id);
  const [comments = 0, posts = 0, files = 0, chat = 0] = apps;
  for (const app of apps) {
    await act('POST', `/api/apps/${app}/stars`);
    await act('POST', `/api/apps/${app}/subscribe`);
  }
  const rich = async () => ({
    text: 'doomed words',
    tags: ['doomed'],
    blobs: [await makeBlob(server, as)],
    options: [{ text: 'yes' }, { text: 'no' }],
  });
  const comment = await makeComment(server, comments, await rich(), as);
  await act('POST', `/api/comments/${comment.id}/reactions`, { content: '👍' });
  await act('POST', `/api/options/${comment.options[0]?.id}/vote`);
  await act('PATCH', `/api/comments/${comment.id}`, { text: 'doomed again' });
  const attached = comment.attachments[0]?.id;
  await act('POST', `/api/files/${attached}/comments`, await rich());
  const trashed = await makeComment(server, comments, { text: 'in the trash' }, as);
  await act('POST', `/api/comments/${trashed.id}/trash`);
  const post = await makePost(server, posts, as);
  await act('POST', `/api/posts/${post}/comments`, await rich());
  await act('POST', `/api/posts/${post}/subscribe`);
  const file = await makeFile(server, files, as);
  await act('PATCH', `/api/files/${file}`, { tags: ['doomed'] });
  await act('POST', `/api/files/${file}/comments`, await rich());
  await act('PATCH', `/api/files/${file}`, { blob_id: await makeBlob(server, as), backup: true });
  await act('POST', `/api/apps/${chat}/messages`, await rich());
  return apps;
}

/** A deleted app is out of sight with its answer, and nothing of it is left in any table soon after. */
describe('deleting an app', () => {
  test('removes everything in it, and nothing else', async () => {
    const ada = await makeUser(server);
    await fill(ada.token);
    const before = contents();
    const doomed = await fill(ada.token);
    for (const id of doomed) assert.equal((await remove(id, ada.token)).status, 204);
    for (const id of doomed) await untilGone(id);
    assert.deepEqual(contents(), before);
    // The uploads are released; the sweep removes their bytes.
    const used =
      'select id from blobs where expires_at is null and id not in (select blob_id from files union select blob_id from file_versions)';
    assert.deepEqual(watch.rows(used), []);
  });

  test('hides it at once from every operation', async () => {
    const ada = await makeUser(server);
    const app = await makeApp(ada, { access: 'write', name: 'Vanishing' });
    const comment = await makeComment(ada, app.id, { text: 'vanishing' });
    await ada.call('POST', `/api/apps/${app.id}/stars`);
    assert.equal((await remove(app.id, ada.token)).status, 204);
    for (const as of [ada.token, server.key]) {
      for (const path of [
        `/api/apps/${app.id}`,
        `/api/apps/${app.uid}`,
        `/api/apps/${app.id}?trashed=true`,
        `/api/apps/${app.id}/comments`,
        `/api/apps/${app.id}/members`,
        `/api/comments/${comment.id}`,
        `/api/comments/${comment.id}?trashed=true`,
      ])
        assertProblem(await server.as(as).call('GET', path), 404, 'not_found');
      for (const [method, path, body] of [
        ['POST', `/api/apps/${app.id}/restore`],
        ['POST', `/api/apps/${app.id}/trash`],
        ['PATCH', `/api/apps/${app.id}`, { name: 'Back' }],
        ['GET', `/api/apps/deleted%20${app.id}`],
        ['PUT', `/api/apps/${app.id}/members/${ada.uid}`],
        ['POST', `/api/apps/${app.id}/comments`, { text: 'late' }],
        ['POST', `/api/comments/${comment.id}/restore`],
        ['DELETE', `/api/comments/${comment.id}`],
      ] as const)
        assertProblem(await server.as(as).call(method, path, body), 404, 'not_found');
      for (const query of ['q=vanishing', 'trashed=null&q=vanishing']) {
        assert.equal((await server.as(as).read(`/api/apps?${query}`)).count, 0);
        assert.equal((await server.as(as).read(`/api/comments?${query}`)).count, 0);
      }
      const listed = (await server.as(as).read('/api/apps?trashed=null&top=100&order_by=id+desc')).data;
      assert.ok(listed.every(({ id }: { id: number }) => id !== app.id));
    }
    assert.equal((await ada.read('/api/stars')).count, 0);
    assertProblem(await remove(app.id), 404, 'not_found');
    await untilGone(app.id);
  });

  test('frees its uid', async () => {
    const app = await makeApp(server);
    assert.equal((await remove(app.uid)).status, 204);
    const again = await server.call('PUT', `/api/apps/${app.uid}`, { type: 'posts' });
    assert.equal(again.status, 201);
    assert.ok(again.body.id > app.id);
    await untilGone(app.id);
    assert.equal((await server.read(`/api/apps/${app.uid}`)).id, again.body.id);
  });

  test('works on a trashed app, and only once', async () => {
    const app = await makeApp(server);
    await server.call('POST', `/api/apps/${app.id}/trash`);
    const answers = await Promise.all(Array.from({ length: 32 }, () => remove(app.id)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [204, ...Array.from({ length: 31 }, () => 404)]);
    const sql = `select id from events where action = 'app_deleted' and entity_id = ${app.id}`;
    assert.equal(watch.rows(sql).length, 1);
  });

  test('is for its managers', async () => {
    const [ada, bob, eve] = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const app = await makeApp(ada);
    await addMembers(server, app.id, { write: [bob] });
    assertProblem(await remove(app.id, bob.token), 403, 'manage_forbidden');
    assertProblem(await remove(app.id, eve.token), 404, 'not_found');
    assertProblem(await remove('there-is-none', eve.token), 404, 'not_found');
    assertProblem(await remove(app.id, null), 401, 'unauthorized');
    assert.equal((await server.call('GET', `/api/apps/${app.id}`)).status, 200);
    assert.equal((await remove(app.id, ada.token)).status, 204);
  });

  test('notifies a webhook once, with the last state of the app', async () => {
    const receiver = await startReceiver();
    try {
      const hook = { payload_url: `${receiver.url}/hook`, triggers: ['app_deleted'] };
      assert.equal((await server.call('POST', '/api/webhooks', hook)).status, 201);
      const app = await makeApp(server, { name: 'Told of' });
      await makeComment(server, app.id);
      await remove(app.id);
      const [told] = await receiver.received('/hook', 1);
      const body = JSON.parse(told?.body.toString() ?? '');
      assert.deepEqual([body.action, body.app.id, body.app.name], ['app_deleted', app.id, 'Told of']);
      assert.equal(receiver.ledger('/hook').length, 1);
    } finally {
      await receiver.close();
    }
  });

  test('removes more than fits into one transaction, also across a restart', async () => {
    const app = await makeApp(server);
    const files = await makeApp(server, { type: 'files' });
    await Promise.all(Array.from({ length: 450 }, (_, n) => makeComment(server, app.id, { text: `c ${n}` })));
    for (let made = 0; made < 3; made += 1) await makeFile(server, files.id);
    await remove(app.id);
    await remove(files.id);
    await server.restart();
    await untilGone(app.id);
    await untilGone(files.id);
    assert.equal(watch.rows(`select id from entries where app_id = ${app.id}`).length, 0);
    assert.equal(
      watch.rows('select rowid from entry_search where rowid not in (select id from entries)').length,
      0,
    );
  });
});

/** Writes comments into an app of a server that is stopped: ten thousand requests less. */
function seedComments(target: string, appId: number, count: number): void {
  writeStore(
    target,
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into entries (kind, app_id, parent_type, parent_id, content, created_at, created_by_id)
      select 'comment', ${appId}, 'app', ${appId}, '{"text":"seeded ' || n || '"}', n, 1 from numbers;
    insert into entry_search (rowid, words) select id, 'seeded' from entries where app_id = ${appId};
    insert into entry_tags (tag, app_id, entry_id)
      select 'seeded', app_id, id from entries where app_id = ${appId} and id % 10 = 0;
    insert into tallies (parent_type, parent_id, kind, app_id, live)
      values ('app', ${appId}, 'comment', ${appId}, ${count});`,
  );
}

/** However large an app is, its deletion responds at once and resumes after a kill. */
describe('deleting an app with ten thousand comments', () => {
  test('survives kills in the middle of it', async () => {
    const large = mkdtempSync(join(tmpdir(), 'confab-test-'));
    const first = await startTestServer({}, { folder: large });
    const app = await makeApp(first, { name: 'Large' });
    const stays = await makeApp(first);
    await makeComment(first, stays.id);
    await first.close();
    seedComments(large, app.id, 10_000);
    const seen = watchStore(large);
    const left = (): number =>
      Number(seen.rows(`select count(*) as n from entries where app_id = ${app.id}`)[0]?.['n']);
    let serve = await startServe(large);
    try {
      const request = {
        headers: { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' },
      };
      const removal = await fetch(`${serve.url}/api/apps/${app.uid}`, { method: 'DELETE', ...request });
      assert.equal(removal.status, 204);
      assert.ok(left() > 1000, 'the answer waited for what is in the app');
      const again = { method: 'PUT', body: '{"type":"comments"}', ...request };
      assert.equal((await fetch(`${serve.url}/api/apps/${app.uid}`, again)).status, 201);
      const killedAt: number[] = [];
      for (let kills = 0; kills < 2; kills += 1) {
        serve.child.kill('SIGKILL');
        await serve.ended;
        killedAt.push(left());
        serve = await startServe(large);
      }
      assert.ok((killedAt[0] ?? 0) > 0, `killed when ${killedAt} were left`);
      await poll('the app to be gone', () =>
        seen.rows(`select id from apps where id = ${app.id}`).length === 0 ? true : undefined,
      );
      serve.child.kill('SIGTERM');
      await serve.ended;
      assert.equal(left(), 0);
      assert.deepEqual(
        seen.rows('select rowid from entry_search where rowid not in (select id from entries)'),
        [],
      );
      assert.deepEqual(seen.rows("select entry_id from entry_tags where tag = 'seeded'"), []);
      assert.deepEqual(seen.rows(`select * from tallies where app_id = ${app.id}`), []);
      assert.deepEqual(seen.brokenReferences(), []);
      assert.equal(seen.rows(`select id from entries where app_id = ${stays.id}`).length, 1);
      assert.equal(seen.rows("select id from events where action = 'app_deleted'").length, 1);
    } finally {
      serve.child.kill('SIGKILL');
      seen.close();
      rmSync(large, { recursive: true, force: true });
    }
  });
});
