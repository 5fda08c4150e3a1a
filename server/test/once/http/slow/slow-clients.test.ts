import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { requestBytes } from 'confab-testing/network/raw.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { upload } from 'confab-testing/uploads.ts';

const limits = {
  headersMs: 200,
  requestMs: 2000,
  checkMs: 50,
  unreadMs: 500,
  refusedMs: 200,
  stalledMs: 200,
  waitingPerAddressMax: 40,
  unreadUserBytesMax: 20_000_000,
  unreadBytesMax: 30_000_000,
};

let server: TestServer;
const lines: string[] = [];
let user: { token: string };
let auth = '';
const page = '/api/apps/large/comments?top=100';
const sockets: Socket[] = [];

before(async () => {
  const logTo = { write: (line: string) => void lines.push(line) };
  server = await startTestServer({ CONFAB_LOG_LEVEL: 'info' }, { limits, logTo });
  user = await makeUser(server);
  auth = `Authorization: Bearer ${user.token}`;
  await makeApp(server, { uid: 'large', access: 'write' });
  for (let n = 0; n < 20; n += 1) await makeComment(server, 'large', { text: 'a'.repeat(60_000) });
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** A client that never closes its connection, and reads only when the test calls for it. */
function open(bytes: string | Buffer = '', { port } = new URL(server.url)): Socket {
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  // The server has cut the connection, so what this side still sends resets it.
  socket.on('error', (error: Error & { code?: string }) =>
    assert.match(String(error.code), /ECONNRESET|EPIPE/),
  );
  socket.pause();
  socket.write(bytes);
  return socket;
}

/** Sends a byte now and then until the server has closed the connection in both directions. */
async function drip(socket: Socket): Promise<void> {
  await poll('a connection to be cut', () => {
    if (!socket.destroyed) socket.write('a');
    return socket.destroyed ? true : undefined;
  });
}

/** Uploads more bytes than the system buffers; returns the path of the download. */
async function largeFile(where: TestServer): Promise<string> {
  const app = await makeApp(where, { type: 'files' });
  const { id } = await upload(where, { bytes: new Uint8Array(20_000_000), name: 'large.bin' });
  const { body } = await where.call('POST', `/api/apps/${app.id}/files`, { blob_id: id });
  return body.download_url.slice(where.url.length);
}

function cuts(why: string): number {
  return lines.filter((line) => line.includes('a connection was cut') && line.includes(why)).length;
}

/** Pipelined requests for a page of 3.6 MB; five responses are more than the system buffers. */
function pages(count: number, credential = auth): Buffer {
  const one = requestBytes({ method: 'GET', target: page, headers: [credential] });
  return Buffer.concat(Array.from({ length: count }, () => one));
}

// Time limits close the whole connection, whatever its client does, so no anonymous client can hold one for long.
describe('a client that never hangs up', () => {
  for (const [name, bytes] of [
    ['sends nothing', ''],
    ['sends half of its headers', 'GET /api/apps HTTP/1.1\r\nHost: x\r\nX-Half: '],
    ['sends half of a body', 'POST /api/apps HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{'],
    ['sends what is no HTTP', 'EHLO confab.test\r\n\r\n'],
    [
      'asks for a WebSocket without a credential',
      'GET /hubs/rtm HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
  ] as const) {
    test(`and ${name} is cut, whether it keeps sending or not`, async () => {
      const [silent, dripping] = [open(bytes), open(bytes)];
      silent.resume();
      dripping.resume();
      await drip(dripping);
      if (!silent.readableEnded) await new Promise((resolve) => silent.once('end', resolve));
      await drip(silent);
      assert.deepEqual([silent.destroyed, dripping.destroyed], [true, true]);
    });
  }

  for (const [name, late] of [
    ['headers', 0],
    ['body', 5],
  ] as const)
    test(`is not served by the rest of its ${name} after it was refused`, async () => {
      const body = JSON.stringify({ uid: `late-${name}`, type: 'comments' });
      const begin = `POST /api/apps HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
      const end = `Authorization: Bearer ${server.key}\r\n\r\n${body}`;
      const sent = late === 0 ? 0 : end.length - late;
      const socket = open(begin + end.slice(0, sent));
      let answer = '';
      socket.on('data', (data) => {
        answer += data;
      });
      socket.resume();
      await poll('the refusal', () => (answer.includes('HTTP/1.1 408') ? true : undefined));
      socket.write(end.slice(sent));
      await drip(socket);
      assert.equal((await server.call('GET', `/api/apps/late-${name}`)).status, 404);
    });
});

// A response may take as long as its client keeps reading; it is dropped when the client stops.
describe('an answer', () => {
  for (const [kind, request] of [
    ['of pages', async () => pages(5)],
    ['of a file', async () => requestBytes({ method: 'GET', target: await largeFile(server) })],
  ] as const)
    test(`${kind} that is never read is dropped`, async () => {
      const before = cuts('does not read');
      const socket = open(await request());
      await poll('the cut', () => (cuts('does not read') > before ? true : undefined));
      await drip(socket);
      assert.ok(socket.destroyed);
    });

  test('arrives completely at a slow client', async () => {
    const socket = open(requestBytes({ method: 'GET', target: await largeFile(server) }));
    const begun = performance.now();
    let received = 0;
    socket.on('data', ({ length }: Buffer) => {
      received += length;
      socket.pause();
    });
    await poll('all of it', () => {
      socket.resume();
      return received > 20_000_000 ? true : undefined;
    });
    assert.ok(performance.now() - begun > limits.unreadMs, 'it was not slow');
  });

  test('counts against its user, whose longest waiting connection is cut', async () => {
    const begun = cuts('the user leaves too much unread');
    open(pages(8));
    await poll('the cut', () => (cuts('the user leaves too much unread') > begun ? true : undefined));
    assert.equal((await server.call('GET', page, undefined, { as: user.token })).status, 200);
  });

  test('counts towards the total, and the caller with the most unread bytes is cut', async () => {
    const begun = cuts('all clients together');
    for (let n = 0; n < 6; n += 1) {
      const { token } = await makeUser(server);
      open(pages(5, `Authorization: Bearer ${token}`));
    }
    await poll('the cut', () => (cuts('all clients together') > begun ? true : undefined));
    assert.equal((await server.call('GET', page, undefined, { as: user.token })).status, 200);
  });
});

// Idle connections give way to newer ones from the same address, so that no client is locked out.
describe('too many waiting connections', () => {
  test('cut the longest waiting ones, and no stream of events', async () => {
    const events = await readEvents(server, { as: user.token });
    const begun = cuts('too many connections of one address');
    for (let n = 0; n < 2 * limits.waitingPerAddressMax; n += 1) open();
    await poll('the cuts', () =>
      cuts('too many connections of one address') - begun >= limits.waitingPerAddressMax ? true : undefined,
    );
    assert.equal((await server.call('GET', '/api/user', undefined, { as: user.token })).status, 200);
    const { id } = await makeComment(server, 'large', { text: 'x' });
    await events.waitFor(({ comment }) => comment?.id === id);
    await events.close();
  });
});

// A stop waits for requests in progress, but not for clients that are slow to send or read.
describe('a stop', () => {
  test('answers complete requests and cuts incomplete ones', async (t) => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    let isGated = false;
    const stopping = await startTestServer(
      { CONFAB_LOG_LEVEL: 'info' },
      {
        limits: { ...limits, requestMs: 60_000, headersMs: 60_000, unreadMs: 60_000 },
        logTo: { write: (line: string) => void lines.push(line) },
        wrapDb: (db) =>
          Object.assign(Object.create(db), {
            write: async (...asked: Parameters<typeof db.write>) => {
              if (isGated) {
                arrived.resolve();
                await gate.promise;
              }
              return await db.write(...asked);
            },
          }),
      },
    );
    t.after(async () => {
      for (const socket of sockets) socket.destroy();
      gate.resolve();
      await stopping.close();
    });
    const head = (target: string, type: string) =>
      `POST ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stopping.key}\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n`;
    await makeApp(stopping, { uid: 'kept' });
    const target = await largeFile(stopping);
    lines.length = 0;
    for (const bytes of [
      'GET /api/apps HTTP/1.1\r\nHost: x\r\nX-Half: ',
      `${head('/api/apps', 'application/json')}{"uid":"half"`,
      `${head('/api/blobs', 'multipart/form-data; boundary=b')}--b\r\nContent-Disposition: form-data; name="blob"; filename="a"\r\n\r\nhalf`,
    ])
      open(bytes, new URL(stopping.url));
    const unread = open(requestBytes({ method: 'GET', target }), new URL(stopping.url));
    unread.once('data', () => unread.pause());
    unread.resume();
    await new Promise((resolve) => unread.once('data', resolve));
    isGated = true;
    const answer = stopping.call('PATCH', '/api/apps/kept', { name: 'arrived' });
    await arrived.promise;
    let isClosed = false;
    const closing = stopping.close().then(() => {
      isClosed = true;
    });
    await poll('the cuts', () => (cuts('the client does not') >= 3 ? true : undefined));
    assert.equal(isClosed, false);
    gate.resolve();
    const { status, body } = await answer;
    assert.deepEqual([status, body.name], [200, 'arrived']);
    await poll('the end', () => isClosed || undefined);
    await closing;
  });
});
