import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Conversation } from 'confab-contract/conversations.ts';
import { talk } from 'confab-testing/conversations.ts';
import { addMembers, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);

async function person(name: string): Promise<Person> {
  return await makeUser(server, { name });
}

async function privateChat(): Promise<{ ada: Person; bob: Person; chat: Conversation }> {
  const [ada, bob] = [await person('Ada'), await person('Bob')];
  return { ada, bob, chat: await talk.start(ada, { members: [bob.id] }) };
}

async function badge(who: Person): Promise<unknown> {
  return await who.read('/api/conversations/badge');
}

/** A member in a conversation. */
function memberOf(conversation: Conversation, { id }: Person) {
  const member = (conversation.members.data ?? []).find((one) => one.id === id);
  assert.ok(member !== undefined);
  return member;
}

/** How many events of one action a conversation has. */
function eventsOf(id: number, action: string): number {
  const rows = watch.rows(
    `select count(*) as n from events where entity_type = 'conversation' and entity_id = ${id} and action = '${action}'`,
  );
  return Number(rows[0]?.['n']);
}

// Whether a conversation is unread follows from the newest message and from how far the user has read.
describe('an unread conversation', () => {
  test('is one with an unmarked message of another user', async () => {
    const { ada, bob, chat } = await privateChat();
    assert.equal((await talk.see(bob, chat)).is_unread, false);
    const message = await talk.write(ada, chat);
    const seen = await talk.see(bob, chat);
    assert.deepEqual([seen.is_unread, seen.last_message_id], [true, message.id]);
    const { created_by } = seen.last_message ?? {};
    assert.deepEqual(
      [seen.last_message?.id, seen.last_message?.text, created_by?.id],
      [message.id, 'hello', ada.id],
    );
    assert.equal((await talk.see(ada, chat)).is_unread, false);
    const marked = await bob.call('PUT', `/api/conversations/${chat.id}/mark`);
    assert.deepEqual([marked.status, marked.body.is_unread], [200, false]);
    const member = memberOf(marked.body, bob);
    assert.equal(member.marked_id, message.id);
    assert.match(member.marked_at ?? '', /Z$/);
    assert.deepEqual(memberOf(await talk.see(ada, chat), bob), memberOf(await talk.see(bob, chat), bob));
    assert.equal(memberOf(marked.body, ada).marked_id, undefined);
  });

  test('is read by a user who replies, without a mark', async () => {
    const { ada, bob, chat } = await privateChat();
    await talk.write(ada, chat);
    await talk.write(bob, chat);
    assert.deepEqual(
      [(await talk.see(bob, chat)).is_unread, (await talk.see(ada, chat)).is_unread],
      [false, true],
    );
    assert.equal(eventsOf(chat.id, 'conversation_marked'), 0);
  });

  test('is made unread again, also after one’s own message', async () => {
    const { ada, bob, chat } = await privateChat();
    const path = `/api/conversations/${chat.id}/mark`;
    await talk.write(ada, chat);
    await bob.call('PUT', path);
    const unmarked = await bob.call('DELETE', path, {});
    assert.deepEqual([unmarked.status, unmarked.body.is_unread], [200, true]);
    assert.deepEqual(
      [memberOf(unmarked.body, bob).marked_id, memberOf(unmarked.body, bob).marked_at],
      [undefined, undefined],
    );
    assert.equal((await ada.call('DELETE', path)).body.is_unread, true);
    assert.equal((await bob.call('DELETE', path)).body.is_unread, true);
    // Repeating a mark, its removal, or the removal after writing changes nothing and has no event.
    assert.equal(eventsOf(chat.id, 'conversation_marked'), 3);
  });

  test('becomes read when its unread messages are in the trash', async () => {
    const { ada, bob, chat } = await privateChat();
    await talk.write(ada, chat, 'first');
    await bob.call('PUT', `/api/conversations/${chat.id}/mark`);
    const second = await talk.write(ada, chat, 'second');
    assert.equal((await talk.see(bob, chat)).is_unread, true);
    await ada.call('POST', `/api/messages/${second.id}/trash`);
    const seen = await talk.see(bob, chat);
    assert.deepEqual([seen.is_unread, seen.last_message?.text], [false, 'first']);
    await ada.call('POST', `/api/messages/${second.id}/restore`);
    assert.equal((await talk.see(bob, chat)).is_unread, true);
  });

  test('is counted in the badge by its kind', async () => {
    const { ada, bob, chat } = await privateChat();
    assert.deepEqual(await badge(bob), { private: 0, rooms: 0, chat: 0, bots: 0 });
    const rooms = [
      await talk.start(ada, { members: [bob.id], name: 'One' }),
      await talk.start(ada, { members: [bob.id], name: 'Two' }),
    ];
    const { body: context } = await server.call('POST', '/api/apps', { uid: freshUid('c'), type: 'chat' });
    await addMembers(server, context.id, { write: [bob, ada] });
    for (const one of [chat, ...rooms, context]) await talk.write(ada, one);
    assert.deepEqual(await badge(bob), { private: 1, rooms: 2, chat: 1, bots: 0 });
    assert.deepEqual(await badge(ada), { private: 0, rooms: 0, chat: 0, bots: 0 });
    await bob.call('PUT', `/api/conversations/${chat.id}/mark`);
    await ada.call('POST', `/api/apps/${rooms[0]?.id}/trash`);
    await addMembers(ada, Number(rooms[1]?.id), { none: [bob] });
    assert.deepEqual(await badge(bob), { private: 0, rooms: 0, chat: 1, bots: 0 });
  });
});

// A mark is at a message of the conversation and never moves back.
describe('a mark', () => {
  test('is set at a message by either name of the parameter', async () => {
    const { ada, bob, chat } = await privateChat();
    const messages = [await talk.write(ada, chat), await talk.write(ada, chat), await talk.write(ada, chat)];
    const mark = async (query: string) => {
      const { body } = await bob.call('PUT', `/api/conversations/${chat.id}/mark${query}`);
      return [memberOf(body, bob).marked_id, body.is_unread];
    };
    const [first, second, third] = messages.map(({ id }) => id);
    assert.deepEqual(await mark(`?messageId=${first}`), [first, true]);
    assert.deepEqual(await mark(`?message_id=${second}`), [second, true]);
    assert.deepEqual(await mark(`?message_id=${first}`), [second, true]);
    assert.deepEqual(await mark('?messageId=undefined'), [third, false]);
    assert.deepEqual(await mark(''), [third, false]);
    assert.equal(eventsOf(chat.id, 'conversation_marked'), 3);
  });

  test('is refused at anything but a message of the conversation', async () => {
    const { ada, bob, chat } = await privateChat();
    const other = await talk.write(ada, await talk.start(ada, { members: [bob.id], name: 'Other' }));
    for (const id of [other.id, 987_654]) {
      const answer = await bob.call('PUT', `/api/conversations/${chat.id}/mark?message_id=${id}`);
      assertProblem(answer, 422, 'validation_failed', 'message_id');
    }
    const empty = await bob.call('PUT', `/api/conversations/${chat.id}/mark`);
    assert.deepEqual([empty.status, memberOf(empty.body, bob).marked_id], [200, undefined]);
    assert.equal(eventsOf(chat.id, 'conversation_marked'), 0);
  });

  test('is at the newest message after 32 at once in any order, with an event for each move', async () => {
    const { ada, bob, chat } = await privateChat();
    const ids: number[] = [];
    for (let i = 0; i < 32; i += 1) ids.push((await talk.write(ada, chat)).id);
    const newest = Math.max(...ids);
    // A stride that visits all of them, so that later requests are often for older messages.
    const shuffled = ids.map((_, i) => ids[(i * 13) % ids.length]);
    await Promise.all(
      shuffled.map((id) => bob.call('PUT', `/api/conversations/${chat.id}/mark?messageId=${id}`)),
    );
    const [row] = watch.rows(
      `select marked_id, marked_at from members where app_id = ${chat.id} and user_id = ${bob.id}`,
    );
    assert.equal(row?.['marked_id'], newest);
    const seen = await talk.see(bob, chat);
    assert.deepEqual([memberOf(seen, bob).marked_id, seen.is_unread], [newest, false]);
    const marks = watch
      .rows(
        `select payload from events where action = 'conversation_marked' and entity_id = ${chat.id} order by id`,
      )
      .map(({ payload }) => JSON.parse(`{${payload}}`).marked_id as number);
    assert.deepEqual(
      marks,
      [...marks].sort((a, b) => a - b),
    );
    assert.equal(new Set(marks).size, marks.length);
    assert.equal(marks.at(-1), newest);
    assert.deepEqual(await badge(bob), { private: 0, rooms: 0, chat: 0, bots: 0 });
  });

  test('and the unread state equal the rows after concurrent marks, removals, messages and trashing', async () => {
    const { ada, bob, chat } = await privateChat();
    const ids: number[] = [];
    for (let i = 0; i < 8; i += 1) ids.push((await talk.write(ada, chat)).id);
    const path = `/api/conversations/${chat.id}/mark`;
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, i) => {
        const id = ids[(i * 3) % ids.length];
        if (i % 4 === 0) return bob.call('PUT', `${path}?message_id=${id}`);
        if (i % 4 === 1) return ada.call('POST', `/api/messages/${id}/${i % 8 === 1 ? 'trash' : 'restore'}`);
        if (i % 8 === 2) return bob.call('DELETE', path);
        return (i % 8 === 6 ? bob : ada).call('POST', `/api/apps/${chat.id}/messages`, { text: `${i}` });
      }),
    );
    for (const { status, text } of answers) assert.ok(status < 300, text);
    const [row] = watch.rows(
      `select last_message_id as last, coalesce(marked_id, 0) as marked, coalesce(wrote_id, 0) as wrote,
         (select max(id) from entries where parent_type = 'app' and parent_id = ${chat.id} and trashed_at is null
            and kind = 'message') as newest
       from apps join members on app_id = apps.id where apps.id = ${chat.id} and user_id = ${bob.id}`,
    );
    assert.equal(row?.['last'], row?.['newest']);
    const isUnread = Number(row?.['last']) > Math.max(Number(row?.['marked']), Number(row?.['wrote']));
    const seen = await talk.see(bob, chat);
    assert.deepEqual([seen.is_unread, seen.last_message_id], [isUnread, row?.['last']]);
    assert.deepEqual(await badge(bob), { private: isUnread ? 1 : 0, rooms: 0, chat: 0, bots: 0 });
    const body = await bob.read('/api/conversations?unread=true');
    assert.equal(body.count, isUnread ? 1 : 0);
  });

  test('of 32 users at once is set for each of them, and the badges equal the rows', async () => {
    const ada = await person('Ada');
    const people = await Promise.all(Array.from({ length: 32 }, (_, i) => person(`P${i}`)));
    const room = await talk.start(ada, { members: people.map(({ id }) => id) });
    const message = await talk.write(ada, room);
    await Promise.all(
      people.map((one, i) =>
        i % 2 === 0
          ? one.call('PUT', `/api/conversations/${room.id}/mark`)
          : one.call('PUT', `/api/conversations/${room.id}/delivered`),
      ),
    );
    const rows = watch.rows(
      `select count(marked_id) as marked, count(delivered_at) as delivered from members
       where app_id = ${room.id} and (marked_id is null or marked_id = ${message.id})`,
    );
    assert.deepEqual({ ...rows[0] }, { marked: 16, delivered: 16 });
    const badges = await Promise.all(people.map(async (one) => (await badge(one)) as { rooms: number }));
    assert.equal(
      badges.reduce((sum, { rooms }) => sum + rooms, 0),
      16,
    );
    assert.equal(eventsOf(room.id, 'conversation_marked'), 16);
    assert.equal(eventsOf(room.id, 'conversation_delivered'), 16);
  });

  test('is shown in the list of members as well', async () => {
    const { ada, bob, chat } = await privateChat();
    const message = await talk.write(ada, chat);
    await bob.call('PUT', `/api/conversations/${chat.id}/delivered`);
    await bob.call('PUT', `/api/conversations/${chat.id}/mark`);
    const body = await ada.read(`/api/apps/${chat.id}/members`);
    const [own, other] = body.data ?? [];
    assert.deepEqual([own?.marked_id, own?.marked_at, own?.delivered_at], [undefined, undefined, undefined]);
    assert.equal(other?.marked_id, message.id);
    assert.ok((other?.delivered_at ?? '') > message.created_at);
  });
});

// A delivery records that the messages so far have arrived, once for each new state.
describe('the delivery of a conversation', () => {
  test('is later than its last message and recorded once', async () => {
    const { ada, bob, chat } = await privateChat();
    const path = `/api/conversations/${chat.id}/delivered`;
    const nothing = await bob.call('PUT', path, '');
    assert.deepEqual([nothing.status, memberOf(nothing.body, bob).delivered_at], [200, undefined]);
    const message = await talk.write(ada, chat);
    const first = memberOf((await bob.call('PUT', path)).body, bob).delivered_at ?? '';
    assert.ok(first > message.created_at);
    assert.equal(memberOf((await bob.call('PUT', path)).body, bob).delivered_at, first);
    assert.equal(eventsOf(chat.id, 'conversation_delivered'), 1);
    const next = await talk.write(ada, chat);
    const second = memberOf((await bob.call('PUT', path)).body, bob).delivered_at ?? '';
    assert.ok(second > next.created_at);
    assert.equal(eventsOf(chat.id, 'conversation_delivered'), 2);
    assert.equal((await talk.see(bob, chat)).is_unread, true);
  });

  test('of 32 requests at once is recorded once', async () => {
    const { ada, bob, chat } = await privateChat();
    await talk.write(ada, chat);
    await Promise.all(
      Array.from({ length: 32 }, () => bob.call('PUT', `/api/conversations/${chat.id}/delivered`)),
    );
    assert.equal(eventsOf(chat.id, 'conversation_delivered'), 1);
  });
});

// A pin belongs to the user who set it.
describe('a pin', () => {
  test('is shown only to its user, and no other user is notified', async () => {
    const { ada, bob, chat } = await privateChat();
    const path = `/api/conversations/${chat.id}/pin`;
    assert.equal((await bob.call('PUT', path)).body.is_pinned, true);
    assert.equal((await bob.call('PUT', path)).body.is_pinned, true);
    assert.deepEqual(
      [(await talk.see(bob, chat)).is_pinned, (await talk.see(ada, chat)).is_pinned],
      [true, false],
    );
    assert.equal((await bob.call('DELETE', path)).body.is_pinned, false);
    assert.equal((await bob.call('DELETE', path)).body.is_pinned, false);
    const events = watch.rows(
      `select action, user_id from events where entity_id = ${chat.id} and action like '%pinned' order by id`,
    );
    assert.deepEqual(
      events.map(({ action, user_id }) => [action, user_id]),
      [
        ['conversation_pinned', bob.id],
        ['conversation_unpinned', bob.id],
      ],
    );
  });

  test('of 32 requests at once is one', async () => {
    const { bob, chat } = await privateChat();
    await Promise.all(Array.from({ length: 32 }, () => bob.call('PUT', `/api/conversations/${chat.id}/pin`)));
    assert.equal(eventsOf(chat.id, 'conversation_pinned'), 1);
  });
});
