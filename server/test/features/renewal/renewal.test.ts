import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeComment, makeFile, makePost, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';
import { wordsVersion } from '../../../src/kernel/search.ts';

let server: TestServer;
let app: number;
let posts: number;
let files: number;
let commented: number;
let ada: Person;
let mentioned: number;

const names = ['Zebra', 'apricot 🍑', 'Éclair', 'banana', 'Apple'];
const ordered = ['Apple', 'apricot 🍑', 'banana', 'Éclair', 'Zebra'];

/** How the indexes were left by 0.1.0: ß and ł as they are, nothing of symbols, and the mark behind an emoji as a word. */
const formerWords: readonly (readonly [string, string])[] = [
  ['entry_search', 'große freude łodz \ufe0f'],
  ['app_search', 'apricot'],
  ['user_search', 'apricot'],
  ['public_user_search', 'apricot'],
  ['file_search', 'apricot'],
  ['directory_search', 'acme'],
];

before(async () => {
  server = await startTestServer();
  app = (await makeApp(server, { name: 'Other', tags: ['none'] })).id;
  await makeComment(server, app, { text: 'Große Freude Łódź ❤️' });
  // More than one batch, so that the second one continues where the first one ended.
  for (let i = 0; i < 520; i += 1) await makeComment(server, app, { text: `plain ${i}` });
  await makeComment(server, app, { text: 'the last one 🎉' });
  for (const name of names) {
    await makeApp(server, { name, tags: ['fruit'] });
    await makeUser(server, { name, tags: ['fruit'] });
    const made = await server.call('POST', '/api/directories', { name: name.replace(' ', '-') });
    assert.equal(made.status, 201, made.text);
  }
  files = (await makeApp(server, { type: 'files' })).id;
  for (const name of names) {
    const id = await makeFile(server, files);
    assert.equal((await server.call('PATCH', `/api/files/${id}`, { name })).status, 200);
  }
  posts = (await makeApp(server, { type: 'posts' })).id;
  const post = await makePost(server, posts);
  const answer = await server.call('POST', `/api/posts/${post}/comments`, { text: 'below a post' });
  commented = answer.body.id;
  ada = await makeUser(server);
  mentioned = (await makeApp(server, { access: 'write' })).id;
  await makeComment(server, mentioned, { text: `large Łódź [you](@u${ada.id})` });
  assert.equal(await noticesOfAda(), 1);
  await server.call('POST', `/api/apps/${mentioned}/trash`);
  assert.equal(await noticesOfAda(), 0);
  const { folder } = server;
  await server.running.close();

  for (const table of ['apps', 'users'])
    writeStore(folder, `update ${table} set name_key = '', display_name_key = ''`);
  for (const table of ['files', 'directories']) writeStore(folder, `update ${table} set name_key = ''`);
  for (const [table, words] of formerWords) {
    const thing =
      table === 'entry_search'
        ? 'entries'
        : table === 'directory_search'
          ? 'directories'
          : `${table.replace('public_', '').slice(0, -7)}s`;
    const isCut =
      table === 'entry_search'
        ? "content like '%❤%' or content like '%🎉%' or parent_type = 'post'"
        : "name like '%🍑%'";
    const [...rows] = readStore(folder, `select id from ${thing} where ${isCut}`);
    assert.ok(rows.length > 0, table);
    for (const { id } of rows) {
      const scope =
        table === 'entry_search'
          ? `\ue000commentapp${app} `
          : table === 'file_search'
            ? `\ue000fileapp${files} `
            : '';
      writeStore(
        folder,
        `delete from ${table} where rowid = ${id}; insert into ${table} (rowid, words) values (${id}, '${scope}${words}')`,
      );
    }
  }
  // The notification of a comment in the trash.
  assert.equal(readStore(folder, 'select id from hidden_notifications').length, 1);
  writeStore(folder, `update hidden_notifications set words = 'large łodz'`);
  // Before there were versions, the setting was there only while words were renewed.
  writeStore(folder, `delete from settings where name = 'words'`);
  server = await startTestServer({}, { folder });
});
after(() => server.close());

async function found(path: string, q: string): Promise<number> {
  return (await server.read(`${path}?q=${encodeURIComponent(q)}&count_only=true`)).count;
}

/** How many notifications with a word Ada has, once all events are read. */
async function noticesOfAda(q = ''): Promise<number> {
  await settledLog(server);
  return (await server.as(ada.token).read(`/api/notifications?q=${q}&count_only=true`)).count;
}

/** Waits until the words have a version and nothing is left to renew. */
async function renewed(): Promise<void> {
  await poll('the end of the renewal', () => {
    const [setting] = readStore(server.folder, "select value from settings where name = 'words'");
    return setting === undefined || String(setting.value).includes('"part"') ? undefined : true;
  });
}

// What 0.1.0 wrote is found and put in order like what is written since, once the server has looked through it.
describe('a store of the previous release', () => {
  before(renewed);

  test('is searched by the words of this one', async () => {
    const path = `/api/apps/${app}/comments`;
    assert.equal(await found(path, 'GROSSE'), 1);
    assert.equal(await found(path, 'lodz'), 1);
    assert.equal(await found(path, '❤'), 1);
    assert.equal(await found(path, '🎉'), 1);
    assert.equal(await found(path, 'plain'), 520);
    for (const list of ['/api/apps', '/api/users', '/api/directories', `/api/apps/${files}/files`])
      assert.equal(await found(list, '🍑'), 1, list);
    // What users see of each other has an index of its own.
    assert.equal((await server.as(ada.token).read(`/api/users?q=${encodeURIComponent('🍑')}`)).count, 1);
  });

  test('shows the notification of what comes back with its words', async () => {
    await server.call('POST', `/api/apps/${mentioned}/restore`);
    assert.equal(await noticesOfAda('lodz'), 1);
  });

  test('lists the comments below its posts with a search', async () => {
    const body = await server.read(`/api/apps/${posts}/comments?q=below`);
    assert.deepEqual(
      body.data.map(({ id }: { id: number }) => id),
      [commented],
    );
  });

  test('has its names in order', async () => {
    for (const path of [
      '/api/apps?tag=fruit&order_by=name',
      '/api/apps?tag=fruit&order_by=display_name',
      '/api/users?tag=fruit&order_by=name',
      '/api/users?tag=fruit&order_by=display_name',
      `/api/apps/${files}/files?order_by=name`,
    ]) {
      const body = await server.read(path);
      assert.deepEqual(
        body.data.map(({ name }: { name: string }) => name),
        ordered,
        path,
      );
    }
    const body = await server.read('/api/directories?order_by=name');
    assert.deepEqual(
      body.data.map(({ name }: { name: string }) => name.replace('-', ' ')),
      ordered,
    );
  });
});

/** Restarts the server after a node of the previous release has written the words of a comment, and the setting is this. */
async function restartedWith(text: string, former: string, setting?: object): Promise<void> {
  await renewed();
  const { id } = await makeComment(server, app, { text });
  const { folder } = server;
  await server.running.close();
  writeStore(folder, `delete from entry_search where rowid = ${id}`);
  writeStore(
    folder,
    `insert into entry_search (rowid, words) values (${id}, '\ue000commentapp${app} ${former}')`,
  );
  // Names come before words, so a name with its key shows that the renewal has begun.
  writeStore(folder, `update apps set display_name_key = '' where id = ${app}`);
  if (setting !== undefined)
    writeStore(folder, `update settings set value = '${JSON.stringify(setting)}' where name = 'words'`);
  server = await startTestServer({}, { folder });
}

// A node of the previous release may go on for some time, and nothing in the store says which words are its own.
describe('a start', () => {
  test('renews what a node of the previous release wrote since', async () => {
    await restartedWith('Ærø', 'ærø');
    assert.ok(await poll('its words', async () => (await found('/api/comments', 'aero')) === 1 || undefined));
  });

  test('lets a renewal that has passed such words run once more', async () => {
    const passed = { part: 7, after: Number.MAX_SAFE_INTEGER, since: 0 };
    await restartedWith('Øre', 'øre', { version: wordsVersion, begunAt: Date.now(), ...passed });
    assert.ok(await poll('its words', async () => (await found('/api/comments', 'ore')) === 1 || undefined));
    await renewed();
  });

  test('leaves the words of a later release alone', async () => {
    const later = { version: wordsVersion + 1, begunAt: Date.now(), part: 0, after: 0, since: 0 };
    await restartedWith('Straße', 'later', later);
    await poll('the key of a name', () => {
      const [row] = readStore(server.folder, `select display_name_key as name from apps where id = ${app}`);
      return row?.name === '' ? undefined : true;
    });
    assert.equal(await found('/api/comments', 'plain'), 520);
    const [kept] = readStore(server.folder, "select value from settings where name = 'words'");
    assert.deepEqual(JSON.parse(String(kept?.value)), later);
    assert.equal(await found('/api/comments', 'later'), 1);
  });
});
