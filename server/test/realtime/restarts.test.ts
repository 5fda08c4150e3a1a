import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { connectLive, type SignalRVersion } from 'confab-testing/network/live.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer } from 'confab-testing/server.ts';

const versions: SignalRVersion[] = ['7', '10'];
const carriers = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;

// A client that reconnects after a restart has every event exactly once and in order: those it received,
// and those it then reads from the feed.
describe('a restart of the server', () => {
  for (const version of versions)
    for (const carrier of carriers)
      test(`loses and repeats nothing for a client of version ${version} over ${carrier}`, async () => {
        const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
        const settings = { CONFAB_PORT: String(await freePort()) };
        const first = await startTestServer(settings, { folder });
        const user = await makeUser(first);
        const app = await makeApp(first, { access: 'read' });
        const path = `/api/apps/${app.id}/comments`;
        const channel = `a${app.id}:comment_created`;
        const retries = Array.from({ length: 200 }, () => 50);
        const live = await connectLive(first, user.token, { version, carrier, retries });
        await live.subscribe(channel);
        const made: number[] = [];
        for (let n = 0; n < 5; n += 1) made.push((await makeComment(first, app.id)).id);
        await live.waitFor(channel, ({ comment }) => comment.id === made.at(-1));
        const known = Math.max(...live.ids(channel));
        const begun = performance.now();
        await first.close();
        assert.ok(performance.now() - begun < 20_000, 'the stop waited for a connection');

        // Written while the client is disconnected, so it does not receive them.
        const second = await startTestServer(settings, { folder });
        for (let n = 0; n < 5; n += 1) made.push((await makeComment(second, app.id)).id);
        await poll('the client to be back', () => (live.state.reconnects > 0 ? true : undefined));
        await live.connection.invoke('Subscribe', channel);
        for (let n = 0; n < 5; n += 1) made.push((await makeComment(second, app.id)).id);
        await live.waitFor(channel, ({ comment }) => comment.id === made.at(-1));

        const events = new Map(live.received.map(([, event]) => [event.id, event]));
        assert.equal(events.size, live.received.length, 'an event was told twice');
        for (let after = known, more = true; more; ) {
          const { body } = await second.call('GET', `/api/events?after=${after}&top=3`, undefined, {
            as: user.token,
          });
          for (const event of body.data) if (event.action === 'comment_created') events.set(event.id, event);
          after = body.next;
          more = body.has_more;
        }
        const ids = [...events.keys()].sort((a, b) => a - b);
        assert.deepEqual(
          ids.map((id) => events.get(id).comment.id),
          made,
        );
        const { body: list } = await second.call('GET', `${path}?top=100`);
        assert.deepEqual(
          list.data.map(({ id }: { id: number }) => id),
          made,
        );
        await live.stop();
        await second.close();
        rmSync(folder, { recursive: true });
      });
});

// Open connections of any kind do not delay a stop of the server.
describe('a stop', () => {
  test('ends every connection within two seconds and asks clients to reconnect', async () => {
    const server = await startTestServer();
    const user = await makeUser(server);
    const lives = [];
    for (const carrier of carriers) lives.push(await connectLive(server, user.token, { carrier }));
    const stream = await fetch(`${server.url}/api/events/stream`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    const unused = await fetch(`${server.url}/version`);
    await unused.text();
    const begun = performance.now();
    await server.close();
    assert.ok(performance.now() - begun < 20_000);
    assert.match(await stream.text(), /^id: \d+\n\n/);
    for (const live of lives)
      assert.equal(await poll('the end', () => (live.state.closed ? true : undefined)), true);
  });

  test('does not wait for sockets of inactive clients', async () => {
    const server = await startTestServer();
    const { token } = await makeUser(server);
    const upgrade = (credential: string) =>
      [
        `GET /hubs/rtm?access_token=${credential} HTTP/1.1`,
        'Host: x',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        '\r\n',
      ].join('\r\n');
    const sockets: Socket[] = [];
    // Each connection stays half open: the server closes its side and the client does not.
    for (const [text, answer] of [
      [upgrade(token), '101'],
      [upgrade('wyu_none'), '401'],
      ['', ''],
    ] as const) {
      const socket = connect({
        port: Number(new URL(server.url).port),
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      socket.on('error', (error: Error & { code?: string }) => assert.equal(error.code, 'ECONNRESET'));
      sockets.push(socket);
      await once(socket, 'connect');
      if (text === '') continue;
      socket.write(text);
      const [bytes] = await once(socket, 'data');
      assert.match(String(bytes), new RegExp(`^HTTP/1.1 ${answer} `));
    }
    const begun = performance.now();
    await server.close();
    assert.ok(performance.now() - begun < 20_000, `${performance.now() - begun} ms`);
    for (const socket of sockets) socket.destroy();
  });
});
