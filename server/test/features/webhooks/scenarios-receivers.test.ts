import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { second, startDeliveryWorld, useDeliveryWorld } from 'confab-testing/delivery-world.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import {
  EXPIRED_CERTIFICATE,
  RECEIVER_CERTIFICATE,
  RECEIVER_KEY,
} from 'confab-testing/network/certificates.ts';
import { type RawReceiver, repeat, startRawReceiver } from 'confab-testing/network/raw-receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid } from 'confab-testing/server.ts';
import { type Attempt, attemptsOf, pauseOf, register, settled } from 'confab-testing/webhooks.ts';
import { ConnectFailure } from '../../../src/net/connector.ts';

const works = { status: 200 };
const fails = { status: 500 };
const ok = 'HTTP/1.1 200 OK\r\n';

/** The deadlines of these tests: the same phases as always, shorter. */
const deadlines = { totalMs: 600, connectMs: 400, headersMs: 5000 };

let raws: RawReceiver[] = [];
afterEach(async () => {
  for (const raw of raws) await raw.close();
  raws = [];
});
const world = useDeliveryWorld(
  { CONFAB_EGRESS_ALLOW: '127.0.0.0/8,receiver.test,other.test' },
  { deadlines, resolver: { resolve: () => Promise.resolve(['127.0.0.1']) } },
);

async function rawReceiver(...how: Parameters<typeof startRawReceiver>): Promise<RawReceiver> {
  const raw = await startRawReceiver(...how);
  raws.push(raw);
  return raw;
}

/** Sends one event to a URL and returns the first attempt when it is recorded. */
async function attemptTo(url: string): Promise<Attempt & { readonly webhookId: number }> {
  const { id } = await register(world.server, { payload_url: url, triggers: ['apps'] });
  await makeApp(world.server);
  const delivery = await poll('an attempt', async () => {
    const body = await world.server.read(`/api/webhooks/${id}/deliveries`);
    return body.data[0]?.status === 'pending' ? undefined : body.data[0];
  });
  const [attempt] = attemptsOf(world.server, delivery.id);
  assert.ok(attempt !== undefined);
  assert.equal(delivery.status, attempt.error === null ? 'delivered' : 'retrying');
  return { ...attempt, webhookId: id };
}

/** The same for a receiver that behaves like this with each request. */
async function attemptAt(behave: (socket: Socket, request: number) => void) {
  const raw = await rawReceiver(behave);
  return { raw, attempt: await attemptTo(`http://127.0.0.1:${raw.port}/`) };
}

async function closed(raw: RawReceiver): Promise<void> {
  await poll('the socket to be closed', () => (raw.sockets.every(({ closed: is }) => is) ? true : undefined));
}

// Whatever a receiver does, an attempt ends by its deadline with a word for what was wrong, and its socket is closed.
describe('a slow receiver', () => {
  const behaviours: readonly [title: string, behave: (socket: Socket) => void][] = [
    ['11: accepts, never answers', () => undefined],
    [
      '14: slow-loris headers',
      (socket) => {
        socket.write(ok);
        repeat(socket, 'x');
      },
    ],
    ['16: endless 1xx', (socket) => repeat(socket, 'HTTP/1.1 102 Processing\r\n\r\n')],
  ];
  for (const [title, behave] of behaviours)
    test(title, async () => {
      const { raw, attempt } = await attemptAt(behave);
      assert.equal(attempt.error, title.startsWith('14') ? attempt.error : 'timeout');
      assert.ok(['timeout', 'header_overflow', 'invalid_response'].includes(attempt.error ?? ''));
      assert.equal(attempt.status_code, null);
      if (attempt.error === 'timeout')
        assert.ok(
          attempt.duration_us >= 590_000 && attempt.duration_us < 2_000_000,
          String(attempt.duration_us),
        );
      await closed(raw);
      assert.equal(raw.requests(), 1);
    });

  test('15: slow-loris body', async () => {
    const path = `/${freshUid('slow')}`;
    world.receiver.answer(path, 'trickle');
    const attempt = await attemptTo(world.receiver.url + path);
    assert.equal(attempt.error, 'timeout');
    assert.ok(attempt.duration_us >= 590_000 && attempt.duration_us < 2_000_000, String(attempt.duration_us));
  });
});

// Of an answer only its beginning is read and kept, as bytes and packed as they came.
describe('a receiver that sends too much', () => {
  for (const [title, head] of [
    ['17: "10 GB" body with content-length', `${ok}content-length: 10000000000\r\n\r\n`],
    ['17: "10 GB" body without content-length', `${ok}\r\n`],
  ] as const)
    test(title, async () => {
      const bytes = Buffer.alloc(64 * 1024, 'x');
      const raw = await rawReceiver((socket) => {
        socket.write(head);
        repeat(socket, bytes);
      });
      const attempts = await Promise.all(
        Array.from({ length: 5 }, () => attemptTo(`http://127.0.0.1:${raw.port}/${freshUid('big')}`)),
      );
      for (const attempt of attempts) {
        assert.equal(attempt.error, null);
        assert.equal(attempt.response_body?.length, 16 * 1024);
        assert.equal(attempt.is_truncated, 1);
      }
      await closed(raw);
      // What is not kept is not read either, beyond what was under way.
      for (const { bytesWritten } of raw.sockets)
        assert.ok(bytesWritten < 16 * 1024 * 1024, String(bytesWritten));
    });

  test('18: gzip bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const path = `/${freshUid('bomb')}`;
    world.receiver.answer(path, { status: 200, headers: { 'content-encoding': 'gzip' }, body: bomb });
    const attempt = await attemptTo(world.receiver.url + path);
    assert.deepEqual(Buffer.from(attempt.response_body ?? []), bomb.subarray(0, 16 * 1024));
    assert.equal(attempt.is_truncated, 1);
  });

  test('19: 100 KB header', async () => {
    const { attempt } = await attemptAt((socket) =>
      socket.end(`${ok}x-a: ${'a'.repeat(100_000)}\r\ncontent-length: 0\r\n\r\n`),
    );
    assert.equal(attempt.error, 'header_overflow');
  });
});

// What is no answer has a word of its own, and the next attempt goes out as if nothing had been.
describe('a receiver that breaks off', () => {
  const cut = (text: string) => (socket: Socket) => void socket.write(text, () => socket.resetAndDestroy());
  const behaviours: readonly [title: string, error: string, behave: (socket: Socket) => void][] = [
    ['20: non-HTTP bytes', 'invalid_response', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['20: empty reply', 'reset', (socket) => socket.end()],
    ['20: truncated body', 'reset', (socket) => socket.end(`${ok}content-length: 10\r\n\r\nab`)],
    ['21: RST without an answer', 'reset', (socket) => socket.resetAndDestroy()],
    ['21: RST after headers', 'reset', cut(`${ok}content-length: 10\r\n\r\n`)],
    ['21: RST mid-body', 'reset', cut(`${ok}content-length: 10\r\n\r\nab`)],
  ];
  for (const [title, error, behave] of behaviours)
    test(title, async () => {
      const { raw, attempt } = await attemptAt((socket, request) =>
        request === 1 ? behave(socket) : socket.end(`${ok}content-length: 0\r\n\r\n`),
      );
      assert.equal(attempt.error, error);
      assert.equal(attempt.status_code, null);
      await world.pass(6 * second);
      await settled(world.server, attempt.webhookId, 'delivered', 2);
      assert.equal(raw.requests(), 2);
    });

  test('20: invalid UTF-8 and NUL in the body', async () => {
    const bytes = Buffer.from([0, 0xff, 0xfe, 0x80, 0, 0x41]);
    const path = `/${freshUid('bytes')}`;
    world.receiver.answer(path, { status: 500, body: bytes });
    const attempt = await attemptTo(world.receiver.url + path);
    assert.equal(attempt.error, 'http_500');
    assert.deepEqual(Buffer.from(attempt.response_body ?? []), bytes);
  });

  test('22: refused', async () => {
    const raw = await startRawReceiver(() => undefined);
    await raw.close();
    const attempt = await attemptTo(`http://127.0.0.1:${raw.port}/`);
    assert.equal(attempt.error, 'connect_refused');
  });
});

// TLS verifies the certificate against the name; its failure is a failure of the attempt, with one error code.
describe('a receiver behind TLS', () => {
  const certificates = [
    { title: '24: TLS: self-signed', host: 'receiver.test', cert: RECEIVER_CERTIFICATE, isTrusted: false },
    { title: '24: TLS: expired', host: 'receiver.test', cert: EXPIRED_CERTIFICATE, isTrusted: true },
    { title: '24: TLS: wrong host', host: 'other.test', cert: RECEIVER_CERTIFICATE, isTrusted: true },
  ];
  for (const { title, host, cert, isTrusted } of certificates)
    test(title, async (t) => {
      const usual = getCACertificates('default');
      if (isTrusted) setDefaultCACertificates([...usual, cert]);
      t.after(() => setDefaultCACertificates(usual));
      const raw = await rawReceiver(() => undefined, createHttpsServer({ key: RECEIVER_KEY, cert }));
      const attempt = await attemptTo(`https://${host}:${raw.port}/`);
      assert.equal(attempt.error, 'tls_error');
    });

  test('24: TLS: plain HTTP on a TLS port', async () => {
    const raw = await rawReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const attempt = await attemptTo(`https://127.0.0.1:${raw.port}/`);
    assert.equal(attempt.error, 'tls_error');
  });

  test('24: TLS: handshake hang', async () => {
    const raw = await rawReceiver(() => undefined, createServer());
    const attempt = await attemptTo(`https://127.0.0.1:${raw.port}/`);
    assert.ok(['timeout', 'connect_timeout'].includes(attempt.error ?? ''), String(attempt.error));
  });
});

// A redirect is a failed response like any other and is never followed.
describe('a receiver that redirects', () => {
  for (const status of [301, 302, 307, 308])
    test(`25: ${status} to another loopback canary`, async () => {
      const { server, receiver } = world;
      const canary = await rawReceiver(() => undefined);
      const location = `http://127.0.0.1:${canary.port}/`;
      const { id, path } = await world.hook([{ status, headers: { location } }, works]);
      await makeApp(server);
      const delivery = await settled(server, id, 'retrying');
      assert.equal(delivery.status_code, status);
      const [attempt] = attemptsOf(server, delivery.id);
      assert.equal(attempt?.error, 'redirect');
      assert.equal(JSON.parse(attempt?.response_headers ?? '{}').location, location);
      await world.pass(6 * second);
      await settled(server, id, 'delivered');
      assert.equal(receiver.ledger(path).length, 2);
      assert.deepEqual(canary.sockets, []);
    });
});

// A failure is followed by another attempt on schedule, and the receiver's requested pause is respected.
describe('a receiver that fails at first', () => {
  test('12: 500 then 200', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([fails, works], { secret: 'a secret' });
    await makeApp(server);
    await settled(server, id, 'retrying', 1);
    const pause = pauseOf(server, id);
    assert.ok(pause >= 5 * second - 5 && pause < 6 * second + 50, String(pause));
    await world.pass(3 * second);
    await world.assertSilence(path);
    await world.pass(4 * second);
    const delivery = await settled(server, id, 'delivered', 2);
    const [one, other, ...more] = receiver.ledger(path);
    assert.deepEqual(more, []);
    assert.deepEqual(other?.body, one?.body);
    assert.equal(other?.headers['webhook-id'], one?.headers['webhook-id']);
    assert.deepEqual([one?.headers['x-weavy-attempt'], other?.headers['x-weavy-attempt']], ['1', '2']);
    assert.deepEqual(
      attemptsOf(server, delivery.id).map(({ number, status_code, error }) => [number, status_code, error]),
      [
        [1, 500, 'http_500'],
        [2, 200, null],
      ],
    );
  });

  test('29: answers before it has read the request, and closes keep-alive sockets early', async () => {
    const raw = await rawReceiver((socket) => {
      // The response promises to keep the socket open, but the receiver closes it.
      socket.end(`${ok}connection: keep-alive\r\ncontent-length: 0\r\n\r\n`);
    });
    const { id } = await register(world.server, {
      payload_url: `http://127.0.0.1:${raw.port}/`,
      triggers: ['apps'],
    });
    for (let index = 0; index < 10; index += 1) await makeApp(world.server);
    await poll('all to be delivered', async () => {
      await world.pass(6 * second);
      const body = await world.server.read(`/api/webhooks/${id}/deliveries?status=delivered`);
      return body.count === 10 ? true : undefined;
    });
    // One that met a socket that was being closed was sent once more, and no other.
    assert.ok(raw.requests() >= 10 && raw.requests() <= 14, String(raw.requests()));
  });

  test('30: calls our API from inside its handler, creating comments', async () => {
    const { server, receiver } = world;
    const app = await makeApp(server, { access: 'write' });
    const { path } = await world.hook([], { triggers: ['comments'] });
    let under = 0;
    let most = 0;
    receiver.decide(path, () => {
      under += 1;
      most = Math.max(most, under);
      const made = server.call('POST', `/api/apps/${app.id}/comments`, { text: 'again' }).finally(() => {
        under -= 1;
      });
      return { status: 200, after: receiver.ledger(path).length < 60 ? made : Promise.resolve() };
    });
    await server.call('POST', `/api/apps/${app.id}/comments`, { text: 'first' });
    await receiver.received(path, 60);
    receiver.decide(path, () => works);
    assert.ok(most <= 4, String(most));
    // The server is alive all the while.
    assert.equal((await server.call('GET', '/api/webhooks')).status, 200);
    await poll('the queue to be empty', async () => {
      const body = await server.read('/api/webhooks');
      const waiting = await server.read(`/api/webhooks/${body.data[0].id}/deliveries?status=pending`);
      return waiting.count === 0 ? true : undefined;
    });
  });
});

// A socket that cannot be opened ends by the deadline of its own phase.
describe('a receiver that cannot be reached', () => {
  test('23: connect black hole', async () => {
    const dialled: string[] = [];
    const other = await startDeliveryWorld(
      {},
      {
        deadlines: { connectMs: 200 },
        // No packet comes back from there, not even a refusal.
        dial: async (target, { timeoutMs }) => {
          dialled.push(String(target.hostname));
          await once(AbortSignal.timeout(timeoutMs), 'abort');
          throw new ConnectFailure('connect_timeout');
        },
      },
    );
    try {
      const { id } = await other.hook([]);
      await makeApp(other.server);
      const delivery = await settled(other.server, id, 'retrying');
      const [attempt] = attemptsOf(other.server, delivery.id);
      assert.equal(attempt?.error, 'connect_timeout');
      assert.deepEqual(dialled, ['127.0.0.1']);
      await other.endScenario();
    } finally {
      await other.close();
    }
  });

  test('26: redirect to 169.254.169.254', async () => {
    const { server, receiver } = world;
    const { id, path } = await world.hook([
      { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } },
      works,
    ]);
    await makeApp(server);
    const delivery = await settled(server, id, 'retrying');
    const [attempt] = attemptsOf(server, delivery.id);
    assert.equal(attempt?.error, 'redirect');
    await world.pass(6 * second);
    await settled(server, id, 'delivered');
    assert.equal(receiver.ledger(path).length, 2);
  });
});
