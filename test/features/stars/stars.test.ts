import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addMembers, makeApp, makeUser, type Person } from '../../support/fixtures.ts';
import { assertProblem } from '../../support/problem.ts';
import { startTestServer, useServer } from '../../support/server.ts';
import { useStoreWatch } from '../../support/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);

const star = (app: number | string, as: string) =>
  server.call('POST', `/api/apps/${app}/stars`, undefined, { as });
const unstar = (app: number | string, as: string) =>
  server.call('DELETE', `/api/apps/${app}/stars`, undefined, { as });
const stars = (as: string, query = '') => server.call('GET', `/api/stars${query}`, undefined, { as });

/** A star belongs to one person, is set once however often it is set, and nobody else hears of it. */
describe('a star', () => {
  test('is set and removed', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'read' });
    const isStarred = async (as: string) => (await server.read(`/api/apps/${app.id}`, { as })).is_starred;
    for (const ref of [app.id, app.uid]) assert.equal((await star(ref, ada.token)).status, 204);
    assert.deepEqual([await isStarred(ada.token), await isStarred(bob.token)], [true, false]);
    assert.deepEqual((await stars(ada.token)).body, {
      data: [{ id: app.id, type: 'app' }],
      start: 1,
      end: 1,
      count: 1,
    });
    assert.equal((await stars(bob.token)).body.count, 0);
    for (const ref of [app.uid, app.id]) assert.equal((await unstar(ref, ada.token)).status, 204);
    assert.equal(await isStarred(ada.token), false);
    const events = watch.rows(
      `select action, user_id as user from events where entity_type = 'app' and entity_id = ${app.id}
       and action like '%starred' order by id`,
    );
    assert.deepEqual(
      events.map(({ action, user }) => [action, user]),
      [
        ['app_starred', ada.id],
        ['app_unstarred', ada.id],
      ],
    );
  });

  test('is set once by 32 requests at the same time', async () => {
    const ada = await makeUser(server);
    const app = await makeApp(server, { access: 'read' });
    const answers = await Promise.all(Array.from({ length: 32 }, () => star(app.id, ada.token)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
    assert.equal((await stars(ada.token)).body.count, 1);
    const sql = `select id from events where action = 'app_starred' and entity_id = ${app.id}`;
    assert.equal(watch.rows(sql).length, 1);
  });

  test('matches the log after 32 users set and remove theirs at the same time', async () => {
    const app = await makeApp(server, { access: 'read' });
    const people: Person[] = [];
    for (let made = 0; made < 8; made += 1) people.push(await makeUser(server));
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, n) => {
        const { token } = people[n % 8] ?? { token: '' };
        return (n >> 3) % 2 === 0 ? star(app.id, token) : unstar(app.id, token);
      }),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
    for (const { id, token } of people) {
      const told = watch
        .rows(
          `select action from events where entity_type = 'app' and entity_id = ${app.id}
           and user_id = ${id} order by id`,
        )
        .map(({ action }) => action);
      // Each event is a change: the two follow each other in turn.
      assert.ok(told.every((action, n) => action === (n % 2 === 0 ? 'app_starred' : 'app_unstarred')));
      const rows = watch.rows(`select 1 from stars where user_id = ${id} and app_id = ${app.id}`);
      assert.equal(rows.length, told.length % 2);
      assert.equal((await stars(token)).body.count, rows.length);
    }
  });

  test('needs a user who can see the app', async () => {
    const ada = await makeUser(server);
    const closed = await makeApp(server);
    for (const act of [star, unstar]) {
      assertProblem(await act(closed.id, ada.token), 404, 'not_found');
      assertProblem(await act('there-is-none', ada.token), 404, 'not_found');
      assertProblem(await act(closed.id, server.key), 401, 'user_required');
    }
    assertProblem(await stars(server.key), 401, 'user_required');
    const trashed = await makeApp(server, { access: 'read' });
    await server.call('POST', `/api/apps/${trashed.id}/trash`);
    assertProblem(await star(trashed.id, ada.token), 404, 'not_found');
  });
});

/** The list holds what the caller starred and may read at this moment, page by page. */
describe('the list of stars', () => {
  test('has pages, a count and both orders', async () => {
    const ada = await makeUser(server);
    const ids: number[] = [];
    for (let made = 0; made < 5; made += 1) {
      const { id } = await makeApp(server, { access: 'read' });
      await star(id, ada.token);
      ids.push(id);
    }
    const page = (await stars(ada.token, '?top=2&skip=2')).body;
    assert.deepEqual(
      [page.data.map(({ id }: { id: number }) => id), page.start, page.end, page.count],
      [ids.slice(2, 4), 3, 4, 5],
    );
    const backwards = (await stars(ada.token, '?order_by=id+desc&count=false')).body;
    assert.deepEqual(
      backwards.data.map(({ id }: { id: number }) => id),
      ids.toReversed(),
    );
    assert.equal(backwards.count, undefined);
    assert.deepEqual((await stars(ada.token, '?count_only=true')).body, { count: 5 });
    assert.equal((await stars(ada.token, '?top=0&skip=x&order_by=none')).body.data.length, 1);
  });

  test('finds by words and tags', async () => {
    const ada = await makeUser(server);
    const found = await makeApp(server, { access: 'read', name: 'Quarterly figures', tags: ['money'] });
    const other = await makeApp(server, { access: 'read', name: 'Party' });
    for (const { id } of [found, other]) await star(id, ada.token);
    for (const query of ['?q=quarter', '?tag=money'])
      assert.deepEqual((await stars(ada.token, query)).body.data, [{ id: found.id, type: 'app' }]);
  });

  test('costs the same statements for twenty stars as for one', async () => {
    const statements: string[] = [];
    const counted = await startTestServer(
      {},
      { isQuiet: true, onStatement: (sql) => void statements.push(sql) },
    );
    try {
      const { token } = await makeUser(counted);
      const cost = async () => {
        statements.length = 0;
        await counted.call('GET', '/api/stars?q=app', undefined, { as: token });
        return statements.length;
      };
      const starNext = async () => {
        const { id } = await makeApp(counted, { access: 'read' });
        await counted.call('POST', `/api/apps/${id}/stars`, undefined, { as: token });
      };
      await starNext();
      const one = await cost();
      for (let made = 0; made < 19; made += 1) await starNext();
      assert.equal(await cost(), one);
    } finally {
      await counted.close();
    }
  });

  test('leaves out apps that the caller currently cannot see', async () => {
    const ada = await makeUser(server);
    const app = await makeApp(server, { access: 'read' });
    await star(app.id, ada.token);
    const count = async (query = '') => (await stars(ada.token, query)).body.count;
    await server.call('PATCH', `/api/apps/${app.id}`, { access: 'none' });
    assert.equal(await count(), 0);
    await addMembers(server, app.id, { read: [ada] });
    assert.equal(await count(), 1);
    await addMembers(server, app.id, { none: [ada] });
    assert.equal(await count(), 0);
    await server.call('PATCH', `/api/apps/${app.id}`, { access: 'read' });
    assert.equal(await count(), 0);
    await server.call('DELETE', `/api/apps/${app.id}/members/${ada.uid}`);
    await server.call('POST', `/api/apps/${app.id}/trash`);
    assert.deepEqual([await count(), await count('?trashed=true'), await count('?trashed=null')], [0, 0, 0]);
    await server.call('POST', `/api/apps/${app.id}/restore`);
    assert.equal(await count(), 1);
  });
});
