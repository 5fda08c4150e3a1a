import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeApp, makeLastingUser, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Caller, useServer } from 'confab-testing/server.ts';
import { freshName, signInGuest } from 'confab-testing/visitors.ts';

/** The addresses that the server asked for. */
const asked: string[] = [];
const server = useServer(
  { CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' },
  {
    isQuiet: true,
    resolver: {
      async resolve(host) {
        asked.push(host);
        return [];
      },
    },
  },
);
const open = { access: 'write', visitors: 'write' };

async function guest() {
  const { access_token, user } = await signInGuest(server);
  return { caller: server.as(access_token), id: user.id as number };
}

async function write(by: Caller, app: number, text = 'words') {
  return await by.create(`/api/apps/${app}/comments`, { text });
}

// What guests write waits for a moderator where the app says so, and nobody else's does.
describe('the approval of guests', () => {
  it('holds what guests write and shows what others write', async () => {
    const app = await makeApp(server, { ...open, approval: 'guests' });
    const { caller, id } = await guest();
    const user = await makeUser(server);
    assert.equal((await write(server.as(user.token), app.id)).is_held, undefined);
    assert.equal((await write(server, app.id)).is_held, undefined);
    const { id: comment } = await write(caller, app.id);
    assert.equal((await server.read(`/api/comments/${comment}`)).is_held, true);
    const seen = async () => (await server.as(null).read(`/api/apps/${app.id}/comments`)).data.length;
    assert.equal(await seen(), 2);
    assert.equal((await server.call('POST', `/api/comments/${comment}/approve`)).status, 200);
    assert.equal(await seen(), 3);
    const next = await write(caller, app.id);
    assert.equal((await server.read(`/api/comments/${next.id}`)).is_held, true);
    const { visitor } = await server.read(`/api/users/${id}`);
    assert.deepEqual(visitor, { approved_count: 1 });
  });

  it('sends no request to what guests write about, held or not', async () => {
    const link = 'https://elsewhere.example.com/page';
    for (const approval of ['guests', null]) {
      const app = await makeApp(server, { ...open, ...(approval === null ? {} : { approval }) });
      const { caller } = await guest();
      const said = await write(caller, app.id, `look: ${link} and ![](${link}/a.png)`);
      assertProblem(await caller.call('POST', '/api/embeds', { url: link }), 401, 'users_only');
      const body = { text: link, embed_id: 1 };
      assert.equal((await caller.call('POST', `/api/apps/${app.id}/comments`, body)).status, 422);
      const { status } = await server.call('POST', `/api/comments/${said.id}/approve`);
      assert.equal(status, 200);
      assert.equal((await server.read(`/api/comments/${said.id}`)).embed, undefined);
    }
    assert.deepEqual(asked, []);
    const user = await makeUser(server);
    await server.as(user.token).call('POST', '/api/embeds', { url: link });
    assert.deepEqual(asked, ['elsewhere.example.com'], 'the test sees what is asked for');
  });
});

// An API key decides whose texts are shown at once.
describe('a trusted user', () => {
  it('is not held as a newcomer or guest, and is where everything is', async () => {
    const { caller, id } = await guest();
    const user = await makeUser(server);
    const isHeld = async (by: Caller, approval: string) => {
      const app = await makeApp(server, { ...open, approval });
      const { id: comment } = await write(by, app.id);
      return (await server.read(`/api/comments/${comment}`)).is_held === true;
    };
    const held = async (by: Caller) => [
      await isHeld(by, 'guests'),
      await isHeld(by, 'newcomers'),
      await isHeld(by, 'everything'),
    ];
    assert.deepEqual(await held(caller), [true, true, true]);
    assert.deepEqual(await held(server.as(user.token)), [false, true, true]);
    for (const each of [id, user.id]) {
      const { status, body } = await server.call('PATCH', `/api/users/${each}`, { is_trusted: true });
      assert.deepEqual([status, body.is_trusted], [200, true]);
    }
    assert.deepEqual(await held(caller), [false, false, true]);
    assert.deepEqual(await held(server.as(user.token)), [false, false, true]);
    const events = await server.read(`/api/events?entity_type=user&entity_id=${id}`);
    assert.deepEqual(
      [events.data[0]?.action, (events.data[0] as { user?: { is_trusted?: boolean } }).user?.is_trusted],
      ['user_updated', true],
    );
    const back = await server.call('PATCH', `/api/users/${id}`, { is_trusted: null });
    assert.equal(back.body.is_trusted, undefined);
    assert.deepEqual(await held(caller), [true, true, true]);
  });

  it('cannot make themselves trusted, and others do not see it', async () => {
    const { caller, id } = await guest();
    await caller.call('PATCH', '/api/user', { name: freshName(), is_trusted: true });
    assert.equal((await server.read(`/api/users/${id}`)).is_trusted, undefined);
    assertProblem(await caller.call('PATCH', `/api/users/${id}`, { is_trusted: true }), 401, 'users_only');
    const user = await makeUser(server, { is_trusted: true });
    const other = await makeUser(server);
    const { data } = await server.as(other.token).read('/api/users?top=100');
    assert.equal(data.find(({ id: each }) => each === user.id)?.is_trusted, undefined);
  });
});

// Operators see visitors apart from the users of their product.
describe('the list of users', () => {
  it('is limited to a way of signing in, with the facts about visitors', async () => {
    const { caller, id } = await guest();
    const user = await makeUser(server);
    const app = await makeApp(server, { ...open, approval: 'guests' });
    const comment = await write(caller, app.id);
    await server.call('POST', `/api/comments/${comment.id}/approve`);
    const idsOf = async (query: string) => {
      const { data, count } = await server.read(`/api/users?top=1000&${query}`);
      assert.equal(count, data.length, query);
      return data.map((each) => each.id);
    };
    for (const [way, hasGuest, hasUser] of [
      ['visitor', true, false],
      ['guest', true, false],
      ['none', false, true],
      ['email', false, false],
      ['', true, true],
    ] as const)
      for (const more of [
        '',
        '&suspended=null',
        '&trashed=null',
        '&order_by=display_name',
        '&order_by=created_at+desc',
      ]) {
        const ids = await idsOf(`way=${way}${more}`);
        assert.deepEqual([ids.includes(id), ids.includes(user.id)], [hasGuest, hasUser], way + more);
      }
    assert.equal((await server.read('/api/users?way=none&q=guest')).count, 0);
    assert.equal((await idsOf('way=visitor&tag=none')).length, 0);
    const { data } = await server.read('/api/users?top=1000&expand=visitor');
    assert.deepEqual(data.find((each) => each.id === id)?.visitor, { approved_count: 1 });
    assert.equal(data.find((each) => each.id === user.id)?.visitor, undefined);
    const plain = await server.read('/api/users?top=1000');
    assert.equal(plain.data.find((each) => each.id === id)?.visitor, undefined);
  });

  it('does not tell users who signs in how', async () => {
    const user = await makeUser(server);
    const by = server.as(user.token);
    const all = await by.read('/api/users');
    for (const way of ['none', 'visitor', 'guest'])
      assert.deepEqual(await by.read(`/api/users?way=${way}&expand=visitor`), all);
  });
});

// Many guests can be kept until they are old, so their age makes nobody known.
describe('rules for newcomers', () => {
  let now = Date.parse('2026-11-26T08:00:00.000Z');
  const rules = useServer(
    { CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' },
    { clock: { now: () => now }, isQuiet: true },
  );

  it('hold for a guest until they are trusted, and for a user until they are old', async () => {
    const rule = { name: 'links', action: 'refuse', links_max: 0, newcomer_hours: 1 };
    const { version } = await rules.read('/api/moderation/rules');
    const set = await rules.call('PUT', '/api/moderation/rules', { version, rules: [rule] });
    assert.equal(set.status, 200, set.text);
    const app = await makeApp(rules, open);
    const text = 'https://elsewhere.example.com';
    const write = async (by: Caller) =>
      (await by.call('POST', `/api/apps/${app.id}/comments`, { text })).status;
    const user = await makeLastingUser(rules);
    const { user: guest, renewal_secret } = await signInGuest(rules);
    now += 20 * 86_400_000;
    const renewed = await rules.call('POST', '/api/sign-in/renewal', { renewal_secret }, { as: null });
    const caller = rules.as(renewed.body.access_token);
    assert.deepEqual([await write(rules.as(user.token)), await write(caller)], [201, 403]);
    const tested = await rules.call('POST', '/api/moderation/test', { text, user: guest.id });
    assert.equal(tested.body.action, 'refuse', tested.text);
    await rules.call('PATCH', `/api/users/${guest.id}`, { is_trusted: true });
    assert.equal(await write(caller), 201);
  });
});
