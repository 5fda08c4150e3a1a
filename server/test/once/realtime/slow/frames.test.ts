import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { exchange } from 'confab-testing/network/raw.ts';
import { poll } from 'confab-testing/poll.ts';
import { use, useServer } from 'confab-testing/server.ts';
import { WebSocket } from 'ws';

const server = useServer();
const token = use(() => makeUser(server));
const app = use(() => makeApp(server, { access: 'read' }));

const end = '\x1e';
const hello = `{"protocol":"json","version":1}${end}`;

/** The frames received on a bare socket, and how it closed. */
type Talk = { readonly socket: WebSocket; readonly texts: string[]; readonly closed: Promise<number> };

async function open(): Promise<Talk> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/hubs/rtm?access_token=${token.token}`);
  const texts: string[] = [];
  socket.on('message', (data) => void texts.push(String(data)));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { socket, texts, closed };
}

/** Fails unless the server still serves a well-behaved client. */
async function assertServes(): Promise<void> {
  const live = await connectLive(server, token.token);
  await live.subscribe(`a${app.id}:comment_created`);
  const { id } = await makeComment(server, app.id);
  // The event of an earlier comment may arrive only now.
  await live.waitFor(`a${app.id}:comment_created`, ({ comment }) => comment.id === id);
  await live.stop();
}

const record = (value: unknown) => `${JSON.stringify(value)}${end}`;
const many = (count: number) => record({ type: 6 }).repeat(count);

const beforeHandshake: { [name: string]: string } = {
  nothing: end,
  'no JSON': `hello${end}`,
  'half a record': '{"protocol":"json"',
  'another protocol': record({ protocol: 'messagepack', version: 1 }),
  'another version': record({ protocol: 'json', version: 2 }),
  'an array': `[]${end}`,
  'a call without a handshake': record({ type: 1, target: 'Subscribe', arguments: ['message_created'] }),
  'NUL bytes': '\0\0\0',
};
const afterHandshake: { [name: string]: string } = {
  'no JSON': `{"type":1,${end}`,
  'no end': '{"type":6}',
  'an array': `[1]${end}`,
  'no type': record({}),
  'a type of the wrong kind': record({ type: 'x' }),
  'a call of nothing': record({ type: 1 }),
  'arguments that are no array': record({ type: 1, target: 'Subscribe', arguments: {} }),
  'an id of the wrong kind': record({ type: 1, target: 'Subscribe', arguments: ['x'], invocationId: 5 }),
  'too many records': many(1001),
  'a deep array': `${'['.repeat(60_000)}${end}`,
  null: `null${end}`,
};

// A violation of the protocol closes its connection with a reason, and affects nothing else.
describe('a client that breaks the protocol', () => {
  for (const [name, text] of Object.entries(beforeHandshake))
    test(`with ${name} as its handshake receives the reason`, async () => {
      const { socket, texts, closed } = await open();
      socket.send(text);
      assert.equal(await closed, 1000);
      assert.equal(texts.length, 1);
      assert.match(JSON.parse(texts[0]?.slice(0, -1) ?? '').error, /\.$/);
    });

  for (const [name, text] of Object.entries(afterHandshake))
    test(`with ${name} is told why`, async () => {
      const { socket, texts, closed } = await open();
      socket.send(hello);
      socket.send(text);
      assert.equal(await closed, 1000);
      const last = JSON.parse(texts.join('').split(end).at(-2) ?? '');
      assert.equal(last.type, 7);
      assert.match(last.error, /\.$/);
    });

  test('by sending bytes receives an error', async () => {
    const { socket, texts, closed } = await open();
    socket.send(hello);
    socket.send(Buffer.from(hello), { binary: true });
    assert.equal(await closed, 1000);
    assert.match(texts.join(''), /Only text is spoken here/);
  });

  test('with a giant piece is cut off with the code for it', async () => {
    const { socket, closed } = await open();
    socket.send(hello);
    socket.send('x'.repeat(1024 * 1024));
    assert.equal(await closed, 1009);
  });

  test('with a frame that is no WebSocket is cut off', async () => {
    const { socket, closed } = await open();
    // Written to the socket below the library: all reserved bits are set.
    (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(
      Buffer.from([0xff, 0x00]),
    );
    assert.equal(await closed, 1002);
  });

  test('gets an error for a call of an unknown method, and stays connected', async () => {
    const { socket, texts, closed } = await open();
    socket.send(hello);
    socket.send(record({ type: 1, target: '__proto__', arguments: [], invocationId: '1' }));
    socket.send(record({ type: 4, target: 'Stream', arguments: [], invocationId: '2' }));
    socket.send(record({ type: 99 }) + record({ type: 3, invocationId: 'x' }) + record({ type: 6 }));
    socket.send(record({ type: 1, target: 'SUBSCRIBE', arguments: ['message_created'], invocationId: '3' }));
    await poll('three answers', () => (texts.join('').split(end).length > 4 ? true : undefined));
    const answers = texts
      .join('')
      .split(end)
      .slice(1, -1)
      .map((text) => JSON.parse(text));
    assert.deepEqual(
      answers.map(({ type, invocationId, error }) => [type, invocationId, error === undefined]),
      [
        [3, '1', false],
        [3, '2', false],
        [3, '3', true],
      ],
    );
    socket.send(record({ type: 7 }));
    assert.equal(await closed, 1000);
  });

  test('by leaving at any moment harms no other client', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { socket } = await open();
      if (n % 2 === 0) socket.send(hello);
      if (n % 3 === 0)
        socket.send(record({ type: 1, target: 'Subscribe', arguments: [`a${app.id}:comment_created`] }));
      socket.terminate();
    }
    await assertServes();
  });

  test('by leaving a stream or a poll with pending data harms no other client', async () => {
    const headers = { authorization: `Bearer ${token.token}` };
    for (let n = 0; n < 20; n += 1) {
      const { body } = await server.call('POST', '/hubs/rtm/negotiate', undefined, { as: token.token });
      const stopping = new AbortController();
      const path = n % 2 === 0 ? `/hubs/rtm?id=${body.connectionId}` : '/api/events/stream?after=0';
      const accept = n % 4 === 0 ? 'text/event-stream' : '*/*';
      const options = { headers: { ...headers, accept }, signal: stopping.signal };
      const opened = await fetch(server.url + path, options);
      assert.equal(opened.status, 200);
      // A second poll is waiting, and is abandoned.
      const waiting = n % 4 === 2 ? fetch(server.url + path, options) : Promise.reject(new Error('none'));
      const made = makeComment(server, app.id, { text: 'x'.repeat(20_000) });
      stopping.abort();
      await Promise.allSettled([waiting, opened.text(), made]);
    }
    await assertServes();
  });
});

// A refused request for a WebSocket gets an HTTP response.
describe('a refused socket', () => {
  function upgrade(path: string, headers: readonly string[]): Buffer {
    const lines = [
      `GET ${path} HTTP/1.1`,
      `Host: ${new URL(server.url).host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  }

  test('gets the reason in a problem', async () => {
    const rows: [string, string[], number][] = [
      ['/hubs/rtm', [], 401],
      ['/hubs/rtm?access_token=wyu_x', [], 401],
      [`/hubs/rtm?access_token=${server.key}`, [], 401],
      ['/hubs/rtm', [`Authorization: Bearer ${server.key}`], 401],
      [`/hubs/rtm?access_token=${token.token}&id=unknown`, [], 404],
      [`/hubs/rtm?access_token=${token.token}`, ['Host: two'], 400],
    ];
    for (const [path, headers, status] of rows) {
      const answer = await exchange(server.url, upgrade(path, headers));
      assert.equal(answer.status, status, path);
      assert.equal(JSON.parse(answer.body).status, status);
    }
  });

  test('uses its negotiation once, and only by its user', async () => {
    const other = (await makeUser(server)).token;
    const { body } = await server.call('POST', '/hubs/rtm/negotiate?negotiateVersion=1', undefined, {
      as: token.token,
    });
    const statusOf = async (as: string) =>
      (await exchange(server.url, upgrade(`/hubs/rtm?id=${body.connectionToken}&access_token=${as}`, [])))
        .status;
    assert.equal(await statusOf(other), 404);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(upgrade(`/hubs/rtm?id=${body.connectionToken}&access_token=${token.token}`, []));
    const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    assert.match(String(answer), /^HTTP\/1.1 101 /);
    assert.equal(await statusOf(token.token), 404);
    socket.destroy();
    await assertServes();
  });
});
