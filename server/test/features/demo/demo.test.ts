import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { runCommand } from 'confab-testing/command.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, useServer } from 'confab-testing/server.ts';
import { storeSettings } from 'confab-testing/stores/databases.ts';
import { watchStore } from 'confab-testing/stores/store-watch.ts';
import { configFrom } from '../../../src/config/config.ts';
import { startServer } from '../../../src/main/main.ts';

/** The status of a request with headers that no client here would send by itself. */
async function statusWith(
  url: string,
  headers: Record<string, string>,
  method = 'POST',
): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}

// The demo exists only where it is enabled, and its tokens only for the clients it was started for.
describe('the demo', () => {
  const server = useServer({ CONFAB_DEMO: 'here' });

  test('does not exist unless it is enabled', async () => {
    const plain = await startTestServer();
    try {
      assertProblem(await plain.call('GET', '/demo', undefined, { as: null }), 404, 'not_found');
      assertProblem(
        await plain.call('POST', '/demo/people/ada/token', undefined, { as: null }),
        404,
        'not_found',
      );
      assert.equal((await plain.read('/api/users?q=lovelace')).count, 0);
    } finally {
      await plain.close();
    }
  });

  test('signs a person in as a new user after the first one got another uid', async () => {
    const own = await startTestServer({ CONFAB_DEMO: 'here' });
    try {
      const renamed = await own.call('PATCH', '/api/users/demo-ada', { uid: 'countess' });
      assert.equal(renamed.status, 200);
      const { status, body } = await own.call('POST', '/demo/people/ada/token', undefined, { as: null });
      assert.equal(status, 200);
      const me = await own.call('GET', '/api/user', undefined, { as: body.access_token });
      assert.deepEqual([me.body.uid, me.body.display_name], ['demo-ada', 'Ada Lovelace']);
      assert.notEqual(me.body.id, renamed.body.id);
    } finally {
      await own.close();
    }
  });

  test('signs its people in as users of their own, who may write in its apps', async () => {
    const { body } = await server.as(null).call('POST', '/demo/people/grace/token');
    const me = await server.as(body.access_token).call('GET', '/api/user');
    assert.equal(me.body.uid, 'demo-grace');
    assert.equal(me.body.display_name, 'Grace Hopper');
    const path = '/api/apps/demo-comments/comments';
    assert.equal((await server.as(body.access_token).call('POST', path, { text: 'x' })).status, 201);
    const types = ['comments', 'posts', 'files', 'chat'];
    for (const type of types) assert.equal((await server.read(`/api/apps/demo-${type}`)).type, type);
  });

  test('knows nobody else', async () => {
    for (const person of ['mary', 'constructor', 'demo-ada'])
      assertProblem(await server.as(null).call('POST', `/demo/people/${person}/token`), 404, 'not_found');
  });

  test('gives no token to a page that reaches this machine under another name', async () => {
    const url = `${server.url}/demo/people/ada/token`;
    for (const host of [new URL(url).host, 'localhost:1', 'LOCALHOST', '[::1]:8080'])
      assert.equal(await statusWith(url, { host }), 200, host);
    for (const host of [
      'rebound.example',
      '127.0.0.1.rebound.example',
      'localhost\\@evil.example',
      'evil.example@localhost',
      'localhost/evil.example',
      'localhost:1:2',
      '0.0.0.0',
      '127.0.0.2',
    ])
      assert.equal(await statusWith(url, { host }), 404, host);
  });

  test('creates a token only for its own pages, and never for a GET', async () => {
    const url = `${server.url}/demo/people/ada/token`;
    const watch = watchStore(server.folder);
    const tokens = () => watch.rows("select 1 from events where action = 'token_issued'").length;
    const before = tokens();
    const host = new URL(url).host;
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://${host}.evil.example` },
      { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' },
    ])
      assert.equal(await statusWith(url, { host, ...headers }), 404, JSON.stringify(headers));
    assert.equal(await statusWith(url, { host }, 'GET'), 405);
    assert.equal(tokens(), before);
    assert.equal(await statusWith(url, { host, origin: server.url, 'sec-fetch-site': 'same-origin' }), 200);
    assert.equal(tokens(), before + 1);
    watch.close();
  });

  test('loads only what this server serves', async () => {
    for (const path of ['/demo', '/demo/people/ada']) {
      const page = await server.as(null).call('GET', path);
      const policy = page.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self';/);
      assert.doesNotMatch(policy, /\*|https:|unsafe-eval|script-src[^;]*unsafe/);
      assert.doesNotMatch(page.text, /(?:src|href)="https?:/);
    }
  });

  test('stays as it was left when the server starts again', async () => {
    await server.call('PATCH', '/api/apps/demo-files', { name: 'Drawings' });
    await server.running.close();
    const again = await startServer(
      configFrom({
        CONFAB_DATA_DIR: server.folder,
        CONFAB_PORT: '0',
        CONFAB_LOG_LEVEL: 'silent',
        CONFAB_DEMO: 'here',
        ...(await storeSettings(server.folder)),
      }),
    );
    const response = await fetch(`${again.url}/api/apps/demo-files`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    assert.equal(((await response.json()) as { name: string }).name, 'Drawings');
    await again.fillDemo();
    const files = await fetch(`${again.url}/api/apps/demo-files/files?count_only=true`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    assert.deepEqual(await files.json(), { count: 0 });
    await again.close();
  });

  test('has content of its users once, and none of it comes back', async () => {
    const own = await startTestServer({ CONFAB_DEMO: 'here' });
    try {
      await own.running.fillDemo();
      const comments = '/api/apps/demo-comments/comments?expand=created_by';
      const { data } = await own.read(comments);
      assert.deepEqual(
        data.map(({ created_by: by }: { created_by: { display_name: string } }) => by.display_name),
        ['Grace Hopper', 'Ada Lovelace', 'Katherine Johnson', 'Ada Lovelace'],
      );
      const [picture] = data[0]?.attachments ?? [];
      assert.equal(picture?.media_type, 'image/png');
      assert.deepEqual(
        data[3]?.options.map(({ vote_count: votes }: { vote_count: number }) => votes),
        [1, 2],
      );
      for (const [path, count] of [
        ['/api/apps/demo-posts/posts', 2],
        ['/api/apps/demo-files/files', 3],
        ['/api/apps/demo-chat/messages', 3],
        ['/api/comments?q=contrast', 1],
        // What the console shows.
        ['/api/reports?state=open&held=false', 2],
        ['/api/reports?state=open&held=true', 1],
        ['/api/webhooks', 2],
      ] as const)
        assert.equal((await own.read(path)).count, count, path);
      assert.equal((await own.read('/api/moderation/rules')).rules.length, 3);
      const keys = await own.read('/api/keys');
      assert.ok(keys.find(({ name }) => name === 'demo')?.revoked_at !== undefined, 'its key has ended');
      const as = (await own.call('POST', '/demo/people/ada/token', undefined, { as: null })).body
        .access_token;
      assert.equal((await own.read('/api/conversations', { as })).count, 2);
      assert.equal(
        (await own.call('POST', `/api/comments/${data[1]?.id}/trash`, undefined, { as })).status,
        200,
      );
      await own.running.fillDemo();
      assert.equal((await own.read(comments)).count, 3);
    } finally {
      await own.close();
    }
  });

  test('is refused where others could get its tokens, unless that is explicitly permitted', async () => {
    const { code, stderr } = await runCommand(['serve', '--demo', '--host', '0.0.0.0', '--port', '0']);
    assert.equal(code, 2);
    assert.match(stderr, /the demo hands out access tokens, and others can reach 0\.0\.0\.0/);
    const config = configFrom({ CONFAB_DEMO: 'everyone', CONFAB_HOST: '0.0.0.0' });
    assert.equal(config.demo, 'everyone');
    assert.throws(() => configFrom({ CONFAB_DEMO: 'yes' }), /CONFAB_DEMO must be one of off, here, everyone/);
  });
});
