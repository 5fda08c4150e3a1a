import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { App } from '../../../src/contract/apps.ts';
import type { Post } from '../../../src/contract/posts.ts';
import { makeApp, makeUser } from '../../support/fixtures.ts';
import { assertProblem } from '../../support/problem.ts';
import { type Sending, useServer } from '../../support/server.ts';
import { useStoreWatch } from '../../support/store-watch.ts';
import { uploadIds } from '../../support/uploads.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);

async function postsApp(fields: object = {}): Promise<App> {
  return await makeApp(server, { type: 'posts', ...fields });
}

async function write(app: App, fields: object = { text: 'a post' }, sending: Sending = {}): Promise<Post> {
  const answer = await server.call('POST', `/api/apps/${app.id}/posts`, fields, sending);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function get(path: string, sending: Sending = {}) {
  return await server.call('GET', path, undefined, sending);
}

async function count(path: string): Promise<number> {
  return (await get(`${path}${path.includes('?') ? '&' : '?'}count_only=true`)).body.count;
}

function actionsOf(id: number): unknown[] {
  return watch
    .rows(`select action from events where entity_type = 'post' and entity_id = ${id} order by id`)
    .map((row) => row['action']);
}

// A post is an entry of a posts app, with what people said about it counted beside it.
describe('a post', () => {
  test('has exactly its fields', async () => {
    const app = await postsApp();
    const post = await write(app, {
      text: 'Lunch **today**?',
      blobs: await uploadIds(server, 1),
      options: [{ text: 'Yes' }, { text: 'No' }],
      metadata: { a: 1 },
      tags: ['food'],
    });
    assert.deepEqual(Object.keys(post).sort(), [
      'app_id',
      'attachment_count',
      'attachments',
      'comment_count',
      'comments',
      'created_at',
      'created_by',
      'created_by_id',
      'html',
      'id',
      'is_subscribed',
      'is_trashed',
      'metadata',
      'option_count',
      'options',
      'parent',
      'plain',
      'reactions',
      'tags',
      'text',
    ]);
    assert.deepEqual(post.parent, { id: app.id, type: 'app' });
    assert.deepEqual([post.comment_count, post.comments, post.is_subscribed], [0, [], false]);
    assert.deepEqual([post.attachment_count, post.option_count], [1, 2]);
    assert.equal(post.plain, 'Lunch today?');
    assert.deepEqual((await get(`/api/posts/${post.id}`)).body, post);
    assert.deepEqual(actionsOf(post.id), ['post_created']);
  });

  test('goes into a posts app alone', async () => {
    const app = await makeApp(server, { type: 'comments' });
    const answer = await server.call('POST', `/api/apps/${app.id}/posts`, { text: 'x' });
    assertProblem(answer, 422, 'validation_failed');
  });

  test('is changed field by field', async () => {
    const post = await write(await postsApp(), { text: 'a', tags: ['x'], metadata: { a: 1 } });
    const { status, body } = await server.call('PATCH', `/api/posts/${post.id}`, {
      text: 'b',
      metadata: null,
    });
    assert.equal(status, 200);
    assert.deepEqual([body.text, body.tags, body.metadata], ['b', ['x'], undefined]);
    assert.ok(body.modified_at !== undefined);
    assert.deepEqual(actionsOf(post.id), ['post_created', 'post_updated']);
  });

  test('is no comment and a comment is no post', async () => {
    const app = await postsApp();
    const post = await write(app, { text: 'xenon' });
    const { body: comment } = await server.call('POST', `/api/posts/${post.id}/comments`, { text: 'argon' });
    assert.deepEqual(comment.parent, { id: post.id, type: 'post' });
    assert.equal(await count('/api/comments?q=xenon'), 0);
    assert.equal(await count('/api/posts?q=argon'), 0);
    assert.equal(await count(`/api/apps/${app.id}/comments`), 1);
    assert.equal(await count(`/api/apps/${app.id}/posts`), 1);
  });

  test('counts its comments', async () => {
    const app = await postsApp();
    const post = await write(app);
    const { body: first } = await server.call('POST', `/api/posts/${post.id}/comments`, { text: '1' });
    await server.call('POST', `/api/posts/${post.id}/comments`, { text: '2' });
    await server.call('POST', `/api/comments/${first.id}/trash`);
    assert.equal((await get(`/api/posts/${post.id}`)).body.comment_count, 1);
    assert.equal((await get(`/api/apps/${app.id}/posts`)).body.data[0].comment_count, 1);
    assert.equal(await count(`/api/posts/${post.id}/comments`), 1);
    assert.equal(await count(`/api/posts/${post.id}/comments?trashed=null`), 2);
  });
});

// Lists of posts are lists like any other: flat, ordered, filtered, counted, at a fixed price.
describe('lists of posts', () => {
  test('show the posts of an app, newest first when asked', async () => {
    const app = await postsApp();
    const first = await write(app, { text: 'copper wire', tags: ['metal'] });
    const second = await write(app, { text: 'pine wood' });
    const path = `/api/apps/${app.id}/posts`;
    const shown = async (query: string) => (await get(path + query)).body.data.map((post: Post) => post.id);
    assert.deepEqual(await shown(''), [first.id, second.id]);
    assert.deepEqual(await shown('?orderby=createdat+desc'), [second.id, first.id]);
    assert.deepEqual(await shown('?q=wir'), [first.id]);
    assert.deepEqual(await shown('?tag=metal'), [first.id]);
    const [item] = (await get(path)).body.data;
    assert.deepEqual([item.created_by, item.parent], [undefined, undefined]);
  });

  test('over all apps hold those the caller may see', async () => {
    const ada = await makeUser(server);
    const [open, closed] = [await postsApp({ access: 'read' }), await postsApp()];
    await write(open, { text: 'zirconium open' });
    await write(closed, { text: 'zirconium closed' });
    const { body } = await get('/api/posts?q=zirconium', { as: ada.token });
    assert.deepEqual(
      body.data.map((post: Post) => post.text),
      ['zirconium open'],
    );
    assert.equal(await count('/api/posts?q=zirconium'), 2);
  });

  test('cost as many statements for twenty posts as for one', async () => {
    const [big, small] = [await postsApp(), await postsApp()];
    const fields = async () => ({ text: 'x', options: [{ text: 'a' }], blobs: await uploadIds(server, 1) });
    await write(small, await fields());
    for (let i = 0; i < 20; i += 1) await write(big, await fields());
    async function cost(app: App): Promise<number> {
      statements.length = 0;
      await get(`/api/apps/${app.id}/posts?expand=created_by,parent`);
      return statements.length;
    }
    assert.equal(await cost(big), await cost(small));
  });
});

// In the trash a post takes its comments out of every sight: get, list, count and search.
describe('a post in the trash', () => {
  test('hides its comments everywhere and gives them back', async () => {
    const app = await postsApp();
    const post = await write(app, { text: 'a' });
    const comments = `/api/posts/${post.id}/comments`;
    const { body: comment } = await server.call('POST', comments, { text: 'bassoon', tags: ['wind'] });
    const all = await count('/api/comments');

    const trashed = await server.call('POST', `/api/posts/${post.id}/trash`);
    assert.equal(trashed.body.is_trashed, true);
    assert.equal((await server.call('POST', `/api/posts/${post.id}/trash`)).status, 200);
    for (const path of [`/api/posts/${post.id}`, comments, `/api/comments/${comment.id}`])
      assert.equal((await get(path)).status, 404, path);
    for (const [method, path] of [
      ['POST', comments],
      ['PATCH', `/api/comments/${comment.id}`],
      ['POST', `/api/comments/${comment.id}/trash`],
      ['PATCH', `/api/posts/${post.id}`],
    ] as const)
      assert.equal((await server.call(method, path, { text: 'x' })).status, 404, path);
    assert.equal(await count('/api/comments'), all - 1);
    assert.equal(await count('/api/comments?q=bassoon'), 0);
    assert.equal(await count('/api/comments?tag=wind'), 0);
    assert.equal(await count('/api/comments?q=bassoon&trashed=null'), 0);
    const { body: listed } = await get('/api/comments?order_by=id+desc&top=100&trashed=null');
    assert.ok(!listed.data.some((one: { id: number }) => one.id === comment.id));
    assert.equal(await count(`/api/apps/${app.id}/posts`), 0);
    assert.equal(await count(`/api/apps/${app.id}/posts?trashed=true`), 1);
    const shown = (await get(`/api/posts/${post.id}?trashed=true`)).body;
    assert.deepEqual([shown.is_trashed, shown.comment_count], [true, 1]);

    assert.equal((await server.call('POST', `/api/posts/${post.id}/restore`)).body.is_trashed, false);
    assert.equal((await server.call('POST', `/api/posts/${post.id}/restore`)).status, 200);
    assert.equal((await get(`/api/comments/${comment.id}`)).body.text, 'bassoon');
    assert.equal(await count('/api/comments'), all);
    assert.equal(await count('/api/comments?q=bassoon'), 1);
    assert.deepEqual(actionsOf(post.id), ['post_created', 'post_trashed', 'post_restored']);
  });
});

// Rights over posts are those over the content of any app.
describe('access to a post', () => {
  test('goes by the access to its app', async () => {
    const app = await postsApp();
    const post = await write(app);
    const { uid, token } = await makeUser(server);
    const as = { as: token };
    const attempts = async () => [
      (await get(`/api/posts/${post.id}`, as)).status,
      (await get(`/api/apps/${app.id}/posts`, as)).status,
      (await get(`/api/posts/${post.id}/comments`, as)).status,
      (await server.call('POST', `/api/posts/${post.id}/subscribe`, undefined, as)).status,
      (await server.call('POST', `/api/posts/${post.id}/comments`, { text: 'x' }, as)).status,
      (await server.call('POST', `/api/apps/${app.id}/posts`, { text: 'x' }, as)).status,
      (await server.call('PATCH', `/api/posts/${post.id}`, { text: 'x' }, as)).status,
      (await server.call('POST', `/api/posts/${post.id}/trash`, undefined, as)).status,
    ];
    assert.deepEqual(await attempts(), [404, 404, 404, 404, 404, 404, 404, 404]);
    await server.call('PUT', `/api/apps/${app.id}/members/${uid}`, { access: 'read' });
    assert.deepEqual(await attempts(), [200, 200, 200, 200, 403, 403, 403, 403]);
    await server.call('PUT', `/api/apps/${app.id}/members/${uid}`, { access: 'write' });
    assert.deepEqual(await attempts(), [200, 200, 200, 200, 201, 201, 403, 403]);
  });

  test('lets its author change and trash it', async () => {
    const app = await postsApp({ access: 'write' });
    const { token } = await makeUser(server);
    const as = { as: token };
    const post = await write(app, { text: 'mine' }, as);
    assert.equal((await server.call('PATCH', `/api/posts/${post.id}`, { text: 'x' }, as)).status, 200);
    assert.equal((await server.call('POST', `/api/posts/${post.id}/trash`, undefined, as)).status, 200);
    assert.equal((await server.call('POST', `/api/posts/${post.id}/restore`, undefined, as)).status, 200);
  });
});

// A subscription belongs to a person, and asking twice changes nothing.
describe('a subscription to a post', () => {
  test('is shown to its user alone and recorded once', async () => {
    const app = await postsApp({ access: 'read' });
    const post = await write(app);
    const as = { as: (await makeUser(server)).token };
    const path = `/api/posts/${post.id}`;
    assert.equal((await server.call('POST', `${path}/subscribe`, undefined, as)).body.is_subscribed, true);
    assert.equal((await server.call('POST', `${path}/subscribe`, undefined, as)).body.is_subscribed, true);
    assert.equal((await get(`/api/apps/${app.id}/posts`, as)).body.data[0].is_subscribed, true);
    assert.equal((await get(path)).body.is_subscribed, false);
    assert.equal((await server.call('POST', `${path}/unsubscribe`, undefined, as)).body.is_subscribed, false);
    assert.equal((await server.call('POST', `${path}/unsubscribe`, undefined, as)).body.is_subscribed, false);
    assert.deepEqual(actionsOf(post.id), ['post_created', 'post_subscribed', 'post_unsubscribed']);
  });

  test('needs a user', async () => {
    const post = await write(await postsApp());
    assertProblem(await server.call('POST', `/api/posts/${post.id}/subscribe`), 401, 'user_required');
  });
});
