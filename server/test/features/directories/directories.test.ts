import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeDirectory, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

type Directory = { id: number; name: string };

const server = useServer();
const watch = useStoreWatch(server);

/** The names of a list of directories, in its order. */
async function names(query = '', as = server.key): Promise<string[]> {
  const body = await server.as(as).read(`/api/directories?${query}`);
  return body.data.map((directory: Directory) => directory.name);
}

const actionsOf = (id: number) => watch.actionsOf('directory', id);

// A directory is a name of its own that obeys the uid rule.
describe('creating and renaming a directory', () => {
  test('returns id and name, and finds it by both', async () => {
    const name = freshUid('acme');
    const body = await server.create('/api/directories', { name });
    assert.deepEqual(body, { id: body.id, name });
    assert.deepEqual(await server.read(`/api/directories/${body.id}`), body);
    assert.deepEqual(await server.read(`/api/directories/${name}`), body);
  });

  test('refuses a name that is taken with 409', async () => {
    const [one, two] = [freshUid('acme'), freshUid('acme')];
    await makeDirectory(server, one);
    const id = await makeDirectory(server, two);
    assertProblem(await server.call('POST', '/api/directories', { name: one }), 409, 'name_taken', '/name');
    const renamed = await server.call('PATCH', `/api/directories/${id}`, { name: one });
    assertProblem(renamed, 409, 'name_taken', '/name');
    assert.equal((await server.read(`/api/directories/${id}`)).name, two);
  });

  test('of 16 with one name at once creates one', async () => {
    const name = freshUid('race');
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => server.call('POST', '/api/directories', { name })),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [
      201,
      ...Array.from({ length: 15 }, () => 409),
    ]);
  });

  test('renames, also in the search', async () => {
    const [before, after] = [freshUid('before'), freshUid('after')];
    const id = await makeDirectory(server, before);
    const { status, body } = await server.call('PATCH', `/api/directories/${before}`, { name: after });
    assert.equal(status, 200);
    assert.deepEqual(body, { id, name: after });
    assert.deepEqual(await names(`q=${before}`), []);
    assert.deepEqual(await names(`q=${after}`), [after]);
    assert.deepEqual(actionsOf(id), ['directory_created', 'directory_updated']);
  });

  test('to its present name changes nothing', async () => {
    const name = freshUid('same');
    const id = await makeDirectory(server, name);
    watch.hasChanged();
    for (const body of [{ name }, {}, undefined])
      assert.equal((await server.call('PATCH', `/api/directories/${id}`, body)).body.name, name);
    assert.equal(watch.hasChanged(), false);
  });

  const broken: [string, unknown][] = [
    ['empty', ''],
    ['with a space', 'a b'],
    ['of digits', '123'],
    ['of 257 characters', 'x'.repeat(257)],
    ['absent', undefined],
    ['null', null],
  ];
  for (const [what, name] of broken)
    test(`a name that is ${what} is 422`, async () => {
      watch.hasChanged();
      const answer = await server.call('POST', '/api/directories', { name });
      assertProblem(answer, 422, 'validation_failed', '/name');
      assert.equal(watch.hasChanged(), false);
    });

  test('a name of 256 characters is accepted, one of another JSON type is 400', async () => {
    const name = freshUid('long').padEnd(256, 'x');
    assert.equal((await server.call('POST', '/api/directories', { name })).status, 201);
    assertProblem(await server.call('POST', '/api/directories', { name: 5 }), 400, 'wrong_type', '/name');
    assertProblem(await server.call('POST', '/api/directories', '{'), 400, 'invalid_json');
  });

  test('cannot clear the name', async () => {
    const id = await makeDirectory(server, freshUid('kept'));
    const answer = await server.call('PATCH', `/api/directories/${id}`, { name: null });
    assertProblem(answer, 422, 'validation_failed', '/name');
  });

  test('of an unknown directory is 404', async () => {
    for (const path of ['999999', 'no-such-directory', '0', 'a%20b']) {
      assertProblem(await server.call('GET', `/api/directories/${path}`), 404, 'not_found');
      assertProblem(await server.call('PATCH', `/api/directories/${path}`, { name: ' ' }), 404, 'not_found');
      assertProblem(await server.call('DELETE', `/api/directories/${path}`), 404, 'not_found');
      assertProblem(await server.call('GET', `/api/directories/${path}/members`), 404, 'not_found');
    }
  });
});

// A directory can be deleted only when nothing belongs to it, because without it an app would be open to all users.
describe('deleting a directory', () => {
  test('removes it and frees the name', async () => {
    const name = freshUid('gone');
    const id = await makeDirectory(server, name);
    const answer = await server.call('DELETE', `/api/directories/${id}`);
    assert.equal(answer.status, 204);
    assert.equal(answer.text, '');
    assertProblem(await server.call('GET', `/api/directories/${id}`), 404, 'not_found');
    assertProblem(await server.call('DELETE', `/api/directories/${id}`), 404, 'not_found');
    assert.deepEqual(await names(`q=${name}`), []);
    assert.deepEqual(actionsOf(id), ['directory_created', 'directory_deleted']);
    assert.notEqual(await makeDirectory(server, name), id);
  });

  test('is refused while users or apps belong to it, and names them', async () => {
    const name = freshUid('used');
    const id = await makeDirectory(server, name);
    const person = await makeUser(server, { directory: name });
    const app = await makeApp(server, { directory: name, access: 'read' });
    const other = await makeApp(server, { directory: name });
    watch.hasChanged();
    const refused = await server.call('DELETE', `/api/directories/${name}`);
    assertProblem(refused, 422, 'validation_failed');
    assert.match(refused.body.detail, new RegExp(`1 user \\(${person.uid}\\)`));
    assert.match(refused.body.detail, new RegExp(`2 apps \\(${app.uid} and others\\)`));
    assert.equal(watch.hasChanged(), false);

    await server.call('PATCH', `/api/users/${person.uid}`, { directory: null });
    await server.call('PATCH', `/api/apps/${other.uid}`, { directory: null });
    await server.call('POST', `/api/apps/${app.uid}/trash`);
    assertProblem(await server.call('DELETE', `/api/directories/${name}`), 422, 'validation_failed');
    await server.call('POST', `/api/apps/${app.uid}/restore`);
    await server.call('PATCH', `/api/apps/${app.uid}`, { directory: null });
    assert.equal((await server.call('DELETE', `/api/directories/${id}`)).status, 204);
  });
});

// An API key sees every directory and a user only their own; any other one looks like a missing one.
describe('who sees a directory', () => {
  test('is an API key or one of its users', async () => {
    const [one, two] = [freshUid('mine'), freshUid('theirs')];
    const inOne = await makeUser(server, { directory: one });
    const inTwo = await makeUser(server, { directory: two });
    const inNone = await makeUser(server);
    const all = await names('top=100');
    assert.ok(all.includes(one) && all.includes(two));
    assert.deepEqual(await names('', inOne.token), [one]);
    assert.deepEqual(await names('', inNone.token), []);
    for (const path of [two, `${two}/members`]) {
      assert.equal((await inTwo.call('GET', `/api/directories/${path}`)).status, 200);
      for (const as of [inOne.token, inNone.token]) {
        const hidden = await server.as(as).call('GET', `/api/directories/${path}`);
        assertProblem(hidden, 404, 'not_found');
        const absent = await server.as(as).call('GET', '/api/directories/no-such-directory');
        assert.equal(hidden.body.detail, absent.body.detail);
      }
      assert.equal((await server.as(null).call('GET', `/api/directories/${path}`)).status, 401);
    }
  });
});

// Lists of directories and of the users in one follow the rules of every list.
describe('listing', () => {
  test('directories sorts, pages and counts', async () => {
    const word = `w${freshUid('q').replace('-', '')}`;
    for (const letter of ['b', 'a', 'c']) await makeDirectory(server, `${word}-${letter}`);
    const sorted = `q=${word}&order_by=name+desc`;
    assert.deepEqual(await names(sorted), [`${word}-c`, `${word}-b`, `${word}-a`]);
    assert.deepEqual(await names(`${sorted}&top=1&skip=2`), [`${word}-a`]);
    const body = await server.read(`/api/directories?${sorted}&top=2`);
    assert.deepEqual([body.start, body.end, body.count], [1, 2, 3]);
    const total = await server.call('GET', '/api/directories?count_only=true');
    assert.deepEqual(total.body, { count: watch.count('directories') });
    for (const query of ['tag=x', 'trashed=true']) {
      const none = await server.call('GET', `/api/directories?${query}`);
      assert.deepEqual(none.body, { data: [], start: 0, end: 0, count: 0 });
    }
  });

  test('the users of a directory shows their usual fields except the directory itself', async () => {
    const directory = freshUid('people');
    const ada = await makeUser(server, { directory, name: 'Ada' });
    const bob = await makeUser(server, { directory, name: 'Bob', is_suspended: false });
    const eve = await server.call('PUT', `/api/users/${freshUid('eve')}`, { directory, is_suspended: true });
    const list = async (query: string) => {
      return await server.read(`/api/directories/${directory}/members?${query}`);
    };
    const { directory: shown, ...third } = eve.body;
    assert.deepEqual(shown, { id: third.directory_id, name: directory });
    const item = async ({ uid }: { uid: string }) => {
      const { directory: its, ...rest } = await server.read(`/api/users/${uid}`);
      assert.deepEqual(its, shown);
      return rest;
    };
    const first = await list('order_by=name+desc');
    assert.deepEqual(first.data, [await item(bob), await item(ada)]);
    assert.equal(first.count, 2);
    assert.deepEqual((await list('suspended=true')).data, [third]);
    assert.deepEqual(await list('suspended=null&count_only=true'), { count: 3 });
    assert.equal((await list('q=ada')).count, 1);
  });
});

// A user is put into a directory by id or by name, and an unknown name creates one, once.
describe('the directory of a user', () => {
  test('is created when the name is unknown', async () => {
    const directory = freshUid('implied');
    const uids = Array.from({ length: 8 }, () => freshUid('person'));
    const answers = await Promise.all(
      uids.map((uid) => server.call('PUT', `/api/users/${uid}`, { directory })),
    );
    const ids = new Set(answers.map((answer) => answer.body.directory_id));
    assert.equal(ids.size, 1);
    const body = await server.read(`/api/directories/${directory}`);
    assert.deepEqual([...ids], [body.id]);
    assert.deepEqual(actionsOf(body.id), ['directory_created']);
  });

  test('is not created when another value is invalid', async () => {
    const directory = freshUid('never');
    const taken = (await makeUser(server)).uid;
    const answer = await server.call('POST', '/api/users', { uid: taken, directory });
    assertProblem(answer, 422, 'validation_failed', '/uid');
    assertProblem(await server.call('GET', `/api/directories/${directory}`), 404, 'not_found');
  });

  test('decides at once what they see', async () => {
    const [one, two] = [freshUid('from'), freshUid('to')];
    const app = await makeApp(server, {
      directory: String(await makeDirectory(server, two)),
      access: 'read',
    });
    const { uid, token } = await makeUser(server, { directory: one });
    const status = async () => (await server.as(token).call('GET', `/api/apps/${app.uid}`)).status;
    assert.equal(await status(), 404);
    await server.call('PATCH', `/api/users/${uid}`, { directory: two });
    assert.equal(await status(), 200);
    assert.deepEqual(await names('', token), [two]);
  });
});
