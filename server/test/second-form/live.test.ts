import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { type Carrier, connectLive } from 'confab-testing/network/live.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

type Person = Awaited<ReturnType<typeof makeUser>>;

/** What a browser sends with SignalR. */
const signalR = (version: number) => ({
  'X-SignalR-User-Agent': `Microsoft SignalR/${version}.0 (${version}.0.0; Unknown OS; Browser; Unknown Runtime Version)`,
});

/** Connects as a page with this version of SignalR. */
const connectAs = async (person: Person, version: number, carrier: Carrier = 'WebSockets') =>
  await connectLive(server, person.token, {
    version: version === 7 ? '7' : '10',
    carrier,
    headers: signalR(version),
  });

const formIn = (event: any): string => ('name' in event.actor ? 'second' : 'first');

describe('live connections in two forms', () => {
  for (const carrier of ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)
    test(`share a channel over ${carrier}, each with its own`, async () => {
      const [ada, bob, eve] = [
        await makeUser(server, { name: 'Ada' }),
        await makeUser(server),
        await makeUser(server),
      ];
      const app = await makeApp(server, { type: 'chat', access: 'write' });
      await inSecondForm(bob).read('/api/user');
      const older = await connectAs(bob, 7, carrier);
      const newer = await connectAs(bob, 10, carrier);
      const other = await connectAs(eve, 10, carrier);
      const channel = `a${app.id}:message_created`;
      const lives = [older, newer, other];
      for (const live of lives) await live.subscribe(channel);
      const made = await ada.create(`/api/apps/${app.id}/messages`, {
        text: 'x',
        options: [{ text: 'Yes' }],
      });
      const [first, second, third] = await Promise.all(lives.map((live) => live.waitFor(channel)));
      assert.deepEqual(third, first);
      assert.deepEqual([first.message.options.length, 'created_by' in first.message], [1, false]);
      assert.deepEqual([formIn(first), first.actor.display_name], ['first', 'Ada']);
      const { message, actor } = second;
      assert.deepEqual(
        [actor.name, actor.is_agent, message.id, message.app, message.created_by.name],
        ['Ada', false, made.id, { id: app.id }, 'Ada'],
      );
      assert.deepEqual(
        [message.attachments, message.reactions, message.options.count, message.options.data[0].votes],
        [{ count: 0, data: [] }, { count: 0, data: [] }, 1, { count: 0, data: [] }],
      );
      await Promise.all(lives.map((live) => live.stop()));
    });

  test('have one name each for what was read', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const { id } = await ada.create('/api/conversations', { members: [bob.id] });
    const written = await ada.create(`/api/apps/${id}/messages`, { text: 'x' });
    await inSecondForm(ada).read('/api/user');
    const [older, newer] = [await connectAs(ada, 7), await connectAs(ada, 10)];
    const names = [`a${id}:app_marked`, `a${id}:conversation_marked`, 'app_marked', 'conversation_marked'];
    const last = `a${id}:message_created`;
    for (const live of [older, newer]) await live.subscribe(...names, last);
    await bob.call('PUT', `/api/conversations/${id}/mark?message_id=${written.id}`);
    await bob.create(`/api/apps/${id}/messages`, { text: 'the last' });
    for (const live of [older, newer]) await live.waitFor(last);
    const heard = (live: typeof older) => live.received.map(([name]) => name).filter((name) => name !== last);
    assert.deepEqual(heard(older), [names[1], names[3]]);
    assert.deepEqual(heard(newer), [names[0], names[2]]);
    const event = await newer.waitFor('app_marked');
    assert.deepEqual([event.action, event.actor.id, event.marked_id], ['app_marked', bob.id, written.id]);
    assert.equal(typeof event.marked_at, 'string');
    await Promise.all([older.stop(), newer.stop()]);
  });

  test('say who is typing by name', async () => {
    const [ada, bob] = [await makeUser(server, { name: 'Ada' }), await makeUser(server)];
    const app = await makeApp(server, { type: 'chat', access: 'write' });
    await inSecondForm(bob).read('/api/user');
    const live = await connectAs(bob, 8);
    await live.subscribe(`a${app.id}:typing`);
    assert.equal((await ada.call('PUT', `/api/apps/${app.id}/messages/typing`)).status < 300, true);
    const { actor, entity } = await live.waitFor(`a${app.id}:typing`);
    assert.deepEqual([actor.name, actor.is_agent, entity.id], ['Ada', false, app.id]);
    await live.stop();
  });

  test('follow their token when its first request comes later', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'write' });
    const live = await connectAs(bob, 10);
    const channel = `a${app.id}:comment_created`;
    await live.subscribe(channel);
    const write = async () => {
      const { id } = await ada.create(`/api/apps/${app.id}/comments`, { text: 'x' });
      return formIn(await live.waitFor(channel, ({ comment }) => comment.id === id));
    };
    assert.equal(await write(), 'first');
    await inSecondForm(bob).read('/api/user');
    assert.equal(await write(), 'second');
    await live.stop();
    const again = await connectAs(bob, 10);
    await again.subscribe(channel);
    const { id } = await ada.create(`/api/apps/${app.id}/comments`, { text: 'x' });
    assert.equal(formIn(await again.waitFor(channel, ({ comment }) => comment.id === id)), 'second');
    await again.stop();
  });

  test('have the second form after a restart as soon as they listen to a name of it', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const { id } = await ada.create('/api/conversations', { members: [bob.id] });
    const written = await ada.create(`/api/apps/${id}/messages`, { text: 'x' });
    await inSecondForm(ada).read('/api/user');
    await server.restart();
    const asBob = { as: bob.token };
    const [older, newer] = [await connectAs(ada, 7), await connectAs(ada, 10)];
    await older.subscribe('app_marked');
    await newer.subscribe(`a${id}:message_created`, `a${id}:app_marked`);
    await server.call('PUT', `/api/conversations/${id}/mark?message_id=${written.id}`, undefined, asBob);
    assert.equal((await newer.waitFor(`a${id}:app_marked`)).marked_id, written.id);
    await server.call('POST', `/api/apps/${id}/messages`, { text: 'y' }, asBob);
    assert.equal(formIn(await newer.waitFor(`a${id}:message_created`)), 'second');
    assert.deepEqual(older.received, []);
    await Promise.all([older.stop(), newer.stop()]);
  });

  test('get the first form without a negotiation, and what the negotiation asks for', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'write' });
    const channel = `a${app.id}:comment_created`;
    const source = (version: string) => ({ ...signalR(10), 'x-weavy-source': `@weavy/uikit-web@${version}` });
    const asked = await connectLive(server, bob.token, { headers: source('32.2.0') });
    await inSecondForm(bob).read('/api/user');
    const lives = [
      asked,
      await connectLive(server, bob.token, { headers: source('21.1.2') }),
      await connectLive(server, bob.token, { headers: signalR(10), skipsNegotiation: true }),
    ];
    for (const live of lives) await live.subscribe(channel);
    await ada.create(`/api/apps/${app.id}/comments`, { text: 'x' });
    const events = await Promise.all(lives.map((live) => live.waitFor(channel)));
    assert.deepEqual(events.map(formIn), ['second', 'first', 'first']);
    await Promise.all(lives.map((live) => live.stop()));
  });
});
