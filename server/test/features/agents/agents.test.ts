import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask, makeAgent, startChat, useProvider } from 'confab-testing/agents.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { sealMark } from '../../../src/kernel/secret-box.ts';

const guid = '2352a1c6-abc6-420e-8b85-ca7d5aed8779';
const server = useServer({ CONFAB_AGENTS: 'yes' });
const provider = useProvider();

async function put(uid: string, body: object): Promise<any> {
  return await server.call('PUT', `/api/agents/${uid}`, body);
}

describe('agents', () => {
  test('are made with their user, changed, listed and deleted', async () => {
    const uid = freshUid('agent');
    const fields = {
      base_url: `${provider.url}/v1/`,
      model: 'small',
      instructions: 'Be short.',
      max_tokens: 9,
    };
    const made = await put(uid, { name: 'Guide', secret: 'k-1', ...fields });
    assert.equal(made.status, 201, made.text);
    const shown = { uid, display_name: 'Guide', is_bot: true, is_agent: true, has_secret: true, ...fields };
    const expected = { ...shown, base_url: `${provider.url}/v1` };
    const pick = (agent: any) => Object.fromEntries(Object.keys(expected).map((name) => [name, agent[name]]));
    assert.deepEqual(pick(made.body), expected);
    assert.ok(!made.text.includes('k-1'));
    assert.deepEqual(pick(await server.read(`/api/agents/${uid}`)), expected);
    assert.deepEqual(pick(await server.read(`/api/agents/${made.body.id}`)), expected);
    const { data } = await server.read('/api/agents');
    assert.deepEqual(data.filter((agent: any) => agent.uid === uid).map(pick), [expected]);
    assert.equal((await put(uid, { model: 'large' })).status, 200);
    const changed = await server.call('PATCH', `/api/agents/${uid}`, { instructions: null, name: 'Helper' });
    assert.deepEqual(
      [changed.body.model, changed.body.instructions, changed.body.display_name, changed.body.has_secret],
      ['large', undefined, 'Helper', true],
    );
    const asKit = await inSecondForm(server).call('PATCH', `/api/agents/${uid}`, { name: 'Guide' });
    assert.deepEqual([asKit.body.name, asKit.body.is_agent], ['Guide', true]);
    assert.equal(asKit.text.split('"is_agent"').length, 2);
    assert.equal((await server.call('DELETE', `/api/agents/${uid}`)).status, 204);
    assert.equal((await server.call('GET', `/api/agents/${uid}`)).status, 404);
    assert.equal((await server.call('DELETE', `/api/agents/${uid}`)).status, 404);
    assert.equal((await put(uid, {})).body.base_url, undefined);
    assert.equal((await server.read(`/api/users/${uid}`)).is_trashed, false);
  });

  test('have an event for each change, and none for what is the same already', async () => {
    const agent = await makeAgent(server, provider);
    const path = `/api/agents/${agent.uid}` as const;
    const actions = () =>
      readStore(server.folder, `select action from events where entity_id = ${agent.id} and app_id is null`)
        .length;
    const before = actions();
    await server.call('PATCH', path, { model: 'large' });
    assert.equal(actions(), before + 1);
    await server.call('PATCH', path, { model: 'large' });
    assert.equal(actions(), before + 1);
  });

  test('that are erased leave nothing of how they were asked', async () => {
    const agent = await makeAgent(server, provider, { instructions: 'Be kind.', secret: 'k-1' });
    assert.ok((await server.call('DELETE', `/api/users/${agent.id}`)).status < 300);
    const rows = () => readStore(server.folder, `select * from agents where user_id = ${agent.id}`);
    await poll('the erasure', () => rows().length === 0 || undefined);
  });

  test('keep their key sealed, and for one host alone', async () => {
    const agent = await makeAgent(server, provider, { secret: 'key-of-the-address' });
    const [row] = readStore(server.folder, `select secret from agents where user_id = ${agent.id}`);
    assert.ok(String(row?.['secret']).startsWith(sealMark));
    assert.ok(!String(row?.['secret']).includes('key-of-the-address'));
    const path = `/api/agents/${agent.uid}` as const;
    const same: any = await server.call('PATCH', path, { base_url: `${provider.url}/v2` });
    assert.equal(same.body.has_secret, true);
    const other: any = await server.call('PATCH', path, { base_url: 'http://127.0.0.1:4000/v1' });
    assert.equal(other.body.has_secret, false);
    const none: any = await server.call('PATCH', path, { base_url: null, secret: null });
    assert.deepEqual([none.body.base_url, none.body.has_secret], [undefined, false]);
  });

  test('refuse what they cannot use, and name the field', async () => {
    const address = { base_url: `${provider.url}/v1`, model: 'small' };
    for (const [body, pointer] of [
      [{ base_url: provider.url }, '/model'],
      [{ ...address, base_url: 'ftp://example.com' }, '/base_url'],
      [{ ...address, base_url: 'http://10.0.0.1/v1' }, '/base_url'],
      [{ ...address, base_url: 'https://user:key@example.com/v1' }, '/base_url'],
      [{ ...address, base_url: 'https://example.com/v1?key=1' }, '/base_url'],
      [{ ...address, max_tokens: 0 }, '/max_tokens'],
      [{ ...address, model: 'x'.repeat(257) }, '/model'],
      [{ ...address, instructions: 'x'.repeat(16_385) }, '/instructions'],
      [{ ...address, secret: 'two\nlines' }, '/secret'],
      [{ ...address, secret: '' }, '/secret'],
      [{ secret: 'k' }, '/secret'],
    ] as const) {
      const refused = await put(freshUid('agent'), body);
      assert.equal(refused.status, 422, refused.text);
      assert.deepEqual(
        refused.body.errors.map((fault: any) => fault.pointer),
        [pointer],
      );
    }
    assert.equal((await put('17', {})).status, 422);
    assert.equal((await put('system', {})).status, 422);
    assert.equal((await put(freshUid('agent'), 'x' as never)).status, 400);
  });

  test('are for API keys that may change users', async () => {
    const agent = await makeAgent(server, provider);
    const ada = await makeUser(server);
    const path = `/api/agents/${agent.uid}` as const;
    for (const by of [ada, server.as(null)]) {
      const status = by === ada ? 403 : 401;
      assert.equal((await by.call('GET', path)).status, status);
      assert.equal((await by.call('GET', '/api/agents')).status, 401);
      assert.equal((await by.call('PUT', path, {})).status, status);
      assert.equal((await by.call('PATCH', path, {})).status, status);
      assert.equal((await by.call('DELETE', path)).status, status);
    }
    assert.equal((await server.call('GET', `/api/agents/${ada.id}`)).status, 404);
  });

  test('that answer by themselves do so with an access token, like any user', async () => {
    const uid = freshUid('agent');
    assert.equal((await put(uid, { name: 'Self' })).status, 201);
    const ada = await makeUser(server, { name: 'Ada' });
    const chat = await startChat(ada, { uid });
    const question = await ada.create(`/api/apps/${chat.id}/messages`, { text: 'Hi' });
    const program = server.as(await server.token(uid));
    const { data } = await program.read('/api/conversations');
    assert.deepEqual(
      data.map(({ id, last_message: last }) => [id, last?.id]),
      [[chat.id, question.id]],
    );
    const answer = await program.create(`/api/apps/${chat.id}/messages`, { text: 'Hello' });
    assert.equal(answer.via, undefined);
    assert.equal((await ada.read('/api/conversations/badge')).bots, 1);
  });
});

describe('an agent chat', () => {
  test('has the person and the agent, and the name of the agent unless it has one', async () => {
    const agent = await makeAgent(server, provider);
    const ada = await makeUser(server, { name: 'Ada' });
    const chat = await startChat(ada, agent);
    assert.deepEqual(
      [chat.type, chat.access, chat.display_name, chat.members.data.map(({ id }: any) => id).toSorted()],
      ['agent_chat', 'none', 'Guide', [agent.id, ada.id].toSorted()],
    );
    assert.equal((await startChat(ada, agent, { name: 'Plans' })).display_name, 'Plans');
    const asKit = inSecondForm(ada);
    assert.equal((await asKit.read(`/api/apps/${chat.id}`)).type, guid);
    const bob = await makeUser(server, { name: 'Bob' });
    assert.equal((await bob.call('GET', `/api/apps/${chat.id}`)).status, 404);
  });

  test('with a uid is opened again by its person, and by nobody else', async () => {
    const agent = await makeAgent(server, provider);
    const [ada, bob] = [await makeUser(server, { name: 'Ada' }), await makeUser(server, { name: 'Bob' })];
    const uid = freshUid('copilot');
    const chat = await startChat(ada, agent, { uid });
    const again = await ada.call('POST', `/api/agents/${agent.uid}/chats`, { uid, name: 'Later' });
    assert.deepEqual([again.status, (again.body as any).id], [200, chat.id]);
    assert.equal((await ada.read(`/api/apps/${uid}`)).id, chat.id);
    const other = await makeAgent(server, provider);
    for (const [by, to] of [
      [bob, agent],
      [ada, other],
    ] as const) {
      const refused: any = await by.call('POST', `/api/agents/${to.uid}/chats`, { uid });
      assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/uid']);
    }
  });

  test('is not made with a person, oneself or an agent of another directory', async () => {
    const bob = await makeUser(server, { name: 'Bob' });
    const agent = await makeAgent(server, provider, { directory: 'elsewhere' });
    const ada = await makeUser(server, { name: 'Ada' });
    const own = await makeAgent(server, provider);
    const program = server.as(await server.token(own.uid));
    for (const [by, ref] of [
      [ada, bob.uid],
      [ada, agent.uid],
      [ada, 'system'],
      [ada, 'nobody-at-all'],
      [program, own.uid],
    ] as const)
      assert.equal((await by.call('POST', `/api/agents/${ref}/chats`, {})).status, 422);
    assert.equal((await server.call('POST', `/api/agents/${own.uid}/chats`, {})).status, 401);
  });

  test('is not found with what can be the id or uid of nobody', async () => {
    const ada = await makeUser(server, { name: 'Ada' });
    for (const ref of ['0', '9007199254740992'])
      assert.equal((await ada.call('POST', `/api/agents/${ref}/chats`, {})).status, 404);
  });

  test('is no type that a body of the first form can choose', async () => {
    const ada = await makeUser(server);
    for (const type of ['agent_chat', guid])
      for (const path of ['/api/apps', '/api/conversations'] as const)
        assert.equal((await ada.call('POST', path, { uid: freshUid(), members: [], type })).status, 422);
  });

  test('can be left, trashed and found among conversations', async () => {
    const agent = await makeAgent(server, provider);
    const ada = await makeUser(server);
    const chat = await startChat(ada, agent);
    const { data } = await ada.read('/api/conversations?type=agent_chat' as '/api/conversations');
    assert.deepEqual(
      data.map(({ id }) => id),
      [chat.id],
    );
    assert.equal((await ada.call('DELETE', `/api/apps/${chat.id}/members/${ada.id}`)).status, 204);
  });
});

describe('without the setting', () => {
  const plain = useServer();

  test('no agent can have a provider, and others work', async () => {
    const refused: any = await plain.call('PUT', '/api/agents/guide', { base_url: provider.url, model: 'x' });
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/base_url']);
    assert.equal((await plain.call('PUT', '/api/agents/guide', { name: 'Guide' })).status, 201);
    const ada = await makeUser(plain);
    const chat = await startChat(ada, { uid: 'guide' });
    await ada.create(`/api/apps/${chat.id}/messages`, { text: 'Hi' });
    assert.deepEqual(readStore(plain.folder, 'select * from agent_questions'), []);
  });

  test('an agent that had one is silent, and does not answer later what was written meanwhile', async () => {
    await plain.restart(undefined, { CONFAB_AGENTS: 'yes' });
    const agent = await makeAgent(plain, provider);
    const uid = freshUid();
    const ada = plain.as(await plain.token(uid));
    const chat = await startChat(ada, agent);
    await plain.restart();
    const asAda = plain.as(await plain.token(uid));
    await asAda.create(`/api/apps/${chat.id}/messages`, { text: 'Anybody?' });
    await plain.restart(undefined, { CONFAB_AGENTS: 'yes' });
    const later = plain.as(await plain.token(uid));
    const answer = await ask(later, chat, 'Now?');
    assert.equal(answer.text, 'You said: Now?');
    const { data } = await later.read(`/api/apps/${chat.id}/messages`);
    assert.equal(data.length, 3);
  });
});
