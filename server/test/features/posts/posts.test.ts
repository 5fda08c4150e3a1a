import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { App } from 'confab-contract/apps.ts';
import type { Post } from 'confab-contract/posts.ts';
import { addMembers, makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { countOf } from 'confab-testing/lists.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { statusesOf, testContent } from '../../engines/entries/content.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);

async function postsApp(fields: object = {}): Promise<App> {
  return await makeApp(server, { type: 'posts', ...fields });
}

async function write(app: App, fields: object = { text: 'a post' }): Promise<Post> {
  return await server.create(`/api/apps/${app.id}/posts`, fields);
}

const actionsOf = (id: number) => watch.actionsOf('post', id);

const ownFields = ['comment_count', 'comments', 'is_subscribed'];
testContent({ kind: 'post', type: 'posts', ownFields, server, watch, statements });

// A post is an entry of a posts app, with the count of its comments.
describe('a post', () => {
  test('can be created only in a posts app', async () => {
    const app = await makeApp(server, { type: 'comments' });
    const answer = await server.call('POST', `/api/apps/${app.id}/posts`, { text: 'x' });
    assertProblem(answer, 422, 'validation_failed');
  });

  test('is not a comment, and a comment is not a post', async () => {
    const app = await postsApp();
    const post = await write(app, { text: 'xenon' });
    const { body: comment } = await server.call('POST', `/api/posts/${post.id}/comments`, { text: 'argon' });
    assert.deepEqual(comment.parent, { id: post.id, type: 'post' });
    assert.equal(await countOf(server, '/api/comments?q=xenon'), 0);
    assert.equal(await countOf(server, '/api/posts?q=argon'), 0);
    assert.equal(await countOf(server, `/api/apps/${app.id}/comments`), 1);
    assert.equal(await countOf(server, `/api/apps/${app.id}/posts`), 1);
  });

  test('counts its comments', async () => {
    const app = await postsApp();
    const post = await write(app);
    assert.deepEqual([post.comment_count, post.comments, post.is_subscribed], [0, [], false]);
    const { body: first } = await server.call('POST', `/api/posts/${post.id}/comments`, { text: '1' });
    await server.call('POST', `/api/posts/${post.id}/comments`, { text: '2' });
    await server.call('POST', `/api/comments/${first.id}/trash`);
    assert.equal((await server.read(`/api/posts/${post.id}`)).comment_count, 1);
    assert.equal((await server.read(`/api/apps/${app.id}/posts`)).data[0].comment_count, 1);
    assert.equal(await countOf(server, `/api/posts/${post.id}/comments`), 1);
    assert.equal(await countOf(server, `/api/posts/${post.id}/comments?trashed=null`), 2);
  });
});

// A trashed post hides its comments from get, list, count and search.
describe('a post in the trash', () => {
  test('hides its comments everywhere, and restoring it shows them again', async () => {
    const app = await postsApp();
    const post = await write(app, { text: 'a' });
    const comments = `/api/posts/${post.id}/comments`;
    const { body: comment } = await server.call('POST', comments, { text: 'bassoon', tags: ['wind'] });
    const all = await countOf(server, '/api/comments');

    const trashed = await server.call('POST', `/api/posts/${post.id}/trash`);
    assert.equal(trashed.body.is_trashed, true);
    assert.equal((await server.call('POST', `/api/posts/${post.id}/trash`)).status, 200);
    for (const path of [`/api/posts/${post.id}`, comments, `/api/comments/${comment.id}`])
      assert.equal((await server.call('GET', path)).status, 404, path);
    for (const [method, path] of [
      ['POST', comments],
      ['PATCH', `/api/comments/${comment.id}`],
      ['POST', `/api/comments/${comment.id}/trash`],
      ['PATCH', `/api/posts/${post.id}`],
    ] as const)
      assert.equal((await server.call(method, path, { text: 'x' })).status, 404, path);
    assert.equal(await countOf(server, '/api/comments'), all - 1);
    assert.equal(await countOf(server, '/api/comments?q=bassoon'), 0);
    assert.equal(await countOf(server, '/api/comments?tag=wind'), 0);
    assert.equal(await countOf(server, '/api/comments?q=bassoon&trashed=null'), 0);
    const listed = await server.read('/api/comments?order_by=id+desc&top=100&trashed=null');
    assert.ok(!listed.data.some((one: { id: number }) => one.id === comment.id));
    assert.equal(await countOf(server, `/api/apps/${app.id}/posts`), 0);
    assert.equal(await countOf(server, `/api/apps/${app.id}/posts?trashed=true`), 1);
    const shown = await server.read(`/api/posts/${post.id}?trashed=true`);
    assert.deepEqual([shown.is_trashed, shown.comment_count], [true, 1]);

    assert.equal((await server.call('POST', `/api/posts/${post.id}/restore`)).body.is_trashed, false);
    assert.equal((await server.call('POST', `/api/posts/${post.id}/restore`)).status, 200);
    assert.equal((await server.read(`/api/comments/${comment.id}`)).text, 'bassoon');
    assert.equal(await countOf(server, '/api/comments'), all);
    assert.equal(await countOf(server, '/api/comments?q=bassoon'), 1);
    assert.deepEqual(actionsOf(post.id), ['post_created', 'post_trashed', 'post_restored']);
  });
});

// Rights over what hangs on a post are those over the content of any app.
describe('access to a post', () => {
  test('is access to its comments and to a subscription', async () => {
    const app = await postsApp();
    const { id } = await write(app);
    const reader = await makeUser(server);
    const attempts = () =>
      statusesOf(reader, [
        ['GET', `/api/posts/${id}/comments`],
        ['POST', `/api/posts/${id}/subscribe`],
        ['POST', `/api/posts/${id}/comments`],
      ]);
    assert.deepEqual(await attempts(), [404, 404, 404]);
    await addMembers(server, app.id, { read: [reader] });
    assert.deepEqual(await attempts(), [200, 200, 403]);
    await addMembers(server, app.id, { write: [reader] });
    assert.deepEqual(await attempts(), [200, 200, 201]);
  });
});

// A subscription belongs to a user, and repeating it changes nothing.
describe('a subscription to a post', () => {
  test('is shown only to its user and recorded once', async () => {
    const app = await postsApp({ access: 'read' });
    const post = await write(app);
    const as = { as: (await makeUser(server)).token };
    const path = `/api/posts/${post.id}`;
    assert.equal((await server.call('POST', `${path}/subscribe`, undefined, as)).body.is_subscribed, true);
    assert.equal((await server.call('POST', `${path}/subscribe`, undefined, as)).body.is_subscribed, true);
    assert.equal((await server.read(`/api/apps/${app.id}/posts`, as)).data[0].is_subscribed, true);
    assert.equal((await server.read(path)).is_subscribed, false);
    assert.equal((await server.call('POST', `${path}/unsubscribe`, undefined, as)).body.is_subscribed, false);
    assert.equal((await server.call('POST', `${path}/unsubscribe`, undefined, as)).body.is_subscribed, false);
    assert.deepEqual(actionsOf(post.id), ['post_created', 'post_subscribed', 'post_unsubscribed']);
  });

  test('needs a user', async () => {
    const post = await write(await postsApp());
    assertProblem(await server.call('POST', `/api/posts/${post.id}/subscribe`), 401, 'user_required');
  });
});
