import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';

const server = useServer();
const guids = {
  chat: 'd65dd4bc-418e-403c-9f56-f9cf4da931ed',
  room: 'edb400ac-839b-45a7-b2a8-6a01820d1c44',
  private: '7e14f418-8f15-46f4-b182-f619b671e470',
};
const messenger = `/api/apps?type=${guids.room}&type=${guids.private}&order_by=pinned_at desc,rev desc&uid=false`;

/** Two users as the newer client. */
async function people() {
  const [ada, bob] = [await makeUser(server, { name: 'Ada' }), await makeUser(server, { name: 'Bob' })];
  return { ada, bob, asAda: inSecondForm(ada), asBob: inSecondForm(bob) };
}

describe('conversations in the second form', () => {
  test('a private chat is made once, and shown with the name of the other', async () => {
    const { ada, bob, asAda, asBob } = await people();
    const made = await asAda.create('/api/apps', { type: 'private_chat', members: [bob.id] });
    const again = await asBob.create('/api/apps', { type: guids.private, members: [ada.id] });
    assert.deepEqual([made.id, made.type, made.name, 'uid' in made], [again.id, guids.private, 'Bob', false]);
    assert.equal(again.name, 'Ada');
    assert.deepEqual(
      made.members.data.map((member: any) => [member.name, member.access]),
      [
        ['Ada', 'admin'],
        ['Bob', 'write'],
      ],
    );
  });

  test('the list has what is unread first, and what the caller did with it', async () => {
    const { bob, asAda, asBob } = await people();
    const room = await asAda.create('/api/apps', { type: 'chat_room', members: [bob.id], name: 'Lunch' });
    const path = `/api/apps/${room.id}`;
    const message = await asAda.create(`${path}/messages`, { text: 'Hungry?' });
    const listed = async (query = '') => (await asBob.read(`${messenger}${query}`)).data;
    const [unread] = await listed();
    assert.deepEqual(
      [unread.name, unread.is_unread, unread.last_message.plain, unread.last_message.created_by.name],
      ['Lunch', true, 'Hungry?', 'Ada'],
    );
    assert.equal((await asBob.read(`${messenger}&count_only=true&unread=true`)).count, 1);
    const done = async (method: string, way: string) =>
      assert.equal((await asBob.call(method, `${path}/${way}`)).status, 204);
    await done('PUT', `mark?messageId=${message.id}`);
    await done('PUT', 'pin');
    const [read] = await listed();
    assert.deepEqual([read.is_unread, read.is_pinned], [false, true]);
    assert.deepEqual(await listed('&unread=true'), []);
    await done('DELETE', 'mark');
    await done('DELETE', 'pin');
    const [back] = await listed();
    assert.deepEqual([back.is_unread, back.is_pinned], [true, false]);
    assert.equal((await asBob.call('PUT', `${path}/typing`, {})).status, 204);
    await done('POST', 'remove');
    assert.deepEqual(await listed(), []);
  });

  test('a chat of a page is a conversation too, and marking it is nothing to a reader who is no member', async () => {
    const { asAda, asBob } = await people();
    const uid = freshUid('chat');
    const opened = await asAda.call('PUT', `/api/apps/${uid}`, { type: guids.chat, name: 'Team chat' });
    assert.deepEqual([opened.status, opened.body.uid, opened.body.is_unread], [201, uid, false]);
    await asAda.create(`/api/apps/${uid}/messages`, { text: 'hello' });
    const other = await asBob.call('PUT', `/api/apps/${uid}`, { type: guids.chat, name: 'Another name' });
    assert.deepEqual(
      [other.status, other.body.name, other.body.last_message.plain],
      [200, 'Team chat', 'hello'],
    );
    assert.equal((await asBob.call('PUT', `/api/apps/${uid}/mark`)).status, 204);
    // As versions 23 to 25 do it.
    const marked = await asBob.call('PUT', `/api/conversations/${opened.body.id}/mark`);
    assert.deepEqual([marked.status, marked.body.id], [200, opened.body.id]);
    const { id } = await makeApp(server, { access: 'read' });
    assert.equal((await asBob.call('PUT', `/api/conversations/${id}/mark`)).status, 404);
  });

  test('an app needs a uid, and a conversation needs its members', async () => {
    const { asAda } = await people();
    const refused = async (body: object) => (await asAda.call('POST', '/api/apps', body)).body.errors[0];
    assert.equal((await refused({ type: 'comments' })).pointer, '/uid');
    assert.equal((await refused({ type: 'private_chat', members: [] })).pointer, '/members');
    assert.equal((await refused({ type: 'agent_chat' })).pointer, '/members');
    assert.equal((await refused({ type: 'nothing' })).pointer, '/type');
    const uid = freshUid();
    assert.equal((await asAda.create('/api/apps', { type: 'comments', uid })).uid, uid);
  });

  test('apps are found by their uids', async () => {
    const { asAda } = await people();
    const [one, two] = [await makeApp(server, { access: 'read' }), await makeApp(server, { access: 'read' })];
    const { data } = await asAda.read(`/api/apps?uid=${one.uid}&uid=${two.uid}&uid=${freshUid()}`);
    assert.deepEqual(
      data.map(({ uid, members }: any) => [uid, members.count]),
      [
        [one.uid, 0],
        [two.uid, 0],
      ],
    );
  });
});

describe('members in the second form', () => {
  test('a manager has the access admin, which is given and taken', async () => {
    const { ada, bob, asAda } = await people();
    const room = await asAda.create('/api/apps', { type: 'chat_room', members: [bob.id], name: 'Lunch' });
    const path = `/api/apps/${room.id}/members`;
    const accessOf = async () =>
      Object.fromEntries((await asAda.read(path)).data.map(({ name, access }: any) => [name, access]));
    assert.deepEqual(await accessOf(), { Ada: 'admin', Bob: 'write' });
    const put = async (access: string) => (await asAda.call('PUT', `${path}/${bob.id}`, { access })).status;
    assert.equal(await put('admin'), 204);
    assert.deepEqual(await accessOf(), { Ada: 'admin', Bob: 'admin' });
    assert.deepEqual(
      (await bob.read(path)).data.map(({ access, role }: any) => [access, role]),
      [
        ['write', 'manager'],
        ['write', 'manager'],
      ],
    );
    assert.equal(await put('read'), 204);
    assert.deepEqual(await accessOf(), { Ada: 'admin', Bob: 'read' });
    assert.equal((await bob.call('PUT', `${path}/${ada.id}`, { access: 'admin' })).status, 403);
  });

  test('those who can be added are listed and added, several at once', async () => {
    const { bob, asAda } = await people();
    const carol = await makeUser(server, { name: `Carol ${freshUid()}` });
    const room = await asAda.create('/api/apps', { type: 'chat_room', members: [bob.id], name: 'Lunch' });
    const path = `/api/apps/${room.id}/members`;
    const found = async (query: string) =>
      (await asAda.read(`${path}?${query}&system=false`)).data.map(({ name, access }: any) => [name, access]);
    const [name] = (await asAda.read(`/api/users/${carol.id}`)).name.split('  ');
    const q = `q=${encodeURIComponent(name)}`;
    assert.deepEqual(await found(`member=false&${q}`), [[name, 'none']]);
    assert.deepEqual(await found(`member=null&${q}`), [[name, 'none']]);
    assert.deepEqual(await found(`member=false&agent=true&${q}`), []);
    const added = await asAda.call('PUT', path, [{ id: carol.id, access: 'write' }]);
    assert.equal(added.status, 204);
    assert.deepEqual(await found(`member=false&${q}`), []);
    assert.deepEqual(await found(q), [[name, 'write']]);
    assert.equal((await asAda.call('DELETE', `${path}/${bob.id},${carol.id}`)).status, 204);
    assert.equal((await asAda.read(path)).count, 1);
  });

  test('whoever starts a conversation is not among those to invite', async () => {
    const { ada, bob, asAda } = await people();
    const agent = await makeUser(server, { name: 'Robot', is_bot: true });
    const ids = async (query: string) => {
      const found: number[] = [];
      for (let skip = 0; ; ) {
        const { data, end, count } = await asAda.read(`/api/users?q=&system=false${query}&skip=${skip}`);
        found.push(...data.map(({ id }: any) => id));
        if (end >= count) return found;
        skip = end;
      }
    };
    const everybody = await ids('');
    assert.deepEqual(
      [ada.id, bob.id, agent.id].map((id) => everybody.includes(id)),
      [false, true, true],
    );
    assert.equal((await ids('&agent=true')).includes(agent.id), true);
    assert.equal((await ids('&agent=true')).includes(bob.id), false);
    assert.equal((await ids('&agent=false')).includes(agent.id), false);
  });

  test('an app shows its members with their names', async () => {
    const { ada, asAda } = await people();
    const app = await makeApp(server, { access: 'read' });
    await server.call('PUT', `/api/apps/${app.id}/members/${ada.uid}`, { access: 'write' });
    const { members } = await asAda.read(`/api/apps/${app.id}`);
    assert.deepEqual([members.count, members.data[0].name, members.data[0].is_agent], [1, 'Ada', false]);
  });
});
