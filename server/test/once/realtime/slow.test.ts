import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { poll } from 'confab-testing/poll.ts';
import { useServer } from 'confab-testing/server.ts';

const lines: string[] = [];
const server = useServer({ CONFAB_LOG_LEVEL: 'warn' }, { logTo: { write: (line) => void lines.push(line) } });

const open: Socket[] = [];
after(() => {
  for (const socket of open) socket.destroy();
});

/** Sends a request and reads only the first bytes of the response. */
async function stall(request: readonly string[], after?: Buffer): Promise<void> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  open.push(socket);
  socket.on('error', (error: Error & { code?: string }) => assert.equal(error.code, 'ECONNRESET'));
  socket.write(`${request.join('\r\n')}\r\nHost: x\r\n\r\n`);
  const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  assert.match(String(first), /^HTTP\/1.1 (101|200) /);
  if (after !== undefined) socket.write(after);
  socket.pause();
}

/** A text frame of a client, masked with zeros. */
function frame(text: string): Buffer {
  const bytes = Buffer.from(text);
  assert.ok(bytes.length < 126);
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

// A client that does not read is cut once a limited amount is waiting for it, and other clients are not affected.
describe('a client that does not keep up', () => {
  test('is cut, and other clients get everything in time', async () => {
    const user = await makeUser(server);
    const app = await makeApp(server, { access: 'read' });
    const channel = `a${app.id}:comment_created`;
    const call = `{"type":1,"target":"Subscribe","arguments":["${channel}"]}\x1e`;
    const upgrade = [
      `GET /hubs/rtm?access_token=${user.token} HTTP/1.1`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    const greeting = Buffer.concat([frame('{"protocol":"json","version":1}\x1e'), frame(call)]);
    await stall(upgrade, greeting);
    await stall([`GET /api/events/stream?access_token=${user.token} HTTP/1.1`]);
    const live = await connectLive(server, user.token);
    await live.subscribe(channel);
    const text = 'x'.repeat(60_000);
    const made: number[] = [];
    const waits: number[] = [];
    for (let n = 0; n < 120; n += 1) {
      const begun = performance.now();
      const { id } = await makeComment(server, app.id, { text });
      made.push(id);
      await live.waitFor(channel, ({ comment }) => comment.id === id);
      waits.push(performance.now() - begun);
    }
    assert.deepEqual(
      live.received.map(([, { comment }]) => comment.id),
      made,
    );
    assert.ok(Math.max(...waits) < 10_000, `${Math.max(...waits)} ms`);
    const cuts = await poll('both to be cut', () => {
      const found = lines.filter((line) => line.includes('cannot keep up'));
      return found.length >= 2 ? found.map((line) => JSON.parse(line).msg).sort() : undefined;
    });
    assert.deepEqual(cuts, [
      'a live connection was cut because it cannot keep up',
      'an event stream was cut because its reader cannot keep up',
    ]);
    assert.equal(live.state.closed, false);
    await live.stop();
  });
});
