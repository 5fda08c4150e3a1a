import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { User } from 'confab-contract/users.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);

async function create(fields: object = {}, uid = freshUid('person')): Promise<User> {
  return await server.create('/api/users', { uid, ...fields });
}

/** The uids of a list, in its order. */
async function uids(query: string, as: string = server.key): Promise<string[]> {
  const answer = await server.as(as).call('GET', `/api/users?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map((user) => user.uid);
}

// Lists show the requested users, with a count that agrees, and never the built-in user.
describe('listing users', () => {
  test('finds by names, uid, e-mail and tag', async () => {
    const word = `w${freshUid('q').replace('-', '')}`;
    const made = await create({
      name: `Ada ${word}a`,
      given_name: `${word}b`,
      middle_name: `${word}c`,
      family_name: `${word}d`,
      nickname: `${word}e`,
      email: `${word}f@example.com`,
      tags: [word],
    });
    await create({ name: 'Somebody else', tags: [`${word}x`] });
    for (const part of ['a', 'b', 'c', 'd', 'e', 'f'])
      assert.deepEqual(await uids(`q=${word}${part}`), [made.uid], part);
    assert.deepEqual(await uids(`q=${made.uid}`), [made.uid]);
    assert.deepEqual(await uids(`tag=${word}`), [made.uid]);
    await server.call('PATCH', `/api/users/${made.id}`, { name: 'Other', tags: ['other'] });
    assert.deepEqual(await uids(`q=${word}a`), []);
    assert.deepEqual(await uids(`tag=${word}`), []);
  });

  test('leaves out suspended and trashed users unless requested', async () => {
    const tag = freshUid('state');
    const live = await create({ tags: [tag] });
    const suspended = await create({ tags: [tag], is_suspended: true });
    const trashed = await create({ tags: [tag] });
    await server.call('POST', `/api/users/${trashed.id}/trash`);
    assert.deepEqual(await uids(`tag=${tag}`), [live.uid]);
    assert.deepEqual(await uids(`tag=${tag}&suspended=true`), [suspended.uid]);
    assert.deepEqual(await uids(`tag=${tag}&suspended=null`), [live.uid, suspended.uid]);
    assert.deepEqual(await uids(`tag=${tag}&trashed=true`), [trashed.uid]);
    assert.deepEqual(await uids(`tag=${tag}&trashed=null&suspended=null`), [
      live.uid,
      suspended.uid,
      trashed.uid,
    ]);
  });

  test('sorts, pages and counts', async () => {
    const tag = freshUid('page');
    for (const name of ['b', 'a', 'c']) await create({ name, tags: [tag] });
    const body = await server.read(`/api/users?tag=${tag}&order_by=name+desc&top=2`);
    assert.deepEqual(
      body.data.map((user: User) => user.name),
      ['c', 'b'],
    );
    assert.deepEqual([body.start, body.end, body.count], [1, 2, 3]);
    const rest = await server.call('GET', `/api/users?tag=${tag}&order_by=name+desc&top=2&skip=2`);
    assert.deepEqual(
      rest.body.data.map((user: User) => user.name),
      ['a'],
    );
    const only = await server.call('GET', `/api/users?tag=${tag}&count_only=true`);
    assert.deepEqual(only.body, { count: 3 });
  });

  test('counts correctly without reading every user', async () => {
    const directory = freshUid('counted');
    await makeUser(server, { directory });
    await create({ directory, is_suspended: true });
    const moving = await create({ directory });
    await server.call('PATCH', `/api/users/${moving.id}`, { directory: freshUid('elsewhere') });
    const actual = watch.rows(
      'select count(*) as n from users where id <> 1 and suspended_at is null and trashed_at is null',
    )[0]?.n;
    assert.equal((await server.read('/api/users?count_only=true')).count, actual);
    const members = await server.call('GET', `/api/directories/${directory}/members`);
    assert.equal(members.body.count, 1);
    assert.equal(members.body.data.length, 1);
  });

  test('of 25 costs the same statements as of one', async () => {
    const tag = freshUid('cost');
    const cost = async (query: string) => {
      statements.length = 0;
      const body = await server.read(`/api/users?${query}`);
      return { statements: statements.length, items: body.data.length };
    };
    await create({ tags: [tag] });
    const one = await cost(`tag=${tag}`);
    await Promise.all(Array.from({ length: 24 }, () => create({ tags: [tag], name: 'Ada' })));
    const many = await cost(`tag=${tag}`);
    assert.deepEqual(one, { statements: 3, items: 1 });
    assert.deepEqual(many, { statements: 3, items: 25 });
  });

  test('never shows the system user', async () => {
    assert.equal((await uids('top=100')).includes('system'), false);
    assert.equal((await server.read('/api/users/system')).id, 1);
  });
});

// A user sees the users of their own directory; without one, those who have none. An API key sees all users.
describe('the users that a user sees', () => {
  test('are those in the same directory', async () => {
    const tag = freshUid('seen');
    const nickname = freshUid('seen').replace('-', 'x');
    const [one, two] = [freshUid('dir'), freshUid('dir')];
    const inOne = await makeUser(server, { directory: one, tags: [tag], nickname });
    const alsoInOne = await create({ directory: one, tags: [tag], nickname });
    const inTwo = await makeUser(server, { directory: two, tags: [tag], nickname });
    const inNone = await makeUser(server, { tags: [tag], nickname });
    assert.deepEqual(await uids(`q=${nickname}`, inOne.token), [inOne.uid, alsoInOne.uid]);
    assert.deepEqual(await uids(`q=${nickname}`, inTwo.token), [inTwo.uid]);
    assert.deepEqual(await uids(`q=${nickname}`, inNone.token), [inNone.uid]);
    assert.deepEqual(await uids(`tag=${tag}`), [inOne.uid, alsoInOne.uid, inTwo.uid, inNone.uid]);
    const counted = await inOne.call('GET', '/api/users?count_only=true');
    assert.deepEqual(counted.body, { count: 2 });

    const ofTwo = `q=${nickname}&directory_id=${(await server.read(`/api/directories/${two}`)).id}`;
    assert.deepEqual(await uids(ofTwo), [inTwo.uid]);
    assert.deepEqual(await uids(ofTwo, inTwo.token), [inTwo.uid]);
    assert.deepEqual(await uids(ofTwo, inOne.token), []);
    assert.deepEqual(await uids(ofTwo, inNone.token), []);
    assert.deepEqual(await uids('directory_id=0', inNone.token), []);
    const ofZero = await server.call('GET', '/api/users?directory_id=0');
    assert.deepEqual(ofZero.body, { data: [], start: 0, end: 0, count: 0 });
  });

  test('include the user, in full', async () => {
    const { uid, token } = await makeUser(server, { name: 'Ada', email: 'ada@example.com' });
    const body = await server.as(token).read('/api/user');
    assert.deepEqual(body, await server.read(`/api/users/${uid}`));
  });
});

// Only the host product manages users: a user's token is refused, and so is a missing credential.
describe('who may manage users', () => {
  const writes: [string, string, object?][] = [
    ['POST', '/api/users', { uid: 'intruder' }],
    ['GET', '/api/users/system'],
    ['PATCH', '/api/users/system', { name: 'x' }],
    ['PUT', '/api/users/intruder', {}],
    ['POST', '/api/users/system/trash'],
    ['POST', '/api/users/system/restore'],
    ['POST', '/api/users/intruder/tokens'],
    ['DELETE', '/api/users/intruder/tokens'],
    ['POST', '/api/directories', { name: 'intruder' }],
    ['PATCH', '/api/directories/intruder', { name: 'other' }],
    ['DELETE', '/api/directories/intruder'],
  ];
  for (const [method, path, body] of writes)
    test(`${method} ${path} is 403 with a token and 401 without`, async () => {
      const user = await makeUser(server);
      watch.hasChanged();
      assertProblem(await user.call(method, path, body), 403, 'key_only');
      assertProblem(await server.as(null).call(method, path, body), 401, 'unauthorized');
      assert.equal(watch.hasChanged(), false);
    });

  test('an API key is not a particular user', async () => {
    assertProblem(await server.call('GET', '/api/user'), 401, 'user_required');
  });
});
