import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { User } from 'confab-contract/users.ts';
import { addMembers, makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch, writeStore } from 'confab-testing/stores/store-watch.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);

async function create(fields: object = {}, uid = freshUid('person')): Promise<User> {
  return await server.create('/api/users', { uid, ...fields });
}

/** The actions of the events of a user in their order. */
const actionsOf = (id: number) => watch.actionsOf('user', id);

/** The number of members of an app, by its count and by its list. */
async function membersOf(app: string): Promise<{ counted: number; listed: string[] }> {
  const counted = await server.call('GET', `/api/apps/${app}/members?count_only=true`);
  const body = await server.read(`/api/apps/${app}/members`);
  return { counted: counted.body.count, listed: body.data.map(({ uid }: { uid: string }) => uid) };
}

// A trashed user is shown only on request, and trashing and restoring can be repeated.
describe('trash and restore', () => {
  test('return the user, however often they are repeated', async () => {
    const made = await create();
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await server.call('POST', `/api/users/${made.uid}/trash`);
      assert.equal(status, 200);
      assert.deepEqual(body, { ...made, is_trashed: true });
    }
    assertProblem(await server.call('GET', `/api/users/${made.id}`), 404, 'not_found');
    assert.equal((await server.read(`/api/users/${made.id}?trashed=true`)).is_trashed, true);
    assertProblem(await server.call('PATCH', `/api/users/${made.id}`, { name: 'x' }), 404, 'not_found');
    for (let round = 0; round < 2; round += 1)
      assert.deepEqual((await server.call('POST', `/api/users/${made.id}/restore`)).body, made);
    assert.deepEqual(actionsOf(made.id), ['user_created', 'user_trashed', 'user_restored']);
  });

  test('of an unknown user is 404', async () => {
    for (const path of ['nobody-here', '987654', '0', '9'.repeat(30)])
      for (const verb of ['trash', 'restore'])
        assertProblem(await server.call('POST', `/api/users/${path}/${verb}`), 404, 'not_found');
  });
});

// The role of a user is for API keys to give, and for them and the user to see.
describe('the role of a user', () => {
  test('is given and taken by an API key, and shown to nobody else', async () => {
    const [{ uid, token }, other] = [await makeUser(server), await makeUser(server)];
    assert.equal((await create({ role: 'moderator' })).role, 'moderator');
    assert.equal((await server.read(`/api/users/${uid}`)).role, undefined);
    assert.equal(
      (await server.call('PATCH', `/api/users/${uid}`, { role: 'moderator' })).body.role,
      'moderator',
    );
    assert.equal((await server.as(token).read('/api/user')).role, 'moderator');
    const app = await makeApp(server, { access: 'write' });
    const { id } = await server.as(token).create(`/api/apps/${app.id}/comments`, { text: 'words' });
    const body = await other.read(`/api/comments/${id}`);
    assert.equal(body.created_by.role, undefined);
    assert.equal((await server.call('PUT', `/api/users/${uid}`, { role: null })).body.role, undefined);
    assertProblem(
      await server.call('PATCH', `/api/users/${uid}`, { role: 'manager' }),
      422,
      'validation_failed',
    );
  });
});

// Who is suspended or in the trash is refused everywhere and leaves the counts of the apps they belong to.
describe('suspending and trashing a member', () => {
  for (const [name, end, lift] of [
    ['suspending', { is_suspended: true }, { is_suspended: false }],
    ['trashing', 'trash', 'restore'],
  ] as const)
    test(`refuses their tokens from ${name} on, even after it is lifted`, async () => {
      const { uid, id, token } = await makeUser(server);
      const act = async (what: typeof end | typeof lift) =>
        typeof what === 'string'
          ? await server.call('POST', `/api/users/${uid}/${what}`)
          : await server.call('PATCH', `/api/users/${uid}`, what);
      const status = async (as: string) => (await server.as(as).call('GET', '/api/user')).status;
      assert.equal(await status(token), 200);
      await act(end);
      assert.equal(await status(token), 401);
      assert.equal(
        Number(watch.rows(`select count(*) as n from access_tokens where user_id = ${id}`)[0]?.n),
        0,
      );
      await act(lift);
      assert.equal(await status(token), 401);
      const issued = await server.call('POST', `/api/users/${uid}/tokens`);
      assert.equal(await status(issued.body.access_token), 200);
      assert.deepEqual(actionsOf(id).slice(-4), [
        ...(typeof end === 'string' ? ['user_trashed'] : ['user_updated']),
        'tokens_revoked',
        ...(typeof lift === 'string' ? ['user_restored'] : ['user_updated']),
        'token_issued',
      ]);
    });

  test('revokes, when it is lifted, the tokens that a node of the previous release left', async () => {
    const { uid, token } = await makeUser(server);
    writeStore(server.folder, `update users set suspended_at = 1 where uid = '${uid}'`);
    await server.call('PUT', `/api/users/${uid}`, { is_suspended: false });
    assert.equal((await server.as(token).call('GET', '/api/user')).status, 401);
  });

  test('keeps the member counts of all their apps correct', async () => {
    const apps = [await makeApp(server), await makeApp(server), await makeApp(server)];
    const person = await create();
    const other = await create();
    for (const app of apps)
      await server.call('POST', `/api/apps/${app.uid}/members`, [{ uid: person.uid }, { uid: other.uid }]);
    const both = { counted: 2, listed: [person.uid, other.uid] };
    const one = { counted: 1, listed: [other.uid] };
    const assertEach = async (expected: typeof both) => {
      for (const app of apps) assert.deepEqual(await membersOf(app.uid), expected);
    };
    const suspend = (is_suspended: boolean) =>
      server.call('PATCH', `/api/users/${person.id}`, { is_suspended });
    await assertEach(both);
    await suspend(true);
    await assertEach(one);
    await suspend(true);
    await server.call('POST', `/api/users/${person.id}/trash`);
    await assertEach(one);
    await server.call('PUT', `/api/users/${person.uid}`, { is_suspended: false });
    await assertEach(one);
    await server.call('POST', `/api/users/${person.id}/restore`);
    await assertEach(both);
  });

  test('counts a member who was suspended when they joined', async () => {
    const app = await makeApp(server);
    const person = await create({ is_suspended: true });
    await addMembers(server, app.uid, { write: [person] });
    assert.deepEqual(await membersOf(app.uid), { counted: 0, listed: [] });
    await server.call('PATCH', `/api/users/${person.id}`, { is_suspended: false });
    assert.deepEqual(await membersOf(app.uid), { counted: 1, listed: [person.uid] });
  });

  test('costs one statement for any number of apps', async () => {
    const person = await create();
    const cost = async () => {
      statements.length = 0;
      await server.call('PATCH', `/api/users/${person.id}`, { is_suspended: true });
      const counted = statements.length;
      await server.call('PATCH', `/api/users/${person.id}`, { is_suspended: false });
      return counted;
    };
    const before = await cost();
    for (let n = 0; n < 5; n += 1) await addMembers(server, (await makeApp(server)).uid, { write: [person] });
    assert.equal(await cost(), before);
  });
});
