import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

type Parsed = any;
type Count = { key: string; count: number; open_count: number };

const quote = {
  type: 'TextQuoteSelector',
  exact: 'Call me Ishmael.',
  prefix: 'Chapter 1. ',
  suffix: ' Some',
};
const whole = {
  key: 'p1',
  selector: [
    quote,
    { type: 'TextPositionSelector', start: 10, end: 26 },
    {
      type: 'FragmentSelector',
      value: 'xywh=percent:1,2,3,4',
      conformsTo: 'http://www.w3.org/TR/media-frags/',
    },
    {
      type: 'CssSelector',
      value: '#content > p',
      refinedBy: { type: 'TextPositionSelector', start: 0, end: 4 },
    },
    {
      type: 'SvgSelector',
      value: '<svg xmlns="http://www.w3.org/2000/svg"><rect x="1" y="2" width="3" height="4"/></svg>',
    },
    {
      type: 'RangeSelector',
      startSelector: { type: 'XPathSelector', value: '/p[1]' },
      endSelector: { type: 'XPathSelector', value: '/p[2]' },
    },
  ],
};

async function idsOf(path: string): Promise<number[]> {
  return (await server.read(path)).data.map(({ id }: { id: number }) => id);
}

async function countsOf(app: { id: number }, query: string): Promise<Count[]> {
  return (await server.read(`/api/apps/${app.id}/anchors${query}`)).data;
}

describe('the anchor of a comment', () => {
  test('is returned as given, alone, in lists and in threads', async () => {
    const app = await makeApp(server);
    const made = await makeComment(server, app.id, { text: 'about this', anchor: whole });
    const path = `/api/apps/${app.id}/comments`;
    assert.deepEqual(made.anchor, whole);
    for (const one of [
      await server.read(`/api/comments/${made.id}`),
      ...(await server.read(path)).data,
      ...(await server.read(`${path}?thread=roots`)).data,
      ...(await server.read(`${path}?order_by=created_at`)).data,
      ...(await server.read('/api/comments')).data.filter(({ id }: { id: number }) => id === made.id),
    ])
      assert.deepEqual(one.anchor, whole);
  });

  test('is in the list of its key as soon as it is written, also where the list was read before', async () => {
    const app = await makeApp(server);
    const path = `/api/apps/${app.id}/comments?anchor=row`;
    assert.deepEqual(await idsOf(path), []);
    const { id } = await makeComment(server, app.id, { anchor: { key: 'row' } });
    assert.deepEqual(await idsOf(path), [id]);
    const other = await makeComment(server, app.id, { anchor: { key: 'row' } });
    assert.deepEqual((await idsOf(path)).toSorted(), [id, other.id]);
    await server.call('POST', `/api/comments/${id}/resolve`);
    assert.deepEqual(await idsOf(`${path}&resolved=false`), [other.id]);
    assert.deepEqual(await idsOf(`${path}&resolved=true&thread=roots`), [id]);
    const { count } = await server.read(`${path}&resolved=true&count_only=true`);
    assert.equal(count, 1);
  });

  test('is changed and cleared by an edit, and an edit of something else keeps it', async () => {
    const app = await makeApp(server);
    const { id } = await makeComment(server, app.id, { text: 'first', anchor: { key: ' a1 ' } });
    const patch = async (body: object) =>
      (await server.call('PATCH', `/api/comments/${id}`, body)).body as Parsed;
    const kept = await patch({ text: 'second' });
    assert.deepEqual(kept.anchor, { key: 'a1' });
    const moved = await patch({ anchor: { key: 'b2', selector: [quote] } });
    assert.deepEqual([moved.text, moved.anchor], ['second', { key: 'b2', selector: [quote] }]);
    assert.equal((await patch({ anchor: { key: 'b2', selector: [quote] } })).modified_at, moved.modified_at);
    assert.deepEqual(await idsOf(`/api/apps/${app.id}/comments?anchor=b2`), [id]);
    const cleared = await patch({ anchor: null });
    assert.equal('anchor' in cleared, false);
    assert.deepEqual(await idsOf(`/api/apps/${app.id}/comments?anchor=b2`), []);
  });

  test('is refused in an answer, when it is created and when it is changed', async () => {
    const app = await makeApp(server);
    const { id: root } = await makeComment(server, app.id, { text: 'root' });
    const { id } = await makeComment(server, app.id, { text: 'answer', reply_to: root });
    const body = { text: 'x', reply_to: root, anchor: { key: 'a' } };
    for (const response of [
      await server.call('POST', `/api/apps/${app.id}/comments`, body),
      await server.call('PATCH', `/api/comments/${id}`, { anchor: { key: 'a' } }),
    ])
      assertProblem(response, 422, 'validation_failed', '/anchor');
    const cleared = await server.call('PATCH', `/api/comments/${id}`, { text: 'kept', anchor: null });
    assert.deepEqual([cleared.status, cleared.body.text], [200, 'kept']);
  });
});

describe('the threads with a key', () => {
  test('are those with exactly this key, of an app, a file and a post', async () => {
    const app = await makeApp(server);
    const posts = await makeApp(server, { type: 'posts' });
    const files = await makeApp(server, { type: 'files' });
    const post = await makePost(server, posts.id);
    const file = await makeFile(server, files.id);
    for (const path of [
      `/api/apps/${app.id}/comments`,
      `/api/posts/${post}/comments`,
      `/api/files/${file}/comments`,
    ]) {
      const make = async (body: object) => (await server.call('POST', path, body)).body as Parsed;
      const first = await make({ text: '1', anchor: { key: 'cell, 1' } });
      await make({ text: '2', anchor: { key: 'Cell, 1' } });
      await make({ text: '3' });
      const last = await make({ text: '4', anchor: { key: 'cell, 1' } });
      const answer = await make({ text: '5', reply_to: first.id });
      const query = `${path}?anchor=${encodeURIComponent('cell, 1')}`;
      assert.deepEqual(await idsOf(query), [first.id, last.id]);
      assert.deepEqual(await idsOf(`${query}&order_by=id+desc`), [last.id, first.id]);
      assert.deepEqual(await server.read(`${query}&count_only=true`), { count: 2 });
      const one = await server.call('GET', `${query}&top=1`);
      const { count, data } = one.body as Parsed;
      assert.deepEqual([count, data.length, data[0].replies], [2, 1, undefined]);
      const next = /<([^>]+)>/.exec(one.headers.get('link') ?? '')?.[1] ?? '';
      assert.deepEqual(await idsOf(next.slice(next.indexOf('/api/'))), [last.id]);
      const threads = (await server.read(`${query}&thread=roots`)).data;
      assert.deepEqual(
        threads.map(({ id, replies }: Parsed) => [id, replies.map((reply: Parsed) => reply.id)]),
        [
          [first.id, [answer.id]],
          [last.id, []],
        ],
      );
    }
  });

  test('leave out what is in the trash or held, but for its author', async () => {
    const app = await makeApp(server, { access: 'write', approval: 'everything' });
    const user = await makeUser(server);
    const held = await makeComment(user, app.id, { text: 'held', anchor: { key: 'a' } });
    const trashed = await makeComment(server, app.id, { text: 'gone', anchor: { key: 'a' } });
    await server.call('POST', `/api/comments/${trashed.id}/trash`);
    const other = await makeComment(user, app.id, { text: 'other', anchor: { key: 'b' } });
    const path = `/api/apps/${app.id}/comments?anchor=a`;
    assert.deepEqual(await idsOf(path), []);
    assert.deepEqual(await countsOf(app, '?key=a'), [{ key: 'a', count: 0, open_count: 0 }]);
    const own = (await user.call('GET', path)).body as Parsed;
    assert.deepEqual([own.data.map(({ id }: Parsed) => id), own.count], [[held.id], 1]);
    await server.call('POST', `/api/comments/${other.id}/approve`);
    await server.call('POST', `/api/comments/${trashed.id}/restore`);
    assert.deepEqual(await idsOf(path), [trashed.id]);
    assert.deepEqual(await countsOf(app, ''), [
      { key: 'a', count: 1, open_count: 1 },
      { key: 'b', count: 1, open_count: 1 },
    ]);
  });

  test('are neither searched nor sorted otherwise', async () => {
    const app = await makeApp(server);
    const posts = await makeApp(server, { type: 'posts' });
    for (const [query, parameter] of [
      ['q=word', 'q'],
      ['tag=word', 'tag'],
      ['trashed=true', 'trashed'],
      ['order_by=created_at', 'order_by'],
      ['replies=1', 'replies'],
    ]) {
      const response = await server.call('GET', `/api/apps/${app.id}/comments?anchor=a&${query}`);
      assertProblem(response, 400, 'invalid_query', parameter ?? '');
    }
    assertProblem(await server.call('GET', `/api/apps/${posts.id}/comments?anchor=a`), 400, 'invalid_query');
  });
});

describe('the counts of keys', () => {
  test('come in the order of the request, each key once, with 0 for a key that nobody used', async () => {
    const app = await makeApp(server);
    for (const key of ['b', 'a', 'b', 'ä', 'B'])
      await makeComment(server, app.id, { text: key, anchor: { key } });
    await makeComment(server, app.id, { text: 'no key', anchor: { selector: [quote] } });
    const counts = (found: Count[]) => found.map(({ key, count }) => [key, count]);
    assert.deepEqual(counts(await countsOf(app, '?key=b&key=none&key=a&key=b')), [
      ['b', 2],
      ['none', 0],
      ['a', 1],
    ]);
    const all = [
      ['B', 1],
      ['a', 1],
      ['b', 2],
      ['ä', 1],
    ];
    assert.deepEqual(counts(await countsOf(app, '')), all);
    assert.deepEqual(counts(await countsOf(app, '?top=2')), all.slice(0, 2));
    assert.deepEqual(counts(await countsOf(app, '?after=a&top=5')), all.slice(2));
  });

  test('are for those who see the app', async () => {
    const app = await makeApp(server, { access: 'none' });
    const user = await makeUser(server);
    const path = `/api/apps/${app.id}/anchors?key=a`;
    assertProblem(await user.call('GET', path), 404, 'not_found');
    assertProblem(await server.call('GET', path, undefined, { as: null }), 401, 'unauthorized');
    const page = await user.call('GET', `${path}&page=true`);
    assert.deepEqual(page.body, { data: [{ key: 'a', count: 0, open_count: 0 }] });
  });
});
