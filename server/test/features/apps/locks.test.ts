import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { addMembers, makeApp, makeBlob, makeLastingUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Answer, before, freshUid, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { problemCodesOf } from '../../../src/http/openapi/operation-facts.ts';

const clock = movableClock();
const server = useServer({}, { clock, isQuiet: true });
const watch = useStoreWatch(server);
const author = use(() => makeLastingUser(server));
const moderator = use(() => makeLastingUser(server));
const dayMs = 24 * 60 * 60 * 1000;

async function call(method: string, path: string, body?: unknown, as = author.token): Promise<Answer> {
  return (await server.as(as).call(method, path, body)) as Answer;
}

async function appOf(type: string): Promise<number> {
  const { id } = await makeApp(server, { type, access: 'write' });
  await addMembers(server, id, { moderator: [moderator] });
  return id;
}

/** The ids that the requests below name: apps by their type, and the author's content in them. */
const ids: { [thing: string]: number } = {};
const entry = { text: 'words', options: [{ text: 'yes' }] };

before(async () => {
  for (const type of ['comments', 'posts', 'files', 'chat']) ids[type] = await appOf(type);
  const make = async () => ({
    comment: await author.create(`/api/apps/${ids['comments']}/comments`, entry),
    post: await author.create(`/api/apps/${ids['posts']}/posts`, entry),
    message: await author.create(`/api/apps/${ids['chat']}/messages`, entry),
    file: await author.create(`/api/apps/${ids['files']}/files`, {
      blob_id: await makeBlob(author),
      name: freshUid('file'),
    }),
  });
  const made = await make();
  for (const [kind, { id }] of Object.entries(made)) ids[kind] = id;
  ids['option'] = made.comment.options[0].id;
  for (const [kind, { id }] of Object.entries(await make())) {
    ids[`trashed ${kind}`] = id;
    await call('POST', `/api/${kind}s/${id}/trash`);
  }
  const { id: reacted } = await author.create(`/api/apps/${ids['comments']}/comments`, entry);
  await call('POST', `/api/comments/${reacted}/reactions`, { content: '👍' });
  ids['reaction'] = (await call('GET', `/api/comments/${reacted}/reactions`)).body.data[0].id;
  const blob_id = await makeBlob(author);
  await call('PATCH', `/api/files/${ids['file']}`, { blob_id, backup: true });
  await addMembers(server, Number(ids['chat']), { write: [author] });
});

/** Each operation that a lock refuses: what its path names, and its body. */
const requests: { readonly [operation: string]: readonly [thing: string, body?: () => unknown] } = {
  createAppComment: ['comments', () => ({ text: 'more' })],
  createFileComment: ['file', () => ({ text: 'more' })],
  createPostComment: ['post', () => ({ text: 'more' })],
  createPost: ['posts', () => ({ text: 'more' })],
  createMessage: ['chat', () => ({ text: 'more' })],
  createFile: ['files', async () => ({ blob_id: await makeBlob(author), name: freshUid('file') })],
  updateComment: ['comment', () => ({ text: freshUid('edit') })],
  updatePost: ['post', () => ({ text: freshUid('edit') })],
  updateMessage: ['message', () => ({ text: freshUid('edit') })],
  updateFile: ['file', () => ({ metadata: { edit: freshUid() } })],
  resolveComment: ['comment'],
  reopenComment: ['comment'],
  restoreComment: ['trashed comment'],
  restorePost: ['trashed post'],
  restoreMessage: ['trashed message'],
  restoreFile: ['trashed file'],
  restoreFileVersion: ['file'],
  ...Object.fromEntries(
    ['Comment', 'Post', 'Message'].flatMap((kind) => [
      [`add${kind}Reaction`, [kind.toLowerCase(), () => ({ content: '🎉' })]],
      [`remove${kind}Reaction`, [kind.toLowerCase()]],
    ]),
  ),
  deleteReaction: ['reaction'],
  voteOption: ['option'],
  typeMessage: ['chat'],
  typePost: ['posts'],
  typeFileComment: ['file'],
  typePostComment: ['post'],
  typeComment: ['comments'],
  typeConversation: ['chat'],
};

/** What sends a request of an operation. */
async function requestOf(id: string): Promise<() => Promise<Answer>> {
  const operation = operationList.find((each) => each.id === id);
  const [thing = '', body] = requests[id] ?? [];
  assert.ok(operation !== undefined && ids[thing] !== undefined, `${id} ${thing}`);
  const path = operation.path.replace(/\{(?:app|id)\}/, String(ids[thing])).replace('{version}', '1');
  const sent = await body?.();
  return () => call(operation.method, path, sent);
}

// A lock is for everyone but moderators, managers and API keys, and refuses everything that writes.
describe('in a locked app', () => {
  const refused = operationList.filter((operation) => problemCodesOf(operation, 403).includes('locked'));

  test('are tried all operations that a lock refuses', () => {
    assert.deepEqual(Object.keys(requests).sort(), refused.map(({ id }) => id).sort());
  });

  for (const { id } of refused)
    test(`${id} is refused, and works once it is unlocked`, async () => {
      const apps = ['comments', 'posts', 'files', 'chat'].map((type) => ids[type]);
      for (const app of apps) await call('POST', `/api/apps/${app}/lock`, undefined, moderator.token);
      const attempt = await requestOf(id);
      watch.hasChanged();
      assertProblem(await attempt(), 403, 'locked');
      assert.equal(watch.hasChanged(), false);
      for (const app of apps) await call('POST', `/api/apps/${app}/unlock`, undefined, moderator.token);
      const { status, text } = await attempt();
      assert.ok(status < 300, text);
    });

  test('reading goes on, authors take away what is theirs, and moderators write', async () => {
    const app = await appOf('comments');
    const { id } = await author.create(`/api/apps/${app}/comments`, entry);
    const locked = await call('POST', `/api/apps/${app}/lock`, undefined, moderator.token);
    assert.equal(locked.status, 200);
    assert.equal((await call('GET', `/api/apps/${app}`)).body.locked_at, locked.body.locked_at);
    assert.equal((await call('GET', `/api/apps/${app}/comments`)).body.count, 1);
    assert.equal((await call('POST', `/api/comments/${id}/trash`)).status, 200);
    assert.equal((await call('DELETE', `/api/comments/${id}`)).status, 204);
    for (const as of [moderator.token, server.key])
      assert.equal((await call('POST', `/api/apps/${app}/comments`, entry, as)).status, 201);
    assertProblem(await call('POST', `/api/apps/${app}/unlock`), 403, 'moderate_forbidden');
  });
});

// A locked post or file locks what is below it, and nothing beside it.
describe('a locked', () => {
  for (const [kind, type] of [
    ['post', 'posts'],
    ['file', 'files'],
  ] as const)
    test(`${kind} takes no comments, reactions, votes and edits`, async () => {
      const app = await appOf(type);
      const fields = async () =>
        kind === 'post' ? entry : { blob_id: await makeBlob(author), name: freshUid() };
      const made = await author.create(`/api/apps/${app}/${type}`, await fields());
      const { id } = made;
      const other = (await author.create(`/api/apps/${app}/${type}`, await fields())).id;
      const comment = await author.create(`/api/${type}/${id}/comments`, entry);
      const lock = await call('POST', `/api/${type}/${id}/lock`, {}, moderator.token);
      assert.equal(lock.status, 200);
      for (const [method, path, body] of [
        ['POST', `/api/${type}/${id}/comments`, entry],
        ['PATCH', `/api/${type}/${id}`, kind === 'post' ? { text: 'x' } : { name: 'x' }],
        ['PATCH', `/api/comments/${comment.id}`, { text: 'x' }],
        ['POST', `/api/comments/${comment.id}/reactions`, { content: '👍' }],
        ['POST', `/api/options/${comment.options[0].id}/vote`],
        ...(kind === 'post'
          ? ([
              ['POST', `/api/posts/${id}/reactions`, { content: '👍' }],
              ['POST', `/api/options/${'options' in made ? made.options[0].id : 0}/vote`],
            ] as const)
          : []),
      ] as const)
        assertProblem(await call(method, path, body), 403, 'locked');
      const listed = (await call('GET', `/api/apps/${app}/${type}`)).body.data;
      assert.deepEqual(
        listed.map((item: { locked_at?: string }) => item.locked_at),
        [lock.body.locked_at, undefined],
      );
      assert.equal((await call('POST', `/api/${type}/${other}/comments`, entry)).status, 201);
      assert.equal((await call('POST', `/api/${type}/${id}/comments`, entry, moderator.token)).status, 201);
      const unlocked = await call('POST', `/api/${type}/${id}/unlock`, undefined, moderator.token);
      assert.equal(unlocked.body.locked_at, undefined);
      assert.equal((await call('POST', `/api/${type}/${id}/comments`, entry)).status, 201);
    });

  test('file gets no new version by an upload of its name', async () => {
    const app = await appOf('files');
    const upload = async () => {
      const blob_id = await makeBlob(author);
      return await call('POST', `/api/apps/${app}/files`, { blob_id, name: 'a.txt', replace: true });
    };
    const { id } = (await upload()).body;
    await call('POST', `/api/files/${id}/lock`, undefined, moderator.token);
    assertProblem(await upload(), 403, 'locked');
  });

  test('post locks the comments on its attachments', async () => {
    const app = await appOf('posts');
    const post = await author.create(`/api/apps/${app}/posts`, {
      blobs: [await makeBlob(author)],
    });
    await call('POST', `/api/posts/${post.id}/lock`, undefined, moderator.token);
    assertProblem(await call('POST', `/api/files/${post.attachments[0].id}/comments`, entry), 403, 'locked');
  });
});

// A lock can begin later, at a time or so many days after something was made.
describe('a lock', () => {
  test('begins at its time', async () => {
    const app = await appOf('comments');
    const write = async () => (await call('POST', `/api/apps/${app}/comments`, entry)).status;
    const locked_at = new Date(clock.now() + dayMs).toISOString();
    const { body } = await call('POST', `/api/apps/${app}/lock`, { locked_at }, moderator.token);
    assert.equal(body.locked_at, locked_at);
    assert.equal(await write(), 201);
    clock.move(dayMs);
    assert.equal(await write(), 403);
  });

  test('begins so many days after its app was made', async () => {
    const app = await appOf('comments');
    const write = async () => (await call('POST', `/api/apps/${app}/comments`, entry)).status;
    const { body } = await call('POST', `/api/apps/${app}/lock`, { after_days: 2 }, moderator.token);
    assert.equal(Date.parse(body.locked_at) - Date.parse(body.created_at), 2 * dayMs);
    clock.move(dayMs);
    assert.equal(await write(), 201);
    clock.move(dayMs);
    assert.equal(await write(), 403);
  });

  test('is told once, and refuses what is no time', async () => {
    const app = await appOf('comments');
    const lock = (body?: object) => call('POST', `/api/apps/${app}/lock`, body, moderator.token);
    const first = (await lock()).body.locked_at;
    clock.move(1000);
    assert.equal((await lock()).body.locked_at, first);
    for (const body of [{ locked_at: 'tomorrow' }, { after_days: -1 }])
      assertProblem(await lock(body), 422, 'validation_failed');
    for (let turn = 0; turn < 2; turn += 1)
      assert.equal((await call('POST', `/api/apps/${app}/unlock`, undefined, moderator.token)).status, 200);
    const told = watch.rows(
      `select action from events where app_id = ${app} and action like '%lock%' order by id`,
    );
    assert.deepEqual(
      told.map(({ action }) => action),
      ['app_locked', 'app_unlocked'],
    );
  });
});
