import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Conversation } from 'confab-contract/conversations.ts';
import { talk } from 'confab-testing/conversations.ts';
import { addMembers, makeDirectory, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { deliveriesOf, register } from 'confab-testing/webhooks.ts';

const server = useServer();
const watch = useStoreWatch(server);

async function person(name: string, fields: object = {}): Promise<Person> {
  return await makeUser(server, { name, ...fields });
}

/** The events of an app: the actions in order, with the user of each that is about a member. */
function logOf(id: number): string[] {
  return watch
    .rows(`select action, entity_type, entity_id from events where app_id = ${id} order by id`)
    .map(({ action, entity_type, entity_id }) =>
      entity_type === 'member' ? `${action} ${entity_id}` : String(action),
    );
}

function memberIds(conversation: Conversation): number[] {
  return (conversation.members.data ?? []).map(({ id }) => id);
}

const flat = [
  'access',
  'created_at',
  'created_by',
  'created_by_id',
  'display_name',
  'id',
  'is_pinned',
  'is_starred',
  'is_subscribed',
  'is_trashed',
  'is_unread',
  'members',
  'permissions',
  'tags',
  'type',
  'uid',
];

// One other user and no name make a private chat, and two users have only one.
describe('a private chat', () => {
  test('has exactly its fields and the name of the other user', async () => {
    const [ada, bob] = [
      await person('Ada', { picture: 'https://example.com/ada.png' }),
      await person('Bob', { picture: 'https://example.com/bob.png' }),
    ];
    const made = await talk.start(ada, { members: [bob.id] });
    assert.deepEqual(Object.keys(made).sort(), ['avatar_url', ...flat].sort());
    assert.deepEqual([made.type, made.access, made.name], ['private_chat', 'none', undefined]);
    assert.deepEqual([made.is_pinned, made.is_unread], [false, false]);
    assert.deepEqual(memberIds(made), [ada.id, bob.id]);
    assert.deepEqual(
      made.members.data?.map(({ access }) => access),
      ['write', 'write'],
    );
    const seen = await talk.see(bob, made);
    assert.deepEqual([made.display_name, seen.display_name], ['Bob', 'Ada']);
    assert.match(made.avatar_url ?? '', /bob|blobs/);
    assert.notEqual(made.avatar_url, seen.avatar_url);
    assert.deepEqual(logOf(made.id), ['app_created', `member_added ${bob.id}`]);
  });

  test('is returned again, to either user and for any form of request', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const { id } = await talk.start(ada, { members: [bob.id] });
    assert.equal((await talk.start(ada, { members: [bob.uid] })).id, id);
    assert.equal((await talk.start(bob, { members: [ada.id, ada.uid, bob.id] })).id, id);
    assert.equal((await talk.start(bob, { members: [`${ada.id}`], type: 'private_chat' })).id, id);
    assert.equal((await talk.start(bob, { members: [ada.id], name: ' ' })).id, id);
    assert.equal(logOf(id).length, 2);
  });

  test('is one after 32 requests at once from both sides', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, i) =>
        i % 2 === 0 ? talk.start(ada, { members: [bob.id] }) : talk.start(bob, { members: [ada.uid] }),
      ),
    );
    const ids = new Set(answers.map(({ id }) => id));
    assert.equal(ids.size, 1);
    const [id = 0] = ids;
    assert.deepEqual(
      logOf(id).map((line) => line.split(' ')[0]),
      ['app_created', 'member_added'],
    );
    const chats = watch.rows(
      `select count(*) as n from private_chats where first_id = ${Math.min(ada.id, bob.id)}
       and second_id = ${Math.max(ada.id, bob.id)}`,
    );
    assert.equal(chats[0]?.['n'], 1);
  });

  test('adds back a user who left it, and keeps the name of a user who is gone', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const { id } = await talk.start(ada, { members: [bob.id] });
    assert.equal((await bob.call('DELETE', `/api/apps/${id}/members/${bob.id}`)).status, 204);
    assert.equal((await bob.call('GET', `/api/conversations/${id}`)).status, 404);
    const alone = await talk.see(ada, { id });
    assert.deepEqual([alone.display_name, memberIds(alone)], ['Bob', [ada.id]]);
    assert.deepEqual(memberIds(await talk.start(bob, { members: [ada.id] })), [ada.id, bob.id]);
    assert.deepEqual(logOf(id).slice(-2), [`member_removed ${bob.id}`, `member_added ${bob.id}`]);
  });

  test('does not restore access that was removed', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const { id } = await talk.start(ada, { members: [bob.id] });
    await addMembers(ada, id, { none: [bob] });
    const again = await bob.call('POST', '/api/conversations', { members: [ada.id] });
    assertProblem(again, 403, 'write_forbidden');
    await addMembers(ada, id, { read: [bob] });
    assert.deepEqual((await talk.start(bob, { members: [ada.id] })).permissions, ['list', 'read']);
  });

  test('stays in the trash and shows that, and is created again once deleted', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const { id } = await talk.start(ada, { members: [bob.id] });
    await ada.call('POST', `/api/apps/${id}/trash`);
    const again = await talk.start(bob, { members: [ada.id] });
    assert.deepEqual([again.id, again.is_trashed], [id, true]);
    assert.equal((await bob.call('GET', `/api/conversations/${id}`)).status, 404);
    assert.equal((await bob.call('GET', `/api/conversations/${id}?trashed=true`)).status, 200);
    assert.equal((await ada.call('DELETE', `/api/apps/${id}`)).status, 204);
    assert.deepEqual(await talk.list(bob, '?trashed=null'), []);
    assert.notEqual((await talk.start(bob, { members: [ada.id] })).id, id);
  });
});

// A name or several users make a chat room, a different one for each request.
describe('a chat room', () => {
  test('is created by a name, by several users or by its type', async () => {
    const [ada, bob, carol] = [await person('Ada'), await person('Bob'), await person('Carol')];
    const named = await talk.start(ada, { members: [bob.id], name: 'Lunch' });
    assert.deepEqual([named.type, named.name, named.display_name], ['chat_room', 'Lunch', 'Lunch']);
    const several = await talk.start(ada, { members: [bob.uid, carol.id] });
    assert.deepEqual([several.type, several.name], ['chat_room', undefined]);
    assert.deepEqual(memberIds(several), [ada.id, bob.id, carol.id]);
    assert.deepEqual(several.permissions, ['list', 'read', 'create', 'update', 'delete', 'admin']);
    assert.deepEqual((await talk.see(bob, several)).permissions, ['list', 'read', 'create']);
    const typed = await talk.start(ada, { members: [bob.id], type: 'Chat_Room' });
    assert.equal(typed.type, 'chat_room');
    const empty = await talk.start(ada, { name: 'Just me' });
    assert.deepEqual(memberIds(empty), [ada.id]);
    assert.deepEqual(logOf(several.id), [
      'app_created',
      `member_added ${bob.id}`,
      `member_added ${carol.id}`,
    ]);
  });

  test('without a name is called after its other members', async () => {
    const ada = await person('Ada');
    const others = await Promise.all(
      ['Bob', 'Carol', 'Dan', 'Eve', 'Fay', 'Gus'].map((name) => person(name)),
    );
    others.sort((a, b) => a.id - b.id);
    const room = await talk.start(ada, { members: others.slice(0, 2).map(({ id }) => id) });
    const names = await Promise.all(
      others.map(async ({ id }) => (await server.read(`/api/users/${id}`)).display_name),
    );
    assert.equal(room.display_name, names.slice(0, 2).join(', '));
    assert.equal((await talk.see(others[0] as Person, room)).display_name, `Ada, ${names[1]}`);
    const big = await talk.start(ada, { members: others.map(({ id }) => id) });
    assert.equal(big.display_name, `${names.slice(0, 4).join(', ')} +2`);
  });

  test('is renamed by its creator, whatever type the client sends as well', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const room = await talk.start(ada, { members: [bob.id], name: 'Lunch' });
    const path = `/api/apps/${room.id}`;
    assert.equal((await ada.call('PATCH', path, { name: 'Dinner', type: 'ChatRoom' })).status, 200);
    const seen = await talk.see(bob, room);
    assert.deepEqual([seen.display_name, seen.type, seen.avatar_url], ['Dinner', 'chat_room', undefined]);
    assertProblem(await bob.call('PATCH', path, { name: 'Mine' }), 403, 'manage_forbidden');
    assert.equal((await ada.call('PATCH', path, { name: null })).status, 200);
    assert.equal((await talk.see(bob, room)).display_name, 'Ada');
  });

  test('is left by its members, who manage nothing else in it', async () => {
    const [ada, bob, carol] = [await person('Ada'), await person('Bob'), await person('Carol')];
    const room = await talk.start(ada, { members: [bob.id, carol.id] });
    const members = `/api/apps/${room.id}/members`;
    assertProblem(await bob.call('DELETE', `${members}/${carol.id}`), 403, 'manage_forbidden');
    assertProblem(await bob.call('DELETE', members, [bob.uid, carol.uid]), 403, 'manage_forbidden');
    assertProblem(await bob.call('POST', members, [{ id: carol.id }]), 403, 'manage_forbidden');
    assert.equal((await bob.call('DELETE', members, [bob.uid])).status, 204);
    assert.equal((await bob.call('GET', `/api/conversations/${room.id}`)).status, 404);
    assert.equal((await carol.call('DELETE', `${members}/${carol.id}`)).status, 204);
    assert.deepEqual(memberIds(await talk.see(ada, room)), [ada.id]);
    assert.equal((await talk.see(ada, room)).display_name, 'Ada');
  });

  test('cannot be left to gain more access than the membership gave', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const room = await talk.start(ada, { members: [bob.id], name: 'Open' });
    await ada.call('PATCH', `/api/apps/${room.id}`, { access: 'write' });
    await addMembers(ada, room.id, { read: [bob] });
    const leaving = await bob.call('DELETE', `/api/apps/${room.id}/members/${bob.id}`);
    assertProblem(leaving, 403, 'manage_forbidden');
  });

  test('other than a chat cannot be left by its members themselves', async () => {
    const bob = await person('Bob');
    const { body: app } = await server.call('POST', '/api/apps', { uid: freshUid('app'), type: 'chat' });
    await addMembers(server, app.id, { write: [bob] });
    const leaving = await bob.call('DELETE', `/api/apps/${app.id}/members/${bob.id}`);
    assertProblem(leaving, 403, 'manage_forbidden');
  });
});

// A bot takes part like any user, and is shown as a bot.
describe('a bot in a conversation', () => {
  test('is a member that writes', async () => {
    const [ada, bot] = [await person('Ada'), await person('Agent', { is_bot: true })];
    const chat = await talk.start(ada, { members: [bot.id] });
    assert.deepEqual(
      chat.members.data?.map(({ is_bot }) => is_bot),
      [false, true],
    );
    const message = await talk.write(bot, chat, 'At your service');
    assert.equal(message.created_by.is_bot, true);
    const seen = await talk.see(ada, chat);
    assert.deepEqual(
      [seen.type, seen.display_name, seen.is_unread, seen.last_message?.created_by?.is_bot],
      ['private_chat', 'Agent', true, true],
    );
  });
});

// A refusal names the faulty field.
describe('a conversation that cannot be created', () => {
  test('names the faulty member, type or name', async () => {
    const [ada, bob, carol] = [await person('Ada'), await person('Bob'), await person('Carol')];
    const attempt = async (body: unknown) => await ada.call('POST', '/api/conversations', body);
    const broken = 'validation_failed';
    assertProblem(await attempt({}), 422, broken, '/members');
    assertProblem(await attempt({ members: [] }), 422, broken, '/members');
    assertProblem(await attempt({ members: [ada.id] }), 422, broken, '/members');
    assertProblem(await attempt({ members: [bob.id, 987_654] }), 422, broken, '/members/1');
    assertProblem(await attempt({ members: ['no such', bob.uid] }), 422, broken, '/members/0');
    assertProblem(await attempt({ members: [1] }), 422, broken, '/members/0');
    assertProblem(await attempt({ members: [bob.id], type: 'chat' }), 422, broken, '/type');
    assertProblem(await attempt({ members: [bob.id], type: 'bot_chat' }), 422, broken, '/type');
    const pair = { members: [bob.id, carol.id], type: 'private_chat' };
    assertProblem(await attempt(pair), 422, broken, '/members');
    assertProblem(
      await attempt({ members: [bob.id], type: 'private_chat', name: 'x' }),
      422,
      broken,
      '/name',
    );
    assertProblem(await attempt({ members: [bob.id], name: 'x'.repeat(257) }), 422, broken, '/name');
    assertProblem(await attempt({ members: [true] }), 400, 'wrong_type');
    assertProblem(await attempt({ members: bob.id }), 400, 'wrong_type');
    assertProblem(await attempt('{'), 400, 'invalid_json');
  });

  test('may name only users whom the caller can find', async () => {
    await makeDirectory(server, 'elsewhere');
    const ada = await person('Ada');
    const hidden = [
      await person('Far', { directory: 'elsewhere' }),
      await person('Suspended', { is_suspended: true }),
      await person('Trashed'),
    ];
    await server.call('POST', `/api/users/${hidden[2]?.id}/trash`);
    const absent = await ada.call('POST', '/api/conversations', { members: [987_654] });
    for (const { id } of hidden) {
      const answer = await ada.call('POST', '/api/conversations', { members: [id] });
      assertProblem(answer, 422, 'validation_failed', '/members/0');
      assert.deepEqual(
        (answer.body as unknown as { errors: unknown }).errors,
        (absent.body as unknown as { errors: unknown }).errors,
      );
    }
  });

  test('needs a user', async () => {
    const bob = await person('Bob');
    const answer = await server.call('POST', '/api/conversations', { members: [bob.id] });
    assertProblem(answer, 401, 'user_required');
  });
});

// Only its members know of a conversation, and an API key.
describe('access to a conversation', () => {
  test('belongs to its members', async () => {
    const [ada, bob, eve] = [await person('Ada'), await person('Bob'), await person('Eve')];
    const { id } = await talk.start(ada, { members: [bob.id] });
    const attempts = async (who: Person, at: number) => {
      const answers = [
        await who.call('GET', `/api/conversations/${at}`),
        await who.call('PUT', `/api/conversations/${at}/delivered`),
        await who.call('PUT', `/api/conversations/${at}/mark`),
        await who.call('DELETE', `/api/conversations/${at}/mark`),
        await who.call('PUT', `/api/conversations/${at}/pin`),
        await who.call('DELETE', `/api/conversations/${at}/pin`),
      ];
      return answers.map(({ status, body }) => [status, (body as unknown as { detail?: string }).detail]);
    };
    const hidden = await attempts(eve, id);
    assert.deepEqual(hidden, await attempts(eve, 987_654));
    assert.deepEqual(
      hidden.map(([status]) => status),
      [404, 404, 404, 404, 404, 404],
    );
    for (const access of ['write', 'read']) {
      await ada.call('PUT', `/api/apps/${id}/members/${bob.id}`, { access });
      assert.deepEqual(
        (await attempts(bob, id)).map(([status]) => status),
        [200, 200, 200, 200, 200, 200],
      );
    }
    await addMembers(ada, id, { none: [bob] });
    assert.deepEqual(
      (await attempts(bob, id)).map(([status]) => status),
      [404, 404, 404, 404, 404, 404],
    );
  });

  test('by an API key is read-only', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const { id } = await talk.start(ada, { members: [bob.id] });
    const seen = await server.call('GET', `/api/conversations/${id}`);
    assert.deepEqual([seen.status, seen.body.is_unread, seen.body.display_name], [200, false, 'Ada, Bob']);
    for (const [method, path] of [
      ['GET', '/api/conversations'],
      ['GET', '/api/conversations/badge'],
      ['PUT', `/api/conversations/${id}/delivered`],
      ['PUT', `/api/conversations/${id}/mark`],
      ['DELETE', `/api/conversations/${id}/mark`],
      ['PUT', `/api/conversations/${id}/pin`],
      ['DELETE', `/api/conversations/${id}/pin`],
    ] as const)
      assertProblem(await server.call(method, path), 401, 'user_required');
  });

  test('without a credential is refused', async () => {
    for (const path of ['/api/conversations', '/api/conversations/badge', '/api/conversations/1'])
      assert.equal((await server.as(null).call('GET', path)).status, 401, path);
  });

  test('to an app that is not a chat is refused', async () => {
    const ada = await person('Ada');
    const { body: app } = await ada.call('POST', '/api/apps', { uid: freshUid('app'), type: 'posts' });
    assert.equal((await ada.call('GET', `/api/conversations/${app.id}`)).status, 404);
    assert.equal((await server.call('GET', `/api/conversations/${app.id}`)).status, 404);
  });
});

// The reference client distinguishes types by guid; all other clients get their names.
describe('the type of a conversation', () => {
  test('is a guid for the reference client', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const { id } = await talk.start(ada, { members: [bob.id] });
    const sending = { as: ada.token, headers: { 'x-weavy-source': '@weavy/uikit-web@21.1.2' } };
    const guid = '7e14f418-8f15-46f4-b182-f619b671e470';
    for (const path of [`/api/conversations/${id}`, `/api/apps/${id}`])
      assert.equal((await server.read(path, sending)).type, guid, path);
    const body = await server.read('/api/conversations?contextual=false', sending);
    assert.deepEqual([body.data[0].type, body.data[0].created_by.id], [guid, ada.id]);
    const uid = freshUid('chat');
    const chat = await server.call('PUT', `/api/apps/${uid}`, { type: 'chat' }, sending);
    assert.equal(chat.body.type, 'd65dd4bc-418e-403c-9f56-f9cf4da931ed');
    assert.equal((await server.read(`/api/apps/${uid}`)).type, 'chat');
  });
});

// A webhook of the group conversations hears of marks and deliveries, with what they are up to.
describe('the events of a conversation', () => {
  test('trigger webhooks and name the marked message', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const conversation = await talk.start(ada, { members: [bob.id] });
    const { id } = conversation;
    const webhook = await register(server, {
      payload_url: 'http://127.0.0.1:9/hook',
      triggers: ['conversations'],
    });
    const message = await talk.write(ada, conversation);
    await bob.call('PUT', `/api/conversations/${id}/delivered`);
    await bob.call('PUT', `/api/conversations/${id}/mark`);
    await bob.call('PUT', `/api/conversations/${id}/pin`);
    await bob.call('DELETE', `/api/conversations/${id}/pin`);
    await bob.call('DELETE', `/api/conversations/${id}/mark`);
    const heard = await deliveriesOf(server, webhook.id);
    await server.call('DELETE', `/api/webhooks/${webhook.id}`);
    const expected = [
      'conversation_delivered',
      'conversation_marked',
      'conversation_pinned',
      'conversation_unpinned',
      'conversation_marked',
    ];
    assert.deepEqual(heard.map(({ action }) => action).reverse(), expected);
    const events = watch
      .rows(
        `select user_id, payload from events where entity_type = 'conversation' and entity_id = ${id} order by id`,
      )
      .map((row) => ({ userId: row['user_id'], ...JSON.parse(`{${row['payload']}}`) }));
    assert.deepEqual(
      events.map(({ userId }) => userId),
      [null, null, bob.id, bob.id, null],
    );
    const [delivered, marked, , , unmarked] = events;
    assert.deepEqual([marked.actor.id, marked.conversation.id, marked.marked_id], [bob.id, id, message.id]);
    const [member] = (await talk.see(ada, conversation)).members.data?.filter((one) => one.id === bob.id) ?? [
      undefined,
    ];
    assert.equal(delivered.delivered_at, member?.delivered_at);
    assert.ok(delivered.delivered_at > message.created_at);
    assert.deepEqual([unmarked.marked_id, unmarked.marked_at], [undefined, undefined]);
  });
});
