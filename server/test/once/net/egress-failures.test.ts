import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  EXPIRED_CERTIFICATE,
  RECEIVER_CERTIFICATE,
  RECEIVER_KEY,
} from 'confab-testing/network/certificates.ts';
import {
  ANY_POST,
  fakeResolver,
  listen,
  openEgress,
  RECEIVER,
  untilClosed,
} from 'confab-testing/network/loopback.ts';
import type { EgressOptions, EgressResult } from '../../../src/net/egress.ts';

/** Sends one POST to a server that calls `behave` for every connection when the request arrives. */
async function resultOf(
  t: TestContext,
  behave: (socket: Socket) => void,
  options: Partial<EgressOptions> = {},
): Promise<EgressResult & { sockets: readonly Socket[] }> {
  const server = createServer((socket) => socket.once('data', () => behave(socket)));
  const { port, connections } = await listen(t, server);
  const result = await openEgress(t, options).post(`http://${RECEIVER}:${port}/`, ANY_POST);
  return { ...result, sockets: connections };
}

function word(result: EgressResult): number | string {
  return result.answered ? result.statusCode : result.errorCode;
}

/** Writes `bytes` repeatedly until the other side has closed. */
function repeat(socket: Socket, bytes: string): void {
  const pour = (): void => {
    if (!socket.destroyed) socket.write(bytes, () => setImmediate(pour));
  };
  pour();
}

/**
 * Whatever a receiver does, the request ends by the deadline and the socket is closed.
 *
 * The deadline includes the time to connect, which a busy machine makes long.
 */
describe('egress: deadlines', { concurrency: true }, () => {
  const timeouts = { totalMs: 1000 };
  const BEHAVIOURS: Readonly<Record<string, (socket: Socket) => void>> = {
    'never answers': () => undefined,
    'stops within the status line': (socket) => socket.write('HTTP/1.1 20'),
    'stops within the headers': (socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: b\r\n'),
    'sends headers without end': (socket) => repeat(socket, 'HTTP/1.1 102 Processing\r\n\r\n'),
    'stops within an announced body': (socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab'),
    'stops within a chunk': (socket) =>
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nab'),
    'never ends an unannounced body': (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nab'),
    'sends an early hint and nothing else': (socket) =>
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  };
  for (const [title, behave] of Object.entries(BEHAVIOURS)) {
    it(`answers timeout for a receiver that ${title}`, async (t) => {
      const result = await resultOf(t, behave, { timeouts });
      assert.equal(word(result), 'timeout');
      assert.ok(result.durationMs >= 999, `${result.durationMs} ms`);
      await untilClosed(result.sockets[0]);
      assert.equal(result.sockets.length, 1);
    });
  }

  it('does not read a slow body beyond the deadline', async (t) => {
    const result = await resultOf(
      t,
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 16000\r\n\r\n');
        let sent = 0;
        const dribble = (): void => {
          if (!socket.destroyed && sent++ < 8000) socket.write('x', () => setImmediate(dribble));
        };
        dribble();
      },
      { timeouts },
    );
    assert.equal(word(result), 'timeout');
  });

  it('answers timeout when the headers take too long', async (t) => {
    const result = await resultOf(t, () => undefined, { timeouts: { headersMs: 100, totalMs: 10_000 } });
    assert.equal(word(result), 'timeout');
    assert.equal(!result.answered && result.cause, 'UND_ERR_HEADERS_TIMEOUT');
  });

  it('prefers the deadline of the request to its own', async (t) => {
    const { port } = await listen(t, createServer());
    const url = `http://${RECEIVER}:${port}/`;
    const result = await openEgress(t).post(url, { ...ANY_POST, timeoutMs: 50 });
    assert.equal(word(result), 'timeout');
  });

  it('keeps the deadline alongside a signal of the caller', async (t) => {
    const { port } = await listen(t, createServer());
    const { signal } = new AbortController();
    const post = { ...ANY_POST, signal, timeoutMs: 50 };
    const result = await openEgress(t).post(`http://${RECEIVER}:${port}/`, post);
    assert.equal(word(result), 'timeout');
    assert.ok(result.durationMs < 9000, `${result.durationMs} ms`);
  });

  it('rejects with the reason of the signal when the caller gives up', async (t) => {
    const server = createServer();
    const { port } = await listen(t, server);
    const giveUp = new AbortController();
    const egress = openEgress(t);
    const sent = egress.post(`http://${RECEIVER}:${port}/`, { ...ANY_POST, signal: giveUp.signal });
    await once(server, 'connection');
    // A caller's own reason is kept even if it looks like a network failure.
    giveUp.abort(Object.assign(new Error('shutting down'), { code: 'ECONNRESET' }));
    await assert.rejects(sent, { message: 'shutting down' });
    const again = egress.post(`http://${RECEIVER}:${port}/`, { ...ANY_POST, signal: giveUp.signal });
    await assert.rejects(again, { message: 'shutting down' });
  });

  it('never sends a request that was aborted before it had a socket', async (t) => {
    const arrived: string[] = [];
    const server = createHttpServer((request, response) => {
      arrived.push(String(request.headers['x-number']));
      response.end();
    });
    const { port } = await listen(t, server);
    const giveUp = new AbortController();
    const egress = openEgress(t, { socketsPerOriginMax: 1 });
    const send = async (number: string, signal?: AbortSignal) =>
      await egress.post(`http://${RECEIVER}:${port}/`, {
        headers: { 'x-number': number },
        body: '',
        ...(signal === undefined ? {} : { signal }),
      });
    const first = send('1');
    const second = send('2', giveUp.signal);
    giveUp.abort(new Error('shutting down'));
    await assert.rejects(second, { message: 'shutting down' });
    await first;
    await send('3');
    assert.deepEqual(arrived, ['1', '3']);
  });

  it('leaves nothing behind at the signal, however a request ends', async (t) => {
    const { port } = await listen(
      t,
      createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n'))),
    );
    const { signal } = new AbortController();
    const egress = openEgress(t);
    for (const url of [`http://${RECEIVER}:${port}/`, `http://${RECEIVER}:1/`, 'http://127.0.0.9/'])
      await egress.post(url, { ...ANY_POST, signal });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});

/** Each way to break a response has its own code. */
describe('egress: broken answers', () => {
  const OK = 'HTTP/1.1 200 OK\r\n';
  const BEHAVIOURS: readonly (readonly [title: string, code: string, behave: (socket: Socket) => void])[] = [
    ['closes without an answer', 'reset', (socket) => socket.end()],
    ['resets without an answer', 'reset', (socket) => socket.resetAndDestroy()],
    ['closes within the headers', 'reset', (socket) => socket.end(`${OK}x-a`)],
    ['closes within an announced body', 'reset', (socket) => socket.end(`${OK}content-length: 10\r\n\r\nab`)],
    [
      'closes within a chunk',
      'reset',
      (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\nff\r\nab`),
    ],
    [
      'resets within the body',
      'reset',
      (socket) => socket.write(`${OK}content-length: 10\r\n\r\nab`, () => socket.resetAndDestroy()),
    ],
    ['speaks something else', 'invalid_response', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['answers binary', 'invalid_response', (socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 10]))],
    ['answers HTTP/2', 'invalid_response', (socket) => socket.end(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))],
    [
      'gives two lengths',
      'invalid_response',
      (socket) => socket.end(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    ],
    [
      'gives length and chunks',
      'invalid_response',
      (socket) => socket.end(`${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    ],
    [
      'breaks a chunk size',
      'invalid_response',
      (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`),
    ],
    ['puts NUL into a header', 'invalid_response', (socket) => socket.end(`${OK}x-a: \0\r\n\r\n`)],
    [
      'switches protocols unasked',
      'invalid_response',
      (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    [
      'says 100 unasked',
      'invalid_response',
      (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'),
    ],
    [
      'sends 100 KB of headers',
      'header_overflow',
      (socket) => socket.end(`${OK}x-a: ${'a'.repeat(100_000)}\r\n\r\n`),
    ],
    [
      'sends 10,000 headers',
      'header_overflow',
      (socket) => socket.end(`${OK}${'x-a: b\r\n'.repeat(10_000)}\r\n`),
    ],
  ];
  for (const [title, code, behave] of BEHAVIOURS) {
    it(`answers ${code} for a receiver that ${title}`, async (t) => {
      const result = await resultOf(t, behave, { timeouts: { totalMs: 5000 } });
      assert.equal(word(result), code);
      assert.equal(!result.answered && result.permanent, false);
    });
  }

  it('throws for headers that are invalid in HTTP', async (t) => {
    const { port } = await listen(t, createServer());
    const sent = openEgress(t).post(`http://${RECEIVER}:${port}/`, {
      headers: { 'x-a': 'a\r\nb: c' },
      body: '',
    });
    await assert.rejects(sent, { code: 'UND_ERR_INVALID_ARG' });
  });

  it('keeps working after every failure', async (t) => {
    let turn = 0;
    const server = createServer((socket) =>
      socket.once('data', () =>
        turn++ === 0 ? socket.resetAndDestroy() : socket.end(`${OK}content-length: 0\r\n\r\n`),
      ),
    );
    const { port } = await listen(t, server);
    const egress = openEgress(t);
    const url = `http://${RECEIVER}:${port}/`;
    assert.deepEqual(
      [word(await egress.post(url, ANY_POST)), word(await egress.post(url, ANY_POST))],
      ['reset', 200],
    );
    assert.equal(turn, 2);
  });
});

/** Each reason for a failed connection has its own code. */
describe('egress: broken connections', () => {
  it('returns connect_refused where nothing listens', async (t) => {
    const server = createServer();
    server.listen(0, RECEIVER);
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    server.close();
    await once(server, 'close');
    const result = await openEgress(t).post(`http://${RECEIVER}:${port}/`, ANY_POST);
    assert.equal(word(result), 'connect_refused');
    assert.equal(!result.answered && result.cause, 'ECONNREFUSED');
  });

  it('answers reset for a receiver that resets at once', async (t) => {
    const { port } = await listen(
      t,
      createServer((socket) => socket.resetAndDestroy()),
    );
    assert.equal(word(await openEgress(t).post(`http://${RECEIVER}:${port}/`, ANY_POST)), 'reset');
  });

  it('answers connect_timeout for a handshake that hangs', async (t) => {
    const { port } = await listen(t, createServer());
    const egress = openEgress(t, { timeouts: { connectMs: 100 } });
    assert.equal(word(await egress.post(`https://${RECEIVER}:${port}/`, ANY_POST)), 'connect_timeout');
  });

  it('answers timeout when the deadline ends a handshake that hangs', async (t) => {
    const { port } = await listen(t, createServer());
    const egress = openEgress(t, { timeouts: { connectMs: 10_000, totalMs: 100 } });
    const result = await egress.post(`https://${RECEIVER}:${port}/`, ANY_POST);
    assert.equal(word(result), 'timeout');
    assert.ok(result.durationMs < 9000, `${result.durationMs} ms`);
  });
});

/** A certificate is verified against the name in the URL, whatever address the name is pinned to. */
describe('egress: TLS', () => {
  const resolver = fakeResolver({ 'receiver.test': [[RECEIVER]], 'other.test': [[RECEIVER]] });

  async function postTls(
    t: TestContext,
    { host, cert, trusted }: { host: string; cert: string; trusted: boolean },
  ): Promise<EgressResult> {
    const usual = getCACertificates('default');
    if (trusted) setDefaultCACertificates([...usual, cert]);
    t.after(() => setDefaultCACertificates(usual));
    const server = createHttpsServer({ key: RECEIVER_KEY, cert }, (_, response) => response.end('ok'));
    const { port } = await listen(t, server);
    return openEgress(t, { resolver }).post(`https://${host}:${port}/`, ANY_POST);
  }

  it('reaches a receiver whose certificate is trusted', async (t) => {
    const result = await postTls(t, { host: 'receiver.test', cert: RECEIVER_CERTIFICATE, trusted: true });
    assert.equal(word(result), 200);
  });

  const REFUSED = [
    {
      title: 'nobody vouches for',
      host: 'receiver.test',
      cert: RECEIVER_CERTIFICATE,
      trusted: false,
      cause: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    },
    {
      title: 'has another name',
      host: 'other.test',
      cert: RECEIVER_CERTIFICATE,
      trusted: true,
      cause: 'ERR_TLS_CERT_ALTNAME_INVALID',
    },
    {
      title: 'has run out',
      host: 'receiver.test',
      cert: EXPIRED_CERTIFICATE,
      trusted: true,
      cause: 'CERT_HAS_EXPIRED',
    },
  ];
  for (const { title, cause, ...how } of REFUSED) {
    it(`answers tls_error for a certificate that ${title}`, async (t) => {
      const result = await postTls(t, how);
      assert.deepEqual([word(result), !result.answered && result.cause], ['tls_error', cause]);
    });
  }

  it('answers tls_error for an outdated protocol', async (t) => {
    const server = createTlsServer({
      key: RECEIVER_KEY,
      cert: RECEIVER_CERTIFICATE,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
    });
    const { port } = await listen(t, server);
    const result = await openEgress(t, { resolver }).post(`https://receiver.test:${port}/`, ANY_POST);
    assert.equal(word(result), 'tls_error');
  });

  it('verifies even when the environment disables verification', async (t) => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
    const result = await postTls(t, { host: 'receiver.test', cert: RECEIVER_CERTIFICATE, trusted: false });
    assert.equal(word(result), 'tls_error');
  });

  it('answers tls_error for a port that speaks plain HTTP', async (t) => {
    const server = createServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    const { port } = await listen(t, server);
    assert.equal(word(await openEgress(t).post(`https://${RECEIVER}:${port}/`, ANY_POST)), 'tls_error');
  });

  it('answers reset for plain HTTP to a TLS port', async (t) => {
    const server = createTlsServer({ key: RECEIVER_KEY, cert: RECEIVER_CERTIFICATE });
    const { port } = await listen(t, server);
    assert.equal(word(await openEgress(t).post(`http://${RECEIVER}:${port}/`, ANY_POST)), 'reset');
  });
});
