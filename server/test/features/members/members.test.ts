import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { App } from 'confab-contract/apps.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);

type Member = { id: number; uid: string; access: string };

/** The members of an app as uid → access, in the order they are listed. */
async function membersOf(app: App, query = ''): Promise<[string, string][]> {
  const body = await server.read(`/api/apps/${app.id}/members${query}`);
  return body.data.map((member: Member) => [member.uid, member.access]);
}

function eventsOf(app: App): unknown[] {
  return watch
    .rows(`select action from events where app_id = ${app.id} and entity_type = 'member' order by id`)
    .map((row) => row['action']);
}

// PUT adds one user, by default with write access, or changes the access of an existing member.
describe('adding a member', () => {
  test('gives write access by default, or the requested access', async () => {
    const app = await makeApp(server);
    const users = [
      await makeUser(server),
      await makeUser(server),
      await makeUser(server),
      await makeUser(server),
    ];
    const bodies = [undefined, {}, { access: 'read' }, { access: 'none' }];
    for (const [index, user] of users.entries()) {
      const ref = index === 0 ? user.id : user.uid;
      const answer = await server.call('PUT', `/api/apps/${app.uid}/members/${ref}`, bodies[index]);
      assert.equal(answer.status, 204);
      assert.equal(answer.text, '');
    }
    assert.deepEqual(
      (await membersOf(app)).map(([, access]) => access),
      ['write', 'write', 'read', 'none'],
    );
  });

  test('changes the access of an existing member, and repeating it changes nothing', async () => {
    const app = await makeApp(server);
    const { uid } = await makeUser(server);
    for (const access of ['read', 'read', 'write', 'write'])
      await server.call('PUT', `/api/apps/${app.id}/members/${uid}`, { access });
    assert.deepEqual(await membersOf(app), [[uid, 'write']]);
    assert.deepEqual(eventsOf(app), ['member_added', 'member_updated']);
  });

  test('gives write access to a member whose access the request leaves out', async () => {
    const app = await makeApp(server);
    const [one, other] = [await makeUser(server), await makeUser(server)];
    for (const { uid } of [one, other])
      await server.call('PUT', `/api/apps/${app.id}/members/${uid}`, { access: 'read' });
    await server.call('PUT', `/api/apps/${app.id}/members/${one.uid}`, {});
    await server.call('POST', `/api/apps/${app.id}/members`, [{ uid: other.uid }]);
    assert.deepEqual(
      (await membersOf(app)).map(([, access]) => access),
      ['write', 'write'],
    );
  });

  test('accepts an empty body that is announced as JSON', async () => {
    const app = await makeApp(server);
    const { uid } = await makeUser(server);
    const headers = { 'content-type': 'application/json;charset=utf-8' };
    const answer = await server.call('PUT', `/api/apps/${app.id}/members/${uid}`, '', { headers });
    assert.equal(answer.status, 204);
    assert.deepEqual(await membersOf(app), [[uid, 'write']]);
  });

  test('that names an unknown user is 404 and one that breaks a rule is 400', async () => {
    const app = await makeApp(server);
    const { uid } = await makeUser(server);
    const put = (ref: string, body: unknown) =>
      server.call('PUT', `/api/apps/${app.id}/members/${ref}`, body);
    for (const ref of ['nobody', '0', '007', '99999999999999999999', 'a%20b', '%00'])
      assertProblem(await put(ref, {}), 404, 'not_found');
    assertProblem(await put(uid, { access: 'admin' }), 400, 'validation_failed', '/access');
    assertProblem(await put(uid, { access: 5 }), 400, 'wrong_type', '/access');
    assertProblem(await put(uid, []), 400, 'wrong_type');
    assert.deepEqual(await membersOf(app), []);
  });
});

// A role goes beyond writing. It stays until it is changed or the membership ends.
describe('the role of a member', () => {
  const rolesOf = async (app: { id: number }) =>
    (await server.read(`/api/apps/${app.id}/members`)).data.map(
      ({ uid, access, role }: { uid: string; access: string; role?: string }) => [uid, access, role],
    );

  test('is set, kept, changed and taken away', async () => {
    const app = await makeApp(server);
    const { uid } = await makeUser(server);
    const put = async (body: object) => {
      assert.equal((await server.call('PUT', `/api/apps/${app.id}/members/${uid}`, body)).status, 204);
      return await rolesOf(app);
    };
    assert.deepEqual(await put({ role: 'moderator' }), [[uid, 'write', 'moderator']]);
    assert.deepEqual(await put({ access: 'read' }), [[uid, 'read', 'moderator']]);
    assert.deepEqual(await put({ role: 'manager' }), [[uid, 'write', 'manager']]);
    assert.deepEqual(await put({ role: null }), [[uid, 'write', undefined]]);
    assert.deepEqual(eventsOf(app), ['member_added', ...Array(3).fill('member_updated')]);
    await put({ role: 'moderator' });
    await server.call('DELETE', `/api/apps/${app.id}/members/${uid}`);
    assert.deepEqual(await put({}), [[uid, 'write', undefined]]);
  });

  test('is set for many at once, null being as absent', async () => {
    const [creator, ada, bob] = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const app = await makeApp(creator);
    const post = async (body: object[]) => {
      const { status } = await creator.call('POST', `/api/apps/${app.id}/members`, body);
      assert.equal(status, 204);
    };
    await post([{ uid: ada.uid, role: 'moderator' }, { uid: bob.uid }]);
    await post([
      { uid: ada.uid, role: null },
      { uid: bob.uid, role: 'manager' },
    ]);
    assert.deepEqual(await rolesOf(app), [
      [creator.uid, 'write', 'manager'],
      [ada.uid, 'write', 'moderator'],
      [bob.uid, 'write', 'manager'],
    ]);
  });

  test('is not set by moderators', async () => {
    const app = await makeApp(server);
    const moderator = await makeUser(server);
    const path = `/api/apps/${app.id}/members/${moderator.uid}`;
    await server.call('PUT', path, { role: 'moderator' });
    assertProblem(await moderator.call('PUT', path, { role: 'manager' }), 403, 'manage_forbidden');
  });
});

// POST adds or changes all the users it names, or none of them.
describe('adding members', () => {
  test('accepts ids and uids in one list and changes existing members', async () => {
    const app = await makeApp(server);
    const users = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const [first, second, third] = users.map(({ uid }) => uid);
    await server.call('PUT', `/api/apps/${app.id}/members/${first}`, { access: 'read' });
    const body = [
      { uid: first, access: 'none' },
      { uid: String(users[1]?.id) },
      { id: String(users[2]?.id), access: 'read' },
    ];
    const answer = await server.call('POST', `/api/apps/${app.id}/members`, body);
    assert.equal(answer.status, 204);
    assert.equal(answer.text, '');
    assert.deepEqual(await membersOf(app), [
      [first, 'none'],
      [second, 'write'],
      [third, 'read'],
    ]);
    assert.deepEqual(eventsOf(app), ['member_added', 'member_updated', 'member_added', 'member_added']);
  });

  test('accepts an id as a number under either name, and null as absent', async () => {
    const app = await makeApp(server);
    const [ada, bob, eve] = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const body = [
      { uid: ada.id, id: null, access: null },
      { uid: null, id: bob.id, access: 'read' },
      { uid: eve.uid, id: ada.id },
    ];
    assert.equal((await server.call('POST', `/api/apps/${app.id}/members`, body)).status, 204);
    assert.deepEqual(await membersOf(app), [
      [ada.uid, 'write'],
      [bob.uid, 'read'],
      [eve.uid, 'write'],
    ]);
  });

  test('of two entries for one user uses the last', async () => {
    const app = await makeApp(server);
    const user = await makeUser(server);
    const body = [
      { uid: user.uid, access: 'write' },
      { uid: String(user.id), access: 'read' },
    ];
    assert.equal((await server.call('POST', `/api/apps/${app.id}/members`, body)).status, 204);
    assert.deepEqual(await membersOf(app), [[user.uid, 'read']]);
    assert.deepEqual(eventsOf(app), ['member_added']);
  });

  test('changes nothing when one of them is unknown or invalid', async () => {
    const app = await makeApp(server);
    const { uid } = await makeUser(server);
    const post = (body: unknown) => server.call('POST', `/api/apps/${app.id}/members`, body);
    const unknown = await post([{ uid }, { uid: 'nobody' }]);
    assertProblem(unknown, 404, 'not_found');
    assert.match(unknown.body.detail, /user/);
    assertProblem(await post([{ uid }, { uid: 'a b' }]), 404, 'not_found');
    assertProblem(await post([{ uid }, { access: 'read' }]), 400, 'validation_failed', '/1/uid');
    assertProblem(await post([{ uid }, { uid, access: 'all' }]), 400, 'validation_failed', '/1/access');
    assertProblem(await post([{ uid }, { uid: true }]), 400, 'wrong_type', '/1/uid');
    assertProblem(await post([{ uid }, { id: 1.5 }]), 400, 'wrong_type', '/1/id');
    assertProblem(await post([{ uid }, { uid: null, id: null }]), 400, 'validation_failed', '/1/uid');
    for (const id of [0, -1, 987_654_321, 2 ** 53, 1e21])
      assertProblem(await post([{ uid }, { id }]), 404, 'not_found');
    assertProblem(await post([{ uid }, uid]), 400, 'wrong_type', '/1');
    for (const body of [undefined, {}, 'null', '"x"', '1'])
      assertProblem(await post(body), 400, codeOf(body));
    assert.deepEqual(await membersOf(app), []);
  });

  test('accepts up to a thousand, and refuses more', async () => {
    const app = await makeApp(server);
    const { uid } = await makeUser(server);
    const post = (length: number) =>
      server.call(
        'POST',
        `/api/apps/${app.id}/members`,
        Array.from({ length }, () => ({ uid })),
      );
    assert.equal((await post(0)).status, 204);
    assert.equal((await post(1000)).status, 204);
    assertProblem(await post(1001), 400, 'validation_failed');
    assert.deepEqual(await membersOf(app), [[uid, 'write']]);
  });
});

function codeOf(body: unknown): string {
  return body === undefined ? 'malformed_request' : 'wrong_type';
}

// Removing a user who is not a member is no error; naming an unknown user is, and then no member is removed.
describe('removing members', () => {
  async function withMembers(): Promise<{ app: App; uids: string[]; ids: number[] }> {
    const app = await makeApp(server);
    const users = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const uids = users.map(({ uid }) => uid);
    await server.call(
      'POST',
      `/api/apps/${app.id}/members`,
      uids.map((uid) => ({ uid })),
    );
    return { app, uids, ids: users.map(({ id }) => id) };
  }

  test('one by one, by id and by uid, can be repeated', async () => {
    const { app, uids, ids } = await withMembers();
    for (const ref of [uids[0], uids[0], ids[1]]) {
      const answer = await server.call('DELETE', `/api/apps/${app.id}/members/${ref}`);
      assert.equal(answer.status, 204);
      assert.equal(answer.text, '');
    }
    assert.deepEqual(await membersOf(app), [[uids[2], 'write']]);
    assert.deepEqual(eventsOf(app).slice(3), ['member_removed', 'member_removed']);
    assertProblem(await server.call('DELETE', `/api/apps/${app.id}/members/nobody`), 404, 'not_found');
  });

  test('several ids in one path, separated by commas, as existing clients do', async () => {
    const { app, uids, ids } = await withMembers();
    const answer = await server.call('DELETE', `/api/apps/${app.id}/members/${ids[0]},${ids[1]}`);
    assert.equal(answer.status, 204);
    assert.deepEqual(await membersOf(app), [[uids[2], 'write']]);
  });

  test('many in a body, all or none', async () => {
    const { app, uids, ids } = await withMembers();
    const remove = (body: unknown) => server.call('DELETE', `/api/apps/${app.id}/members`, body);
    assertProblem(await remove([uids[0], 'nobody']), 404, 'not_found');
    assertProblem(await remove([ids[0]]), 400, 'wrong_type', '/0');
    assertProblem(await remove([{ uid: uids[0] }]), 400, 'wrong_type', '/0');
    assertProblem(await remove(undefined), 400, 'malformed_request');
    assertProblem(await remove({}), 400, 'wrong_type');
    assert.equal((await membersOf(app)).length, 3);
    assert.equal((await remove([])).status, 204);
    assert.equal((await remove([uids[0], String(ids[0]), String(ids[1])])).status, 204);
    assert.deepEqual(await membersOf(app), [[uids[2], 'write']]);
  });

  test('can remove the last manager, after whom only an API key manages', async () => {
    const user = await makeUser(server);
    const app = await makeApp(user);
    const leave = `/api/apps/${app.id}/members/${user.uid}`;
    assert.equal((await user.call('DELETE', leave)).status, 204);
    assert.equal((await user.call('GET', `/api/apps/${app.id}`)).status, 404);
    assert.equal((await server.call('PUT', leave, { access: 'write' })).status, 204);
    const body = await user.read(`/api/apps/${app.id}`);
    // The role went with the membership.
    assert.deepEqual(body.permissions, ['list', 'read', 'create']);
    assert.equal((await server.call('PATCH', `/api/apps/${app.id}`, { name: 'n' })).status, 200);
  });
});

// A member has the fields of specification section 2.3, and an app shows its first page of them.
describe('listing members', () => {
  test('shows exactly the fields of a member', async () => {
    const app = await makeApp(server);
    const user = await makeUser(server, { name: 'Grace' });
    await server.call('PUT', `/api/apps/${app.id}/members/${user.uid}`);
    const body = await server.read(`/api/apps/${app.id}/members`);
    assert.deepEqual(body, {
      data: [
        {
          id: user.id,
          uid: user.uid,
          access: 'write',
          display_name: 'Grace',
          presence: 'away',
          is_bot: false,
        },
      ],
      start: 1,
      end: 1,
      count: 1,
    });
    assert.deepEqual((await server.read(`/api/apps/${app.id}`)).members, body);
  });

  test('leaves out suspended and trashed users unless they are requested, and counts alike', async () => {
    const app = await makeApp(server);
    const [plain, suspended, trashed] = [freshUid('plain'), freshUid('suspended'), freshUid('trashed')];
    for (const uid of [plain, suspended, trashed]) {
      await makeUser(server, {}, uid);
      await server.call('PUT', `/api/apps/${app.id}/members/${uid}`);
    }
    await server.call('PATCH', `/api/users/${suspended}`, { is_suspended: true });
    await server.call('POST', `/api/users/${trashed}/trash`);
    for (const [query, expected] of [
      ['', [plain]],
      ['?suspended=false', [plain]],
      ['?suspended=perhaps', [plain]],
      ['?suspended=true', [suspended]],
      ['?suspended=null', [plain, suspended]],
      ['?trashed=true', [trashed]],
      ['?trashed=null', [plain, trashed]],
      ['?trashed=null&suspended=null', [plain, suspended, trashed]],
    ] as const) {
      const body = await server.read(`/api/apps/${app.id}/members${query}`);
      assert.deepEqual(
        body.data.map(({ uid }: Member) => uid),
        expected,
        query,
      );
      assert.equal(body.count, expected.length, query);
      const only = await server.call(
        'GET',
        `/api/apps/${app.id}/members${query}${query ? '&' : '?'}count_only=true`,
      );
      assert.deepEqual(only.body, { count: expected.length }, query);
    }
    await server.call('PATCH', `/api/users/${suspended}`, { is_suspended: false });
    await server.call('POST', `/api/users/${trashed}/restore`);
    assert.equal((await server.read(`/api/apps/${app.id}/members?count_only=true`)).count, 3);
    await server.call('PATCH', `/api/users/${suspended}`, { is_suspended: true });
    await server.call('DELETE', `/api/apps/${app.id}/members/${suspended}`);
    assert.equal((await server.read(`/api/apps/${app.id}/members?count_only=true`)).count, 2);
  });

  test('finds, sorts and pages', async () => {
    const app = await makeApp(server);
    const names = ['Zoë Ångström', 'adam', 'Bertha Zoll', '田中太郎'];
    const uids: string[] = [];
    for (const [index, name] of names.entries()) {
      const user = await makeUser(server, { name, tags: index % 2 === 0 ? ['even'] : [] });
      uids.push(user.uid);
      await server.call('PUT', `/api/apps/${app.id}/members/${user.uid}`, {
        access: index === 1 ? 'read' : 'write',
      });
    }
    const listed = async (query: string) => (await membersOf(app, query)).map(([uid]) => uids.indexOf(uid));
    assert.deepEqual(await listed('?q=zo'), [0, 2]);
    assert.deepEqual(await listed('?q=ang'), [0]);
    assert.deepEqual(await listed(`?q=${encodeURIComponent('田中')}`), [3]);
    assert.deepEqual(await listed('?tag=even'), [0, 2]);
    assert.deepEqual(await listed('?order_by=id+desc'), [3, 2, 1, 0]);
    assert.deepEqual(await listed('?orderby=DisplayName%20desc&top=1').then((list) => list.length), 1);
    assert.deepEqual(await listed('?order_by=access'), [1, 0, 2, 3]);
    assert.deepEqual(await listed('?top=2&skip=1'), [1, 2]);
  });

  test('that are 25 are inside the app, the others on further pages', async () => {
    const app = await makeApp(server);
    const members = await Promise.all(Array.from({ length: 27 }, () => makeUser(server)));
    await server.call(
      'POST',
      `/api/apps/${app.id}/members`,
      members.map(({ uid }) => ({ uid })),
    );
    const { members: first } = await server.read(`/api/apps/${app.id}`);
    assert.equal(first.data.length, 25);
    assert.deepEqual([first.start, first.end, first.count], [1, 25, 27]);
    const second = await server.read(`/api/apps/${app.id}/members?skip=25`);
    assert.deepEqual([second.start, second.end, second.count, second.data.length], [26, 27, 27, 2]);
  });
});
