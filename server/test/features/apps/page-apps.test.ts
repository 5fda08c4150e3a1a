import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addMembers, makeApp, makeComment, makeDirectory, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, type Sending, startTestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch, writeStore } from 'confab-testing/stores/store-watch.ts';

const client = { 'x-weavy-source': '@weavy/uikit-web@21.1.2' };
const visitor = ['list', 'read', 'create'];
const server = useServer();
const watch = useStoreWatch(server);

function put(uid: string, body: object, sending: Sending, query = '') {
  return server.call('PUT', `/api/apps/${encodeURIComponent(uid)}${query}`, body, sending);
}

/** Opens a page as the reference client does. */
function open(uid: string, token: string, type = 'comments') {
  return put(uid, { type }, { as: token, headers: client });
}

// A page that the reference client opens first has no manager: all who may open it may write in it.
describe('a page', () => {
  for (const [name, query, headers] of [
    ['the header of the reference client', '', client],
    ['?page=true', '?page=true', {}],
  ] as const)
    for (const type of ['chat', 'comments', 'files', 'posts'])
      test(`of the type ${type} is created by ${name}`, async () => {
        const [one, two] = [await makeUser(server), await makeUser(server)];
        const uid = freshUid('page');
        const made = await put(uid, { type }, { as: one.token, headers }, query);
        assert.equal(made.status, 201);
        const { access, permissions, members, directory_id } = made.body;
        assert.deepEqual([access, permissions, directory_id], ['write', visitor, undefined]);
        assert.deepEqual(
          members.data.map((member: { uid: string; access: string }) => [member.uid, member.access]),
          [[one.uid, 'write']],
        );
        const again = await put(uid, { type }, { as: two.token, headers }, query);
        assert.deepEqual([again.status, again.body.permissions], [200, visitor]);
        assert.equal((await put(uid, { type }, { as: one.token })).status, 200);
      });

  test('is open only to the directory of its creator', async () => {
    const directory_id = await makeDirectory(server, 'page-house');
    const inside = [
      await makeUser(server, { directory: 'page-house' }),
      await makeUser(server, { directory: 'page-house' }),
    ] as const;
    const outside = [await makeUser(server), await makeUser(server, { directory: 'page-street' })];
    const uid = freshUid('page');
    const { body } = await open(uid, inside[0].token);
    assert.equal(body.directory_id, directory_id);
    await makeComment(server, body.id, {}, { as: inside[1].token });
    for (const { token } of outside) {
      assertProblem(await open(uid, token), 403, 'manage_forbidden');
      assert.equal((await server.as(token).call('GET', `/api/apps/${uid}`)).status, 404);
    }
  });

  test('lets the second visitor write, and gives the first no control over it', async () => {
    const [first, second] = [await makeUser(server), await makeUser(server)];
    const uid = freshUid('page');
    const { id } = (await open(uid, first.token)).body;
    await open(uid, second.token);
    for (const [mine, yours] of [
      [first, second],
      [second, first],
    ] as const) {
      const comment = await makeComment(mine, id, { text: 'mine' });
      const path = `/api/comments/${comment.id}`;
      for (const [method, suffix, body] of [
        ['PATCH', '', { text: 'yours' }],
        ['POST', '/trash', undefined],
        ['POST', '/restore', undefined],
        ['DELETE', '', undefined],
      ] as const)
        assertProblem(await yours.call(method, path + suffix, body), 403, 'edit_forbidden');
      assert.equal((await mine.call('PATCH', path, { text: 'ours' })).status, 200);
    }
    for (const { token } of [first, second])
      for (const [method, suffix, body] of [
        ['PATCH', '', { access: 'none' }],
        ['PUT', '', { type: 'comments', name: 'Mine' }],
        ['POST', '/trash', undefined],
        ['POST', '/restore', undefined],
        ['DELETE', '', undefined],
        ['PUT', `/members/${first.uid}`, { access: 'write' }],
        ['POST', '/members', [{ uid: second.uid, access: 'none' }]],
        ['DELETE', `/members/${first.uid}`, undefined],
        ['DELETE', '/members', [first.uid]],
      ] as const)
        assertProblem(
          await server.as(token).call(method, `/api/apps/${uid}${suffix}`, body),
          403,
          'manage_forbidden',
        );
    assert.equal((await server.call('PATCH', `/api/apps/${uid}`, { name: 'Ours' })).status, 200);
  });

  test('is created once by many visitors at once, who all may write', async () => {
    const uid = freshUid('page');
    const tokens = await Promise.all(Array.from({ length: 12 }, async () => (await makeUser(server)).token));
    const answers = await Promise.all(tokens.map((token) => open(uid, token)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(11).fill(200), 201]);
    for (const as of tokens) await makeComment(server.as(as), uid, {});
  });

  test('is not created by a request with other fields, for a conversation or without the page parameter', async () => {
    const { token } = await makeUser(server, { directory: 'page-asking' });
    const all = ['list', 'read', 'create', 'update', 'delete', 'admin'];
    for (const [body, headers, query] of [
      [{ type: 'comments' }, {}, ''],
      [{ type: 'comments' }, { 'x-weavy-source': 'something else' }, ''],
      [{ type: 'comments' }, client, '?page=false'],
      [{ type: 'comments', name: 'Plan' }, client, ''],
      [{ type: 'comments', access: 'none' }, client, ''],
      [{ type: 'comments', tags: ['t'] }, {}, '?page=true'],
      [{ type: 'chat_room' }, client, ''],
      [{ type: 'private_chat' }, {}, '?page=true'],
    ] as const) {
      const made = await put(freshUid('page'), body, { as: token, headers }, query);
      assert.equal(made.status, 201);
      const { access, permissions, directory_id } = made.body;
      assert.deepEqual([access, permissions, directory_id], ['none', all, undefined], JSON.stringify(body));
    }
    const uid = freshUid('page');
    const nothing = { type: 'comments', uid, name: null, directory: null, metadata: null };
    assert.equal((await put(uid, nothing, { as: token, headers: client })).body.access, 'write');
  });

  test('is created by an API key with the page parameter, and has no manager either', async () => {
    const plain = await put(freshUid('page'), { type: 'posts' }, { headers: client });
    assert.equal(plain.body.access, 'none');
    const { uid } = await makeUser(server);
    for (const headers of [{}, { 'x-confab-user': uid }]) {
      const made = await put(freshUid('page'), { type: 'posts' }, { headers }, '?page=true');
      assert.deepEqual([made.status, made.body.access], [201, 'write']);
    }
  });

  test('is created only by API keys where the server is so configured', async () => {
    const strict = await startTestServer({ CONFAB_PAGES: 'keys' });
    try {
      const as = await strict.token('ada');
      const page = (sending: Sending) =>
        strict.call('PUT', '/api/apps/kept?page=true', { type: 'comments' }, sending);
      const opened = await strict.call(
        'PUT',
        '/api/apps/kept',
        { type: 'comments' },
        { as, headers: client },
      );
      for (const answer of [opened, await page({ as })]) {
        assertProblem(answer, 403, 'page_forbidden');
        assert.match(answer.body.detail, /API keys alone/);
      }
      assert.equal((await strict.call('GET', '/api/apps/kept')).status, 404);
      assert.equal((await page({})).status, 201);
      assert.deepEqual((await page({ as })).body.permissions, visitor);
      // What is no page is made by any user as ever.
      assert.equal((await strict.call('PUT', '/api/apps/own', { type: 'comments' }, { as })).status, 201);
    } finally {
      await strict.close();
    }
  });
});

// Uids can be guessed, so another user may be first; the words of others still belong to their authors.
describe('a uid that was taken in advance', () => {
  test('as a page gives its creator nothing', async () => {
    const [taker, victim] = [await makeUser(server), await makeUser(server)];
    const uid = freshUid('order');
    await open(uid, taker.token);
    const { id } = (await open(uid, victim.token)).body;
    const comment = await makeComment(victim, id, { text: 'I owe nothing' });
    const path = `/api/comments/${comment.id}`;
    for (const [method, suffix, body] of [
      ['PATCH', '', { text: 'I owe you 1000' }],
      ['POST', '/trash', undefined],
      ['DELETE', '', undefined],
    ] as const)
      assertProblem(await taker.call(method, path + suffix, body), 403, 'edit_forbidden');
    assertProblem(
      await taker.call('PUT', `/api/apps/${uid}/members/${victim.uid}`, { access: 'none' }),
      403,
      'manage_forbidden',
    );
    assert.equal((await server.read(path)).text, 'I owe nothing');
  });

  test('as an ordinary app does not let its manager change the words of others', async () => {
    const directory = freshUid('takers');
    const [taker, victim] = [await makeUser(server, { directory }), await makeUser(server, { directory })];
    const app = await makeApp(taker, { uid: freshUid('order'), access: 'write' });
    assert.equal((await open(app.uid, victim.token)).status, 200);
    const words = { text: 'I owe nothing', options: [{ text: 'yes' }], tags: ['t'], metadata: { owed: 0 } };
    const comment = await makeComment(victim, app.id, words);
    const before = await server.read(`/api/comments/${comment.id}`);
    for (const change of [
      { text: 'I owe you 1000' },
      { options: [{ id: comment.options[0]?.id, text: 'no' }] },
      { tags: [] },
      { metadata: { owed: 1000 } },
    ])
      assertProblem(await taker.call('PATCH', `/api/comments/${comment.id}`, change), 403, 'edit_forbidden');
    assert.deepEqual(await server.read(`/api/comments/${comment.id}`), before);
  });
});

// A membership without a role is of a program that knew none: there the creator manages, as ever.
describe('a membership of the previous release', () => {
  test('lets only the creator manage', async () => {
    const [creator, member] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(creator);
    await addMembers(server, app.id, { write: [member] });
    writeStore(server.folder, `update members set role = null where app_id = ${app.id}`);
    const rename = async (as: string) =>
      (await server.as(as).call('PATCH', `/api/apps/${app.id}`, { name: freshUid('name') })).status;
    assert.deepEqual([await rename(creator.token), await rename(member.token)], [200, 403]);
    await addMembers(server, app.id, { read: [creator] });
    assert.equal(await rename(creator.token), 403);
    // A creator who gets write access again becomes a manager by name.
    await addMembers(server, app.id, { write: [creator] });
    assert.equal(await rename(creator.token), 200);
    assert.deepEqual(
      watch
        .rows(`select role from members where app_id = ${app.id} order by user_id`)
        .map(({ role }) => role),
      ['manager', null],
    );
  });
});
