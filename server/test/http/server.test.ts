import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { Problem } from 'confab-contract/problem.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { wrapStore } from 'confab-testing/harness/store-wrapper.ts';
import { samplesOf } from 'confab-testing/metrics.ts';
import { exchange, type RawRequest, requestBytes } from 'confab-testing/network/raw.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, startTestServer, useServer } from 'confab-testing/server.ts';
import { writeStore } from 'confab-testing/stores/store-watch.ts';

// Every response of the API has headers that prevent it from being executed, framed or cached.
describe('answers', () => {
  const server = useServer({ CONFAB_CORS_ORIGINS: 'https://app.example.com,http://localhost:3000' });

  test('carry the security headers, also when they are errors', async () => {
    for (const path of ['/api/apps', '/api/apps/absent', '/nowhere']) {
      const { headers } = await server.call('GET', path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f]{12}-/);
    }
  });

  test('to HEAD are those of GET without the body', async () => {
    const get = await fetch(`${server.url}/api/apps`, { headers: { authorization: `Bearer ${server.key}` } });
    const head = await fetch(`${server.url}/api/apps`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${server.key}` },
    });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(await get.text())));
    const refused = await fetch(`${server.url}/api/apps`, { method: 'HEAD' });
    assert.equal(refused.status, 401);
  });

  test('to OPTIONS name the methods and need no credential', async () => {
    const { status, headers } = await server.call('OPTIONS', '/api/apps', undefined, { as: null });
    assert.equal(status, 204);
    assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
  });

  test('to a known path with another method are 405 with Allow, before the credential is checked', async () => {
    const { status, headers, body } = await server.call('DELETE', '/api/apps', undefined, { as: null });
    assert.equal(status, 405);
    assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
    assert.equal(body.code, 'method_not_allowed');
  });

  test('to another method of a path name its own methods, also where it matches a parameter of another', async () => {
    const { status, headers } = await server.call('DELETE', '/api/apps/init');
    assert.equal(status, 405);
    assert.equal(headers.get('allow'), 'OPTIONS, POST');
    const options = await server.call('OPTIONS', '/api/apps/init', undefined, { as: null });
    assert.deepEqual([options.status, options.headers.get('allow')], [204, 'OPTIONS, POST']);
    assert.equal((await server.call('GET', '/api/apps/init')).status, 405);
    assert.equal((await server.call('OPTIONS', '/api/nothing')).status, 404);
  });

  test('admit browsers only from listed origins', async () => {
    const preflight = async (origin: string) =>
      await fetch(`${server.url}/api/apps/x/comments`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-weavy-source,x-requested-with',
        },
      });
    const listed = await preflight('https://app.example.com');
    assert.equal(listed.headers.get('access-control-allow-origin'), 'https://app.example.com');
    assert.match(listed.headers.get('access-control-allow-headers') ?? '', /x-weavy-source/);
    assert.match(listed.headers.get('access-control-allow-methods') ?? '', /PATCH/);
    const other = await preflight('https://evil.example.com');
    assert.equal(other.headers.get('access-control-allow-origin'), null);
  });
});

// An API key can act on behalf of a user: the content belongs to the user, the rights are those of the key.
describe('X-Confab-User', () => {
  const server = useServer();

  test('names the author by uid or id', async () => {
    const uid = freshUid('åda');
    await server.token(uid, { name: 'Ada' });
    const headers = { 'x-confab-user': encodeURIComponent(uid) };
    const app = await server.call(
      'POST',
      '/api/apps',
      { uid: freshUid('app'), type: 'comments' },
      { headers },
    );
    assert.equal(app.body.created_by.uid, uid);
    assert.equal(app.body.members.data[0].uid, uid);
    const comment = await server.call(
      'POST',
      `/api/apps/${app.body.id}/comments`,
      { text: 'x' },
      {
        headers: { 'x-confab-user': String(app.body.created_by_id) },
      },
    );
    assert.equal(comment.body.created_by.name, 'Ada');
  });

  test('that names no user is 401 and changes nothing', async () => {
    const uid = freshUid('app');
    const headers = { 'x-confab-user': 'nobody-here' };
    assert.equal(
      (await server.call('POST', '/api/apps', { uid, type: 'comments' }, { headers })).status,
      401,
    );
    assert.equal((await server.call('GET', `/api/apps/${uid}`)).status, 404);
  });
});

// A server opens only a store whose schema it knows.
describe('a data folder', () => {
  test('keeps what was written, and the key printed once works after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
    const first = await startTestServer({}, { folder });
    const key = first.running.firstKey ?? '';
    await first.call('POST', '/api/apps', { uid: 'kept', type: 'comments' });
    await first.close();
    const second = await startTestServer({}, { folder });
    assert.equal(second.running.firstKey, undefined);
    assert.equal((await second.call('GET', '/api/apps/kept', undefined, { as: key })).body.uid, 'kept');
    await second.close();
    rmSync(folder, { recursive: true });
  });

  test('that a newer, incompatible Confab has changed is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
    await (await startTestServer({}, { folder })).close();
    writeStore(
      folder,
      "insert into migrations (id, name, applied_at, breaks_before) values (9999, 'future', 0, 9999)",
    );
    await assert.rejects(startTestServer({}, { folder }), /the store is of a newer Confab/);
    rmSync(folder, { recursive: true });
  });
});

// A part that stores its position when it stops cannot do so where the disk is full or the database away.
test('a server whose store takes no writes stops all of its parts', async () => {
  const logged: string[] = [];
  let isAway = false;
  const server = await startTestServer(
    { CONFAB_LOG_LEVEL: 'error' },
    {
      logTo: { write: (line) => void logged.push(line) },
      wrapDb: (db) => ({
        ...wrapStore(db, {}),
        async write(work, kind) {
          if (isAway) throw new Problem('storage_unavailable', 'The store takes no writes.');
          return await db.write(work, kind);
        },
      }),
    },
  );
  const app = await makeApp(server, { access: 'write' });
  await makeComment(server, app.id, { text: 'before' });
  isAway = true;
  // It has read the comment, which notifies nobody, and stores that later.
  const lag = 'confab_log_reader_lag_events{reader="notifications"}';
  await poll('the notifier', async () => (await samplesOf(server)).get(lag) === 0 || undefined);
  await server.close();
  assert.match(logged.join(''), /"part":"[^"]+","msg":"a part could not be stopped in order"/);
  await assert.rejects(fetch(server.url));
});

// A proxy reports a connection that breaks while it sends as its own failure, 502, instead of what the server said.
describe('a body that is refused unread', () => {
  const server = useServer();
  const bytes = Buffer.alloc(8_000_000, 'x');

  /** Sends everything before it reads anything; resolves to what arrives. */
  async function sendAll(type: string, framing: string, body: readonly Buffer[]): Promise<string> {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) }).pause();
    socket.write(
      `POST /api/apps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n` +
        `Content-Type: ${type}\r\n${framing}\r\n\r\n`,
    );
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.setTimeout(10_000, () => reject(new Error('the server reads nothing more')));
      for (const part of body) socket.write(part);
      socket.write('', (error) => (error ? reject(error) : resolve()));
    });
    return await text(socket);
  }

  test('leaves the answer to a sender that reads only at the end', async () => {
    const chunks = [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')];
    const length = `Content-Length: ${bytes.length}`;
    assert.match(
      await sendAll('application/json', length, [bytes]),
      /^HTTP\/1\.1 413 .*"code":"body_too_large"/s,
    );
    assert.match(
      await sendAll('application/json', 'Transfer-Encoding: chunked', chunks),
      /^HTTP\/1\.1 413 .*"code":"body_too_large"/s,
    );
    assert.match(
      await sendAll('multipart/form-data; boundary=x', length, [bytes]),
      /^HTTP\/1\.1 415 .*"code":"unsupported_media_type"/s,
    );
  });
});

// Clients that take the server for a proxy name its address in the request line, which a server must accept (RFC 9112
// section 3.2.2). Whatever host they name, they get what they would get with the path alone.
describe('a request for an absolute address', () => {
  const server = useServer({ CONFAB_CORS_ORIGINS: 'https://app.example.com' });
  const ask = async (
    method: string,
    target: string,
    { headers = [], body }: Omit<RawRequest, 'method' | 'target'> = {},
  ) =>
    await exchange(
      server.url,
      requestBytes({
        ...{ method, target },
        headers: [`Authorization: Bearer ${server.key}`, 'Content-Type: application/json', ...headers],
        ...(body === undefined ? {} : { body }),
      }),
    );

  test('is answered as one for its path, with links of this server', async () => {
    const { uid } = await makeApp(server, { visitors: 'read', access: 'read' });
    for (let count = 0; count < 3; count += 1) await makeComment(server, uid);
    const path = `/api/apps/${uid}/comments?top=1`;
    const plain = await ask('GET', path);
    assert.ok(plain.headers.get('link')?.startsWith(`<${server.url}/api/apps/`));
    for (const target of [
      server.url + path,
      `http://evil.example${path}`,
      `HTTPS://user@[::1]:1${path}`,
      `${path}#x`,
    ]) {
      const answer = await ask('GET', target);
      assert.deepEqual([answer.status, answer.body], [200, plain.body], target);
      assert.equal(answer.headers.get('link'), plain.headers.get('link'), target);
    }
    const visitors = async (target: string) =>
      (await exchange(server.url, requestBytes({ method: 'GET', target }))).headers.get('link');
    assert.equal(await visitors(`http://evil.example${path}`), await visitors(path));
  });

  test('is refused as one for its path', async () => {
    for (const [method, path, status] of [
      ['GET', '/nowhere', 404],
      ['GET', '/api/apps/absent', 404],
      ['DELETE', '/api/apps', 405],
      ['GET', '', 200],
      ['GET', '?x=1', 200],
      ['GET', '/api/apps/%zz', 404],
    ] as const) {
      const answer = await ask(method, `http://evil.example${path}`);
      assert.equal(answer.status, status, `${method} ${path}: ${answer.body}`);
      if (status >= 400) assert.equal(JSON.parse(answer.body).instance, path);
    }
    assert.equal(
      (await ask('OPTIONS', 'http://evil.example/api/apps')).headers.get('allow'),
      'GET, HEAD, OPTIONS, POST',
    );
    for (const target of ['ftp://evil.example/api/apps', '*', 'evil.example/api/apps'])
      assert.equal((await ask('GET', target)).status, 400, target);
  });

  test('is the same request where it is repeated, and is of the host that it names', async () => {
    const body = JSON.stringify({ uid: freshUid('same'), type: 'posts' });
    const headers = [`Idempotency-Key: ${freshUid('key')}`];
    const first = await ask('POST', '/api/apps', { headers, body });
    const again = await ask('POST', 'http://evil.example/api/apps', { headers, body });
    assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
    const { uid } = await makeApp(server);
    const form = (target: string, origin: string) =>
      ask('POST', target, { headers: [`Origin: ${origin}`], body: '{}' });
    // The host of the header is not that of the request.
    const session = '/console/session';
    assert.equal((await form(session, 'http://confab.test')).status === 404, false, uid);
    assert.equal((await form(`http://evil.example${session}`, 'http://confab.test')).status, 404);
  });
});

// Of two values of one field, a proxy and the server may look at different ones (RFC 9110 section 5.3).
describe('a header that was sent twice', () => {
  const server = useServer();
  const json = 'Content-Type: application/json';

  test('is refused where a request has one, whatever its values are', async () => {
    const { uid, id } = await makeApp(server, { visitors: 'read', access: 'read' });
    const key = `Authorization: Bearer ${server.key}`;
    const other = 'Authorization: Bearer wyk_unknown';
    const cases: readonly (readonly [method: string, target: string, headers: string[], status: number])[] = [
      ['GET', `/api/apps/${uid}/comments`, [key, key], 401],
      ['GET', `/api/apps/${uid}/comments`, [other, key], 401],
      ['GET', `/api/apps/${uid}/comments`, ['authorization: x', 'AUTHORIZATION: y'], 401],
      ['GET', '/api/user', [key, other], 401],
      ['POST', `/api/apps/${id}/comments`, [key, json, json], 415],
      ['POST', `/pages/${uid}`, ['Content-Type: application/x-www-form-urlencoded', json], 415],
      ['POST', '/api/blobs', [key, 'Content-Type: multipart/form-data; boundary=a', json], 415],
      ['GET', '/api/apps', [key, 'X-Confab-User: a', 'X-Confab-User: b'], 401],
      ['GET', '/api/user', [key, 'Host: confab.test'], 400],
    ];
    for (const [method, target, headers, status] of cases) {
      const sent = requestBytes({ method, target, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
      const answer = await exchange(server.url, sent);
      assert.equal(answer.status, status, `${target} ${headers} ${answer.text}`);
    }
    assert.equal((await server.read(`/api/apps/${id}/comments`)).count, 0);
  });

  test('is a list where the field is one', async () => {
    const { uid } = await makeApp(server, { visitors: 'read', access: 'read' });
    const target = `/api/apps/${uid}/comments`;
    const first = await exchange(server.url, requestBytes({ method: 'GET', target }));
    const tag = first.headers.get('etag') ?? '';
    const headers = ['If-None-Match: "other"', `If-None-Match: ${tag}`, 'Accept: a/b', 'Accept: */*'];
    assert.equal((await exchange(server.url, requestBytes({ method: 'GET', target, headers }))).status, 304);
  });
});
