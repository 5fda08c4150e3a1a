import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { assertNothingUntil, connectLive, type SignalRVersion } from 'confab-testing/network/live.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

const versions: SignalRVersion[] = ['7', '10'];
const carriers = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;

// The real client library receives exactly the events it subscribed to, once and in order, over every transport.
describe('a SignalR client', () => {
  for (const version of versions)
    for (const carrier of carriers)
      test(`of version ${version} over ${carrier}`, async () => {
        const user = await makeUser(server);
        const app = await makeApp(server, { access: 'read' });
        const other = await makeApp(server, { access: 'read' });
        const live = await connectLive(server, user.token, { version, carrier });
        const [first, second] = [`a${app.id}:comment_created`, `a${other.id}:comment_created`];
        await live.subscribe(first, first, second);
        const made = [];
        for (const text of ['one', 'two 🎉', 'three'])
          made.push((await makeComment(server, app.id, { text })).id);
        await live.waitFor(first, (event) => event.comment.text === 'three');
        assert.deepEqual(
          live.received.map(([channel, event]) => [channel, event.comment.id, event.comment.parent.type]),
          made.map((id) => [first, id, 'app']),
        );
        await live.unsubscribe(first);
        await makeComment(server, app.id);
        await assertNothingUntil(live, async () => void (await makeComment(server, other.id)), second);
        await live.stop();
        assert.equal(live.state.closed, true);
        assert.equal(live.state.error, undefined);
      });

  test('that skips the negotiation gets its socket as well', async () => {
    const user = await makeUser(server);
    const app = await makeApp(server, { access: 'read' });
    const live = await connectLive(server, user.token, { skipsNegotiation: true });
    await live.subscribe(`a${app.id}:comment_created`);
    const { id } = await makeComment(server, app.id);
    assert.equal((await live.waitFor(`a${app.id}:comment_created`)).comment.id, id);
    await live.stop();
  });

  test('subscribes in any case and receives the name that it sent', async () => {
    const user = await makeUser(server);
    const app = await makeApp(server, { access: 'read' });
    const live = await connectLive(server, user.token);
    await live.subscribe(`A${app.id}:Comment_Created`);
    const { id } = await makeComment(server, app.id);
    assert.equal((await live.waitFor(`A${app.id}:Comment_Created`)).comment.id, id);
    await live.stop();
  });

  test('is refused without a token, with a key and with an invalid token', async () => {
    for (const token of ['', server.key, 'wyu_nothing'])
      await assert.rejects(connectLive(server, token), /Unauthorized|401/, token);
  });

  test('gets an error for a method that it cannot call', async () => {
    const user = await makeUser(server);
    const live = await connectLive(server, user.token);
    await assert.rejects(live.connection.invoke('Publish', 'x'), /No method has this name/);
    for (const values of [
      [],
      [5],
      [null],
      ['a0:x'],
      ['a1:'],
      ['b1:x'],
      ['x y'],
      ['a'.repeat(200)],
      ['a', 'b'],
    ])
      await assert.rejects(live.connection.invoke('Subscribe', ...values), /takes the name of a channel/);
    await live.subscribe('message_created');
    await live.stop();
  });
});
