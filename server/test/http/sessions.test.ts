import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, type TestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { createSessions } from '../../src/features/credentials/sessions.ts';
import { systemClock } from '../../src/kernel/clock.ts';

/** A browser: it keeps the cookie, and says which page a request comes from. */
function browserOf({ url }: { readonly url: string }) {
  let cookie = '';
  return {
    cookie: () => cookie,
    take(stolen: string) {
      cookie = stolen;
    },
    async call(
      method: string,
      path: string,
      sent: { credential?: string; headers?: Record<string, string> } = {},
    ) {
      const response = await fetch(url + path, {
        method,
        headers: {
          origin: url,
          'sec-fetch-site': 'same-origin',
          ...(cookie === '' ? {} : { cookie }),
          ...(sent.credential === undefined ? {} : { authorization: `Bearer ${sent.credential}` }),
          ...sent.headers,
        },
      });
      const set = response.headers.get('set-cookie');
      if (set !== null) cookie = set.split(';')[0] ?? '';
      const text = await response.text();
      const isJson = /json/.test(response.headers.get('content-type') ?? '');
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      };
    },
  };
}

async function linkOf({ running }: TestServer): Promise<string> {
  return (await createSessions({ db: running.db, clock: systemClock }).link()).secret;
}

const login = '/console/session';

// A session stands for the credential that began it: the same rights, at most as long, and from the console's own pages alone.
describe('sessions of the console', () => {
  const server = useServer();
  const watch = useStoreWatch(server);

  test('begin by a link, once', async () => {
    const link = await linkOf(server);
    const browser = browserOf(server);
    const begun = await browser.call('POST', login, { credential: link });
    assert.equal(begun.status, 201);
    assert.equal(begun.body.kind, 'key');
    assert.deepEqual(begun.body.scopes, ['all']);
    assert.match(
      begun.headers.get('set-cookie') ?? '',
      /^confab-session=wyc_\w{38}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    assert.equal((await browser.call('GET', '/api/apps')).status, 200);
    const again = await browserOf(server).call('POST', login, { credential: link });
    assert.equal(again.status, 401);
    assert.equal(again.body.code, 'invalid_credential');
  });

  test('begin once where a link is used twice at the same moment', async () => {
    const link = await linkOf(server);
    const both = await Promise.all(
      [1, 2].map(() => browserOf(server).call('POST', login, { credential: link })),
    );
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 401]);
  });

  test('have the scopes of an API key, and end with it', async () => {
    const key = await server.running.keys.create('reader', { scopes: ['read'] });
    const browser = browserOf(server);
    const begun = await browser.call('POST', login, { credential: key });
    assert.deepEqual(begun.body.scopes, ['read']);
    assert.equal((await browser.call('GET', '/api/webhooks')).status, 200);
    const refused = await browser.call('POST', '/api/apps/1/trash');
    assert.equal(refused.body.code, 'scope_missing');
    const id = (await server.running.keys.list()).find(({ name }) => name === 'reader')?.id ?? 0;
    await server.running.keys.revoke(id);
    assert.equal((await browser.call('GET', '/api/webhooks')).status, 401);
  });

  test('of a user see what the user sees, and end when the tokens of the user are revoked', async () => {
    const token = await server.token('grace');
    await server.create('/api/apps', { uid: 'secret', type: 'comments' });
    await server.create('/api/apps', { uid: 'open', type: 'comments', access: 'read' });
    const browser = browserOf(server);
    const begun = await browser.call('POST', login, { credential: token });
    assert.equal(begun.body.kind, 'token');
    assert.equal(begun.body.user.uid, 'grace');
    assert.equal((await browser.call('GET', '/api/apps/open')).status, 200);
    assert.equal((await browser.call('GET', '/api/apps/secret')).status, 404);
    assert.equal((await browser.call('GET', '/api/webhooks')).status, 401);
    await server.call('DELETE', '/api/users/grace/tokens');
    assert.equal((await browser.call('GET', '/api/apps/open')).status, 401);
  });

  test('end on the server: a stolen cookie is worth nothing after the log-out', async () => {
    for (const credential of [await linkOf(server), await server.token('lin')]) {
      const browser = browserOf(server);
      await browser.call('POST', login, { credential });
      const thief = browserOf(server);
      thief.take(browser.cookie());
      assert.equal((await thief.call('GET', '/api/apps')).status, 200);
      const ended = await browser.call('DELETE', login);
      assert.equal(ended.status, 204);
      assert.match(ended.headers.get('set-cookie') ?? '', /^confab-session=; Path=\/; Max-Age=0/);
      assert.equal((await thief.call('GET', '/api/apps')).status, 401);
      assert.equal((await thief.call('GET', login)).status, 401);
    }
  });

  test('that began with a link end with the key "console", and so do links', async () => {
    const [used, kept] = [await linkOf(server), await linkOf(server)];
    const browser = browserOf(server);
    await browser.call('POST', login, { credential: used });
    const ids = (await server.running.keys.list()).flatMap(({ name, id }) =>
      name === 'console' ? [id] : [],
    );
    assert.equal(ids.length, 1, 'one key for all links');
    await server.running.keys.revoke(ids[0] ?? 0);
    assert.equal((await browser.call('GET', '/api/apps')).status, 401);
    assert.equal((await browserOf(server).call('POST', login, { credential: kept })).status, 401);
    assert.equal((await browser.call('POST', login, { credential: await linkOf(server) })).status, 201);
  });

  test('get a new id at each login, whatever cookie the browser had', async () => {
    const browser = browserOf(server);
    const planted = `confab-session=wyc_${'a'.repeat(38)}`;
    browser.take(planted);
    await browser.call('POST', login, { credential: await linkOf(server) });
    assert.notEqual(browser.cookie(), planted);
    const first = browser.cookie();
    await browser.call('POST', login, { credential: await linkOf(server) });
    assert.notEqual(browser.cookie(), first);
    const old = browserOf(server);
    old.take(first);
    assert.equal((await old.call('GET', '/api/apps')).status, 401);
  });

  test('count only for pages of this server', async () => {
    const browser = browserOf(server);
    await browser.call('POST', login, { credential: await linkOf(server) });
    const cookie = browser.cookie();
    const from = async (method: string, headers: Record<string, string>) =>
      (
        await fetch(`${server.url}/api/apps/nobody${method === 'GET' ? '' : '/trash'}`, {
          method,
          headers: { cookie, ...headers },
        })
      ).status;
    const other = 'https://evil.example';
    assert.equal(await from('POST', { origin: server.url, 'sec-fetch-site': 'same-origin' }), 404);
    assert.equal(await from('POST', { origin: other, 'sec-fetch-site': 'cross-site' }), 401);
    assert.equal(await from('POST', { origin: 'null' }), 401);
    assert.equal(await from('POST', { origin: server.url.replace('127.0.0.1', 'sub.localhost') }), 401);
    assert.equal(await from('POST', { 'sec-fetch-site': 'same-site' }), 401);
    assert.equal(await from('POST', {}), 401);
    assert.equal(await from('GET', { 'sec-fetch-site': 'cross-site' }), 401);
    assert.equal(await from('GET', { 'sec-fetch-site': 'none' }), 401);
    assert.equal(await from('GET', { 'sec-fetch-site': 'same-origin' }), 404);
    const begin = await browserOf(server).call('POST', login, {
      credential: await linkOf(server),
      headers: { origin: other, 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(begin.status, 404);
  });

  test('count neither as a bearer token nor for the connections of web components', async () => {
    const browser = browserOf(server);
    await browser.call('POST', login, { credential: await server.token('mae') });
    const secret = browser.cookie().split('=')[1] ?? '';
    const bearer = await server.call('GET', '/api/apps', undefined, { as: secret });
    assertProblem(bearer, 401, 'invalid_credential');
    const hub = await browser.call('POST', '/hubs/rtm/negotiate');
    assert.equal(hub.status, 401);
  });

  test('are stored as hashes', async () => {
    const browser = browserOf(server);
    const link = await linkOf(server);
    await browser.call('POST', login, { credential: link });
    const secret = browser.cookie().split('=')[1] ?? '';
    const stored = watch.rows('select * from sessions').map((row) => JSON.stringify(row));
    assert.ok(stored.length > 0);
    for (const row of stored) assert.ok(!row.includes(secret) && !row.includes(link));
  });

  test('tell who they are for, and nothing without one', async () => {
    const browser = browserOf(server);
    assert.equal((await browser.call('GET', login)).status, 204);
    await browser.call('POST', login, { credential: await linkOf(server) });
    const shown = await browser.call('GET', login);
    assert.equal(shown.body.user.uid, 'system');
    assert.equal(shown.headers.get('cache-control'), 'no-store');
  });

  test('are for a page that cannot be framed and runs no script of others', async () => {
    for (const path of ['/console', '/console/apps/7', '/console/no/such/view']) {
      const page = await browserOf(server).call('GET', path);
      assert.equal(page.status, 200);
      const policy = page.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(page.headers.get('x-frame-options'), 'DENY');
      assert.doesNotMatch(page.text, /<script>|style=|onload/);
    }
  });
});

// Sessions end unused, and in any case.
describe('sessions with time', () => {
  test('expire unused, at their end, and links after 15 minutes', async () => {
    let now = Date.parse('2026-11-22T12:00:00Z');
    const server = await startTestServer({}, { clock: { now: () => now } });
    const sessions = createSessions({ db: server.running.db, clock: { now: () => now } });
    const hour = 3_600_000;
    const late = (await sessions.link()).secret;
    now += 15 * 60_000;
    assert.equal((await browserOf(server).call('POST', login, { credential: late })).status, 401);
    const browser = browserOf(server);
    await browser.call('POST', login, { credential: (await sessions.link()).secret });
    for (let hours = 0; hours < 160; hours += 10) {
      now += 10 * hour;
      assert.equal((await browser.call('GET', login)).status, 200, `after ${hours + 10} hours of use`);
    }
    now += 9 * hour;
    assert.equal((await browser.call('GET', login)).status, 401);
    const idle = browserOf(server);
    await idle.call('POST', login, { credential: (await sessions.link()).secret });
    now += 12 * hour;
    assert.equal((await idle.call('GET', login)).status, 401);
    await server.close();
  });

  test('begin with the link of the first start on a terminal, which makes no key that anyone knows', async () => {
    const server = await startTestServer({}, { isForTerminal: true });
    const { firstKey, firstLink = '' } = server.running;
    assert.equal(firstKey, undefined);
    assert.match(firstLink, new RegExp(`^${server.url}/console#link=wyl_\\w{38}$`));
    const link = firstLink.split('=')[1] ?? '';
    assert.equal((await browserOf(server).call('POST', login, { credential: link })).status, 201);
    await server.close();
  });

  test('are kept in a cookie of this host over TLS', async () => {
    const server = await startTestServer({ CONFAB_PUBLIC_URL: 'https://talk.example' });
    const begun = await browserOf(server).call('POST', login, {
      credential: await linkOf(server),
      headers: { origin: 'https://talk.example' },
    });
    assert.match(
      begun.headers.get('set-cookie') ?? '',
      /^__Host-confab-session=.*; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/,
    );
    await server.close();
  });
});
