import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Conversation } from 'confab-contract/conversations.ts';
import { talk } from 'confab-testing/conversations.ts';
import { makeUser, type Person } from 'confab-testing/fixtures.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { watchStore } from 'confab-testing/stores/store-watch.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });

async function person(name: string, fields: object = {}): Promise<Person> {
  return await makeUser(server, { name, ...fields });
}

async function chatFor(...people: Person[]): Promise<{ id: number }> {
  const { body } = await server.call('POST', '/api/apps', { uid: freshUid('chat'), type: 'chat' });
  for (const { id } of people) await server.call('PUT', `/api/apps/${body.id}/members/${id}`);
  return body;
}

// Pinned ones come first, the latest pin before the others, then those with the newest messages, then the newest.
describe('the order of conversations', () => {
  test('is by pin, by last message and by age', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const rooms: Conversation[] = [];
    for (const name of ['a', 'b', 'c', 'd']) rooms.push(await talk.start(ada, { members: [bob.id], name }));
    const [a, b, c, d] = rooms as [Conversation, Conversation, Conversation, Conversation];
    assert.deepEqual(await talk.list(ada), [d.id, c.id, b.id, a.id]);
    await talk.write(bob, b);
    await talk.write(bob, a);
    assert.deepEqual(await talk.list(ada), [a.id, b.id, d.id, c.id]);
    await ada.call('PUT', `/api/conversations/${c.id}/pin`);
    assert.deepEqual(await talk.list(ada), [c.id, a.id, b.id, d.id]);
    await talk.write(bob, d);
    await ada.call('PUT', `/api/conversations/${b.id}/pin`);
    assert.deepEqual((await talk.list(ada)).slice(2), [d.id, a.id]);
    assert.deepEqual(await talk.list(bob), [d.id, a.id, b.id, c.id]);
  });

  test('is another when requested, page by page', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const ids: number[] = [];
    for (const name of ['m', 'z', 'a', 'q'])
      ids.push((await talk.start(ada, { members: [bob.id], name })).id);
    const [m, z, a, q] = ids;
    assert.deepEqual(await talk.list(ada, '?order_by=id'), [m, z, a, q]);
    assert.deepEqual(await talk.list(ada, '?orderby=createdat+desc'), [q, a, z, m]);
    assert.deepEqual(await talk.list(ada, '?order_by=name'), [a, m, q, z]);
    assert.deepEqual(await talk.list(ada, '?order_by=last_message_id+desc'), [q, a, z, m]);
    assert.deepEqual(await talk.list(ada, '?order_by=nothing'), [q, a, z, m]);
    assert.deepEqual(await talk.list(ada, '?top=3'), [q, a, z]);
    assert.deepEqual(await talk.list(ada, '?top=3&skip=3'), [m]);
    const body = await ada.read('/api/conversations?top=3&skip=3');
    assert.deepEqual([body.start, body.end, body.count], [4, 4, 4]);
    const counted = await ada.call('GET', '/api/conversations?count_only=true');
    assert.deepEqual(counted.body, { count: 4 });
  });
});

// An item has what a messenger shows of a conversation, and authors only on request.
describe('a conversation in a list', () => {
  test('has its members, its last message and its name', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const chat = await talk.start(ada, { members: [bob.id] });
    const message = await talk.write(bob, chat, 'Hello *there*');
    const body = await ada.read('/api/conversations');
    const [item] = body.data;
    assert.ok(item !== undefined);
    const { created_by, ...shown } = await talk.see(ada, chat);
    assert.equal(created_by.id, ada.id);
    assert.deepEqual(item, shown);
    assert.deepEqual(
      [item.display_name, item.is_unread, item.last_message?.plain],
      ['Bob', true, 'Hello there'],
    );
    assert.deepEqual(item.last_message?.parent, { id: chat.id, type: 'app' });
    assert.equal(item.last_message?.created_by?.display_name, 'Bob');
    assert.equal(item.last_message_id, message.id);
    assert.deepEqual(
      item.members.data?.map(({ display_name }) => display_name),
      ['Ada', 'Bob'],
    );
    const expanded = await ada.call('GET', '/api/conversations?expand=created_by');
    assert.equal(expanded.body.data[0]?.created_by.id, ada.id);
  });
});

// Filters select what they name, and an empty one selects everything.
describe('the filters of conversations', () => {
  test('are unread, type, contextual, member and tag', async () => {
    const [ada, bob, eve] = [await person('Ada'), await person('Bob'), await person('Eve')];
    const { id: pair } = await talk.start(ada, { members: [bob.id] });
    const { id: room } = await talk.start(ada, { members: [bob.id, eve.id] });
    const { id: chat } = await chatFor(ada, bob);
    await talk.start(bob, { members: [eve.id] });
    await talk.write(bob, { id: room });
    const listed = async (query: string) => (await talk.list(ada, query)).sort((x, y) => x - y);
    assert.deepEqual(await listed(''), [pair, room, chat]);
    assert.deepEqual(await listed('?q=&member=&type=&unread=&contextual='), [pair, room, chat]);
    assert.deepEqual(await listed('?unread=true'), [room]);
    assert.deepEqual(await listed('?unread=false'), [pair, chat]);
    assert.deepEqual(await listed('?unread=null'), [pair, room, chat]);
    assert.deepEqual(await listed('?contextual=false'), [pair, room]);
    assert.deepEqual(await listed('?contextual=true'), [chat]);
    assert.deepEqual(await listed('?type=chat_room'), [room]);
    assert.deepEqual(await listed('?type=private_chat&type=chat_room'), [pair, room]);
    assert.deepEqual(await listed('?type=chat,Private_Chat'), [pair, chat]);
    assert.deepEqual(await listed('?type=7e14f418-8f15-46f4-b182-f619b671e470'), [pair]);
    assert.deepEqual(await listed('?type=bot_chat'), []);
    assert.deepEqual(await listed('?type=comments'), []);
    assert.deepEqual(await listed('?type=chat&contextual=false'), []);
    assert.deepEqual(await listed(`?member=${eve.id}`), [room]);
    assert.deepEqual(await listed(`?member=${bob.uid}&contextual=false`), [pair, room]);
    assert.deepEqual(await listed('?member=nobody'), []);
    await ada.call('PATCH', `/api/apps/${room}`, { tags: ['work'] });
    assert.deepEqual(await listed('?tag=work'), [room]);
    await ada.call('POST', `/api/apps/${room}/trash`);
    assert.deepEqual(await listed(''), [pair, chat]);
    assert.deepEqual(await listed('?trashed=true'), [room]);
    assert.deepEqual(await listed('?trashed=null'), [pair, room, chat]);
    assert.deepEqual(await talk.list(eve, '?type=chat_room'), []);
  });

  test('find words in the name and in the names of the others', async () => {
    const ada = await person('Ada Lovelace');
    const bob = await person('Bernard Quux');
    const eve = await person('Évariste Galois');
    const { id: pair } = await talk.start(ada, { members: [bob.id] });
    const { id: room } = await talk.start(ada, { members: [bob.id, eve.id], name: 'Zeppelin watch' });
    const { id: other } = await talk.start(ada, { members: [eve.id] });
    const found = async (q: string) =>
      (await talk.list(ada, `?q=${encodeURIComponent(q)}`)).sort((x, y) => x - y);
    assert.deepEqual(await found('quux'), [pair, room]);
    assert.deepEqual(await found('BERN'), [pair, room]);
    assert.deepEqual(await found('evariste'), [room, other]);
    assert.deepEqual(await found('bernard galois'), [room]);
    assert.deepEqual(await found('zepp quux'), [room]);
    assert.deepEqual(await found('"zeppelin watch"'), [room]);
    assert.deepEqual(await found('"zepp"'), []);
    assert.deepEqual(await found('zeppelin nobody'), []);
    // The reader's own name is in no name of a conversation, and neither is a generated uid.
    assert.deepEqual(await found('lovelace'), []);
    assert.deepEqual(await found('private'), []);
    assert.deepEqual(await found('chat'), []);
    const counted = await ada.call('GET', '/api/conversations?q=quux&count_only=true');
    assert.deepEqual(counted.body, { count: 2 });
    await ada.call('PATCH', `/api/apps/${room}`, { name: 'Balloons' });
    assert.deepEqual(await found('zeppelin'), []);
    assert.deepEqual(await found('balloon'), [room]);
  });

  // Beyond 500 matching users, the members of the conversations are looked up among them instead of the other way
  // round.
  test('find a word both in the names of a few and of very many users', async () => {
    const ada = await person('Ada Lovelace');
    const bob = await person('Bernard Xyzzy');
    const { id: pair } = await talk.start(ada, { members: [bob.id] });
    const { id: room } = await talk.start(ada, { members: [], name: 'Xyzzy and others' });
    const { id: other } = await talk.start(ada, { members: [(await person('Eve')).id] });
    const found = async (q: string) => (await talk.list(ada, `?q=${q}`)).sort((x, y) => x - y);
    assert.deepEqual(await found('xyzzy'), [pair, room]);
    for (let hundred = 0; hundred < 6; hundred += 1)
      await Promise.all(Array.from({ length: 100 }, (_, n) => person(`Xyzzy ${hundred} ${n}`)));
    assert.deepEqual(await found('xyzzy'), [pair, room]);
    assert.deepEqual(await found('xyzzy+bernard'), [pair]);
    assert.deepEqual(await found('eve'), [other]);
  });
});

// A list costs a fixed number of statements, and so does a badge.
describe('the cost of conversations', () => {
  test('is the same for twenty as for one', async () => {
    const [few, many, bob] = [await person('Few'), await person('Many'), await person('Bob')];
    for (let i = 0; i < 20; i += 1) {
      const room = await talk.start(many, { members: [bob.id], name: `Room ${i}` });
      await talk.write(bob, room);
    }
    await talk.write(bob, await talk.start(few, { members: [bob.id], name: 'Room' }));
    /** The least of three runs, because the loops of the server also run statements. */
    async function cost(who: Person, path: string): Promise<number> {
      const costs: number[] = [];
      for (let i = 0; i < 3; i += 1) {
        statements.length = 0;
        await who.call('GET', path);
        costs.push(statements.length);
      }
      return Math.min(...costs);
    }
    for (const path of ['/api/conversations', '/api/conversations?q=room', '/api/conversations/badge'])
      assert.equal(await cost(many, path), await cost(few, path), path);
  });

  test('starts from the memberships of the user, whose index is the only one scanned', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    await talk.write(bob, await talk.start(ada, { members: [bob.id], name: 'Room' }));
    const watch = watchStore(server.folder);
    try {
      for (const path of ['', '?unread=true', '?q=room', '?member=1&tag=x&type=chat', '/badge']) {
        statements.length = 0;
        await ada.call('GET', `/api/conversations${path}`);
        const own = statements.filter((sql) => /from "members" inner join "apps"/.test(sql));
        assert.ok(own.length > 0, path);
        for (const sql of own) {
          const { scans, steps } = watch.plan(sql);
          assert.ok(
            steps.some((step) => /\bmembers_user\b/.test(step)),
            steps.join('\n'),
          );
          assert.deepEqual(scans, [], steps.join('\n'));
          assert.ok(!steps.some((step) => step.includes('entries')), steps.join('\n'));
        }
      }
    } finally {
      watch.close();
    }
  });
});
