import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import type { TestServer } from 'confab-testing/server.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';

let nodes: Nodes;
before(async () => {
  nodes = await startNodes();
});
after(() => nodes.close());

type Person = Awaited<ReturnType<typeof makeUser>>;

async function presenceOf(server: TestServer, { uid }: Person): Promise<string> {
  return (await server.call('GET', `/api/users/${uid}`)).body.presence;
}

/** Waits until both nodes show this presence of a user; returns what they show. */
async function shown(person: Person, presence: 'active' | 'away'): Promise<string[]> {
  return await poll(`${person.uid} to be ${presence}`, async () => {
    const each = [await presenceOf(nodes.a, person), await presenceOf(nodes.b, person)];
    return each.every((one) => one === presence) ? each : undefined;
  });
}

async function assertIs(presence: 'active' | 'away', person: Person): Promise<void> {
  assert.deepEqual(await shown(person, presence), [presence, presence]);
}

// Exactly the users with a connection to any node are active, as seen on every node.
describe('presence over nodes', () => {
  test('covers all connections, to any node', async () => {
    const ada = await makeUser(nodes.a);
    const [first, second] = [await connectLive(nodes.a, ada.token), await connectLive(nodes.b, ada.token)];
    await assertIs('active', ada);
    await first.stop();
    const rows = `select node_id from presence where user_id = ${ada.id}`;
    await poll('one node to have forgotten her', () =>
      readStore(nodes.folder, rows).length === 1 ? true : undefined,
    );
    await assertIs('active', ada);
    await second.stop();
    await assertIs('away', ada);
  });

  test('is sent completely to a listener at another node', async () => {
    const [ada, bob] = [await makeUser(nodes.a), await makeUser(nodes.a)];
    const listener = await connectLive(nodes.b, bob.token);
    await listener.subscribe('online');
    const live = await connectLive(nodes.a, ada.token);
    const seen = await listener.waitFor('online', (ids) => ids.includes(ada.id));
    assert.ok(seen.includes(bob.id), String(seen));
    const latecomer = await connectLive(nodes.b, bob.token);
    await latecomer.subscribe('online');
    await latecomer.waitFor('online', (ids) => ids.includes(ada.id) && ids.includes(bob.id));
    await live.stop();
    await poll('Bob to be told that she left', () =>
      listener.received.at(-1)?.[1].includes(ada.id) === false ? true : undefined,
    );
    await listener.stop();
    await latecomer.stop();
  });

  test('stays when another node starts and stops', async () => {
    const ada = await makeUser(nodes.a);
    const live = await connectLive(nodes.a, ada.token);
    await assertIs('active', ada);
    const third = await nodes.start();
    assert.equal(await presenceOf(third, ada), 'active');
    await third.close();
    assert.equal(await presenceOf(nodes.b, ada), 'active');
    await live.stop();
    await assertIs('away', ada);
  });

  test('ends when its node stops, and when it has died', async () => {
    const [ada, bob] = [await makeUser(nodes.a), await makeUser(nodes.a)];
    const third = await nodes.start();
    const live = await connectLive(third, ada.token);
    await assertIs('active', ada);
    await third.close();
    await assertIs('away', ada);
    await live.stop();
    // The row that a killed node leaves behind.
    writeStore(nodes.folder, `insert into nodes (id, until) values ('dead', ${Date.now() + 1000})`);
    writeStore(nodes.folder, `insert into presence (node_id, user_id) values ('dead', ${bob.id})`);
    writeStore(nodes.folder, `update users set is_active = 1 where id = ${bob.id}`);
    assert.equal(await presenceOf(nodes.a, bob), 'active');
    await assertIs('away', bob);
    assert.deepEqual(readStore(nodes.folder, `select id from nodes where id = 'dead'`), []);
  });

  test('comes back with a node that others considered dead', async () => {
    const [ada, bob] = [await makeUser(nodes.a), await makeUser(nodes.a)];
    const live = await connectLive(nodes.a, ada.token);
    await assertIs('active', ada);
    writeStore(nodes.folder, 'delete from nodes');
    writeStore(nodes.folder, 'update users set is_active = 0');
    // Another user connects in the meantime, which restores the first one as well.
    const other = await connectLive(nodes.a, bob.token);
    await assertIs('active', bob);
    await assertIs('active', ada);
    writeStore(nodes.folder, 'delete from nodes');
    writeStore(nodes.folder, 'update users set is_active = 0');
    await assertIs('active', ada);
    await live.stop();
    await other.stop();
  });
});

// Typing is also shown to users connected to other nodes, with the same access checks.
describe('typing over nodes', () => {
  test('is sent to users who may see the place', async () => {
    const [ada, bob, eve] = [await makeUser(nodes.a), await makeUser(nodes.a), await makeUser(nodes.a)];
    const chat = await makeApp(nodes.a, { type: 'chat' });
    for (const { uid } of [ada, bob]) await nodes.a.call('PUT', `/api/apps/${chat.id}/members/${uid}`);
    const lives = await Promise.all([ada, bob, eve].map(({ token }) => connectLive(nodes.b, token)));
    const [own, live, outsider] = lives;
    assert.ok(own !== undefined && live !== undefined && outsider !== undefined);
    const channels = [`a${chat.id}:typing`, `a${chat.id}:message_created`];
    for (const each of lives) await each.subscribe(...channels);
    await nodes.a.call('PUT', `/api/apps/${chat.id}/messages/typing`, undefined, { as: ada.token });
    const { actor, entity } = await live.waitFor(`a${chat.id}:typing`);
    assert.deepEqual([actor.id, entity], [ada.id, { id: chat.id, type: 'app' }]);
    await nodes.a.call('POST', `/api/apps/${chat.id}/messages`, { text: 'x' }, { as: ada.token });
    for (const each of [own, live]) await each.waitFor(`a${chat.id}:message_created`);
    assert.deepEqual(
      own.received.map(([name]) => name),
      [`a${chat.id}:message_created`],
    );
    assert.deepEqual(outsider.received, []);
    for (const each of lives) await each.stop();
  });
});
