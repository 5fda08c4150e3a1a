import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { makeApp, makeBlob, makeComment, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, freshUid, type Sending, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const statements: string[] = [];
const server = useServer({}, { onStatement: (sql) => void statements.push(sql), isQuiet: true });
const watch = useStoreWatch(server);

const world = { app: 0, comment: 0, token: '' };
before(async () => {
  const { token } = await makeUser(server);
  const { id: app } = await makeApp(server, { access: 'write' });
  const { id: comment } = await makeComment(server, app, { text: 'first' }, { as: token });
  Object.assign(world, { app, comment, token });
});

async function tagAt(path: string, sending: Sending = {}): Promise<string> {
  const { status, headers } = await server.call<string, string>('GET', path, undefined, sending);
  assert.equal(status, 200);
  return headers.get('etag') ?? '';
}

const at = () => `/api/comments/${world.comment}`;
const patch = async (headers: Record<string, string>, body: object = { text: freshUid('text') }) =>
  await server.call('PATCH', `/api/comments/${world.comment}`, body, { headers });

// A tag is a quoted text; lists of tags, `*` and weak tags compare as RFC 9110 says.
describe('a condition', () => {
  test('of If-Match holds for the tag of an answer, alone or in a list, and for any', async () => {
    const { headers } = await patch({ 'if-match': await tagAt(at()) });
    const tag = headers.get('etag') ?? '';
    assert.equal(tag, await tagAt(at()));
    for (const match of [
      '*',
      ' * ',
      tag,
      `"other", ${tag}`,
      `,${tag} ,, "other"`,
      `"",${tag}`,
      tag.replace(/"$/, '-gzip"'),
    ])
      assert.equal((await patch({ 'if-match': match }, {})).status, 200, match);
  });

  test('of If-Match never holds for a weak tag, another tag, or part of one', async () => {
    const tag = await tagAt(at());
    watch.hasCommitted();
    for (const match of [`W/${tag}`, '""', '"other"', tag.replace('"', '"x'), `"a", W/${tag}`])
      assertProblem(await patch({ 'if-match': match }), 412, 'precondition_failed');
    assert.equal(watch.hasCommitted(), false);
  });

  test('of If-None-Match holds unless one of the tags is current, weak or not', async () => {
    const tag = await tagAt(at());
    const read = async (value: string) =>
      (
        await server.call('GET', at() as '/api/comments/{id}', undefined, {
          headers: { 'if-none-match': value },
        })
      ).status;
    for (const value of ['*', tag, `W/${tag}`, `"x", W/${tag}`, tag.replace(/"$/, '-gzip"')])
      assert.equal(await read(value), 304, value);
    for (const value of ['"x"', 'W/"x"', tag.replace('.', ',')]) assert.equal(await read(value), 200, value);
    assertProblem(await patch({ 'if-none-match': tag }), 412, 'precondition_failed');
    assert.equal((await patch({ 'if-none-match': '"x"' })).status, 200);
  });

  for (const value of [
    '',
    'x',
    '"',
    '"a',
    'a"',
    '"a" "b"',
    "'a'",
    'w/"a"',
    '*, "a"',
    '"a b"',
    ',',
    'W/',
    '"a";q=1',
  ])
    test(`that cannot be read is refused: ${JSON.stringify(value)}`, async () => {
      watch.hasCommitted();
      assertProblem(await patch({ 'if-match': value }), 400, 'invalid_entity_tag');
      assertProblem(await patch({ 'if-none-match': value }), 400, 'invalid_entity_tag');
      const headers = { 'if-none-match': value };
      const read = await server.call('GET', at() as '/api/comments/{id}', undefined, { headers });
      assertProblem(read, 400, 'invalid_entity_tag');
      assert.equal(watch.hasCommitted(), false);
    });

  test('is judged after the right, the body and whether there is anything', async () => {
    const headers = { 'if-match': '"other"' };
    const stranger = await makeUser(server);
    const as = stranger.token;
    const path = `/api/comments/${world.comment}` as const;
    assertProblem(await server.call('PATCH', '/api/comments/98765', {}, { headers }), 404, 'not_found');
    assertProblem(await server.call('PATCH', path, {}, { headers, as }), 403, 'edit_forbidden');
    assertProblem(await server.call('PATCH', path, { tags: [''] }, { headers }), 422, 'validation_failed');
    assertProblem(await server.call('PATCH', path, { text: 5 }, { headers }), 400, 'wrong_type');
  });

  test('costs the statements of reading what is changed, and nothing where there is none', async () => {
    const costOf = async (headers: Record<string, string>) => {
      statements.length = 0;
      assert.equal((await patch(headers)).status, 200);
      return statements.length;
    };
    const tag = await tagAt(at());
    statements.length = 0;
    await tagAt(at());
    // The statement that finds the caller comes with both.
    const reading = statements.length - 1;
    const plain = await costOf({});
    assert.equal(await costOf({ 'if-none-match': tag }), plain + reading);
    assert.equal(await costOf({}), plain);
  });

  test('is not judged again for a retry', async () => {
    const headers = { 'if-match': await tagAt(at()), 'idempotency-key': freshUid('key') };
    const first = await patch(headers, { text: 'once' });
    const again = await patch(headers, { text: 'once' });
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(again.headers.get('etag'), first.headers.get('etag'));
    assert.equal(again.text, first.text);
    const brief = await patch({ ...headers, prefer: 'return=minimal' }, { text: 'once' });
    assert.equal(brief.status, 204);
  });
});

// PUT creates or changes; conditions say which of both is wanted.
describe('an upsert', () => {
  for (const [kind, body] of [
    ['apps', { type: 'comments' }],
    ['users', { name: 'Uma' }],
  ] as const)
    test(`of ${kind} creates only, or changes only`, async () => {
      const path = `/api/${kind}/${freshUid('put')}`;
      const put = async (headers: Record<string, string>) =>
        await server.call<string, string>('PUT', path, body, { headers });
      assertProblem(await put({ 'if-match': '*' }), 412, 'precondition_failed');
      assertProblem(await put({ 'if-match': '"x"' }), 412, 'precondition_failed');
      assert.equal((await put({ 'if-none-match': '*' })).status, 201);
      assertProblem(await put({ 'if-none-match': '*' }), 412, 'precondition_failed');
      assert.equal((await put({ 'if-match': '*' })).status, 200);
      assert.equal((await put({ 'if-match': await tagAt(path) })).status, 200);
      await server.call<string, string>('POST', `${path}/trash`);
      assertProblem(await put({ 'if-none-match': '*' }), 412, 'precondition_failed');
    });

  test('of one free uid by 32 callers creates once, and refuses the others', async () => {
    const path = `/api/apps/${freshUid('race')}`;
    const headers = { 'if-none-match': '*' };
    const put = async () => await server.call<string, string>('PUT', path, { type: 'chat' }, { headers });
    const answers = await Promise.all(Array.from({ length: 32 }, put));
    const counts = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual([counts.get(201)?.length, counts.get(412)?.length], [1, 31]);
  });
});

type Change = readonly [method: string, path: string, body?: object | undefined, sending?: Sending];

/** Fails unless a client that read `path` before the changes can still edit it exactly if `isKept`. */
async function assertVersion(path: string, changes: readonly Change[], isKept: boolean): Promise<void> {
  for (const [method, target, body, sending] of changes) {
    const before = await tagAt(path);
    const { status, text } = await server.call<string, string>(method, target, body, sending);
    assert.ok(status < 300, text);
    const after = await tagAt(path);
    const what = `${method} ${target} ${JSON.stringify(body)}`;
    assert.notEqual(after, before, `${what}: the body is another`);
    const edit = await server.call<string, string>('PATCH', path, {}, { headers: { 'if-match': before } });
    assert.equal(edit.status, isKept ? 200 : 412, what);
  }
}

// An edit is refused for what it could replace, and not for what happens around it.
describe('If-Match', () => {
  test('lets through what is no edit of a comment', async () => {
    const options = [{ text: 'yes' }, { text: 'no' }];
    const blobs = [await makeBlob(server)];
    const made = await makeComment(server, world.app, { text: 'poll', options, blobs });
    const path = `/api/comments/${made.id}`;
    const as = world.token;
    const attached = made.attachments[0]?.id;
    await assertVersion(
      path,
      [
        ['POST', `${path}/reactions`, { content: '🎉' }, { as }],
        ['DELETE', `${path}/reactions`, undefined, { as }],
        ['POST', `/api/options/${made.options[0]?.id}/vote`, undefined, { as }],
        ['POST', `/api/files/${attached}/comments`, { text: 'about the file' }, { as }],
        ['PATCH', `/api/users/system`, { name: freshUid('System') }],
      ],
      true,
    );
  });

  test('notices each edit of a comment', async () => {
    const options = [{ text: 'yes' }, { text: 'no' }];
    const made = await makeComment(server, world.app, { text: 'poll', options });
    const path = `/api/comments/${made.id}`;
    const [yes, no] = made.options.map(({ id }) => id);
    await assertVersion(
      path,
      [
        ['PATCH', path, { text: 'a "quoted\\" text\\\\' }],
        ['PATCH', path, { metadata: { presence: 'x', reactions: ['{"'] } }],
        ['PATCH', path, { metadata: { presence: 'y', reactions: ['{"'] } }],
        ['PATCH', path, { tags: ['a'] }],
        ['PATCH', path, { blobs: [await makeBlob(server)] }],
        [
          'PATCH',
          path,
          {
            options: [
              { id: yes, text: 'aye' },
              { id: no, text: 'no' },
            ],
          },
        ],
        [
          'PATCH',
          path,
          {
            options: [
              { id: no, text: 'no' },
              { id: yes, text: 'aye' },
            ],
          },
        ],
      ],
      false,
    );
  });

  test('knows edits from other news of apps, posts, files and users', async () => {
    const as = world.token;
    const app = `/api/apps/${world.app}`;
    await assertVersion(app, [['PUT', `${app}/members/${(await makeUser(server)).uid}`, {}]], true);
    await assertVersion(
      app,
      [
        ['PATCH', app, { name: 'N' }],
        ['POST', `${app}/lock`, {}],
        ['POST', `${app}/unlock`],
      ],
      false,
    );
    const posts = await makeApp(server, { type: 'posts', access: 'write' });
    const post = `/api/posts/${await makePost(server, posts.id)}`;
    await assertVersion(post, [['POST', `${post}/comments`, { text: 'x' }, { as }]], true);
    await assertVersion(post, [['PATCH', post, { text: 'y' }]], false);
    const files = await makeApp(server, { type: 'files', access: 'write' });
    const file = `/api/files/${await makeFile(server, files.id)}`;
    await assertVersion(file, [['POST', `${file}/comments`, { text: 'x' }, { as }]], true);
    await assertVersion(file, [['PATCH', file, { blob_id: await makeBlob(server) }]], false);
    const directory = freshUid('directory');
    const user = `/api/users/${(await makeUser(server)).uid}`;
    await assertVersion(
      user,
      [
        ['PATCH', user, { directory }],
        ['PATCH', user, { picture: 'https://example.com/a.png' }],
        ['PATCH', user, { is_suspended: true }],
      ],
      false,
    );
  });

  test('takes the tag of a trashed thing to restore or delete it', async () => {
    const { id } = await makeComment(server, world.app);
    const path = `/api/comments/${id}` as const;
    const before = await tagAt(path);
    const trashed = await server.call('POST', `${path}/trash`, undefined, {
      headers: { 'if-match': before },
    });
    const tag = trashed.headers.get('etag') ?? '';
    assert.equal(tag, await tagAt(`${path}?trashed=true`));
    const restore = async (match: string) =>
      await server.call('POST', `/api/comments/${id}/restore`, undefined, { headers: { 'if-match': match } });
    assertProblem(await restore(before), 412, 'precondition_failed');
    const back = await restore(tag);
    assert.equal(back.headers.get('etag'), await tagAt(path));
    const remove = async (match: string) =>
      await server.call('DELETE', `/api/comments/${id}`, undefined, { headers: { 'if-match': match } });
    assertProblem(await remove(tag), 412, 'precondition_failed');
    assert.equal((await remove(before)).status, 204);
  });
});

// A strong tag belongs to one sequence of bytes, so a compressed body has another.
describe('the tag of a compressed body', () => {
  test('differs, and is as good in each condition', async () => {
    const { id } = await makeComment(server, world.app, { text: 'long '.repeat(1000) });
    const url = `${server.url}/api/comments/${id}`;
    const authorization = `Bearer ${server.key}`;
    const { request } = await import('node:http');
    const packed = await new Promise<{ tag: string; vary: string; text: string }>((resolve, reject) => {
      request(url, { headers: { authorization, 'accept-encoding': 'gzip' } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            tag: String(response.headers.etag),
            vary: String(response.headers.vary),
            text: gunzipSync(Buffer.concat(chunks)).toString(),
          }),
        );
      })
        .on('error', reject)
        .end();
    });
    const plain = await tagAt(`/api/comments/${id}`);
    assert.equal(packed.tag, plain.replace(/"$/, '-gzip"'));
    assert.match(packed.vary, /accept-encoding/);
    assert.equal(JSON.parse(packed.text).id, id);
    const headers = { 'if-none-match': packed.tag };
    const again = await server.call('GET', `/api/comments/${id}`, undefined, { headers });
    assert.equal(again.status, 304);
    const edit = await server.call(
      'PATCH',
      `/api/comments/${id}`,
      {},
      { headers: { 'if-match': packed.tag } },
    );
    assert.equal(edit.status, 200);
  });
});
