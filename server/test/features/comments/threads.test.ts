import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

type Parsed = any;
type Shown = { id: number; replies?: Shown[] };

/** Creates a comment that answers another one; returns its id. */
async function answer(
  app: { id: number },
  replyTo: number,
  text = 'an answer',
  as?: string,
): Promise<number> {
  const { id } = await makeComment(
    server,
    app.id,
    { text, reply_to: replyTo },
    as === undefined ? {} : { as },
  );
  return id;
}

async function makeOne(app: { id: number }, text = 'words'): Promise<number> {
  return (await makeComment(server, app.id, { text })).id;
}

/** The ids of the threads of an app, each with those of its first answers. */
async function threadsOf(app: { id: number }, query = ''): Promise<(readonly [number, number[]])[]> {
  const { data } = await server.read(`/api/apps/${app.id}/comments?thread=roots${query}`);
  return data.map(({ id, replies = [] }: Shown) => [id, replies.map((reply) => reply.id)]);
}

async function belowOf(id: number, query = ''): Promise<number[]> {
  const { data } = await server.read(`/api/comments/${id}/replies${query}`);
  return data.map((reply: Shown) => reply.id);
}

async function countOf(id: number): Promise<number> {
  return (await server.read(`/api/comments/${id}`)).reply_count ?? 0;
}

/** A thread of five comments: a root with two answers, of which the first is answered by another, and that again. */
async function makeThread() {
  const app = await makeApp(server, { access: 'write' });
  const root = await makeOne(app);
  const first = await answer(app, root);
  const second = await answer(app, root);
  const below = await answer(app, first);
  const deepest = await answer(app, below);
  return { app, root, first, second, below, deepest };
}

describe('a comment that answers another', () => {
  test('says what it answers and what began its thread', async () => {
    const { root, first, below } = await makeThread();
    const { reply_to_id, root_id } = await server.read(`/api/comments/${below}`);
    assert.deepEqual([reply_to_id, root_id], [first, root]);
    const began = await server.read(`/api/comments/${root}`);
    assert.deepEqual([began.reply_to_id, began.root_id], [undefined, undefined]);
  });

  test('is counted by what began the thread and by what it answers', async () => {
    const { root, first, second, below, deepest } = await makeThread();
    const counts = await Promise.all([root, first, second, below, deepest].map(countOf));
    assert.deepEqual(counts, [4, 1, 0, 1, 0]);
  });

  test('is in the list of all comments as any other, in its order', async () => {
    const { app, root, first, second, below, deepest } = await makeThread();
    const { data, count } = await server.read(`/api/apps/${app.id}/comments`);
    assert.equal(count, 5);
    assert.deepEqual(
      data.map(({ id, reply_count }: { id: number; reply_count?: number }) => [id, reply_count]),
      [
        [root, 4],
        [first, 1],
        [second, undefined],
        [below, 1],
        [deepest, undefined],
      ],
    );
    const expanded = await server.read(`/api/apps/${app.id}/comments?expand=created_by`);
    assert.deepEqual(
      expanded.data.map(({ created_by, ...item }: { created_by: object }) => item),
      data,
    );
  });

  test('keeps its place in the thread when it is edited', async () => {
    const { root, below, first } = await makeThread();
    const edited = await server.call('PATCH', `/api/comments/${below}`, { text: 'edited' });
    assert.deepEqual(
      [edited.body.reply_to_id, edited.body.root_id, edited.body.reply_count],
      [first, root, 1],
    );
  });

  test('may be on a file or a post', async () => {
    const posts = await makeApp(server, { type: 'posts', access: 'write' });
    const files = await makeApp(server, { type: 'files', access: 'write' });
    const parents = [
      `/api/posts/${await makePost(server, posts.id)}`,
      `/api/files/${await makeFile(server, files.id)}`,
    ];
    for (const parent of parents) {
      const { id: root }: Parsed = await server.create(`${parent}/comments`, { text: 'on it' });
      const { id: reply }: Parsed = await server.create(`${parent}/comments`, {
        text: 'below',
        reply_to: root,
      });
      const page = await server.read(`${parent}/comments?thread=roots`);
      assert.deepEqual(
        page.data.map(({ id, replies }: { id: number; replies: Shown[] }) => [
          id,
          replies.map((one) => one.id),
        ]),
        [[root, [reply]]],
      );
    }
  });

  test('notifies who is answered', async () => {
    const { token } = await makeUser(server);
    const { token: other } = await makeUser(server, { name: 'Grace' });
    const app = await makeApp(server, { access: 'write' });
    const { id } = await makeComment(server, app.id, { text: 'a question' }, { as: token });
    await answer(app, id, 'the reply', other);
    const text = await poll('the notification', async () => {
      const { data } = await server.read('/api/notifications', { as: token });
      return data[0]?.text;
    });
    assert.match(text, /^Grace replied to your comment in .*: the reply$/);
  });

  test('is refused where what it answers is elsewhere, held, in the trash or not there', async () => {
    const app = await makeApp(server, { access: 'write' });
    const elsewhere = await makeOne(await makeApp(server, { access: 'write' }));
    const [held, trashed, deleted] = [await makeOne(app), await makeOne(app), await makeOne(app)];
    await server.call('POST', `/api/comments/${held}/hold`);
    await server.call('POST', `/api/comments/${trashed}/trash`);
    await server.call('DELETE', `/api/comments/${deleted}`);
    for (const replyTo of [elsewhere, held, trashed, deleted, 999_999_999]) {
      const body = { text: 'x', reply_to: replyTo };
      const refused = await server.call('POST', `/api/apps/${app.id}/comments`, body);
      assertProblem(refused, 422, 'validation_failed');
      assert.deepEqual(
        refused.body.errors.map(({ pointer, code }: Parsed) => [pointer, code]),
        [['/reply_to', 'not_found']],
      );
    }
    for (const [replyTo, status, code] of [
      [0, 422, 'validation_failed'],
      ['1', 400, 'wrong_type'],
      [1.5, 400, 'wrong_type'],
      [{}, 400, 'wrong_type'],
    ] as const)
      assertProblem(
        await server.call('POST', `/api/apps/${app.id}/comments`, { text: 'x', reply_to: replyTo }),
        status,
        code,
      );
    assert.deepEqual(await threadsOf(app), []);
  });
});

describe('a list of threads', () => {
  test('has what answers nothing, with the first of each thread by id', async () => {
    const { app, root, first, second, below, deepest } = await makeThread();
    const alone = await makeOne(app);
    assert.deepEqual(await threadsOf(app), [
      [root, [first, second, below]],
      [alone, []],
    ]);
    assert.deepEqual(await threadsOf(app, '&replies=25'), [
      [root, [first, second, below, deepest]],
      [alone, []],
    ]);
    assert.deepEqual(await threadsOf(app, '&replies=0&order_by=id+desc'), [
      [alone, []],
      [root, []],
    ]);
    const { count } = await server.read(`/api/apps/${app.id}/comments?thread=roots`);
    assert.equal(count, 2);
    const counted = await server.read(`/api/apps/${app.id}/comments?thread=roots&count_only=true`);
    assert.deepEqual(counted, { count: 2 });
  });

  for (const query of ['thread=roots&', ''])
    test(`comes by reactions, and page by page (${query})`, async () => {
      const app = await makeApp(server, { access: 'write' });
      const roots: number[] = [];
      for (let number = 0; number < 5; number += 1) roots.push(await makeOne(app));
      const people = [await makeUser(server), await makeUser(server)];
      const react = async (index: number, times: number) => {
        for (const { token } of people.slice(0, times))
          await server.call(
            'POST',
            `/api/comments/${roots[index]}/reactions`,
            { content: '👍' },
            { as: token },
          );
      };
      await react(1, 1);
      await react(3, 2);
      const expected = [3, 1, 4, 2, 0].map((index) => roots[index]);
      let path: string | undefined =
        `/api/apps/${app.id}/comments?${query}order_by=reaction_count+desc&top=2`;
      const seen: number[] = [];
      while (path !== undefined) {
        const { body, headers }: { body: Parsed; headers: Headers } = await server.call('GET', path);
        seen.push(...body.data.map(({ id }: Shown) => id));
        path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.slice(server.url.length);
      }
      assert.deepEqual(seen, expected);
    });

  test('is refused with what it cannot do', async () => {
    const { app } = await makeThread();
    const posts = await makeApp(server, { type: 'posts', access: 'write' });
    const refused = [
      [`/api/apps/${app.id}/comments?replies=3`, 'replies'],
      [`/api/apps/${app.id}/comments?thread=roots&q=words`, 'q'],
      [`/api/apps/${app.id}/comments?thread=roots&tag=words`, 'tag'],
      [`/api/apps/${app.id}/comments?thread=roots&trashed=null`, 'trashed'],
      [`/api/apps/${app.id}/comments?thread=roots&order_by=created_at`, 'order_by'],
      [`/api/apps/${app.id}/comments?thread=roots&top=100&replies=7`, 'replies'],
      [`/api/apps/${posts.id}/comments?thread=roots`, 'thread'],
    ] as const;
    for (const [path, parameter] of refused) {
      const answered = await server.call('GET', path);
      assertProblem(answered, 400, 'invalid_query');
      assert.deepEqual(
        answered.body.errors.map((error: Parsed) => error.parameter),
        [parameter],
        path,
      );
    }
  });

  test('ends before its answer becomes too large, and shows fewer answers', async () => {
    const app = await makeApp(server, { access: 'write' });
    const text = 'x'.repeat(60_000);
    const roots = [await makeOne(app, text), await makeOne(app, text)];
    for (const root of roots) for (let number = 0; number < 20; number += 1) await answer(app, root, text);
    const { body } = await server.call('GET', `/api/apps/${app.id}/comments?thread=roots&replies=25`);
    assert.ok(JSON.stringify(body).length < 9_000_000);
    assert.deepEqual([body.data[0].id, body.data[0].reply_count], [roots[0], 20]);
    assert.deepEqual((await belowOf(roots[1] ?? 0, '?top=100')).length > 0, true);
  });
});

describe('what is below a comment', () => {
  test('is the whole thread for what began it, and what answers it for any other', async () => {
    const { root, first, second, below, deepest } = await makeThread();
    assert.deepEqual(await belowOf(root), [first, second, below, deepest]);
    assert.deepEqual(await belowOf(root, '?order_by=id+desc&top=2'), [deepest, below]);
    assert.deepEqual(await belowOf(first), [below]);
    assert.deepEqual(await belowOf(deepest), []);
    const { count, data } = await server.read(`/api/comments/${root}/replies?expand=created_by,parent`);
    assert.equal(count, 4);
    assert.ok(data.every(({ created_by, parent }: Parsed) => created_by.id > 0 && parent.type === 'app'));
  });

  test('is not there for who may not see the app, and in the trash where nothing is below it', async () => {
    const { token } = await makeUser(server);
    const { app, root, deepest } = await makeThread();
    await server.call('POST', `/api/comments/${deepest}/trash`);
    await server.call('PATCH', `/api/apps/${app.id}`, { access: 'none' });
    for (const [id, as] of [
      [root, token],
      [deepest, undefined],
      [999_999_999, undefined],
    ] as const) {
      const path = `/api/comments/${id}/replies`;
      assertProblem(
        await server.call('GET', path, undefined, as === undefined ? {} : { as }),
        404,
        'not_found',
      );
    }
  });
});

describe('a comment that goes away', () => {
  const gone = [
    ['is held', 'POST', '/hold'],
    ['goes to the trash', 'POST', '/trash'],
    ['is deleted', 'DELETE', ''],
  ] as const;
  for (const [name, method, verb] of gone)
    test(`that ${name} leaves a place without text and author while there is something below it`, async () => {
      const { app, root, first, second, below, deepest } = await makeThread();
      const remove = (id: number) => server.call(method, `/api/comments/${id}${verb}`);
      await remove(first);
      await remove(root);
      assert.deepEqual(await threadsOf(app, '&replies=25'), [[root, [first, second, below, deepest]]]);
      const { data, count } = await server.read(
        `/api/apps/${app.id}/comments?thread=roots&expand=created_by`,
      );
      const [place] = data;
      assert.equal(count, 0);
      assert.deepEqual(Object.keys(place).sort(), [
        ...['app_id', 'attachment_count', 'attachments', 'created_at', 'id', 'is_trashed', 'option_count'],
        ...['options', 'reactions', 'replies', 'reply_count', 'tags'],
      ]);
      assert.deepEqual([place.reply_count, place.is_trashed], [3, true]);
      assert.deepEqual(
        [place.replies[0].id, place.replies[0].text, place.replies[0].root_id],
        [first, undefined, root],
      );
      assert.deepEqual(await belowOf(root), [first, second, below, deepest]);
      assert.deepEqual(await belowOf(first), [below]);
      for (const id of [deepest, below, second]) await remove(id);
      assert.deepEqual(await threadsOf(app), []);
      assertProblem(await server.call('GET', `/api/comments/${root}/replies`), 404, 'not_found');
    });

  test('is counted again when it is shown again', async () => {
    const { app, root, first, below } = await makeThread();
    await server.call('POST', `/api/comments/${first}/trash`);
    await server.call('POST', `/api/comments/${below}/hold`);
    assert.deepEqual([await countOf(root), await belowOf(root)].flat().length > 0, true);
    assert.equal(await countOf(root), 2);
    await server.call('POST', `/api/comments/${first}/restore`);
    await server.call('POST', `/api/comments/${below}/approve`);
    assert.deepEqual(await Promise.all([root, first].map(countOf)), [4, 1]);
    assert.equal((await threadsOf(app)).length, 1);
  });

  test('is said nothing of by the log when it was deleted, although its place is there', async () => {
    const { token } = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const root = await makeOne(app, 'a secret');
    await answer(app, root);
    const read = async () => {
      const { data } = await server.read(`/api/events?entity_type=comment&entity_id=${root}`, { as: token });
      return JSON.stringify(data);
    };
    assert.match(await read(), /a secret/);
    await server.call('DELETE', `/api/comments/${root}`);
    assert.doesNotMatch(await read(), /a secret/);
  });

  test('is not there any more when it was deleted, and cannot be answered', async () => {
    const { app, root } = await makeThread();
    await server.call('DELETE', `/api/comments/${root}`);
    for (const query of ['', '?trashed=true'])
      assertProblem(await server.call('GET', `/api/comments/${root}${query}`), 404, 'not_found');
    const { data, count } = await server.read(`/api/apps/${app.id}/comments?trashed=null`);
    assert.deepEqual([data.length, count], [4, 4]);
    const refused = await server.call('POST', `/api/apps/${app.id}/comments`, { text: 'x', reply_to: root });
    assertProblem(refused, 422, 'validation_failed');
  });
});
