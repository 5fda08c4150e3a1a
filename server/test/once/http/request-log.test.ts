import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { startCommand } from 'confab-testing/command.ts';
import { keptLog } from 'confab-testing/log.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { createDataFolder } from 'confab-testing/stores/databases.ts';

const lines: Record<string, unknown>[] = [];
const server = useServer(
  { CONFAB_LOG_LEVEL: 'info', CONFAB_TRUSTED_PROXIES: '127.0.0.1' },
  { logTo: keptLog(lines) },
);

async function lineOf(id: string): Promise<Record<string, unknown>> {
  return await poll(`the line of ${id}`, () => lines.find(({ request_id }) => request_id === id));
}

// An operator finds the request of a client in the log, and who sent it from where, but nothing that is secret.
describe('the line of a request', () => {
  test('has its operation, its client behind the proxy and its key', async () => {
    const id = freshUid('request');
    const headers = { 'x-request-id': id, 'x-forwarded-for': '198.51.100.7' };
    await server.call('GET', '/api/comments/1?q=private&access_token=wyu_hidden', undefined, { headers });
    const line = await lineOf(id);
    const { operation, client, api_key_id, status, path } = line;
    assert.deepEqual(
      { operation, client, api_key_id, status, path },
      {
        operation: 'getComment',
        client: '198.51.100.7',
        api_key_id: 1,
        status: 404,
        path: '/api/comments/1',
      },
    );
    for (const secret of ['private', 'hidden', server.key]) assert.ok(!JSON.stringify(line).includes(secret));
  });

  for (const path of [
    '/sign-in',
    '/sign-in/link',
    '/sign-in/with/google',
    '/sign-in/callback/google',
    '/sign-in/callback/google/',
  ])
    test(`has no state and no code of a provider at ${path}`, async () => {
      const id = freshUid('request');
      const query = 'state=hidden-state&code=hidden-code&challenge=hidden-challenge';
      const headers = { 'x-request-id': id, referer: 'https://blog.example.com/?hidden-referer' };
      await fetch(`${server.url}${path}?${query}`, { headers });
      assert.equal((await lineOf(id)).path, path);
      assert.doesNotMatch(JSON.stringify(lines), /hidden-/);
    });

  test('has the client of an unknown address, and no signature of an address that has one', async () => {
    const [unknown, signed] = [freshUid('request'), freshUid('request')];
    const from = (id: string) => ({ 'x-request-id': id, 'x-forwarded-for': '198.51.100.8' });
    await server.call('GET', '/nowhere', undefined, { headers: from(unknown) });
    assert.equal((await lineOf(unknown)).client, '198.51.100.8');
    for (const method of ['GET', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const client = signed + method;
      await server.call(method, '/mail/7/some-signature', undefined, { headers: from(client) });
      assert.equal((await lineOf(client)).path, '/mail/7/:signature', method);
    }
  });
});

describe('the id of a request', () => {
  test('is that of X-Request-Id, in the response and in its problem', async () => {
    const id = '1-67891233:abcdef+/=._';
    const { headers, body } = await server.call('GET', '/api/comments/1', undefined, {
      headers: { 'x-request-id': id },
    });
    assert.equal(headers.get('x-request-id'), id);
    assert.equal(body.request_id, id);
  });

  for (const [what, sent] of [
    ['empty', ''],
    ['too long', 'x'.repeat(129)],
    ['a forged line', 'a {"msg":"forged"}'],
    ['sent twice', 'one, two'],
  ] as const)
    test(`is drawn where that is ${what}`, async () => {
      const { headers } = await server.call('GET', '/api/apps', undefined, {
        headers: { 'x-request-id': sent },
      });
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/);
    });
});

describe('a server that stops', () => {
  test('has written the line of its last request', async (t) => {
    const { child, said, ended } = await startCommand(
      ['serve', '--port', '0', '--data-dir', await createDataFolder()],
      { CONFAB_LOG_LEVEL: 'info' },
    );
    t.after(() => child.kill('SIGKILL'));
    const url = await poll('the address', () => /listens on (\S+)/.exec(said.stdout)?.[1]);
    const id = freshUid('request');
    await fetch(`${url}/healthz`, { headers: { 'x-request-id': id } });
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
    assert.ok(said.stderr.includes(`"request_id":"${id}"`), said.stderr);
  });
});

describe('the log on a terminal', () => {
  /** Starts a server whose log goes to a terminal, and sends it one request. */
  async function requested(t: TestContext, logLevel: string) {
    const folder = await createDataFolder();
    const settings = {
      NODE_OPTIONS: '--import=data:text/javascript,process.stderr.isTTY=true',
      NO_COLOR: '1',
      CONFAB_LOG_LEVEL: logLevel,
    };
    const started = await startCommand(['serve', '--port', '0', '--data-dir', folder], settings);
    t.after(() => started.child.kill('SIGKILL'));
    const url = await poll('the address', () => /listens on (\S+)/.exec(started.said.stdout)?.[1]);
    await fetch(`${url}/healthz`);
    started.child.kill('SIGTERM');
    assert.equal(await started.ended, 0);
    return started.said.stderr;
  }

  test('has lines for people, and none for requests', async (t) => {
    const lines = await requested(t, 'info');
    assert.match(lines, /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: stopping /m);
    assert.doesNotMatch(lines, /request/);
  });

  test('has lines for requests where its level is the lowest', async (t) => {
    const lines = await requested(t, 'debug');
    assert.match(lines, /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request \{.*"status":200/m);
  });
});
