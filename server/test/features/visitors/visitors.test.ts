import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { keptLog } from 'confab-testing/log.ts';
import { poll } from 'confab-testing/poll.ts';
import { use, useServer } from 'confab-testing/server.ts';

const server = useServer();
const visitor = use(async () => server.as(null));

/** An app that is open to visitors, with a comment of a user. */
async function makeOpenApp(fields: object = {}) {
  const { token, uid } = await makeUser(server, { name: 'Ada Lovelace' });
  const app = await makeApp(server, { access: 'write', visitors: 'read', ...fields });
  const comment = await makeComment(server, app.id, { text: 'for **everyone**' }, { as: token });
  return { app, comment, token, uid };
}

describe('reading without a credential', () => {
  test('shows the comments of an app that is open to visitors, with authors but without their uids', async () => {
    const { app, comment } = await makeOpenApp();
    const page = await visitor.read(`/api/apps/${app.id}/comments?expand=created_by`);
    assert.equal(page.count, 1);
    assert.deepEqual(page.data[0].created_by, {
      id: comment.created_by.id,
      display_name: 'Ada Lovelace',
      is_bot: false,
    });
    const one = await visitor.read(`/api/comments/${comment.id}`);
    assert.equal(one.html, '<p>for <strong>everyone</strong></p>');
    assert.equal(one.created_by.uid, undefined);
    assert.doesNotMatch(JSON.stringify([page, one]), /user-\d/);
  });

  test('marks moderators, and nobody whose name says so', async () => {
    const { app } = await makeOpenApp();
    await server.create('/api/directories', { name: 'elsewhere' });
    for (const fields of [
      { name: 'Grace' },
      { name: 'Moderator' },
      { name: 'Of a directory', directory: 'elsewhere' },
    ]) {
      const writer = await makeUser(server, fields);
      await makeComment(writer, app.id, { text: 'hello' });
      if (fields.name !== 'Moderator')
        await server.call('PATCH', `/api/users/${writer.uid}`, { role: 'moderator' });
    }
    const page = await visitor.read(`/api/apps/${app.id}/comments?expand=created_by`);
    const marked = page.data.filter((comment: any) => comment.created_by.is_moderator === true);
    assert.deepEqual(
      marked.map((comment: any) => comment.created_by.display_name),
      ['Grace'],
    );
  });

  test('shows how many users reacted with what, and not who', async () => {
    const { app, comment, token } = await makeOpenApp();
    const { token: other } = await makeUser(server, {});
    for (const as of [token, other])
      await server.call('POST', `/api/comments/${comment.id}/reactions`, { content: '🎉' }, { as });
    const page = await visitor.read(`/api/apps/${app.uid}/comments`);
    assert.deepEqual(page.data[0].reactions, [{ content: '🎉', count: 2 }]);
  });

  test('answers as if nothing were there where the app is not open, is closed to users, or is of a directory', async () => {
    await server.create('/api/directories', { name: 'visited' });
    const closed = [];
    for (const fields of [{ visitors: null }, { access: 'none' }, { directory: 'visited' }]) {
      const made = await makeOpenApp();
      await server.call('PATCH', `/api/apps/${made.app.id}`, fields);
      closed.push(made);
    }
    const paths = closed.flatMap(({ app, comment }) => [
      `/api/apps/${app.id}/comments`,
      `/api/comments/${comment.id}`,
    ]);
    const absent = await visitor.call('GET', '/api/apps/999999/comments');
    for (const path of [...paths, '/api/comments/999999']) {
      const { status, body } = await visitor.call('GET', path);
      assert.deepEqual([status, body.detail], [401, absent.body.detail], path);
    }
  });

  test('takes a page and an order, and refuses what would have to be searched for', async () => {
    const { app } = await makeOpenApp();
    const list = `/api/apps/${app.id}/comments`;
    for (const query of [
      '',
      '?top=5&skip=0',
      '?order_by=created_at+desc',
      '?count_only=true',
      '?count=false',
    ])
      assert.equal((await visitor.call('GET', list + query)).status, 200, query);
    for (const query of ['?expand=', '?expand=created_by,%20embed', '?expand=createdBy&top=5'])
      assert.equal((await visitor.call('GET', list + query)).status, 200, query);
    const refused = [
      ...['?q=everyone', '?tag=a', '?trashed=true', '?expand=modified_by', '?skip=1001', '?foo=1'],
      ...['?expand=x1', '?expand=created_by,x1', '?expand=created_by,createdBy', '?expand=,', '?expand=%zz'],
      ...[
        '?top=5&top=5',
        '?top=5&top=6',
        '?top=5?foo=1&foo=1',
        '?order_by=id&orderBy=id',
        '?expand=embed&expand=created_by',
      ],
    ];
    for (const query of refused) assert.equal((await visitor.call('GET', list + query)).status, 401, query);
  });

  test('shows threads, and the places of what is gone', async () => {
    const { app, comment, token } = await makeOpenApp();
    const answer = { text: 'an answer', reply_to: comment.id };
    const { id } = await makeComment(server, app.id, answer, { as: token });
    const threads = `/api/apps/${app.id}/comments?thread=roots&replies=2&expand=created_by` as const;
    const shown = await visitor.read(threads);
    assert.deepEqual(
      [shown.count, shown.data[0].id, shown.data[0].replies[0].id, shown.data[0].replies[0].created_by.uid],
      [1, comment.id, id, undefined],
    );
    await server.call('POST', `/api/comments/${comment.id}/trash`);
    const place = (await visitor.read(threads)).data[0];
    assert.deepEqual(
      [place.id, place.created_by, place.text, place.replies.length],
      [comment.id, undefined, undefined, 1],
    );
    const below = await visitor.read(`/api/comments/${comment.id}/replies?order_by=reaction_count+desc`);
    assert.deepEqual([below.count, below.data[0].root_id], [1, comment.id]);
    await server.call('PATCH', `/api/apps/${app.id}`, { visitors: null });
    for (const path of [threads, `/api/comments/${comment.id}/replies`])
      assert.equal((await visitor.call('GET', path)).status, 401);
  });

  test('refuses parameters of other operations', async () => {
    const { app, comment } = await makeOpenApp();
    for (const path of [
      `/api/comments/${comment.id}?uid=x`,
      `/api/comments/${comment.id}?trashed=false`,
      `/api/comments/${comment.id}?thread=roots`,
      `/api/comments/${comment.id}/replies?thread=roots`,
      `/api/apps/${app.id}/comments?uid=x`,
    ])
      assert.equal((await visitor.call('GET', path)).status, 401, path);
  });

  test('refuses every other operation', async () => {
    const { app, comment } = await makeOpenApp();
    for (const path of [
      `/api/apps/${app.id}`,
      `/api/apps/${app.id}/members`,
      `/api/comments/${comment.id}/reactions`,
      '/api/comments',
      '/api/users',
      '/api/events',
    ])
      assert.equal((await visitor.call('GET', path)).status, 401, path);
    const created = await visitor.call('POST', `/api/apps/${app.id}/comments`, { text: 'mine' });
    assert.equal(created.status, 401);
  });

  test('refuses a wrong credential, also where none is needed', async () => {
    const { app } = await makeOpenApp();
    const wrong = `wyu_${'a'.repeat(38)}`;
    const { status } = await server.call('GET', `/api/apps/${app.id}/comments`, undefined, { as: wrong });
    assert.equal(status, 401);
  });
});

describe('what is kept for visitors', () => {
  test('can be kept by caches, with a tag', async () => {
    const { app } = await makeOpenApp();
    const path = `/api/apps/${app.id}/comments`;
    const first = await visitor.call('GET', path);
    assert.equal(first.headers.get('cache-control'), 'public, max-age=10, stale-while-revalidate=30');
    assert.equal(first.headers.get('ratelimit'), null);
    const etag = first.headers.get('etag') ?? '';
    const second = await visitor.call('GET', path, undefined, { headers: { 'if-none-match': etag } });
    assert.equal(second.status, 304);
  });

  test('can be read by pages of any origin, also where the list continues and why it is refused', async () => {
    const { app, token } = await makeOpenApp();
    await makeComment(server, app.id, { text: 'another' }, { as: token });
    const headers = { origin: 'https://any.example' };
    const page = await visitor.call('GET', `/api/apps/${app.id}/comments?top=1`, undefined, { headers });
    assert.match(page.headers.get('link') ?? '', /rel="next"/);
    const closed = await visitor.call('GET', '/api/apps/999999/comments', undefined, { headers });
    assert.equal(closed.status, 401);
    const of = ({ headers: fields }: { readonly headers: Headers }) =>
      ['access-control-allow-origin', 'access-control-expose-headers'].map((name) => fields.get(name));
    assert.deepEqual(of(page), ['*', 'link, allow, retry-after']);
    assert.deepEqual(of(closed), ['*', 'link, allow, retry-after']);
    const users = await visitor.call('GET', '/api/users', undefined, { headers });
    assert.deepEqual(of(users), [null, null]);
  });

  test('is compressed once, with a weak tag that a client can ask with', async () => {
    const { app, token } = await makeOpenApp();
    for (let number = 0; number < 20; number += 1)
      await makeComment(server, app.id, { text: `words ${number}` }, { as: token });
    const ask = (headers: Record<string, string>) =>
      fetch(`${server.url}/api/apps/${app.id}/comments`, { headers });
    for (const coding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': coding };
      const first = await ask(headers);
      assert.equal(first.headers.get('content-encoding'), coding === 'identity' ? null : coding);
      assert.equal(first.headers.get('vary'), 'authorization, accept-encoding');
      const { data }: any = await first.json();
      assert.equal(data.length, 21);
      const etag = first.headers.get('etag') ?? '';
      assert.equal(etag.startsWith('W/'), coding !== 'identity');
      assert.equal((await ask({ ...headers, 'if-none-match': etag })).status, 304);
    }
  });

  test('has the change of the request before', async () => {
    const { app, comment, token, uid } = await makeOpenApp();
    const path = `/api/apps/${app.id}/comments?expand=created_by`;
    const shown = async () => (await visitor.read(path)).data as { plain: string; created_by: any }[];
    const changes: [() => Promise<unknown>, () => Promise<unknown>, unknown][] = [
      [
        () => makeComment(server, app.id, { text: 'second' }, { as: token }),
        async () => (await shown()).length,
        2,
      ],
      [
        () => server.call('PATCH', `/api/comments/${comment.id}`, { text: 'edited' }, { as: token }),
        async () => (await shown())[0]?.plain,
        'edited',
      ],
      [
        () => server.call('PATCH', `/api/users/${uid}`, { name: 'Ada King' }),
        async () => (await shown())[0]?.created_by.display_name,
        'Ada King',
      ],
      [
        () => server.call('POST', `/api/comments/${comment.id}/hold`, undefined),
        async () => (await shown()).map(({ plain }) => plain),
        ['second'],
      ],
      [
        () => server.call('PATCH', `/api/apps/${app.id}`, { visitors: null }),
        async () => (await visitor.call('GET', path)).status,
        401,
      ],
    ];
    for (const [change, seen, expected] of changes) {
      await shown();
      await change();
      assert.deepEqual(await seen(), expected);
    }
  });
});

describe('the visitors of an app', () => {
  test('are set by those who manage it, and only where there are comments', async () => {
    const { app, token } = await makeOpenApp();
    const path = `/api/apps/${app.id}`;
    assert.equal((await server.read(path)).visitors, 'read');
    assert.equal((await server.call('PATCH', path, { visitors: 'write' }, { as: token })).status, 403);
    const { body } = await server.call('PATCH', path, { visitors: 'write' });
    assert.equal(body.visitors, 'write');
    assert.equal((await server.call('PATCH', path, { visitors: 'all' })).status, 422);
    const posts = await server.call('POST', '/api/apps', { uid: 'v-posts', type: 'posts', visitors: 'read' });
    assert.deepEqual([posts.status, posts.body.errors[0].pointer], [422, '/visitors']);
  });
});

describe('pages', () => {
  const open = useServer({ CONFAB_PAGES_VISITORS: 'read' });

  test('are open to visitors where the operator says so, unless they are of a directory', async () => {
    await open.create('/api/directories', { name: 'inside' });
    for (const [uid, fields, visitors] of [
      ['a-page', {}, 'read'],
      ['inner-page', { directory: 'inside' }, undefined],
    ] as const) {
      const { token } = await makeUser(open, fields);
      const path = `/api/apps/${uid}?page=true` as const;
      const { status, body } = await open.call('PUT', path, { type: 'comments' }, { as: token });
      assert.deepEqual([status, body.visitors], [201, visitors]);
    }
    const { body } = await open.call('PUT', '/api/apps/no-page', { type: 'comments', access: 'write' });
    assert.equal(body.visitors, undefined);
  });

  test('are closed to visitors by default', async () => {
    const { token } = await makeUser(server);
    const path = '/api/apps/shut-page?page=true';
    const { body } = await server.call('PUT', path, { type: 'comments' }, { as: token });
    assert.equal(body.visitors, undefined);
  });
});

describe('the log', () => {
  const lines: { path?: string; operation?: string; user_id?: number }[] = [];
  const logging = useServer({ CONFAB_LOG_LEVEL: 'info' }, { logTo: keptLog(lines) });

  test('has no user for a request without a credential', async () => {
    const app = await makeApp(logging, { access: 'write', visitors: 'read' });
    const path = `/api/apps/${app.id}/comments`;
    await logging.call('GET', path, undefined, { as: null });
    const line = await poll('the line', () => lines.find((each) => each.path === path));
    assert.equal(line.operation, 'listAppComments');
    assert.equal(line.user_id, undefined);
  });
});
