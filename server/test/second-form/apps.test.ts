import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => statements.push(sql) });

const guids = {
  room: 'edb400ac-839b-45a7-b2a8-6a01820d1c44',
  pair: '7e14f418-8f15-46f4-b182-f619b671e470',
  chat: 'd65dd4bc-418e-403c-9f56-f9cf4da931ed',
  agent: '2352a1c6-abc6-420e-8b85-ca7d5aed8779',
};
const messenger = `/api/apps?type=${guids.room}&type=${guids.pair}&order_by=pinned_at desc,rev desc&uid=false`;

async function people(...names: string[]) {
  const users = await Promise.all(names.map((name) => makeUser(server, { name })));
  return users.map((user) => ({ ...user, kit: inSecondForm(user) }));
}
type Made = Awaited<ReturnType<typeof people>>[number];

async function three() {
  return (await people('Ada', 'Bob', 'Eve')) as [Made, Made, Made];
}

describe('conversations as apps', () => {
  test('are changed with the tag that they were read with, whatever is said and pinned meanwhile', async () => {
    const [ada, bob] = await three();
    const room = await ada.kit.create('/api/apps', { members: [bob.id], type: 'chat_room', name: 'Room' });
    const path = `/api/apps/${room.id}`;
    const tag = (await ada.kit.call('GET', path)).headers.get('etag') ?? '';
    await bob.kit.create(`${path}/messages`, { text: 'hello' });
    await ada.kit.call('PUT', `${path}/pin`);
    const rename = async (name: string) =>
      (await ada.kit.call('PATCH', path, { name }, { headers: { 'if-match': tag } })).status;
    assert.deepEqual([await rename('Lunch'), await rename('Dinner')], [200, 412]);
    assert.equal((await ada.kit.read(path)).name, 'Lunch');
  });

  test('are started without a uid and listed with members, names and last messages', async () => {
    const [ada, bob, eve] = await three();
    const pair = await ada.kit.create('/api/apps', { members: [bob.id], type: 'private_chat' });
    const again = await bob.kit.call('POST', '/api/apps', { members: [ada.id], type: guids.pair });
    assert.deepEqual([again.body.id, again.body.name], [pair.id, 'Ada']);
    const room = await ada.kit.create('/api/apps', {
      members: [bob.id, eve.id],
      type: 'chat_room',
      name: null,
    });
    await bob.kit.create(`/api/apps/${room.id}/messages`, { text: 'hello' });
    const { data, count } = await ada.kit.read(messenger);
    assert.deepEqual(
      data.map(({ id, uid, type, name, is_unread: isUnread, members, last_message: last }: any) => [
        id,
        uid,
        type,
        name,
        isUnread,
        members.data.map((member: any) => [member.name, member.access]),
        last?.plain,
      ]),
      [
        [
          room.id,
          undefined,
          guids.room,
          'Bob, Eve',
          true,
          [
            ['Ada', 'admin'],
            ['Bob', 'write'],
            ['Eve', 'write'],
          ],
          'hello',
        ],
        [
          pair.id,
          undefined,
          guids.pair,
          'Bob',
          false,
          [
            ['Ada', 'admin'],
            ['Bob', 'write'],
          ],
          undefined,
        ],
      ],
    );
    assert.equal(count, 2);
    const badge = await ada.kit.read(`${messenger}&count_only=true&unread=true`);
    assert.deepEqual(badge, { count: 1 });
    assert.deepEqual((await ada.kit.read(`${messenger}&member=${eve.uid}`)).data[0].id, room.id);
    assert.equal((await ada.kit.read(`${messenger}&q=eve`)).count, 1);
    const one = await ada.kit.read(`/api/apps/${room.id}`);
    assert.deepEqual([one.name, one.last_message.plain, one.uid], ['Bob, Eve', 'hello', undefined]);
    assert.ok(one.rev > room.rev);
    const first = await ada.read(`/api/apps/${room.id}`);
    assert.deepEqual(
      ['rev' in first, 'last_message' in first, 'uid' in first, 'name' in first],
      [false, false, true, false],
    );
  });

  test('with an agent have the uid that the product gives', async () => {
    const ada = (await people('Ada'))[0] as Made;
    const agent = await makeUser(server, { name: 'Guide', is_bot: true });
    const uid = freshUid('copilot');
    const body = { type: 'agent_chat', members: [agent.uid], uid };
    const made = await ada.kit.create('/api/apps', body);
    assert.deepEqual([made.uid, made.type], [uid, guids.agent]);
    const again = await ada.kit.call('POST', '/api/apps', body);
    assert.deepEqual([again.status, again.body.id], [200, made.id]);
    const { status, body: refused } = await ada.kit.call('POST', '/api/apps', { type: 'agent_chat' });
    assert.deepEqual([status, refused.errors[0].pointer], [422, '/members']);
  });

  test('are listed with as many statements for ten as for one', async () => {
    const [ada, bob] = await three();
    async function counted() {
      statements.length = 0;
      await ada.kit.read(messenger);
      return statements.length;
    }
    const start = async () => {
      const room = await ada.kit.create('/api/apps', { members: [bob.id], type: 'chat_room', name: 'Room' });
      await bob.kit.create(`/api/apps/${room.id}/messages`, { text: 'hello' });
    };
    await start();
    const few = await counted();
    for (let index = 0; index < 9; index += 1) await start();
    assert.equal(await counted(), few);
  });

  test('are marked, pinned and left', async () => {
    const [ada, bob] = await three();
    const { id } = await ada.kit.create('/api/apps', { members: [bob.id], type: 'private_chat' });
    const message = await bob.kit.create(`/api/apps/${id}/messages`, { text: 'one' });
    await bob.kit.create(`/api/apps/${id}/messages`, { text: 'two' });
    const path = `/api/apps/${id}`;
    const send = async (method: string, end: string, body?: unknown) =>
      (await ada.kit.call(method, path + end, body)).status;
    const state = async () => {
      const { is_unread: isUnread, is_pinned: isPinned, members } = await ada.kit.read(path);
      return [isUnread, isPinned, members.data[0].marked_id];
    };
    assert.equal(await send('PUT', `/mark?messageId=${message.id}`), 204);
    assert.deepEqual(await state(), [true, false, message.id]);
    assert.deepEqual([await send('PUT', '/mark'), await send('PUT', '/pin')], [204, 204]);
    assert.deepEqual((await state()).slice(0, 2), [false, true]);
    assert.deepEqual([await send('DELETE', '/mark'), await send('DELETE', '/pin')], [204, 204]);
    assert.deepEqual(await state(), [true, false, undefined]);
    assert.equal(await send('PUT', '/typing', {}), 204);
    assert.equal(await send('PUT', `/mark?messageId=${message.id + 1000}`), 422);
    assert.equal(await send('POST', '/remove'), 204);
    assert.equal((await ada.kit.read(messenger)).count, 0);
    assert.equal((await bob.kit.read(messenger)).count, 1);
    const opened = await ada.kit.create('/api/apps', { members: [bob.id], type: 'private_chat' });
    assert.equal(opened.id, id);
  });

  test('that are nobody’s are marked and typed in without effect and without refusal', async () => {
    const ada = (await people('Ada'))[0] as Made;
    const open = await makeApp(server, { type: 'chat', access: 'read' });
    for (const end of ['mark', 'pin', 'typing'])
      assert.equal((await ada.kit.call('PUT', `/api/apps/${open.id}/${end}`)).status, 204);
    assert.equal((await ada.kit.read(`/api/apps/${open.id}`)).is_pinned, false);
    const hidden = await makeApp(server, { type: 'chat' });
    assert.equal((await ada.kit.call('PUT', `/api/apps/${hidden.id}/mark`)).status, 404);
  });
});

describe('apps in the second form', () => {
  test('have their name always, their members in lists, and are found by uids', async () => {
    const ada = (await people('Ada'))[0] as Made;
    const [one, other] = [await makeApp(server, { access: 'write' }), await makeApp(server)];
    const { data } = await ada.kit.read(`/api/apps?uid=${one.uid}&uid=${other.uid}&uid=nothing`);
    assert.deepEqual(
      data.map(({ uid, name, members }: any) => [uid, name, members.count]),
      [[one.uid, one.uid, 0]],
    );
    const many = Array.from({ length: 51 }, () => 'uid=a').join('&');
    assert.equal((await ada.kit.call('GET', `/api/apps?${many}`)).status, 400);
    const asKey = inSecondForm(server);
    assert.equal((await asKey.call('GET', '/api/apps?unread=true')).status, 400);
    const headers = { prefer: 'handling=strict' };
    const ordered = async (by: string) =>
      (await ada.kit.call('GET', `/api/apps?order_by=${by}`, undefined, { headers })).status;
    assert.deepEqual([await ordered('pinned_at desc,rev desc'), await ordered('id,nothing')], [200, 400]);
  });

  test('are opened as pages with a name, which later visitors cannot change', async () => {
    const [ada, bob] = await three();
    const uid = freshUid('page');
    const open = async (by: Made, name: string) =>
      await by.kit.call('PUT', `/api/apps/${uid}`, { type: guids.chat, name, directory: 'nowhere' });
    const made = await open(ada, 'Launch');
    assert.deepEqual([made.status, made.body.name, made.body.access], [201, 'Launch', 'write']);
    const again = await open(bob, 'Lunch');
    assert.deepEqual([again.status, again.body.name, again.body.is_unread], [200, 'Launch', false]);
    const first = { headers: { 'x-weavy-source': '@weavy/uikit-web@21.1.2' } };
    const old = await bob.call('PUT', `/api/apps/${uid}`, { type: 'chat', name: 'Lunch' }, first);
    assert.equal(old.status, 403);
    const changed = await inSecondForm(server).call('PATCH', `/api/apps/${uid}`, { name: 'Party' });
    assert.equal(changed.body.name, 'Party');
  });

  test('need a uid where they are no conversations', async () => {
    const [ada, bob] = await three();
    const { status, body } = await ada.kit.call('POST', '/api/apps', { type: 'files' });
    assert.deepEqual([status, body.errors[0].pointer], [422, '/uid']);
    const uid = freshUid('room');
    const made = await ada.kit.create('/api/apps', { type: 'chat_room', uid, members: [bob.id] });
    assert.deepEqual([made.uid, made.members.count], [uid, 2]);
  });
});
