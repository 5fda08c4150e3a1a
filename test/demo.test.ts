import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { configFrom } from '../src/config.ts';
import { startServer } from '../src/main.ts';
import { runCommand } from './support/command.ts';
import { storeSettings } from './support/databases.ts';
import { assertProblem } from './support/problem.ts';
import { startTestServer, type TestServer } from './support/server.ts';

/** The status of a request that names another host than the one it goes to. */
async function statusAs(url: string, host: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}

// The demo is there only for those who ask for it, and its tokens only for those it was started for.
describe('the demo', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ CONFAB_DEMO: 'here' });
  });
  after(() => server.close());

  test('is not there unless it was asked for', async () => {
    const plain = await startTestServer();
    try {
      assertProblem(await plain.call('GET', '/demo', undefined, { as: null }), 404, 'not_found');
      assertProblem(
        await plain.call('GET', '/demo/people/ada/token', undefined, { as: null }),
        404,
        'not_found',
      );
      assert.equal((await plain.call('GET', '/api/users?q=lovelace')).body.count, 0);
    } finally {
      await plain.close();
    }
  });

  test('signs its people in as users of their own, who may write in its apps', async () => {
    const { body } = await server.call('GET', '/demo/people/grace/token', undefined, { as: null });
    const me = await server.call('GET', '/api/user', undefined, { as: body.access_token });
    assert.equal(me.body.uid, 'demo-grace');
    assert.equal(me.body.display_name, 'Grace Hopper');
    const path = '/api/apps/demo-comments/comments';
    assert.equal((await server.call('POST', path, { text: 'x' }, { as: body.access_token })).status, 201);
    const types = ['comments', 'posts', 'files', 'chat'];
    for (const type of types)
      assert.equal((await server.call('GET', `/api/apps/demo-${type}`)).body.type, type);
  });

  test('knows nobody else', async () => {
    for (const person of ['mary', 'constructor', 'demo-ada'])
      assertProblem(
        await server.call('GET', `/demo/people/${person}/token`, undefined, { as: null }),
        404,
        'not_found',
      );
  });

  test('gives no token to a page that reaches this machine under another name', async () => {
    const url = `${server.url}/demo/people/ada/token`;
    assert.equal(await statusAs(url, new URL(url).host), 200);
    assert.equal(await statusAs(url, 'localhost:1'), 200);
    assert.equal(await statusAs(url, 'rebound.example'), 404);
    assert.equal(await statusAs(url, '127.0.0.1.rebound.example'), 404);
  });

  test('loads nothing but what this server serves', async () => {
    for (const path of ['/demo', '/demo/people/ada']) {
      const page = await server.call('GET', path, undefined, { as: null });
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
    await again.close();
  });

  test('is refused where others could take its tokens, unless that is said', async () => {
    const { code, stderr } = await runCommand(['serve', '--demo', '--host', '0.0.0.0', '--port', '0']);
    assert.equal(code, 2);
    assert.match(stderr, /the demo hands out access tokens, and others can reach 0\.0\.0\.0/);
    const config = configFrom({ CONFAB_DEMO: 'everyone', CONFAB_HOST: '0.0.0.0' });
    assert.equal(config.demo, 'everyone');
    assert.throws(() => configFrom({ CONFAB_DEMO: 'yes' }), /CONFAB_DEMO must be one of off, here, everyone/);
  });
});
