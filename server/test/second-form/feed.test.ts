import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeApp, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

type App = { readonly id: number; readonly uid: string };

/** Ada follows Bob. Bob and Eve wrote in two apps that Ada sees, and Bob in one that she does not. */
describe('the feed of posts', () => {
  let ada: Person;
  let bob: Person;
  let eve: Person;
  let one: App;
  let other: App;
  let closed: App;
  /** The ids of the posts by their texts. */
  const ids: { [text: string]: number } = {};

  before(async () => {
    [ada, bob, eve] = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const open = { type: 'posts', access: 'write' };
    [one, other] = [await makeApp(server, { ...open, uid: 'one,two' }), await makeApp(server, open)];
    closed = await makeApp(server, { type: 'posts', members: { write: [bob] } });
    for (const [text, by, app, tags] of [
      ['bob in one', bob, one, ['news']],
      ['eve in one', eve, one, []],
      ['bob in other', bob, other, []],
      ['bob in closed', bob, closed, ['news']],
      ['eve in other', eve, other, ['news']],
      ['bob again in one', bob, one, []],
    ] as const)
      ids[text] = (await by.create(`/api/apps/${app.id}/posts`, { text, tags })).id;
    await ada.call('POST', `/api/users/${bob.id}/follow`);
  });

  async function feed(query: object, by = ada, path = '/api/posts') {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, each]),
    );
    const { data, count } = await inSecondForm(by).read(`${path}?${new URLSearchParams(pairs)}`);
    return { texts: (data as { text: string }[] | undefined)?.map(({ text }) => text), count };
  }
  const all = ['bob in one', 'eve in one', 'bob in other', 'eve in other', 'bob again in one'];
  const byBob = all.filter((text) => text.startsWith('bob'));

  test('has all that the caller sees', async () => {
    assert.deepEqual(await feed({ out: 'details' }), { texts: all, count: all.length });
    const newest = { texts: all.toReversed(), count: all.length };
    assert.deepEqual(await feed({ order_by: 'id desc', skip: '0' }), newest);
  });

  test('has the posts of some apps, by their ids and uids', async () => {
    const inOne = all.filter((text) => text.endsWith('one'));
    for (const app of [one.id, one.uid, [one.uid, closed.id], [one.id, 'no such', 'no uid']])
      assert.deepEqual(await feed({ app }), { texts: inOne, count: 3 });
    assert.deepEqual(await feed({ app: [one.id, other.uid] }), { texts: all, count: 5 });
    assert.deepEqual(await feed({ app: [closed.id, 'no such'] }), { texts: [], count: 0 });
    assert.deepEqual(await feed({ app: [one.id, other.id], count_only: true }), {
      texts: undefined,
      count: 5,
    });
    assert.deepEqual(await feed({ app: [one.id, other.id], order_by: 'created_at desc', top: '2' }), {
      texts: ['bob again in one', 'eve in other'],
      count: 5,
    });
    const everywhere = await feed({ app: [closed.id, other.id] }, server as unknown as Person);
    assert.deepEqual(everywhere.texts, ['bob in other', 'bob in closed', 'eve in other']);
  });

  test('has the posts of whom the caller follows and may read', async () => {
    assert.deepEqual(await feed({ following: true }), { texts: byBob, count: 3 });
    assert.deepEqual(await feed({ following: true, app: [other.id, closed.id] }), {
      texts: ['bob in other'],
      count: 1,
    });
    assert.deepEqual(await feed({ following: true }, bob), { texts: [], count: 0 });
    assert.deepEqual(await feed({ following: true, skip: 1, top: 1, order_by: 'id desc' }), {
      texts: ['bob in other'],
      count: 3,
    });
    assert.deepEqual(await feed({ following: false }), { texts: all, count: 5 });
  });

  test('counts what is newer than a post', async () => {
    const after = ids['bob in other'] as number;
    assert.equal((await feed({ count_only: true, after })).count, 2);
    assert.equal((await feed({ count_only: true, after, following: true })).count, 1);
    assert.equal((await feed({ count_only: true, after, app: [other.id] })).count, 1);
    assert.equal((await feed({ count_only: true, after: -1_795_000_000_000 })).count, 5);
    assert.equal((await feed({ count_only: true, after: ids['bob again in one'] })).count, 0);
    assert.deepEqual((await feed({ after, following: true })).texts, ['bob again in one']);
    const path = `/api/apps/${one.id}/posts`;
    assert.equal((await feed({ count_only: true, after }, ada, path)).count, 1);
  });

  test('has words, tags and the trash with each of them', async () => {
    assert.deepEqual(await feed({ tag: 'news' }), { texts: ['bob in one', 'eve in other'], count: 2 });
    assert.deepEqual(await feed({ tag: 'news', following: true }), { texts: ['bob in one'], count: 1 });
    const apps = [one.id, other.id];
    assert.deepEqual(await feed({ tag: 'news', app: apps }), {
      texts: ['bob in one', 'eve in other'],
      count: 2,
    });
    assert.deepEqual(await feed({ q: 'again', app: apps }), { texts: ['bob again in one'], count: 1 });
    assert.deepEqual(await feed({ q: 'one', following: true, order_by: 'id desc' }), {
      texts: ['bob again in one', 'bob in one'],
      count: 2,
    });
    assert.deepEqual(await feed({ q: 'one', tag: 'news', following: true, app: apps }), {
      texts: ['bob in one'],
      count: 1,
    });
    const gone = ids['bob in other'];
    await bob.call('POST', `/api/posts/${gone}/trash`);
    for (const query of [{ following: true }, { app: apps }, { app: apps, following: true }]) {
      const { texts, count } = await feed(query);
      assert.deepEqual([texts?.includes('bob in other'), count], [false, texts?.length]);
      assert.deepEqual(await feed({ ...query, trashed: true }), { texts: ['bob in other'], count: 1 });
      assert.equal((await feed({ ...query, trashed: 'null' })).count, (count ?? 0) + 1);
    }
    assert.equal((await feed({ following: true, q: 'other', trashed: true })).count, 1);
    await bob.call('POST', `/api/posts/${gone}/restore`);
  });

  test('of an app has what the same filters say, and nothing where they name another', async () => {
    const path = `/api/apps/${one.uid}/posts`;
    const inOne = ['bob in one', 'bob again in one'];
    assert.deepEqual((await feed({}, ada, path)).count, 3);
    assert.deepEqual((await feed({ following: true }, ada, path)).texts, inOne);
    assert.deepEqual((await feed({ app: other.id }, ada, path)).texts, []);
    assert.deepEqual((await feed({ app: one.id, q: 'again' }, ada, path)).texts, ['bob again in one']);
  });

  test('refuses more apps than it can name, and what it cannot combine', async () => {
    const get = (query: string) => inSecondForm(ada).call('GET', `/api/posts?${query}`);
    const many = Array.from({ length: 51 }, () => 'app=1').join('&');
    for (const [query, parameter] of [
      [many, 'app'],
      [`author_id=${bob.id}&following=true`, 'author_id'],
    ] as const) {
      const { status, body } = await get(query);
      assert.deepEqual([status, body.errors[0].parameter], [400, parameter]);
    }
    assert.equal((await get(`author_id=${eve.id}`)).body.count, 2);
  });

  test('is a list with cursors in the first form', async () => {
    const { status, body } = await ada.call('GET', '/api/posts?count_only=true&after=1');
    assert.deepEqual([status, body.errors[0].parameter], [400, 'after']);
    assert.equal((await ada.read('/api/posts?following=true')).count, 5);
    assert.match((await ada.call('GET', '/api/posts?top=1')).headers.get('link') ?? '', /after=/);
    assert.equal((await inSecondForm(ada).call('GET', '/api/posts?top=1')).headers.get('link'), null);
  });
});
