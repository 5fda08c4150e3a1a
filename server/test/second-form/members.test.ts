import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';

const server = useServer();

/** A room of Ada and Bob; Eve and an agent are in their directory, and Max is in none. */
async function room() {
  const directory = freshUid('directory');
  const make = async (name: string, fields: object = {}) =>
    await makeUser(server, { name, directory, ...fields });
  const [ada, bob, eve] = [await make('Ada'), await make('Bob'), await make('Eve')];
  const agent = await make('Guide', { is_bot: true });
  const max = await makeUser(server, { name: 'Max' });
  const app = await makeApp(server, { type: 'chat_room', members: { manager: [ada], write: [bob] } });
  return { ada, bob, eve, agent, max, kit: inSecondForm(ada), path: `/api/apps/${app.id}/members` };
}

const namesOf = ({ data, count }: any) => {
  assert.equal(count, data.length);
  return data.map(({ name }: any) => name);
};

describe('members in the second form', () => {
  test('are listed with names, and so is who could be one', async () => {
    const { kit, path, bob } = await room();
    const list = async (query = '') => namesOf(await kit.read(path + query));
    assert.deepEqual(await list(), ['Ada', 'Bob']);
    assert.deepEqual(await list('?member=false&system=false'), ['Eve', 'Guide']);
    assert.deepEqual(await list('?member=null&q='), ['Ada', 'Bob', 'Eve', 'Guide']);
    assert.deepEqual(await list('?member=false&agent=false'), ['Eve']);
    assert.deepEqual(await list('?member=null&agent=true'), ['Guide']);
    assert.deepEqual(await list('?agent=true'), []);
    assert.deepEqual(await list('?member=null&q=ev'), ['Eve']);
    assert.deepEqual(namesOf(await bob.read(path)), [undefined, undefined]);
  });

  test('are made managers by the access admin, and are none by any other', async () => {
    const { kit, path, bob, eve, ada } = await room();
    const shown = async () => (await kit.read(path)).data.map(({ access }: any) => access);
    assert.deepEqual(await shown(), ['admin', 'write']);
    const set = async (access: string) => (await kit.call('PUT', `${path}/${bob.id}`, { access })).status;
    assert.deepEqual([await set('admin'), await shown()], [204, ['admin', 'admin']]);
    assert.equal((await ada.read(path)).data[1].role, 'manager');
    assert.deepEqual([await set('read'), await shown()], [204, ['admin', 'read']]);
    assert.equal((await ada.read(path)).data[1].role, undefined);
    const refused = await inSecondForm(bob).call('PUT', `${path}/${eve.id}`, { access: 'admin' });
    assert.equal(refused.status, 403);
    await ada.call('PUT', `${path}/${bob.id}`, { access: 'write', role: 'moderator' });
    assert.deepEqual([await set('write'), (await ada.read(path)).data[1].role], [204, 'moderator']);
  });

  test('are added and removed many at once', async () => {
    const { kit, path, eve, agent, max } = await room();
    const put = async (body: unknown) => (await kit.call('PUT', path, body)).status;
    assert.equal(await put([{ id: eve.id, access: 'admin' }, { uid: agent.uid }]), 204);
    const { data } = await kit.read(path);
    assert.deepEqual(
      data.map(({ name, access }: any) => [name, access]),
      [
        ['Ada', 'admin'],
        ['Bob', 'write'],
        ['Eve', 'admin'],
        ['Guide', 'write'],
      ],
    );
    assert.equal(await put([{ id: eve.id, access: 'read' }, { id: max.id }]), 404);
    assert.equal((await kit.read(path)).data[2].access, 'admin');
    assert.equal((await kit.call('DELETE', `${path}/${eve.id},${agent.id}`)).status, 204);
    assert.deepEqual(namesOf(await kit.read(path)), ['Ada', 'Bob']);
  });
});

describe('users in the second form', () => {
  test('are listed without the caller', async () => {
    const { kit, ada, max } = await room();
    const list = async (query = '') => namesOf(await kit.read(`/api/users${query}`));
    assert.deepEqual(await list('?q=&system=false'), ['Bob', 'Eve', 'Guide']);
    assert.deepEqual(await list('?agent=true'), ['Guide']);
    assert.deepEqual(await list('?q=bo'), ['Bob']);
    assert.deepEqual(await list(`?directory_id=${(await ada.read('/api/user')).directory_id}`), [
      'Ada',
      'Bob',
      'Eve',
      'Guide',
    ]);
    assert.equal((await ada.read('/api/users')).count, 4);
    assert.equal((await inSecondForm(server).read('/api/users?agent=true')).data.at(-1).name, 'Guide');
    assert.equal((await max.read('/api/users')).count >= 1, true);
  });
});
