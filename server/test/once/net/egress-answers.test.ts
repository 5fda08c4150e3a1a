import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  ANY_POST,
  fakeResolver,
  type Listening,
  listen,
  openEgress,
  RECEIVER,
  untilClosed,
} from 'confab-testing/network/loopback.ts';
import {
  BODY_BYTES_KEPT,
  type EgressAnswer,
  type EgressPost,
  HEADER_BYTES_KEPT,
} from '../../../src/net/egress.ts';

type Handler = Parameters<typeof createServer>[1];

async function startReceiver(t: TestContext, handler: Handler): Promise<Listening & { url: string }> {
  const listening = await listen(t, createServer(handler));
  return { ...listening, url: `http://${RECEIVER}:${listening.port}/hook?a=b` };
}

/** Sends one POST and fails without a response. */
async function answerOf(
  t: TestContext,
  handler: Handler,
  post: EgressPost = ANY_POST,
): Promise<EgressAnswer> {
  const { url } = await startReceiver(t, handler);
  const result = await openEgress(t).post(url, post);
  if (!result.answered) return assert.fail(`${result.errorCode} (${result.cause})`);
  return result;
}

/** The request arrives unchanged, and a response within the limits is returned whole. */
describe('egress: answers', () => {
  it('sends method, path, headers and body as given', async (t) => {
    let seen: unknown;
    const body = Buffer.from('{"text":"äöü\u2028"}');
    const headers = { 'content-type': 'application/json', 'x-weavy-delivery': 'a1' };
    await answerOf(
      t,
      async (request, response) => {
        const { method, url } = request;
        const { connection: _, ...sent } = request.headers;
        seen = { method, url, ...sent, body: await text(request) };
        response.end();
      },
      { headers, body },
    );
    const { host, ...rest } = seen as Record<string, string>;
    assert.match(host ?? '', /^127\.0\.0\.2:\d+$/);
    assert.deepEqual(rest, {
      method: 'POST',
      url: '/hook?a=b',
      ...headers,
      'content-length': String(body.length),
      body: body.toString(),
    });
  });

  for (const status of [200, 201, 202, 204, 304, 400, 404, 410, 429, 500, 503, 599]) {
    it(`answers status ${status}`, async (t) => {
      const answer = await answerOf(t, (_, response) => response.writeHead(status).end());
      assert.deepEqual([answer.statusCode, answer.body.length, answer.truncated], [status, 0, false]);
    });
  }

  it('skips informational answers before the final one', async (t) => {
    const answer = await answerOf(t, (_, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.end('done');
    });
    assert.deepEqual([answer.statusCode, answer.body.toString()], [200, 'done']);
  });

  it('keeps bytes that are not text', async (t) => {
    const bytes = Buffer.from([0, 255, 254, 0xc3, 0x28, 0, 10]);
    const answer = await answerOf(t, (_, response) => response.end(bytes));
    assert.deepEqual(answer.body, bytes);
  });

  it('accepts a response sent before the request was read', async (t) => {
    const answer = await answerOf(
      t,
      (_, response) => response.writeHead(200, { connection: 'close' }).end('early'),
      { headers: {}, body: Buffer.alloc(512 * 1024) },
    );
    assert.deepEqual([answer.statusCode, answer.body.toString()], [200, 'early']);
  });

  it('measures a duration that is positive and below the deadline', async (t) => {
    const { durationMs } = await answerOf(t, (_, response) => response.end());
    assert.ok(durationMs > 0 && durationMs < 15_000, `${durationMs} ms`);
  });
});

/** Whatever a receiver sends beyond the limits is neither kept nor awaited. */
describe('egress: caps', () => {
  it('keeps a body of exactly the limit', async (t) => {
    const answer = await answerOf(t, (_, response) => response.end(Buffer.alloc(BODY_BYTES_KEPT, 'x')));
    assert.deepEqual([answer.body.length, answer.truncated], [16_384, false]);
  });

  it('cuts one byte more', async (t) => {
    const answer = await answerOf(t, (_, response) => response.end(Buffer.alloc(BODY_BYTES_KEPT + 1, 'x')));
    assert.deepEqual([answer.body.length, answer.truncated], [16_384, true]);
  });

  const HUGE: Readonly<Record<string, Record<string, string>>> = {
    'an announced 10 GB': { 'content-length': '10000000000' },
    'an endless chunked body': {},
    'an endless body until close': { connection: 'close' },
  };
  for (const [title, headers] of Object.entries(HUGE)) {
    it(`cuts ${title} and closes the socket`, async (t) => {
      const { url, connections } = await startReceiver(t, (_, response) => {
        const chunk = Buffer.alloc(64 * 1024, 'x');
        const pour = (): void => {
          if (response.destroyed) return;
          if (response.write(chunk)) setImmediate(pour);
          else response.once('drain', pour);
        };
        response.writeHead(200, headers);
        pour();
      });
      const before = process.memoryUsage().rss;
      const result = await openEgress(t).post(url, ANY_POST);
      assert.equal(result.answered && result.truncated && result.body.length, BODY_BYTES_KEPT);
      await untilClosed(connections[0]);
      assert.equal(connections.length, 1);
      assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024);
    });
  }

  it('does not decompress a gzip bomb', async (t) => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const answer = await answerOf(t, (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    assert.equal(answer.headers['content-encoding'], 'gzip');
    assert.deepEqual(answer.body, bomb.subarray(0, BODY_BYTES_KEPT));
  });

  it('redacts cookies and joins repeated fields', async (t) => {
    const answer = await answerOf(t, (_, response) => {
      response.setHeader('Set-Cookie', ['session=secret', 'b=secret']);
      response.setHeader('X-Twice', ['one', 'two']);
      response.setHeader('Retry-After', '120');
      response.end();
    });
    assert.equal(answer.headers['set-cookie'], '[redacted]');
    assert.equal(answer.headers['x-twice'], 'one, two');
    assert.equal(answer.headers['retry-after'], '120');
    assert.doesNotMatch(JSON.stringify(answer.headers), /secret/);
  });

  it('keeps a field named __proto__ as a field', async (t) => {
    const answer = await answerOf(t, (_, response) => response.setHeader('__proto__', 'x').end());
    assert.equal(Object.hasOwn(answer.headers, '__proto__'), true);
    assert.equal(Object.getPrototypeOf(answer.headers), Object.prototype);
  });

  it('leaves out headers that do not fit and keeps short ones after them', async (t) => {
    const answer = await answerOf(t, (_, response) => {
      response.setHeader('X-First', 'a'.repeat(5000));
      response.setHeader('X-Second', 'b'.repeat(5000));
      response.setHeader('Retry-After', '120');
      response.end();
    });
    assert.equal(answer.headers['x-first']?.length, 5000);
    assert.equal(answer.headers['x-second'], undefined);
    assert.equal(answer.headers['retry-after'], '120');
    const fields = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    assert.ok(fields.join('').length <= HEADER_BYTES_KEPT);
  });
});

/** Sockets are reused for the same origin, limited in number, and never shared between origins. */
describe('egress: sockets', () => {
  it('sends many requests over few sockets and resolves once for each', async (t) => {
    const { port, connections } = await startReceiver(t, (_, response) => response.end('ok'));
    const resolver = fakeResolver({ 'hooks.example': [[RECEIVER]] });
    const egress = openEgress(t, { resolver });
    for (let turn = 0; turn < 20; turn++) {
      const result = await egress.post(`http://hooks.example:${port}/`, ANY_POST);
      assert.equal(result.answered && result.statusCode, 200);
    }
    // A socket becomes free one turn of the event loop after its response, so the second request may open another.
    assert.ok(connections.length <= 2, `${connections.length} sockets`);
    assert.equal(resolver.asked.length, connections.length);
  });

  it('opens a separate socket for another name of the same address', async (t) => {
    const { port, connections } = await startReceiver(t, (_, response) => response.end('ok'));
    const resolver = fakeResolver({ 'a.example': [[RECEIVER]], 'b.example': [[RECEIVER]] });
    const egress = openEgress(t, { resolver });
    await egress.post(`http://a.example:${port}/`, ANY_POST);
    await egress.post(`http://b.example:${port}/`, ANY_POST);
    assert.equal(connections.length, 2);
  });

  it('opens no more sockets to one origin than it may', async (t) => {
    const { url, connections } = await startReceiver(t, (request, response) => {
      request.resume().on('end', () => response.end('ok'));
    });
    const egress = openEgress(t, { socketsPerOriginMax: 3 });
    const results = await Promise.all(Array.from({ length: 60 }, () => egress.post(url, ANY_POST)));
    assert.deepEqual(new Set(results.map((result) => result.answered && result.statusCode)), new Set([200]));
    assert.equal(connections.length, 3);
  });

  it('counts the wait for a socket, and never sends a request that waited too long', async (t) => {
    const arrived: string[] = [];
    const { url } = await startReceiver(t, async (request, response) => {
      arrived.push(await text(request));
      if (arrived.length > 1) response.end();
    });
    const egress = openEgress(t, { socketsPerOriginMax: 1 });
    const first = egress.post(url, { headers: {}, body: 'first', timeoutMs: 400 });
    const second = await egress.post(url, { headers: {}, body: 'second', timeoutMs: 100 });
    assert.equal(!second.answered && second.errorCode, 'timeout');
    assert.equal((await first).answered, false);
    const third = await egress.post(url, { headers: {}, body: 'third' });
    assert.equal(third.answered, true);
    assert.deepEqual(arrived, ['first', 'third']);
  });

  it('finishes running requests when it closes, and accepts no others', async (t) => {
    const { url, connections } = await startReceiver(t, (request, response) => {
      request.resume().on('end', () => setImmediate(() => response.end('ok')));
    });
    const egress = openEgress(t);
    const inFlight = egress.post(url, ANY_POST);
    const closed = egress.close();
    assert.equal((await inFlight).answered, true);
    await closed;
    await untilClosed(connections[0]);
    await assert.rejects(egress.post(url, ANY_POST), { code: /^UND_ERR_(CLOSED|DESTROYED)$/ });
  });
});
