import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { countOf } from 'confab-testing/lists.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, freshUid, startTestServer, use } from 'confab-testing/server.ts';
import { Webhook } from 'standardwebhooks';
import { configFrom } from '../../../src/config/config.ts';
import { startServer } from '../../../src/main/main.ts';
import { startHook } from './hook-of-tests.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const settingsFor = (url: string, fallback: string) => ({
  CONFAB_MODERATION_HOOK_URL: url,
  CONFAB_MODERATION_HOOK_SECRET: secret,
  CONFAB_MODERATION_HOOK_SECONDS: '1',
  CONFAB_MODERATION_HOOK_FALLBACK: fallback,
  CONFAB_EGRESS_ALLOW: '127.0.0.1',
  CONFAB_SIGN_IN: 'guest',
  CONFAB_SIGN_IN_PUZZLE: 'no',
});

const hook = use(() => startHook());
const server = use(() => startTestServer(settingsFor(hook.url, 'refuse')));
let app = 0;
const writer = use(() => makeUser(server, { name: 'Ada Lovelace' }));
before(async () => {
  app = (await makeApp(server, { access: 'write' })).id;
});
after(async () => {
  await server.close();
  hook.close();
});

const post = async (body: object, as = writer.token) =>
  await server.as(as).call('POST', `/api/apps/${app}/comments`, body);

describe('the hook of the operator', () => {
  test('gets a signed request that says what is to be judged', async () => {
    hook.answer({ action: 'allow' });
    const text = 'See [this](https://a.example)';
    const { body } = await post({ text, options: [{ text: 'yes' }], tags: ['a'] });
    const request = hook.requests.at(-1);
    assert.ok(request !== undefined);
    const { guid, user, ...question } = new Webhook(secret).verify(
      request.body,
      request.headers,
    ) as never as {
      guid: string;
      user: { created_at: string };
    };
    assert.equal(guid, request.headers['webhook-id']);
    assert.deepEqual(question, {
      type: 'moderation.check',
      operation: 'create',
      kind: 'comment',
      text,
      plain: 'See this',
      options: ['yes'],
      tags: ['a'],
      link_count: 1,
      rules: [],
      app: { id: app, uid: (await server.read(`/api/apps/${app}`)).uid, type: 'comments' },
    });
    const { created_at, ...others } = user;
    assert.match(created_at, /Z$/);
    assert.deepEqual(others, { id: writer.id, uid: writer.uid, display_name: 'Ada Lovelace', is_bot: false });
    await writer.call('PATCH', `/api/comments/${body.id}`, { text: 'other' });
    const { operation, id, plain } = JSON.parse(hook.requests.at(-1)?.body ?? '');
    assert.deepEqual([operation, id, plain], ['update', body.id, 'other']);
  });

  test('judges the form of a page before there is a guest', async () => {
    const page = await makeApp(server, { access: 'write', visitors: 'write' });
    const users = await countOf(server, '/api/users');
    const send = () =>
      fetch(`${server.url}/pages/${page.uid}`, {
        method: 'POST',
        body: new URLSearchParams({ name: 'Nora Newcomer', text: 'hello' }),
        redirect: 'manual',
      });
    hook.answer({ action: 'refuse' });
    assert.equal((await send()).status, 403);
    assert.equal(await countOf(server, '/api/users'), users);
    hook.answer({ action: 'allow' });
    assert.equal((await send()).status, 303);
    const { user } = JSON.parse(hook.requests.at(-1)?.body ?? '');
    assert.deepEqual(Object.keys(user), ['uid', 'display_name', 'created_at', 'is_bot']);
    assert.equal((await server.read(`/api/users/${user.uid}`)).name, 'Nora Newcomer');
  });

  test('refuses a text, and counts', async () => {
    hook.answer({ action: 'refuse' });
    assertProblem(await post({ text: 'spam' }), 403, 'text_refused');
    const { counts } = await server.read('/api/moderation/rules');
    assert.deepEqual(
      counts.map(({ name, refused }: { name: string; refused: number }) => [name, refused]),
      [['hook', 2]],
    );
  });

  test('is not asked about what is absent, forbidden, invalid, unchanged, refused already or written by staff', async () => {
    hook.answer({ action: 'allow' });
    const { id } = (await post({ text: 'mine' })).body;
    const closed = (await makeApp(server)).id;
    await server.call('PUT', '/api/moderation/rules', {
      version: 0,
      rules: [{ name: 'words', action: 'refuse', words: ['casino'] }],
    });
    const before = hook.requests.length;
    const answers = [
      await writer.call('POST', `/api/apps/${closed}/comments`, { text: 'x' }),
      await post({ text: 'x', tags: [''] }),
      await writer.call('PATCH', `/api/comments/${id}`, { metadata: { a: 1 } }),
      await post({ text: 'casino' }),
      await server.call('POST', `/api/apps/${app}/comments`, { text: 'x' }),
      await server.call('POST', '/api/moderation/test', { text: 'x', user: writer.uid, app }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 422, 200, 403, 201, 200],
    );
    assert.equal(hook.requests.length, before);
    await server.call('PUT', '/api/moderation/rules', { version: 1, rules: [] });
  });

  const lies: readonly (object | string)[] = [
    { action: 'ALLOW' },
    { action: 'toString' },
    {},
    'allow',
    '["allow"]',
  ];
  for (const lie of lies)
    test(`that answers ${JSON.stringify(lie)} has not answered`, async () => {
      hook.answer(lie);
      assertProblem(await post({ text: 'x' }), 403, 'text_refused');
      hook.answer({ action: 'allow' });
      assert.equal((await post({ text: 'x' })).status, 201);
    });

  test('holds up no other writes while it says nothing', async () => {
    hook.answer('nothing');
    const waiting = post({ text: 'waits' });
    await poll(
      'the hook to be asked',
      () => JSON.parse(hook.requests.at(-1)?.body ?? '{}').text === 'waits' || undefined,
    );
    assert.equal((await server.call('POST', `/api/apps/${app}/comments`, { text: 'by a key' })).status, 201);
    assertProblem(await waiting, 403, 'text_refused');
  });

  test('gets few requests at once, and is left alone when it does not answer', async () => {
    hook.answer('nothing');
    const before = hook.requests.length;
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => post({ text: `text ${at}` })));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [403]);
    // Four of one user at once, and with the failures before, it is then left alone.
    assert.ok(hook.requests.length - before <= 8, `${hook.requests.length - before} requests`);
    const asked = hook.requests.length;
    assertProblem(await post({ text: 'x' }), 403, 'text_refused');
    assert.equal(hook.requests.length, asked);
  });
});

describe('a server with a hook', () => {
  test('takes a text where the operator wants that', async () => {
    const other = await startTestServer(settingsFor('http://127.0.0.1:9/', 'take'));
    try {
      const { token } = await makeUser(other);
      const { id } = await makeApp(other, { access: 'write' });
      assert.equal(
        (await other.call('POST', `/api/apps/${id}/comments`, { text: 'x' }, { as: token })).status,
        201,
      );
    } finally {
      await other.close();
    }
  });

  const refused: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{ CONFAB_MODERATION_HOOK_SECRET: '' }, /HOOK_URL is set and CONFAB_MODERATION_HOOK_SECRET is not/],
    [{ CONFAB_MODERATION_HOOK_URL: '' }, /HOOK_SECRET is set and CONFAB_MODERATION_HOOK_URL is not/],
    [{ CONFAB_MODERATION_HOOK_SECRET: 'short' }, /must be whsec_/],
    [{ CONFAB_EGRESS_ALLOW: '' }, /CONFAB_MODERATION_HOOK_URL is refused/],
  ];
  for (const [settings, message] of refused)
    test(`does not start with ${JSON.stringify(settings)}`, async () => {
      const environment = {
        ...settingsFor('http://127.0.0.1:9/', 'hold'),
        CONFAB_DATA_DIR: `${server.folder}/${freshUid('refused')}`,
        CONFAB_PORT: '0',
        CONFAB_LOG_LEVEL: 'silent',
        ...settings,
      };
      await assert.rejects(async () => await startServer(configFrom(environment)), message);
    });
});
