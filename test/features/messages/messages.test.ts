import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { App } from '../../../src/contract/apps.ts';
import type { Message } from '../../../src/contract/messages.ts';
import { makeApp, makeUser } from '../../support/fixtures.ts';
import { assertProblem } from '../../support/problem.ts';
import { type Sending, useServer } from '../../support/server.ts';
import { useStoreWatch } from '../../support/store-watch.ts';
import { uploadIds } from '../../support/uploads.ts';
import { deliveriesOf, register } from '../../support/webhooks.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);

async function chatApp(fields: object = {}): Promise<App> {
  return await makeApp(server, { type: 'chat', ...fields });
}

async function write(
  app: App,
  fields: object = { text: 'a message' },
  sending: Sending = {},
): Promise<Message> {
  const answer = await server.call('POST', `/api/apps/${app.id}/messages`, fields, sending);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function get(path: string, sending: Sending = {}) {
  return await server.call('GET', path, undefined, sending);
}

async function count(path: string): Promise<number> {
  return (await get(`${path}${path.includes('?') ? '&' : '?'}count_only=true`)).body.count;
}

function actionsOf(id: number): unknown[] {
  return watch
    .rows(`select action from events where entity_type = 'message' and entity_id = ${id} order by id`)
    .map((row) => row['action']);
}

function lastOf(app: App): unknown {
  return watch.rows(`select last_message_id as id from apps where id = ${app.id}`)[0]?.['id'];
}

// A message is an entry of a chat, a chat room or a private chat.
describe('a message', () => {
  test('has exactly its fields and gives metadata back as sent', async () => {
    const app = await chatApp();
    const message = await write(app, {
      text: 'On my **way**',
      blobs: await uploadIds(server, 1),
      options: [{ text: 'Yes' }, { text: 'No' }],
      metadata: { temp_id: '0.25' },
      tags: ['travel'],
    });
    assert.deepEqual(Object.keys(message).sort(), [
      'app_id',
      'attachment_count',
      'attachments',
      'created_at',
      'created_by',
      'created_by_id',
      'html',
      'id',
      'is_trashed',
      'metadata',
      'option_count',
      'options',
      'parent',
      'plain',
      'reactions',
      'tags',
      'text',
    ]);
    assert.deepEqual(message.parent, { id: app.id, type: 'app' });
    assert.deepEqual(message.metadata, { temp_id: '0.25' });
    assert.deepEqual([message.attachment_count, message.option_count], [1, 2]);
    assert.equal(message.plain, 'On my way');
    assert.deepEqual((await get(`/api/messages/${message.id}`)).body, message);
    assert.deepEqual(actionsOf(message.id), ['message_created']);
  });

  test('goes into every type of chat and into nothing else', async () => {
    for (const type of ['chat', 'chat_room', 'private_chat'])
      assert.equal((await write(await makeApp(server, { type }))).text, 'a message', type);
    for (const type of ['comments', 'files', 'posts']) {
      const app = await makeApp(server, { type });
      const answer = await server.call('POST', `/api/apps/${app.id}/messages`, { text: 'x' });
      assertProblem(answer, 422, 'validation_failed');
    }
  });

  test('is changed field by field', async () => {
    const message = await write(await chatApp(), { text: 'a', tags: ['x'], metadata: { a: 1 } });
    const path = `/api/messages/${message.id}`;
    const { status, body } = await server.call('PATCH', path, { text: 'b', metadata: null });
    assert.equal(status, 200);
    assert.deepEqual([body.text, body.tags, body.metadata], ['b', ['x'], undefined]);
    assert.ok(body.modified_at !== undefined);
    assertProblem(await server.call('PATCH', path, { text: 5 }), 400, 'wrong_type', '/text');
    assertProblem(await server.call('PATCH', path, { tags: [' '] }), 422, 'validation_failed');
    assert.deepEqual(actionsOf(message.id), ['message_created', 'message_updated']);
  });

  test('is no comment and no post', async () => {
    const app = await chatApp();
    const message = await write(app, { text: 'xenon' });
    for (const path of [`/api/comments/${message.id}`, `/api/posts/${message.id}`])
      assert.equal((await get(path)).status, 404, path);
    assert.equal(await count('/api/comments?q=xenon'), 0);
    assert.equal(await count('/api/messages?q=xenon'), 1);
  });

  test('refuses a body that is no message and an id that is none', async () => {
    const app = await chatApp();
    const path = `/api/apps/${app.id}/messages`;
    assertProblem(await server.call('POST', path, '[]'), 400, 'wrong_type');
    assertProblem(
      await server.call('POST', path, { blobs: [987_654] }),
      422,
      'validation_failed',
      '/blobs/0',
    );
    assert.equal((await server.call('POST', path, { text: 'x' }, { as: null })).status, 401);
    assert.equal((await server.call('POST', '/api/apps/987654/messages', {})).status, 404);
    for (const [method, at] of [
      ['GET', '/api/messages/0'],
      ['GET', '/api/messages/987654'],
      ['PATCH', '/api/messages/987654'],
      ['POST', '/api/messages/987654/trash'],
      ['POST', '/api/messages/987654/restore'],
      ['DELETE', '/api/messages/987654'],
      ['GET', '/api/messages/987654/attachments'],
      ['GET', '/api/apps/987654/messages'],
    ] as const)
      assert.equal((await server.call(method, at)).status, 404, `${method} ${at}`);
  });

  test('triggers the webhooks of messages', async () => {
    const app = await chatApp();
    const webhook = await register(server, {
      payload_url: 'http://127.0.0.1:9/hook',
      triggers: ['messages'],
    });
    const message = await write(app);
    await server.call('POST', `/api/messages/${message.id}/trash`);
    await server.call('DELETE', `/api/messages/${message.id}`);
    const heard = await deliveriesOf(server, webhook.id);
    await server.call('DELETE', `/api/webhooks/${webhook.id}`);
    assert.deepEqual(heard.map(({ action }) => action).sort(), [
      'message_created',
      'message_deleted',
      'message_trashed',
    ]);
  });
});

// Lists of messages are lists like any other: flat, ordered, filtered, counted, at a fixed price.
describe('lists of messages', () => {
  test('show the messages of an app, newest first when asked', async () => {
    const app = await chatApp();
    const first = await write(app, { text: 'copper wire', tags: ['metal'] });
    const second = await write(app, { text: 'pine wood' });
    const third = await write(app, { text: 'oak wood' });
    const path = `/api/apps/${app.id}/messages`;
    const shown = async (query: string) => (await get(path + query)).body.data.map((one: Message) => one.id);
    assert.deepEqual(await shown(''), [first.id, second.id, third.id]);
    assert.deepEqual(await shown('?orderby=createdat+desc'), [third.id, second.id, first.id]);
    assert.deepEqual(await shown('?orderby=createdat+desc&top=1&skip=1'), [second.id]);
    assert.deepEqual(await shown('?q=wood'), [second.id, third.id]);
    assert.deepEqual(await shown('?tag=metal'), [first.id]);
    const { body } = await get(`${path}?top=2&skip=1`);
    assert.deepEqual([body.start, body.end, body.count], [2, 3, 3]);
    assert.deepEqual([body.data[0].created_by, body.data[0].parent], [undefined, undefined]);
  });

  test('over all apps hold those the caller may see', async () => {
    const ada = await makeUser(server);
    const [open, closed] = [await chatApp({ access: 'read' }), await chatApp()];
    await write(open, { text: 'zirconium open' });
    await write(closed, { text: 'zirconium closed' });
    const { body } = await get('/api/messages?q=zirconium', { as: ada.token });
    assert.deepEqual(
      body.data.map((message: Message) => message.text),
      ['zirconium open'],
    );
    assert.equal(await count('/api/messages?q=zirconium'), 2);
  });

  test('of attachments show the files of a message', async () => {
    const message = await write(await chatApp(), { blobs: await uploadIds(server, 2) });
    const { body } = await get(`/api/messages/${message.id}/attachments`);
    assert.deepEqual(
      body.data.map((file: { id: number }) => file.id),
      message.attachments.map((file) => file.id),
    );
    assert.equal(body.count, 2);
  });

  test('cost as many statements for twenty messages as for one', async () => {
    const [big, small] = [await chatApp(), await chatApp()];
    const fields = async () => ({ text: 'x', options: [{ text: 'a' }], blobs: await uploadIds(server, 1) });
    await write(small, await fields());
    for (let i = 0; i < 20; i += 1) await write(big, await fields());
    async function cost(app: App): Promise<number> {
      statements.length = 0;
      await get(`/api/apps/${app.id}/messages?expand=created_by,parent`);
      return statements.length;
    }
    assert.equal(await cost(big), await cost(small));
  });
});

// The app knows its newest message that is not in the trash, whatever happens to messages.
describe('the last message of an app', () => {
  test('follows what is written, trashed, restored and deleted', async () => {
    const app = await chatApp();
    assert.equal(lastOf(app), null);
    const first = await write(app);
    const second = await write(app);
    assert.equal(lastOf(app), second.id);
    const path = `/api/messages/${second.id}`;
    assert.equal((await server.call('POST', `${path}/trash`)).body.is_trashed, true);
    assert.equal((await server.call('POST', `${path}/trash`)).status, 200);
    assert.equal(lastOf(app), first.id);
    assert.equal((await get(path)).status, 404);
    assert.equal((await get(`${path}?trashed=true`)).body.id, second.id);
    assert.equal(await count(`/api/apps/${app.id}/messages`), 1);
    assert.equal(await count(`/api/apps/${app.id}/messages?trashed=true`), 1);
    assert.equal((await server.call('POST', `${path}/restore`)).body.is_trashed, false);
    assert.equal(lastOf(app), second.id);
    await server.call('POST', `/api/messages/${first.id}/trash`);
    assert.equal(lastOf(app), second.id);
    assert.equal((await server.call('DELETE', path)).status, 204);
    assert.equal(lastOf(app), null);
    await server.call('POST', `/api/messages/${first.id}/restore`);
    assert.equal(lastOf(app), first.id);
    assert.deepEqual(actionsOf(second.id), [
      'message_created',
      'message_trashed',
      'message_restored',
      'message_deleted',
    ]);
  });

  test('is the newest after 32 messages at once, and all are counted', async () => {
    const app = await chatApp();
    const written = await Promise.all(Array.from({ length: 32 }, (_, i) => write(app, { text: `${i}` })));
    assert.equal(lastOf(app), Math.max(...written.map(({ id }) => id)));
    assert.equal(await count(`/api/apps/${app.id}/messages`), 32);
  });
});

// Rights over messages are those over the content of any app.
describe('access to a message', () => {
  test('goes by the access to its app', async () => {
    const app = await chatApp();
    const message = await write(app);
    const { uid, token } = await makeUser(server);
    const as = { as: token };
    const attempts = async () => [
      (await get(`/api/messages/${message.id}`, as)).status,
      (await get(`/api/apps/${app.id}/messages`, as)).status,
      (await get(`/api/messages/${message.id}/attachments`, as)).status,
      (await server.call('POST', `/api/apps/${app.id}/messages`, { text: 'x' }, as)).status,
      (await server.call('PATCH', `/api/messages/${message.id}`, { text: 'x' }, as)).status,
      (await server.call('POST', `/api/messages/${message.id}/trash`, undefined, as)).status,
      (await server.call('POST', `/api/messages/${message.id}/restore`, undefined, as)).status,
      (await server.call('DELETE', `/api/messages/${message.id}`, undefined, as)).status,
    ];
    assert.deepEqual(await attempts(), [404, 404, 404, 404, 404, 404, 404, 404]);
    await server.call('PUT', `/api/apps/${app.id}/members/${uid}`, { access: 'read' });
    assert.deepEqual(await attempts(), [200, 200, 200, 403, 403, 403, 403, 403]);
    await server.call('PUT', `/api/apps/${app.id}/members/${uid}`, { access: 'write' });
    assert.deepEqual(await attempts(), [200, 200, 200, 201, 403, 403, 403, 403]);
  });

  test('lets its author change, trash and delete it', async () => {
    const app = await chatApp({ access: 'write' });
    const as = { as: (await makeUser(server)).token };
    const message = await write(app, { text: 'mine' }, as);
    const path = `/api/messages/${message.id}`;
    assert.equal((await server.call('PATCH', path, { text: 'x' }, as)).status, 200);
    assert.equal((await server.call('POST', `${path}/trash`, undefined, as)).status, 200);
    assert.equal((await server.call('POST', `${path}/restore`, undefined, as)).status, 200);
    assert.equal((await server.call('DELETE', path, undefined, as)).status, 204);
    assert.equal((await get(`${path}?trashed=true`, as)).status, 404);
  });
});
