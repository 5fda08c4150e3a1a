import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { resourceOf, takesIfNoneMatch, takesReturnMinimal } from 'confab-contract/representations.ts';
import {
  makeApp,
  makeBlob,
  makeDirectory,
  makeFile,
  makeImport,
  makePost,
  makeUser,
  makeWebhook,
} from 'confab-testing/fixtures.ts';
import { notificationsOf } from 'confab-testing/notifications.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, freshUid, type Sending, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { freshName, signInGuest } from 'confab-testing/visitors.ts';

const server = useServer({ CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' });
const watch = useStoreWatch(server);

/** What the path of an operation names, by the collection that it is in or the name of the parameter. */
const things: { [name: string]: string | number } = { version: 1, set: 'comments' };
let token = '';
let visitorToken = '';

before(async () => {
  const ada = await makeUser(server, { email: 'ada@example.com' });
  token = ada.token;
  visitorToken = (await signInGuest(server)).access_token;
  const as = { as: token };
  const bob = await makeUser(server);
  const { id: app } = await makeApp(server, { access: 'write' }, as);
  const files = await makeApp(server, { type: 'files', access: 'write' }, as);
  const posts = await makeApp(server, { type: 'posts', access: 'write' }, as);
  const poll = { text: 'poll', options: [{ text: 'yes' }, { text: 'no' }] };
  const comment = await server.create(`/api/apps/${app}/comments`, poll, as);
  await server.call('POST', `/api/comments/${comment.id}/reactions`, { content: '👍' }, as);
  const reaction = (await server.call('GET', `/api/comments/${comment.id}/reactions`)).body.data[0];
  const blob = await makeBlob(server, as);
  const file = await makeFile(server, files.id, as);
  await server.call('PATCH', `/api/files/${file}`, { blob_id: await makeBlob(server, as), backup: true }, as);
  const post = await makePost(server, posts.id, as);
  const room = await server.create('/api/conversations', { members: [bob.uid], name: 'Room' }, as);
  const message = await server.create(`/api/apps/${room.id}/messages`, { text: 'hello' }, { as: bob.token });
  const mentioned = { text: `@[Ada](${ada.uid})` };
  await server.create(`/api/apps/${posts.id}/posts`, mentioned, { as: bob.token });
  await server.call('POST', `/api/comments/${comment.id}/reports`, { reason: 'spam' }, { as: bob.token });
  const report = (await server.call('GET', '/api/reports')).body.data[0];
  const webhooks = await makeWebhook(server);
  const { id: delivery } = await server.create(`/api/webhooks/${webhooks}/ping`);
  const [notification] = await notificationsOf(server, token);
  Object.assign(things, { app, user: bob.uid, directory: await makeDirectory(server, 'acme'), delivery });
  Object.assign(things, { comments: comment.id, options: comment.options[0].id, reactions: reaction.id });
  Object.assign(things, { blobs: blob, files: file, posts: post, conversations: room.id, webhooks });
  Object.assign(things, { imports: await makeImport(server, 'finished') });
  Object.assign(things, { messages: message.id, reports: report.id, notifications: notification?.id ?? 0 });
});

/** The address of an operation on the things above. */
function addressOf({ path }: Operation): string {
  const segments = path.split('/');
  return path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    String(things[name === 'id' ? (segments[segments.indexOf(whole) - 1] ?? '') : name]),
  );
}

function callerOf({ caller, path }: Operation): Sending {
  if (caller === 'visitor') return { as: visitorToken };
  return caller === 'user' || /conversations|notifications/.test(path) ? { as: token } : {};
}

const bodies: { readonly [operation: string]: object } = {
  updateFile: { name: 'other.txt' },
  updateUser: { name: 'Ada' },
  moderateUser: { is_trusted: true },
  upsertUser: { name: 'Ada' },
  updateMail: { mail: 'none' },
  updateVisitor: { name: freshName() },
  updateWebhook: { triggers: ['posts'] },
  updateSite: { visitors: 'read' },
  replaceModerationRules: { version: 0, rules: [] },
};

async function send(operation: Operation, headers: Record<string, string>) {
  const { id, method, body, example } = operation;
  const sent = body === undefined ? undefined : (bodies[id] ?? example ?? {});
  return await server.call<string, string>(method, addressOf(operation), sent, {
    ...callerOf(operation),
    headers,
  });
}

// Every answer with one thing has a tag, and a client that sends it back gets an empty 304.
describe('a copy is current', () => {
  /** What needs another server to be made; its own tests read it. */
  const elsewhere = new Set(['getEmbed', 'getMeeting', 'getErasure']);
  /** What is another thing after each request, because it counts them. */
  const counting = new Set(['getStatus']);
  const every = operationList.filter(
    (each) => takesIfNoneMatch(each) && !elsewhere.has(each.id) && !counting.has(each.id),
  );

  for (const operation of every)
    test(`after ${operation.id}`, async () => {
      const path = addressOf(operation) + (operation.id === 'explainAccess' ? `?user=${things.user}` : '');
      const read = async (headers: Record<string, string>) =>
        await server.call<string, string>('GET', path, undefined, { ...callerOf(operation), headers });
      const whole = await read({});
      assert.equal(whole.status, 200, whole.text);
      const tag = whole.headers.get('etag') ?? '';
      assert.match(tag, /^"[\w.-]+"$/);
      const again = await read({ 'if-none-match': tag });
      assert.equal(again.status, 304);
      assert.equal(again.text, '');
      assert.equal(again.headers.get('etag'), tag);
      assert.equal(again.headers.get('cache-control'), 'no-store');
      assert.equal(again.headers.get('content-type'), null);
      assert.equal((await read({ 'if-none-match': '"other"' })).status, 200);
    });
});

// A change that depends on a tag of something else changes nothing.
describe('If-Match refuses', () => {
  const every = operationList.filter((each) => resourceOf(each) !== undefined);
  for (const operation of every)
    test(`${operation.id} of another version`, async () => {
      // The loops of the server commit as well, but append no events.
      const events = watch.count('events');
      assertProblem(await send(operation, { 'if-match': '"other.one"' }), 412, 'precondition_failed');
      assert.equal(watch.count('events'), events);
    });

  test('only changes', () => assert.ok(every.length > 40 && every.every(({ method }) => method !== 'GET')));
});

// A client that prefers it gets no body, and the tag of what it would have got.
describe('Prefer: return=minimal', () => {
  const isLast = (operation: Operation) => operation.method === 'DELETE' || operation.id === 'deleteReaction';
  const every = operationList
    .filter(
      (each) =>
        takesReturnMinimal(each) && each.success[201] === undefined && each.success[202] === undefined,
    )
    .sort((a, b) => Number(isLast(a)) - Number(isLast(b)));
  for (const operation of every)
    test(`leaves out the body of ${operation.id}`, async () => {
      const { status, headers, text } = await send(operation, { prefer: 'return=minimal' });
      assert.equal(status, 204, text);
      assert.equal(text, '');
      assert.equal(headers.get('preference-applied'), 'return=minimal');
      assert.equal(headers.has('etag'), operation.method !== 'PUT');
    });

  test('leaves out what was created, with its address and its tag', async () => {
    const headers = { prefer: 'handling=strict, return=minimal' };
    const path = `/api/apps/${things.app}/comments`;
    const made = await server.call('POST', path, { text: 'brief' }, { headers });
    assert.equal(made.status, 201);
    assert.equal(made.text, '');
    assert.equal(made.headers.get('preference-applied'), 'handling=strict, return=minimal');
    const location = made.headers.get('location') ?? '';
    assert.ok(location.startsWith(`${server.url}/api/comments/`), location);
    const read = await server.call('GET', location.slice(server.url.length));
    assert.equal(read.headers.get('etag'), made.headers.get('etag'));
    assert.equal((await server.call('POST', path, {}, { headers: { prefer: 'return="minimal"' } })).text, '');
    for (const prefer of ['return=representation', 'return=minimalist', 'x="return=minimals"'])
      assert.notEqual((await server.call('POST', path, {}, { headers: { prefer } })).text, '', prefer);
  });

  test('says nothing about a refusal', async () => {
    const headers = { prefer: 'return=minimal' };
    const refused = await server.call('POST', '/api/apps', {}, { headers });
    assertProblem(refused, 422, 'validation_failed');
    assert.equal(refused.headers.get('preference-applied'), null);
  });
});

test('each creation says where to find what it made', async () => {
  const uid = freshUid('located');
  for (const [path, body, kind] of [
    ['/api/apps', { uid, type: 'files' }, 'apps'],
    ['/api/users', { uid }, 'users'],
    ['/api/directories', { name: uid }, 'directories'],
  ] as const) {
    const { headers, body: made } = await server.call<string, string>('POST', path, body);
    assert.equal(headers.get('location'), `${server.url}/api/${kind}/${made.id}`);
    const got = await server.call<string, string>('GET', `/api/${kind}/${made.id}`);
    assert.equal(got.headers.get('etag'), headers.get('etag'));
  }
});
