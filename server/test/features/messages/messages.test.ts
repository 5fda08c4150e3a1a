import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { App } from 'confab-contract/apps.ts';
import type { Message } from 'confab-contract/messages.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { countOf } from 'confab-testing/lists.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { deliveriesOf, register } from 'confab-testing/webhooks.ts';
import { testContent } from '../../engines/entries/content.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);

async function chatApp(fields: object = {}): Promise<App> {
  return await makeApp(server, { type: 'chat', ...fields });
}

async function write(app: App, fields: object = { text: 'a message' }): Promise<Message> {
  return await server.create(`/api/apps/${app.id}/messages`, fields);
}

const actionsOf = (id: number) => watch.actionsOf('message', id);

function lastOf(app: App): unknown {
  return watch.rows(`select last_message_id as id from apps where id = ${app.id}`)[0]?.['id'];
}

testContent({ kind: 'message', type: 'chat', server, watch, statements });

// A message is an entry of a chat, a chat room or a private chat.
describe('a message', () => {
  test('can be created in every type of chat and nowhere else', async () => {
    for (const type of ['chat', 'chat_room', 'private_chat'])
      assert.equal((await write(await makeApp(server, { type }))).text, 'a message', type);
    for (const type of ['comments', 'files', 'posts']) {
      const app = await makeApp(server, { type });
      const answer = await server.call('POST', `/api/apps/${app.id}/messages`, { text: 'x' });
      assertProblem(answer, 422, 'validation_failed');
    }
  });

  test('is neither a comment nor a post', async () => {
    const app = await chatApp();
    const message = await write(app, { text: 'xenon' });
    for (const path of [`/api/comments/${message.id}`, `/api/posts/${message.id}`])
      assert.equal((await server.call('GET', path)).status, 404, path);
    assert.equal(await countOf(server, '/api/comments?q=xenon'), 0);
    assert.equal(await countOf(server, '/api/messages?q=xenon'), 1);
  });

  test('refuses an invalid body and an invalid id', async () => {
    const app = await chatApp();
    const path = `/api/apps/${app.id}/messages`;
    assertProblem(await server.call('POST', path, '[]'), 400, 'wrong_type');
    assertProblem(
      await server.call('POST', path, { blobs: [987_654] }),
      422,
      'validation_failed',
      '/blobs/0',
    );
    assert.equal((await server.as(null).call('POST', path, { text: 'x' })).status, 401);
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

// The app knows its newest message that is not in the trash, whatever happens to messages.
describe('the last message of an app', () => {
  test('follows creating, trashing, restoring and deleting', async () => {
    const app = await chatApp();
    assert.equal(lastOf(app), null);
    const first = await write(app);
    const second = await write(app);
    assert.equal(lastOf(app), second.id);
    const path = `/api/messages/${second.id}`;
    assert.equal((await server.call('POST', `${path}/trash`)).body.is_trashed, true);
    assert.equal((await server.call('POST', `${path}/trash`)).status, 200);
    assert.equal(lastOf(app), first.id);
    assert.equal((await server.call('GET', path)).status, 404);
    assert.equal((await server.read(`${path}?trashed=true`)).id, second.id);
    assert.equal(await countOf(server, `/api/apps/${app.id}/messages`), 1);
    assert.equal(await countOf(server, `/api/apps/${app.id}/messages?trashed=true`), 1);
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
    assert.equal(await countOf(server, `/api/apps/${app.id}/messages`), 32);
  });
});
