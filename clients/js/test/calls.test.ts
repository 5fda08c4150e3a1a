import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeApp } from 'confab-testing/fixtures.ts';
import { use, useServer } from 'confab-testing/server.ts';
import { ConnectionError, createClient, ProblemError } from '../index.js';

/** The most that the client without `webhooks.js` may weigh, in bytes of gzip. */
const gzipBytesMax = 12_000;

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers each request with the next reply, and keeps what came. */
async function startScript() {
  const replies: Reply[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const reply = replies.shift();
    request.resume().on('end', () => reply?.(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Replaces what is left of an earlier test. */
    replyWith(...next: Reply[]) {
      replies.splice(0, replies.length, ...next);
      requests.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function status(code: number, body: object = {}, headers: Record<string, string> = {}): Reply {
  const type = code >= 400 ? 'application/problem+json' : 'application/json';
  return (_, response) =>
    void response.writeHead(code, { 'content-type': type, ...headers }).end(JSON.stringify(body));
}

const drop: Reply = (request) => void request.socket.destroy();
const soon = { 'retry-after': '0' };

// A request is repeated where that cannot change anything twice, and only then.
describe('retries', () => {
  const script = use(startScript);
  after(() => script.close());
  const client = () => createClient({ url: script.url, token: 'wyu_x', attempts: 3 });
  const keys = () => script.requests.map(({ headers }) => headers['idempotency-key']);

  test('repeats a create request with the same key after a lost connection', async () => {
    script.replyWith(drop, status(503, { code: 'storage_unavailable' }, soon), status(201, { id: 7 }));
    assert.equal((await client().createAppComment('page', { text: 'x' })).id, 7);
    assert.match(String(keys()[0]), /^"[0-9a-f-]{36}"$/);
    assert.equal(new Set(keys()).size, 1);
    assert.equal(script.requests.length, 3);
  });

  test('takes a key of the caller', async () => {
    script.replyWith(status(201, { id: 7 }));
    await client().createAppComment('page', { text: 'x' }, { idempotencyKey: 'order-7' });
    assert.deepEqual(keys(), ['"order-7"']);
  });

  test('waits while the first request with its key still runs', async () => {
    script.replyWith(status(409, { code: 'idempotency_key_in_use' }), status(201, { id: 7 }));
    assert.equal((await client().createAppComment('page', { text: 'x' })).id, 7);
  });

  test('does not repeat a request that has no key and may have been carried out', async () => {
    for (const reply of [drop, status(503, { code: 'storage_unavailable' }, soon)]) {
      script.replyWith(reply, status(201));
      await assert.rejects(client().issueToken('ada'));
      assert.equal(script.requests.length, 1);
    }
  });

  test('repeats any request that was refused for its rate', async () => {
    script.replyWith(status(429, { code: 'rate_limited' }, soon), status(200, { access_token: 'wyu_y' }));
    assert.equal((await client().issueToken('ada')).access_token, 'wyu_y');
  });

  test('gives up after its attempts, with the last failure', async () => {
    script.replyWith(status(503), status(503), status(503, { code: 'too_busy', detail: 'Too busy.' }, soon));
    await assert.rejects(client().getComment(1), {
      name: 'ProblemError',
      status: 503,
      code: 'too_busy',
      retryAfterMs: 0,
    });
    script.replyWith(drop, drop, drop);
    await assert.rejects(client().getComment(1), ConnectionError);
    assert.equal(script.requests.length, 3);
  });

  test('does not repeat a refusal', async () => {
    script.replyWith(
      status(422, {
        code: 'validation_failed',
        errors: [{ pointer: '/text', code: 'too_long', message: 'm' }],
      }),
    );
    const error = await client()
      .createAppComment('page', {})
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ProblemError);
    assert.equal(error.errors[0]?.pointer, '/text');
    assert.equal(script.requests.length, 1);
  });

  test('ends an attempt after its time, and at the signal of the caller', async () => {
    const silent: Reply = () => undefined;
    script.replyWith(silent, silent, silent);
    // Counted as they leave, because on a busy machine an attempt may end before the server has read it.
    let sent = 0;
    const counted = createClient({
      url: script.url,
      token: 'wyu_x',
      attempts: 3,
      fetch: (...args) => {
        sent += 1;
        return fetch(...args);
      },
    });
    await assert.rejects(counted.getComment(1, {}, { timeoutMs: 30 }), /took longer than 30 ms/);
    assert.equal(sent, 3);
    script.replyWith(silent);
    const ending = new AbortController();
    const call = client().getComment(1, {}, { signal: ending.signal });
    ending.abort(new Error('no longer wanted'));
    await assert.rejects(call, /no longer wanted/);
  });

  test('says what a response is that no server of ours has written', async () => {
    script.replyWith(
      (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>no'),
    );
    await assert.rejects(client().getComment(1), { status: 404, code: 'unknown' });
  });
});

// A function gives the token, once for all requests, and again when it has expired.
describe('tokens', () => {
  const script = use(startScript);
  after(() => script.close());

  test('are asked for once, and once more after a refusal', async () => {
    const asked: boolean[] = [];
    const token = async ({ refresh }: { refresh: boolean }) => {
      asked.push(refresh);
      return `wyu_${asked.length}`;
    };
    const client = createClient({ url: script.url, token });
    script.replyWith(status(200), status(200));
    await Promise.all([client.getComment(1), client.getComment(2)]);
    assert.deepEqual(asked, [false]);
    script.replyWith(status(401), status(401), status(200), status(200));
    await Promise.all([client.getComment(1), client.getComment(2)]);
    assert.deepEqual(asked, [false, true]);
    assert.equal(script.requests.at(-1)?.headers.authorization, 'Bearer wyu_2');
  });

  test('that are refused twice fail the request', async () => {
    const client = createClient({ url: script.url, token: async () => 'wyu_x' });
    script.replyWith(status(401), status(401, { code: 'invalid_credential' }), status(200));
    await assert.rejects(client.getComment(1), { status: 401, code: 'invalid_credential' });
  });

  test('that cannot be had fail the request, and the next one asks again', async () => {
    let calls = 0;
    const client = createClient({
      url: script.url,
      token: () => {
        calls += 1;
        if (calls === 1) throw new Error('the identity provider is down');
        return 'wyu_x';
      },
    });
    script.replyWith(status(200, { id: 1 }));
    await assert.rejects(client.getComment(1), /identity provider/);
    assert.equal((await client.getComment(1)).id, 1);
  });
});

// Lists are walked by their cursors; problems of a real server are typed.
describe('with a server', () => {
  const server = useServer();
  const client = () => createClient({ url: `${server.url}/`, token: server.key });

  test('iterates over the items of all pages', async () => {
    const app = await makeApp(server);
    for (let number = 0; number < 7; number += 1)
      await server.create(`/api/apps/${app.id}/comments`, { text: `number ${number}` });
    const texts: unknown[] = [];
    const list = client().listAppComments(app.id, { top: 3, order_by: 'id desc' });
    for await (const { text } of list) texts.push(text);
    assert.deepEqual(
      texts,
      [6, 5, 4, 3, 2, 1, 0].map((number) => `number ${number}`),
    );
    const sizes: unknown[] = [];
    for await (const page of client().listAppComments(app.id, { top: 3 }).pages())
      sizes.push([page.data.length, page.count]);
    assert.deepEqual(sizes, [
      [3, 7],
      [3, undefined],
      [1, undefined],
    ]);
    assert.equal((await client().listAppComments(app.id, { top: 3 })).count, 7);
  });

  test('requests a page that failed again', async () => {
    const app = await makeApp(server);
    for (let number = 0; number < 3; number += 1)
      await server.create(`/api/apps/${app.id}/comments`, { text: `number ${number}` });
    let isBroken = false;
    const broken = createClient({
      url: server.url,
      token: server.key,
      attempts: 1,
      fetch: (...request) => (isBroken ? Promise.reject(new TypeError('no network')) : fetch(...request)),
    });
    const pages = broken.listAppComments(app.id, { top: 2 }).pages();
    assert.equal((await pages.next()).value.data.length, 2);
    isBroken = true;
    await assert.rejects(pages.next(), ConnectionError);
    isBroken = false;
    assert.equal((await pages.next()).value.data.length, 1);
    assert.equal((await pages.next()).done, true);
  });

  test('throws the problem of a refusal', async () => {
    await assert.rejects(client().getApp('there is none'), { status: 404, code: 'not_found' });
    await assert.rejects(client().createApp({ uid: '7', type: 'comments' }), (error) => {
      assert.ok(error instanceof ProblemError);
      assert.equal(error.errors[0]?.pointer, '/uid');
      assert.ok(error.requestId);
      return true;
    });
    assert.throws(() => client().getApp(''), /app is missing/);
  });

  test('changes only what it has read, if nobody else has changed it', async () => {
    const confab = createClient({ url: server.url, token: server.key });
    const { id: app } = await makeApp(server);
    const read = await confab.createAppComment(app, { text: 'one' });
    const changed = await confab.updateComment(read.id, { text: 'two' }, { ifMatch: read });
    assert.equal(changed.text, 'two');
    await assert.rejects(
      confab.updateComment(read.id, { text: 'three' }, { ifMatch: read }),
      (error) => error instanceof ProblemError && error.code === 'precondition_failed',
    );
    await confab.deleteComment(read.id, { ifMatch: await confab.getComment(read.id) });
    await assert.rejects(confab.updateComment(read.id, {}, { ifMatch: {} }), TypeError);
    const upsert = async () => await confab.upsertApp('once', { type: 'chat' }, { ifNoneMatch: '*' });
    await upsert();
    await assert.rejects(upsert(), (error) => error instanceof ProblemError && error.status === 412);
  });

  test('acts for a user, with any letters in the uid', async () => {
    const app = await makeApp(server, { access: 'write' });
    const user = await client().createUser({ uid: 'çelik-日向' });
    const onBehalfOf = createClient({ url: server.url, token: server.key, onBehalfOf: 'çelik-日向' });
    const comment = await onBehalfOf.createAppComment(app.id, { text: 'x' });
    assert.equal(comment.created_by_id, user.id);
    const other = await client().createAppComment(app.id, { text: 'x' }, { onBehalfOf: user.id });
    assert.equal(other.created_by_id, user.id);
  });

  test('sends a request that has no method', async () => {
    const page = await client().request('GET', '/api/apps', { query: { count_only: true } });
    assert.equal(typeof (page as { count: number }).count, 'number');
  });
});

test('the client is small', (context) => {
  const folder = new URL('../', import.meta.url);
  const modules = readdirSync(folder).filter((name) => name.endsWith('.js') && name !== 'webhooks.js');
  const text = modules.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('');
  const bytes = gzipSync(text, { level: 9 }).length;
  context.diagnostic(`${bytes} bytes of gzip, as it is published, with its comments`);
  assert.ok(bytes <= gzipBytesMax, `${bytes} bytes`);
});
