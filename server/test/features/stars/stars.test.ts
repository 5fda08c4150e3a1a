import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addMembers, makeApp, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Caller, startTestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);

const star = (app: number | string, by: Caller) => by.call('POST', `/api/apps/${app}/stars`);
const unstar = (app: number | string, by: Caller) => by.call('DELETE', `/api/apps/${app}/stars`);
const stars = (by: Caller, query = '') => by.call('GET', `/api/stars${query}`);

/** A star belongs to one person, is set once however often it is set, and nobody else hears of it. */
describe('a star', () => {
  test('is set and removed', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'read' });
    const isStarred = async (by: Caller) => (await by.read(`/api/apps/${app.id}`)).is_starred;
    for (const ref of [app.id, app.uid]) assert.equal((await star(ref, ada)).status, 204);
    assert.deepEqual([await isStarred(ada), await isStarred(bob)], [true, false]);
    assert.deepEqual((await stars(ada)).body, {
      data: [{ id: app.id, type: 'app' }],
      start: 1,
      end: 1,
      count: 1,
    });
    assert.equal((await stars(bob)).body.count, 0);
    for (const ref of [app.uid, app.id]) assert.equal((await unstar(ref, ada)).status, 204);
    assert.equal(await isStarred(ada), false);
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
    const answers = await Promise.all(Array.from({ length: 32 }, () => star(app.id, ada)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
    assert.equal((await stars(ada)).body.count, 1);
    const sql = `select id from events where action = 'app_starred' and entity_id = ${app.id}`;
    assert.equal(watch.rows(sql).length, 1);
  });

  test('matches the log after 32 users set and remove theirs at the same time', async () => {
    const app = await makeApp(server, { access: 'read' });
    const people: Person[] = [];
    for (let made = 0; made < 8; made += 1) people.push(await makeUser(server));
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, n) => {
        const person = people[n % 8] as Person;
        return (n >> 3) % 2 === 0 ? star(app.id, person) : unstar(app.id, person);
      }),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
    for (const person of people) {
      const told = watch
        .rows(
          `select action from events where entity_type = 'app' and entity_id = ${app.id}
           and user_id = ${person.id} order by id`,
        )
        .map(({ action }) => action);
      // Each event is a change: the two follow each other in turn.
      assert.ok(told.every((action, n) => action === (n % 2 === 0 ? 'app_starred' : 'app_unstarred')));
      const rows = watch.rows(`select 1 from stars where user_id = ${person.id} and app_id = ${app.id}`);
      assert.equal(rows.length, told.length % 2);
      assert.equal((await stars(person)).body.count, rows.length);
    }
  });

  test('needs a user who can see the app', async () => {
    const ada = await makeUser(server);
    const closed = await makeApp(server);
    for (const act of [star, unstar]) {
      assertProblem(await act(closed.id, ada), 404, 'not_found');
      assertProblem(await act('there-is-none', ada), 404, 'not_found');
      assertProblem(await act(closed.id, server), 401, 'user_required');
    }
    assertProblem(await stars(server), 401, 'user_required');
    const trashed = await makeApp(server, { access: 'read' });
    await server.call('POST', `/api/apps/${trashed.id}/trash`);
    assertProblem(await star(trashed.id, ada), 404, 'not_found');
  });
});

/** The list holds what the caller starred and may read at this moment, page by page. */
describe('the list of stars', () => {
  test('has pages, a count and both orders', async () => {
    const ada = await makeUser(server);
    const ids: number[] = [];
    for (let made = 0; made < 5; made += 1) {
      const { id } = await makeApp(server, { access: 'read' });
      await star(id, ada);
      ids.push(id);
    }
    const page = (await stars(ada, '?top=2&skip=2')).body;
    assert.deepEqual(
      [page.data.map(({ id }: { id: number }) => id), page.start, page.end, page.count],
      [ids.slice(2, 4), 3, 4, 5],
    );
    const backwards = (await stars(ada, '?order_by=id+desc&count=false')).body;
    assert.deepEqual(
      backwards.data.map(({ id }: { id: number }) => id),
      ids.toReversed(),
    );
    assert.equal(backwards.count, undefined);
    assert.deepEqual((await stars(ada, '?count_only=true')).body, { count: 5 });
    assert.equal((await stars(ada, '?top=0&skip=x&order_by=none')).body.data.length, 1);
  });

  test('finds by words and tags', async () => {
    const ada = await makeUser(server);
    const found = await makeApp(server, { access: 'read', name: 'Quarterly figures', tags: ['money'] });
    const other = await makeApp(server, { access: 'read', name: 'Party' });
    for (const { id } of [found, other]) await star(id, ada);
    for (const query of ['?q=quarter', '?tag=money'])
      assert.deepEqual((await stars(ada, query)).body.data, [{ id: found.id, type: 'app' }]);
  });

  test('costs the same statements for twenty stars as for one', async () => {
    const statements: string[] = [];
    const counted = await startTestServer(
      {},
      { isQuiet: true, onStatement: (sql) => void statements.push(sql) },
    );
    try {
      const person = await makeUser(counted);
      const cost = async () => {
        statements.length = 0;
        await stars(person, '?q=app');
        return statements.length;
      };
      const starNext = async () => {
        const { id } = await makeApp(counted, { access: 'read' });
        await star(id, person);
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
    await star(app.id, ada);
    const count = async (query = '') => (await stars(ada, query)).body.count;
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
