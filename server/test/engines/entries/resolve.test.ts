import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Notification } from 'confab-contract/notifications.ts';
import { makeApp, makeBlob, makeComment, makeFile, makePost, usePeople } from 'confab-testing/fixtures.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Caller, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);
const [ada, bob, eve] = usePeople(server, 'Ada', 'Bob', 'Eve');

type Item = { id: number; resolved_at?: string; resolved_by_id?: number };

async function makeThread(settings: object = {}) {
  const app = await makeApp(server, { access: 'write', ...settings });
  const root = (await makeComment(ada, app.id, { text: 'too long?' })).id;
  const answer = async (by: Caller = bob, text = 'shorter') =>
    (await makeComment(by, app.id, { text, reply_to: root })).id;
  return {
    app,
    root,
    answer,
    resolve: (by: Caller = bob) => by.call('POST', `/api/comments/${root}/resolve`),
    reopen: (by: Caller = bob) => by.call('POST', `/api/comments/${root}/reopen`),
    read: async () => await server.read(`/api/comments/${root}`),
    actions: () =>
      watch
        .rows(`select action from events where entity_type = 'comment' and entity_id = ${root} order by id`)
        .map(({ action }) => action),
    list: async (query: string) => {
      const { data, count } = await server.read(`/api/apps/${app.id}/comments?${query}`);
      return [data.map(({ id }: Item) => id), count];
    },
  };
}

describe('a thread', () => {
  test('that was never resolved says nothing of it', async () => {
    const { read } = await makeThread();
    assert.deepEqual(
      Object.keys(await read()).filter((name) => name.startsWith('resolved')),
      [],
    );
  });

  test('is resolved by who may write, with when and by whom, and has one event', async () => {
    const { resolve, read, actions } = await makeThread();
    const { status, body } = await resolve();
    assert.equal(status, 200);
    assert.equal(body.resolved_by_id, (await bob.read('/api/user')).id);
    assert.match(body.resolved_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.deepEqual((await resolve(ada)).body.resolved_at, body.resolved_at);
    const { resolved_at, resolved_by_id } = await read();
    assert.deepEqual([resolved_at, resolved_by_id], [body.resolved_at, body.resolved_by_id]);
    assert.deepEqual(actions(), ['comment_created', 'comment_resolved']);
  });

  test('is reopened, and is then what it was', async () => {
    const { resolve, reopen, read, actions } = await makeThread();
    const before = JSON.stringify(await read());
    await resolve();
    const { status, body } = await reopen(ada);
    assert.deepEqual([status, body.resolved_at, body.resolved_by_id], [200, undefined, undefined]);
    await reopen();
    assert.equal(JSON.stringify(await read()), before);
    assert.deepEqual(actions(), ['comment_created', 'comment_resolved', 'comment_reopened']);
  });

  test('that two users resolve at once is resolved by one of them', async () => {
    const { resolve, actions } = await makeThread();
    const answers = await Promise.all([ada, bob, eve].map(async (by) => await resolve(by)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(new Set(answers.map(({ body }) => body.resolved_by_id)).size, 1);
    assert.deepEqual(actions(), ['comment_created', 'comment_resolved']);
  });

  test('stays resolved while it is edited, put in the trash, held and shown again', async () => {
    const { root, resolve, read, list } = await makeThread();
    const { body } = await resolve();
    await ada.call('PATCH', `/api/comments/${root}`, { text: 'no longer' });
    for (const [there, back] of [
      ['trash', 'restore'],
      ['hold', 'approve'],
    ]) {
      await server.call('POST', `/api/comments/${root}/${there}`);
      assert.deepEqual(await list('resolved=true'), [[], 0]);
      assert.deepEqual(await list('resolved=false'), [[], 0]);
      await server.call('POST', `/api/comments/${root}/${back}`);
      assert.deepEqual(await list('resolved=true'), [[root], 1]);
    }
    assert.equal((await read()).resolved_at, body.resolved_at);
  });

  test('on a file and on a post is resolved like one of an app', async () => {
    const { id: file } = {
      id: await makeFile(server, (await makeApp(server, { type: 'files', access: 'write' })).id),
    };
    const post = await makePost(server, (await makeApp(server, { type: 'posts', access: 'write' })).id);
    for (const path of [`/api/files/${file}/comments`, `/api/posts/${post}/comments`]) {
      const { id } = await ada.create(path, { text: 'words' });
      await bob.call('POST', `/api/comments/${id}/resolve`);
      const { data, count } = await ada.read(`${path}?resolved=true`);
      assert.deepEqual([data.map((one: Item) => one.id), count], [[id], 1]);
    }
  });
});

describe('resolving is refused', () => {
  test('to who may only read, whose app is locked, and where it is left to moderators', async () => {
    const reader = await makeThread({ access: 'read', members: { write: [ada] } });
    assertProblem(await reader.resolve(eve), 403, 'write_forbidden');
    const left = await makeThread({ resolving: 'moderators', members: { moderator: [bob] } });
    assertProblem(await left.resolve(ada), 403, 'moderate_forbidden');
    assert.equal((await left.resolve(bob)).status, 200);
    assertProblem(await left.reopen(ada), 403, 'moderate_forbidden');
    const locked = await makeThread();
    await server.call('POST', `/api/apps/${locked.app.id}/lock`);
    assertProblem(await locked.resolve(bob), 403, 'locked');
  });

  test('of an answer, naming the field', async () => {
    const { answer } = await makeThread();
    const { status, body } = await bob.call('POST', `/api/comments/${await answer()}/resolve`);
    assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/reply_to_id', 'answer']);
  });

  test('of what is in the trash, held, hidden or no comment', async () => {
    const { root, resolve } = await makeThread();
    for (const [there, back] of [
      ['trash', 'restore'],
      ['hold', 'approve'],
    ]) {
      await server.call('POST', `/api/comments/${root}/${there}`);
      for (const by of [ada, bob, server]) assertProblem(await resolve(by), 404, 'not_found');
      await server.call('POST', `/api/comments/${root}/${back}`);
    }
    const hidden = await makeThread({ access: 'none', members: { write: [ada] } });
    assertProblem(await hidden.resolve(bob), 404, 'not_found');
    assertProblem(await bob.call('POST', '/api/comments/99999999/resolve'), 404, 'not_found');
  });
});

describe('an answer to a resolved thread', () => {
  test('leaves it as it is unless the app says that answers reopen', async () => {
    const { resolve, answer, read } = await makeThread();
    await resolve();
    await answer();
    assert.notEqual((await read()).resolved_at, undefined);
  });

  test('reopens it where the app says so, once, by who answered', async () => {
    const { resolve, answer, read, actions, list, root } = await makeThread({ reopening: 'answers' });
    await resolve(ada);
    await Promise.all([answer(bob), answer(eve), answer(bob)]);
    assert.equal((await read()).resolved_at, undefined);
    assert.deepEqual(actions(), ['comment_created', 'comment_resolved', 'comment_reopened']);
    assert.deepEqual(await list('resolved=false'), [[root], 1]);
  });

  test('reopens it when it is approved, where it was held', async () => {
    const app = { reopening: 'answers', approval: 'everything', members: { moderator: [ada] } };
    const { resolve, answer, read } = await makeThread(app);
    await resolve(ada);
    const id = await answer(bob);
    assert.notEqual((await read()).resolved_at, undefined);
    await ada.call('POST', `/api/comments/${id}/approve`);
    assert.equal((await read()).resolved_at, undefined);
  });

  test('reopens it while its first comment is edited, and nothing of the edit is lost', async () => {
    const app = { reopening: 'answers', approval: 'everything', members: { moderator: [ada] } };
    const other = (await makeThread()).root;
    for (const round of [1, 2, 3]) {
      const { root, resolve, answer, read, list } = await makeThread(app);
      // An edit of many parts takes as many steps as an approval.
      const [blob, later] = [await makeBlob(ada), await makeBlob(ada)];
      await ada.call('PATCH', `/api/comments/${root}`, { blobs: [blob], options: [{ text: 'one' }] });
      await resolve(ada);
      const id = await answer(bob);
      const option = (await read()).options[0]?.id;
      const edit = { text: `edit ${round}`, blobs: [later], options: [{ id: option, text: 'two' }] };
      await Promise.all([
        // The two that follow wait for it, and begin at once.
        ada.call('PATCH', `/api/comments/${other}`, { text: `edit ${round}` }),
        ada.call('PATCH', `/api/comments/${root}`, edit),
        ada.call('POST', `/api/comments/${id}/approve`),
      ]);
      const { text, resolved_at } = await read();
      assert.deepEqual([text, resolved_at], [`edit ${round}`, undefined]);
      assert.deepEqual(await list('resolved=false'), [[root], 1]);
    }
  });
});

describe('lists of threads', () => {
  test('select the resolved or the open ones, in each order, with their count', async () => {
    const { app, root, answer, resolve, list } = await makeThread();
    await answer();
    const open = (await makeComment(bob, app.id)).id;
    await resolve();
    assert.deepEqual(await list('resolved=true'), [[root], 1]);
    assert.deepEqual(await list('resolved=false'), [[open], 1]);
    assert.equal((await list('resolved=null'))[1], 3);
    for (const order of ['id desc', 'reaction_count', 'reaction_count desc']) {
      assert.deepEqual(await list(`resolved=true&order_by=${order}`), [[root], 1]);
      assert.deepEqual(await list(`resolved=false&order_by=${order}`), [[open], 1]);
    }
    const { data } = await server.read(`/api/apps/${app.id}/comments?thread=roots&resolved=true`);
    assert.deepEqual(
      data.map(({ id, replies }: { id: number; replies: Item[] }) => [id, replies.length]),
      [[root, 1]],
    );
    assert.equal(
      (await server.read(`/api/apps/${app.id}/comments?resolved=true`)).data[0].replies,
      undefined,
    );
  });

  test('count what is deleted no more', async () => {
    const { root, answer, resolve, list } = await makeThread();
    await answer();
    await resolve();
    await server.call('DELETE', `/api/comments/${root}`);
    assert.deepEqual(await list('resolved=true'), [[], 0]);
    assert.deepEqual(await list('resolved=false'), [[], 0]);
  });

  test('refuse what they cannot be combined with, by its name', async () => {
    const { app } = await makeThread();
    const cases: [query: string, parameter: string][] = [
      ['resolved=true&q=words', 'q'],
      ['resolved=true&tag=one', 'tag'],
      ['resolved=false&trashed=true', 'trashed'],
      ['resolved=true&order_by=created_at', 'order_by'],
    ];
    for (const [query, parameter] of cases) {
      const answer = await server.call('GET', `/api/apps/${app.id}/comments?${query}`);
      assertProblem(answer, 400, 'invalid_query', parameter);
    }
  });
});

describe('notifications of a thread that is resolved', () => {
  test('are for its author and those who answered, once, without who resolved or reopened it', async () => {
    const { app, root, answer, resolve, reopen } = await makeThread({ name: 'Plan' });
    await answer(bob);
    await answer(eve);
    await answer(eve, 'once more');
    await resolve(bob);
    await reopen(ada);
    await settledLog(server);
    const about = async (by: Caller) =>
      (await by.read('/api/notifications?top=100&order_by=id')).data
        .filter(({ link }: Notification) => link?.id === root)
        .map(({ plain }: Notification) => plain);
    assert.deepEqual(await about(ada), ['Bob resolved your thread in Plan: too long?']);
    assert.deepEqual(await about(bob), ['Ada reopened the thread in Plan: too long?']);
    assert.deepEqual(await about(eve), [
      'Bob resolved the thread in Plan: too long?',
      'Ada reopened the thread in Plan: too long?',
    ]);
    assert.equal(app.name, 'Plan');
  });
});
