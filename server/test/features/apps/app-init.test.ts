import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);

const init = (body: unknown, as: string | null = server.key) =>
  server.as(as).call('POST', '/api/apps/init', body);
const actions = (since: number) =>
  watch.rows(`select action from events where id > ${since} order by id`).map(({ action }) => action);
const lastEvent = () => Number(watch.rows('select coalesce(max(id), 0) as id from events')[0]?.['id']);

/** An app, a user and their membership exist afterwards, all of them or none of them. */
describe('init', () => {
  test('creates what does not exist, once', async () => {
    const [uid, person] = [freshUid('init'), freshUid('person')];
    const since = lastEvent();
    const body = {
      app: { uid, type: 'comments', name: 'Page' },
      user: { uid: person, name: 'Ada Lovelace' },
    };
    const first = await init(body);
    assert.equal(first.status, 200);
    assert.equal(first.body.uid, uid);
    assert.equal(first.body.name, 'Page');
    assert.deepEqual(
      first.body.members.data.map(({ uid, access, display_name }) => [uid, access, display_name]),
      [[person, 'write', 'Ada Lovelace']],
    );
    assert.deepEqual(actions(since), ['user_created', 'app_created', 'member_added']);
    assert.deepEqual((await init(body)).body, first.body);
    assert.equal(actions(since).length, 3);
  });

  test('changes the fields that are present and leaves a membership unchanged', async () => {
    const user = await makeUser(server, { name: 'Bob' });
    const app = await makeApp(server, { name: 'Before', description: 'stays', members: { read: [user] } });
    const { body } = await init({
      app: { uid: app.uid, type: 'comments', name: 'After' },
      user: { uid: user.uid, email: 'bob@example.com' },
    });
    assert.deepEqual([body.id, body.name, body.description], [app.id, 'After', 'stays']);
    assert.equal(body.members.data[0].access, 'read');
    const person = await server.read(`/api/users/${user.uid}`);
    assert.deepEqual([person.name, person.email], ['Bob', 'bob@example.com']);
  });

  test('creates one of each for 32 requests at the same time', async () => {
    const [uid, person] = [freshUid('init'), freshUid('person')];
    const since = lastEvent();
    const body = { app: { uid, type: 'posts' }, user: { uid: person } };
    const answers = await Promise.all(Array.from({ length: 32 }, () => init(body)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    assert.deepEqual(actions(since), ['user_created', 'app_created', 'member_added']);
  });

  test('leaves nothing when a part of it is invalid', async () => {
    const [uid, person] = [freshUid('init'), freshUid('person')];
    const files = await makeApp(server, { type: 'files' });
    const since = lastEvent();
    const cases: [object, string][] = [
      [{ app: { uid: files.uid, type: 'comments' }, user: { uid: person } }, '/app/type'],
      [{ app: { uid, type: 'newspaper' }, user: { uid: person } }, '/app/type'],
      [{ app: { uid, type: 'comments' }, user: { uid: person, email: 'nobody' } }, '/user/email'],
      [{ app: { uid, type: 'comments', directory: 'none' }, user: { uid: person } }, '/app/directory'],
      [{ app: { uid, type: 'comments' }, user: { uid: 'system' } }, '/user/uid'],
      [{ app: { uid: '12', type: 'comments' }, user: { uid: person } }, '/app/uid'],
      [{ app: { uid, type: 'comments' }, user: { uid: 'with space' } }, '/user/uid'],
      [{ app: { uid, type: 'comments' } }, '/user'],
      [{ user: { uid: person } }, '/app'],
      [{ app: { uid }, user: { uid: person } }, '/app/type'],
    ];
    for (const [body, pointer] of cases) assertProblem(await init(body), 422, 'validation_failed', pointer);
    assertProblem(await init({ app: 'x', user: {} }), 400, 'wrong_type', '/app');
    assert.deepEqual(actions(since), []);
    assertProblem(await server.call('GET', `/api/users/${person}`), 404, 'not_found');
  });

  test('keeps the metadata of both, and validates them', async () => {
    const [uid, person] = [freshUid('init'), freshUid('person')];
    const [ofApp, ofUser] = [{ a: [1, { b: null }] }, { plan: 'gold', since: 1e20 }];
    const type = 'comments';
    const { body } = await init({
      app: { uid, type, metadata: ofApp },
      user: { uid: person, metadata: ofUser },
    });
    assert.deepEqual(body.metadata, ofApp);
    assert.deepEqual((await server.read(`/api/users/${person}`)).metadata, ofUser);
    const since = lastEvent();
    let deep: unknown = 1;
    for (let level = 0; level < 40; level += 1) deep = { a: deep };
    for (const metadata of [{ a: 'x'.repeat(200_000) }, deep, { a: '\0' }]) {
      assertProblem(
        await init({ app: { uid, type, metadata }, user: { uid: person } }),
        422,
        'validation_failed',
      );
      assertProblem(
        await init({ app: { uid, type }, user: { uid: person, metadata } }),
        422,
        'validation_failed',
      );
    }
    for (const number of ['1e400', '9007199254740993', '0.12345678901234567890123']) {
      const text = `{"app":{"uid":"${uid}","type":"comments","metadata":{"a":${number}}},"user":{"uid":"${person}"}}`;
      assertProblem(await init(text), 422, 'validation_failed', '/app/metadata/a');
    }
    for (const metadata of ['x', 5, true, []])
      assertProblem(
        await init({ app: { uid, type, metadata }, user: { uid: person } }),
        400,
        'wrong_type',
        '/app/metadata',
      );
    assert.deepEqual(actions(since), []);
  });

  test('treats nested null as absent and ignores unknown properties', async () => {
    const [uid, person] = [freshUid('init'), freshUid('person')];
    const user = {
      uid: person,
      name: null,
      tags: null,
      metadata: null,
      picture: null,
      is_suspended: 'false',
    };
    const app = { uid, type: 'comments', access: null, directory: null, description: null, colour: 5 };
    assert.equal((await init({ app, user })).status, 200);
    const body = await server.read(`/api/users/${person}`);
    assert.deepEqual([body.is_suspended, body.display_name], [false, person]);
    const named = await init({ app: { ...app, name: 'x' }, user: { ...user, name: 'Ada' } });
    assert.deepEqual([named.status, named.body.name], [200, 'x']);
    const again = await init({ app, user });
    assert.deepEqual([again.body.name, again.body.members.data[0].display_name], ['x', 'Ada']);
  });

  test('leaves a trashed app in the trash', async () => {
    const app = await makeApp(server);
    await server.call('POST', `/api/apps/${app.id}/trash`);
    const { body } = await init({
      app: { uid: app.uid, type: 'comments' },
      user: { uid: freshUid('person') },
    });
    assert.equal(body.is_trashed, true);
  });

  test('is for API keys', async () => {
    const { token } = await makeUser(server);
    const body = { app: { uid: freshUid('init'), type: 'comments' }, user: { uid: freshUid('person') } };
    assertProblem(await init(body, token), 403, 'key_only');
    assertProblem(await init(body, null), 401, 'unauthorized');
  });
});

/** Existing clients name members by `id` and remove several in one path. */
describe('members as existing clients name them', () => {
  test('are added by id and removed by ids with commas', async () => {
    const app = await makeApp(server);
    const people = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const added = await server.call(
      'POST',
      `/api/apps/${app.id}/members`,
      people.map(({ id }) => ({ id, access: 'write' })),
    );
    assert.equal(added.status, 204);
    const ids = async () =>
      (await server.read(`/api/apps/${app.id}/members`)).data.map(({ id }: { id: number }) => id);
    assert.deepEqual(
      await ids(),
      people.map(({ id }) => id),
    );
    const [first, second, third] = people;
    const path = `/api/apps/${app.id}/members/${first?.id},${second?.id}`;
    assert.equal((await server.call('DELETE', path)).status, 204);
    assert.deepEqual(await ids(), [third?.id]);
    assertProblem(
      await server.call('DELETE', `/api/apps/${app.id}/members/${third?.id},987654321`),
      404,
      'not_found',
    );
    assert.deepEqual(await ids(), [third?.id]);
  });
});
