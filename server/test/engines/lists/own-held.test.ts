import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { type Answer, type Caller, freshUid, use, useServer } from 'confab-testing/server.ts';
import { signInGuest } from 'confab-testing/visitors.ts';

const statements: string[] = [];
const server = useServer(
  { CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' },
  { isQuiet: true, onStatement: (sql) => statements.push(sql) },
);
const [author, other, moderator] = usePeople(server, 'Author', 'Other', 'Moderator');
const open = { access: 'write', visitors: 'write' };

type Item = {
  readonly id: number;
  readonly is_held?: boolean;
  readonly is_trashed: boolean;
  readonly reply_count?: number;
  readonly text?: string;
  readonly replies?: readonly Item[];
};
type List = { readonly data: readonly Item[]; readonly count: number };

async function read(by: Caller, path: string): Promise<List> {
  const { status, body, text } = await by.call('GET', path as '/api/comments');
  assert.equal(status, 200, text);
  return body as never;
}

/** An app with comments of two users in turn, of which the author's are held where `isHeld` says so. */
async function makeThread(isHeld: readonly boolean[]) {
  const app = await makeApp(server, { ...open, members: { moderator: [moderator] } });
  const ids: number[] = [];
  for (const held of isHeld) {
    const { id } = await makeComment(held ? author : other, app.id, { text: `number ${ids.length}` });
    if (held) await hold(id);
    ids.push(id);
  }
  return {
    path: `/api/apps/${app.id}/comments`,
    app,
    ids,
    shown: ids.filter((_, index) => isHeld[index] !== true),
  };
}

async function hold(id: number): Promise<void> {
  assert.equal((await moderator.call('POST', `/api/comments/${id}/hold`)).status, 200);
}

const idsOf = ({ data }: List) => data.map(({ id }) => id);

/** Every page of a list, by links or by `skip`. */
async function allPages(by: Caller, path: string, { isByLink }: { isByLink: boolean }): Promise<number[]> {
  const seen: number[] = [];
  let next: string | undefined = `${path}&top=2`;
  while (next !== undefined) {
    const answer: Answer = await by.call('GET', next as '/api/comments');
    seen.push(...idsOf(answer.body as never));
    const link: string | undefined = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    const { pathname, search } = new URL(link ?? '/', server.url);
    const following = isByLink ? pathname + search : `${path}&top=2&skip=${seen.length}`;
    next = link === undefined ? undefined : following;
  }
  return seen;
}

// Who waits for approval finds their comment on every device, and nobody else does.
describe('a held comment', () => {
  const thread = use(() => makeThread([false, true, false, true, true, false]));

  test('is in the lists of its author at its place, and in those of nobody else', async () => {
    const { path, ids, shown } = thread;
    for (const query of ['', '?thread=roots', '?trashed=null']) {
      const list = await read(author, path + query);
      assert.deepEqual([idsOf(list), list.count], [ids, ids.length], query);
      const isHeld = list.data.map(({ is_held: held, is_trashed: trashed }) => [held === true, trashed]);
      assert.deepEqual(
        isHeld,
        ids.map((id) => [!shown.includes(id), false]),
      );
    }
    for (const by of [other, moderator, server, server.as(null)])
      for (const query of [
        '',
        ...(by === moderator || by === other || by === server ? ['?trashed=null'] : []),
        '?thread=roots',
      ]) {
        const list = await read(by, path + query);
        assert.deepEqual([idsOf(list), list.count], [shown, shown.length], query);
      }
  });

  test('is on one page of its author in each order, by links and by skip', async () => {
    const { path, ids } = thread;
    const expected = new Set(ids);
    for (const order of ['id', 'created_at', 'modified_at', 'reaction_count'])
      for (const direction of ['', '+desc'])
        for (const threads of order === 'id' || order === 'reaction_count' ? ['', '&thread=roots'] : ['']) {
          const query = `${path}?order_by=${order}${direction}${threads}`;
          const whole = idsOf(await read(author, query));
          assert.deepEqual(new Set(whole), expected);
          if (order !== 'reaction_count' && order !== 'modified_at')
            assert.deepEqual(whole, direction === '' ? ids : ids.toReversed());
          for (const isByLink of [true, false])
            assert.deepEqual(await allPages(author, query, { isByLink }), whole, query);
        }
  });

  test('is counted for its author alone', async () => {
    const { path, ids, shown } = thread;
    const count = async (by: Caller) => (await read(by, `${path}?count_only=true`)).count;
    assert.deepEqual([await count(author), await count(other)], [ids.length, shown.length]);
  });

  test('is not found by words or a tag, nor in the trash', async () => {
    const { path, shown } = thread;
    assert.deepEqual(idsOf(await read(author, `${path}?q=number`)), shown);
    assert.deepEqual(idsOf(await read(author, `${path}?trashed=true`)), []);
  });

  test('costs callers who have none no statement more than one', async () => {
    const { path } = thread;
    const counted = async (by: Caller) => {
      await read(by, path);
      statements.length = 0;
      await read(by, path);
      return statements.filter((sql) => /held_at/.test(sql)).length;
    };
    assert.equal(await counted(server), 0);
    assert.ok((await counted(other)) <= 1);
  });

  test('is like any other once it is approved, and gone once it is in the trash', async () => {
    const { path, ids } = await makeThread([true, true]);
    const [first, second] = ids;
    assert.equal((await moderator.call('POST', `/api/comments/${first}/approve`)).status, 200);
    assert.equal((await moderator.call('POST', `/api/comments/${second}/trash`)).status, 200);
    const { data, count } = await read(author, path);
    assert.deepEqual([data.map(({ id, is_held }) => [id, is_held]), count], [[[first, undefined]], 1]);
  });
});

// A thread shows its author where their reply will be, and counts it for them.
describe('a held reply', () => {
  const reply = async (by: Caller, app: number, to: number) =>
    (await makeComment(by, app, { text: 'reply', reply_to: to })).id;

  test('is below what it answers, and counted there, for its author alone', async () => {
    const { app, path, ids } = await makeThread([false]);
    const [root = 0] = ids;
    const first = await reply(other, app.id, root);
    const held = await reply(author, app.id, first);
    const last = await reply(other, app.id, root);
    await hold(held);
    for (const [by, below, counts] of [
      [author, [first, held, last], [3, 1]],
      [other, [first, last], [2, undefined]],
    ] as const) {
      const { data, count } = await read(by, `${path}?thread=roots`);
      const [top] = data;
      assert.deepEqual([data.length, count], [1, 1]);
      assert.deepEqual(
        top?.replies?.map(({ id }) => id),
        below,
      );
      assert.deepEqual([top?.reply_count, top?.replies?.[0]?.reply_count], counts);
      const cut = await read(by, `${path}?thread=roots&replies=2`);
      assert.deepEqual(
        cut.data[0]?.replies?.map(({ id }) => id),
        below.slice(0, 2),
      );
      const all = await read(by, `/api/comments/${root}/replies`);
      assert.deepEqual([idsOf(all), all.count], [below, below.length]);
      const answers = await read(by, `/api/comments/${first}/replies`);
      assert.deepEqual([idsOf(answers), answers.count], by === author ? [[held], 1] : [[], 0]);
      assert.equal((await read(by, path)).count, below.length + 1);
      for (const isByLink of [true, false])
        assert.deepEqual(await allPages(by, `/api/comments/${root}/replies?`, { isByLink }), below);
    }
  });

  test('that has replies is itself for its author, and its place for others', async () => {
    const { app, path } = await makeThread([]);
    const root = (await makeComment(author, app.id, { text: 'root' })).id;
    const answer = await reply(author, app.id, root);
    await reply(other, app.id, answer);
    await hold(root);
    await hold(answer);
    for (const by of [author, other]) {
      const [top] = (await read(by, `${path}?thread=roots`)).data;
      const isOwn = by === author;
      assert.deepEqual([top?.id, top?.text, top?.is_trashed], [root, isOwn ? 'root' : undefined, !isOwn]);
      assert.deepEqual(
        top?.replies?.map(({ text }) => text),
        [isOwn ? 'reply' : undefined, 'reply'],
      );
      const { data, count } = await read(by, `/api/comments/${root}/replies`);
      assert.deepEqual([data[0]?.text, count], isOwn ? ['reply', 2] : [undefined, 1]);
      assert.equal((await read(by, `${path}?thread=roots`)).count, isOwn ? 1 : 0);
    }
  });
});

// Lists of one state or of one key have each thread in one of them, also for an author whose first comment is held.
describe('a held comment that began a thread', () => {
  test('is with its replies or without in the lists of its state and key, for its author alone', async () => {
    const app = await makeApp(server, { ...open, members: { moderator: [moderator] } });
    const path = `/api/apps/${app.id}/comments`;
    const ids: number[] = [];
    for (const [isResolved, isAnswered] of [
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ]) {
      const { id } = await makeComment(author, app.id, { text: 'first', anchor: { key: 'here' } });
      if (isAnswered) await makeComment(other, app.id, { text: 'reply', reply_to: id });
      if (isResolved) await author.call('POST', `/api/comments/${id}/resolve`);
      await hold(id);
      ids.push(id);
    }
    for (const [query, expected] of [
      ['resolved=false', ids.slice(0, 2)],
      ['resolved=true', ids.slice(2)],
      ['anchor=here', ids],
      ['anchor=here&resolved=false', ids.slice(0, 2)],
      ['anchor=here&resolved=true', ids.slice(2)],
      ['anchor=elsewhere', []],
    ] as const)
      for (const threads of ['', '&thread=roots'])
        for (const by of [author, other]) {
          const list = await read(by, `${path}?${query}${threads}`);
          const own = by === author ? expected : [];
          assert.deepEqual([idsOf(list), list.count], [own, own.length], query + threads);
        }
    assert.deepEqual(await allPages(author, `${path}?anchor=here`, { isByLink: true }), ids);
  });
});

// Comments of posts and files are listed below these and by app.
describe('a held comment on a post', () => {
  test('is in both lists of its author', async () => {
    const app = await makeApp(server, {
      type: 'posts',
      access: 'write',
      members: { moderator: [moderator] },
    });
    const posts = [0, 0];
    for (const index of posts.keys())
      posts[index] = (await other.create(`/api/apps/${app.id}/posts`, { text: 'post' })).id;
    const write = async (by: Caller, post: number | undefined) =>
      (await by.create(`/api/posts/${post}/comments` as '/api/posts/1/comments', { text: 'words' }))
        .id as number;
    const [one, two] = [await write(author, posts[0]), await write(author, posts[1])];
    const three = await write(other, posts[0]);
    await hold(one);
    await hold(two);
    for (const [by, all, ofFirst] of [
      [author, [one, two, three], [one, three]],
      [other, [three], [three]],
    ] as const) {
      for (const [path, expected] of [
        [`/api/apps/${app.id}/comments`, all],
        [`/api/posts/${posts[0]}/comments`, ofFirst],
      ] as const) {
        const list = await read(by, path);
        assert.deepEqual([idsOf(list), list.count], [expected, expected.length]);
        const ordered = await read(by, `${path}?order_by=created_at+desc`);
        assert.deepEqual(idsOf(ordered), expected.toReversed());
      }
    }
    await server.call('POST', `/api/posts/${posts[0]}/trash`);
    assert.deepEqual(idsOf(await read(author, `/api/apps/${app.id}/comments`)), [two]);
  });
});

// Answers for readers without a credential are kept by caches, those of a guest are not.
describe('a held comment of a guest', () => {
  test('is listed to that guest, in an answer that no cache may keep for others', async () => {
    const app = await makeApp(server, { ...open, uid: freshUid('page'), approval: 'guests' });
    const path = `/api/apps/${app.id}/comments?thread=roots&expand=created_by` as '/api/comments';
    const [ada, ben] = await Promise.all(
      [0, 1].map(async () => server.as((await signInGuest(server)).access_token)),
    );
    const before = await server.as(null).call('GET', path);
    const { id } = await makeComment(ada as Caller, app.id, { text: 'waits' });
    const own = await (ada as Caller).call('GET', path);
    assert.deepEqual(
      (own.body as never as List).data.map((each) => [each.id, each.is_held]),
      [[id, true]],
    );
    assert.equal((own.body as never as List).count, 1);
    const again = await server.as(null).call('GET', path);
    for (const { body } of [before, again, await (ben as Caller).call('GET', path)])
      assert.deepEqual(body, { data: [], start: 0, end: 0, count: 0 });
    assert.match(again.headers.get('cache-control') ?? '', /^public/);
    assert.doesNotMatch(own.headers.get('cache-control') ?? '', /public/);
    assert.match(again.headers.get('vary') ?? '', /authorization/i);
    assert.notEqual(own.headers.get('etag'), again.headers.get('etag'));
    const etag = again.headers.get('etag') ?? '';
    const kept = await (ada as Caller).call('GET', path, undefined, { headers: { 'if-none-match': etag } });
    assert.equal(kept.status, 200);
  });
});
