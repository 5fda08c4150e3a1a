import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { type Carrier, connectLive } from 'confab-testing/network/live.ts';
import { exchange, requestBytes } from 'confab-testing/network/raw.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer({}, { limits: { livePerUserMax: 3 } });

function upgrade(token: string) {
  const headers = [
    `Authorization: Bearer ${token}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  return exchange(server.url, requestBytes({ method: 'GET', target: '/hubs/rtm', headers }));
}

// The live connections and event streams of a user share one limit, on every transport.
describe('a user with the most live connections', () => {
  for (const carrier of ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const satisfies Carrier[])
    test(`over ${carrier} gets no other until one is closed`, async () => {
      const { token } = await makeUser(server);
      const lives = [
        await connectLive(server, token, { carrier }),
        await connectLive(server, token, { carrier }),
      ];
      const events = await readEvents(server, { as: token });

      const refused = await server.call('POST', '/hubs/rtm/negotiate?negotiateVersion=1', undefined, {
        as: token,
      });
      assertProblem(refused, 429, 'too_many_connections');
      assert.equal(refused.headers.get('retry-after'), '60');
      assertProblem(
        await server.call('GET', '/api/events/stream', undefined, { as: token }),
        429,
        'too_many_connections',
      );
      const socket = await upgrade(token);
      assert.deepEqual([socket.status, socket.headers.get('retry-after')], [429, '60']);
      assert.equal(JSON.parse(socket.body).code, 'too_many_connections');

      const other = await connectLive(server, (await makeUser(server)).token, { carrier });
      await other.stop();
      await lives[0]?.stop();
      const next = await poll('room for another', () =>
        connectLive(server, token, { carrier }).catch(() => undefined),
      );
      for (const live of [next, lives[1]]) await live?.stop();
      await events.close();
    });

  test('that opens many at once gets no more', async () => {
    const { token } = await makeUser(server);
    const opened = await Promise.all(
      Array.from({ length: 10 }, () =>
        connectLive(server, token, { skipsNegotiation: true }).catch(() => undefined),
      ),
    );
    const lives = opened.filter((live) => live !== undefined);
    assert.equal(lives.length, 3);
    for (const live of lives) await live.stop();
  });
});
