import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeBlob, makeComment, makeFile, makeUser } from 'confab-testing/fixtures.ts';
import { before, freshUid, useServer } from 'confab-testing/server.ts';

const server = useServer();

const texts = [
  'Größe XXL',
  'MASSE UND MAßE',
  'Release party 🎉 tonight',
  'Done 👍',
  'Agreed 👍🏽!',
  'Our family 👨‍👩‍👧‍👦 photo',
  'With love ❤️',
  'Burning ❤️‍🔥 love',
  'From 🇩🇪 to 🇫🇷',
  'Press 1️⃣ or #️⃣',
  'It costs 5 € and not 5 $',
  'We write C++ and C#',
  'a+b=c',
  '🎉👍',
  'Ὀδυσσεύς',
  'Привет',
  'Plain words!!!',
  'England 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
];

// Letters match by full case folding, and an emoji or another symbol is a word.
describe('the words of a search', () => {
  let path: string;
  let id: number;
  before(async () => {
    ({ id } = await makeApp(server));
    path = `/api/apps/${id}/comments`;
    for (const text of texts) await makeComment(server, id, { text });
  });

  for (const [q, expected] of [
    ['GRÖSSE', [0]],
    ['größe', [0]],
    ['grosse', [0]],
    ['GRÖẞE', [0]],
    ['masse', [1]],
    ['"maße und masse"', [1]],
    ['🎉', [2, 13]],
    ['party 🎉', [2]],
    ['🎉 party', [2]],
    ['party🎉', [2]],
    ['"party 🎉"', [2]],
    ['"🎉 party"', []],
    ['👍', [3, 4, 13]],
    ['👍🏿', [3, 4, 13]],
    ['👍🎉', [13]],
    ['"🎉👍"', [13]],
    ['👨‍👩‍👧‍👦', [5]],
    ['👨', [5]],
    ['👩', []],
    ['❤️', [6, 7]],
    ['❤', [6, 7]],
    ['❤️‍🔥', [7]],
    ['🔥', []],
    ['🇩🇪', [8]],
    ['🇪🇫', []],
    ['🇬🇧', []],
    ['1️⃣', [9]],
    ['#️⃣', [9]],
    ['€', [10]],
    ['$', [10]],
    ['5 €', [10]],
    ['£', []],
    ['C++', [11, 12]],
    ['"C++"', [11]],
    ['a+b', [12]],
    ['=', [12]],
    ['ὈΔΥΣΣΕΎΣ', [14]],
    ['οδυσσευς', [14]],
    ['ПРИВЕТ', [15]],
    ['!!!', []],
    ['words!!!', [16]],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', [17]],
    ['🚀', []],
  ] as const)
    test(`find with ${q}`, async () => {
      const { body } = await server.call('GET', `${path}?q=${encodeURIComponent(q)}`);
      const found = body.data.map((item: { text: string }) => texts.indexOf(item.text));
      assert.deepEqual(found, expected);
      assert.equal(body.count, expected.length);
      const only = await server.call('GET', `${path}?q=${encodeURIComponent(q)}&count_only=true`);
      assert.deepEqual(only.body, { count: expected.length });
      // A search in an app with few comments reads their texts; a search in all apps uses the index.
      const all = await server.call('GET', `/api/comments?top=100&q=${encodeURIComponent(q)}`);
      const ofApp = all.body.data.filter((item: { app_id: number }) => item.app_id === id);
      assert.deepEqual(
        ofApp.map((item: { text: string }) => texts.indexOf(item.text)),
        expected,
      );
    });

  test('are those of the text after an edit', async () => {
    const { id } = await makeApp(server);
    const comment = await makeComment(server, id, { text: 'tea 🍵' });
    await server.call('PATCH', `/api/comments/${comment.id}`, { text: 'Spaß ☕' });
    const count = async (q: string) =>
      (await server.call('GET', `/api/apps/${id}/comments?q=${encodeURIComponent(q)}`)).body.count;
    assert.deepEqual([await count('🍵'), await count('☕'), await count('SPASS')], [0, 1, 1]);
  });
});

// Every list reads a search in the same way: a symbol matches texts that contain it, and an empty search finds nothing.
describe('a search of each list', () => {
  const q = (text: string) => encodeURIComponent(text);
  let token: string;
  const lists: Record<string, string> = {};
  before(async () => {
    const ada = await makeUser(server, { name: 'Ada 🦊' });
    const bob = await makeUser(server, { name: 'Bob 🦊' });
    token = ada.token;
    const app = await makeApp(server, { name: 'Fox 🦊' }, { as: ada.token });
    await server.call('PUT', `/api/stars/apps/${app.id}`, undefined, { as: ada.token });
    const files = await makeApp(server, { type: 'files' }, { as: ada.token });
    const file = await makeFile(server, files.id, { as: ada.token });
    await server.call('PATCH', `/api/files/${file}`, { name: '🦊.txt' }, { as: ada.token });
    const made = await server.call('POST', '/api/directories', { name: 'Foxes-🦊' });
    assert.equal(made.status, 201, made.text);
    await ada.call('POST', '/api/conversations', {
      members: [bob.id],
      type: 'chat_room',
      name: 'Den 🦊',
    });
    await makeComment(server, app.id, { text: '🦊' }, { as: ada.token });
    Object.assign(lists, {
      apps: '/api/apps',
      users: '/api/users',
      autocompletion: '/api/users/autocomplete',
      members: `/api/apps/${app.id}/members`,
      comments: '/api/comments',
      files: '/api/files',
      conversations: '/api/conversations',
    });
  });

  for (const list of ['apps', 'users', 'autocompletion', 'members', 'comments', 'files', 'conversations'])
    test(`of ${list}`, async () => {
      const found = async (text: string) => {
        const as = { as: token };
        const answer = await server.call('GET', `${lists[list]}?q=${q(text)}`, undefined, as);
        assert.equal(answer.status, 200, answer.text);
        return answer.body.data.length;
      };
      assert.ok((await found('🦊')) > 0);
      for (const text of ['🐻', '!!!', '"', '🦊 🐻', 'x '.repeat(33)])
        assert.equal(await found(text), 0, text);
    });

  test('of directories, attachments, webhooks, deliveries and notifications without a word', async () => {
    const app = await makeApp(server);
    const comment = await makeComment(server, app.id, { text: 'x', blobs: [await makeBlob(server)] });
    const { body: webhook } = await server.call('POST', '/api/webhooks', {
      payload_url: 'http://127.0.0.1:9/hook',
      triggers: ['comments'],
      enabled: false,
    });
    for (const path of [
      '/api/directories',
      `/api/comments/${comment.id}/attachments`,
      '/api/webhooks',
      `/api/webhooks/${webhook.id}/deliveries`,
    ]) {
      assert.deepEqual((await server.call('GET', `${path}?q=${q('!!!')}`)).body.data, [], path);
      assert.equal((await server.call('GET', `${path}?q=${q('!!!')}&count_only=true`)).body.count, 0, path);
    }
    assert.equal((await server.call('GET', `/api/directories?q=${q('🦊')}`)).body.count, 1);
    const notices = await server.call('GET', `/api/notifications?q=${q('!!!')}`, undefined, { as: token });
    assert.equal(notices.body.count, 0);
  });
});

// With up to 64 apps that have comments, a search over all apps names them.
describe('a search over all apps', () => {
  test('finds and counts in more apps than it names, some older ones in the trash', async () => {
    const word = freshUid('everywhere');
    for (let made = 0; made < 75; made += 1) {
      const { id } = await makeApp(server);
      await makeComment(server, id, { text: word });
      if (made < 10) await server.call('POST', `/api/apps/${id}/trash`);
    }
    const { body } = await server.call('GET', `/api/comments?q=${word}&top=100`);
    assert.deepEqual([body.data.length, body.count], [65, 65]);
  });
});
