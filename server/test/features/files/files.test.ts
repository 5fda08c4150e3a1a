import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { App } from 'confab-contract/apps.ts';
import type { File } from 'confab-contract/files.ts';
import { addMembers, makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { png } from 'confab-testing/pictures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, type Sending, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { type UploadFields, upload } from 'confab-testing/uploads.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);

async function filesApp(fields: object = {}, sending: Sending = {}): Promise<App> {
  return await makeApp(server, { type: 'files', ...fields }, sending);
}

/** Puts an upload into an app; `body` is sent beside the id of the upload. */
async function put(app: App, fields: UploadFields, body: object = {}, sending: Sending = {}) {
  const { id } = await upload(server, fields, sending);
  return await server.call('POST', `/api/apps/${app.id}/files`, { blob_id: id, ...body }, sending);
}

async function make(app: App, fields: UploadFields, body: object = {}, sending: Sending = {}): Promise<File> {
  const answer = await put(app, fields, body, sending);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function namesIn(path: string, sending: Sending = {}): Promise<string[]> {
  const body = await server.read(path, sending);
  return body.data.map((file: File) => file.name);
}

async function countIn(path: string, sending: Sending = {}): Promise<number> {
  return (await server.read(path, sending)).count;
}

const actionsOf = (id: number) => watch.actionsOf('file', id);

// A file is its upload under a name, with everything a client shows it by.
describe('a file', () => {
  test('has exactly its fields', async () => {
    const app = await filesApp();
    const file = await make(
      app,
      { bytes: png(4, 5), name: 'plan.png' },
      { metadata: { room: 7 }, tags: [' draft ', 'draft', 'b'] },
    );
    const { created_at, created_by, download_url, preview_url, thumbnail_url, ...rest } = file;
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(created_by.uid, 'system');
    assert.ok(download_url?.startsWith(`${server.url}/blobs/`));
    assert.ok(preview_url?.startsWith(`${server.url}/previews/`));
    assert.ok(thumbnail_url?.startsWith(`${server.url}/thumbnails/`));
    assert.deepEqual(rest, {
      id: file.id,
      app_id: app.id,
      parent: { id: app.id, type: 'app' },
      version: 1,
      name: 'plan.png',
      kind: 'image',
      media_type: 'image/png',
      width: 4,
      height: 5,
      size: png(4, 5).length,
      metadata: { room: 7 },
      tags: ['draft', 'b'],
      preview_format: 'image',
      created_by_id: created_by.id,
      comment_count: 0,
      comments: [],
      is_subscribed: false,
      is_trashed: false,
    });
    const body = await server.read(`/api/files/${file.id}`);
    assert.deepEqual(body, file);
    assert.deepEqual(actionsOf(file.id), ['file_created']);
  });

  test('is in lists without its creator and its app, unless requested', async () => {
    const app = await filesApp();
    await make(app, { name: 'a.txt' });
    const plain = (await server.read(`/api/apps/${app.id}/files`)).data[0];
    assert.equal(plain.created_by, undefined);
    assert.equal(plain.parent, undefined);
    const asked = await server.call('GET', `/api/apps/${app.id}/files?expand=created_by,parent`);
    assert.equal(asked.body.data[0].created_by.uid, 'system');
    assert.deepEqual(asked.body.data[0].parent, { id: app.id, type: 'app' });
  });

  const kinds: readonly [name: string, kind: string, preview: string][] = [
    ['a.zip', 'archive', 'none'],
    ['a.PY', 'code', 'code'],
    ['a.bat', 'file', 'code'],
    ['a.docx', 'document', 'none'],
    ['a.eml', 'email', 'none'],
    ['a.pptx', 'presentation', 'none'],
    ['a.xlsx', 'spreadsheet', 'none'],
    ['a.md', 'text', 'text'],
    ['a.mp4', 'video', 'none'],
    ['a.mp3', 'audio', 'none'],
    ['a.png', 'image', 'none'],
    ['a.unknown', 'file', 'none'],
    ['archive', 'file', 'none'],
  ];
  for (const [name, kind, preview] of kinds)
    test(`of text called ${name} is of the kind ${kind} with preview ${preview}`, async () => {
      const file = await make(await filesApp(), { name });
      assert.deepEqual([file.kind, file.preview_format], [kind, preview]);
      assert.equal(file.preview_url === undefined, preview === 'none');
    });

  test('has the given name, made safe, instead of that of the upload', async () => {
    const app = await filesApp();
    assert.equal((await make(app, {}, { name: '../plans/a\u202e.txt' })).name, 'a.txt');
    assertProblem(await put(app, {}, { name: '\u200d' }), 422, 'validation_failed', '/name');
    assertProblem(await put(app, {}, { name: 'n'.repeat(257) }), 422, 'validation_failed', '/name');
  });

  test('can be created only in a files app', async () => {
    const app = await makeApp(server, { type: 'comments' });
    assertProblem(await put(app, {}), 422, 'validation_failed');
  });

  test('needs an unused upload of the caller', async () => {
    const app = await filesApp({ access: 'write' });
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const path = `/api/apps/${app.id}/files`;
    const { id } = await upload(ada);
    const stolen = await bob.call('POST', path, { blob_id: id });
    assertProblem(stolen, 422, 'validation_failed', '/blob_id');
    assertProblem(
      await server.call('POST', path, { blob_id: 999_999 }),
      422,
      'validation_failed',
      '/blob_id',
    );
    assertProblem(await server.call('POST', path, {}), 422, 'validation_failed', '/blob_id');
    assertProblem(await server.call('POST', path, { blob_id: '1' }), 400, 'wrong_type', '/blob_id');
    const mine = await ada.call('POST', path, { blob_id: id });
    assert.equal(mine.status, 201);
    const twice = await ada.call('POST', path, { blob_id: id, name: 'again.txt' });
    assertProblem(twice, 422, 'validation_failed', '/blob_id');
  });
});

// A name belongs to one file of an app: it is taken, or replaced by those who may, and nothing is lost by trying.
describe('the name of a file', () => {
  test('that is taken is 409, and the upload stays unused for the next request', async () => {
    const app = await filesApp();
    const first = await make(app, { bytes: 'old', name: 'a.txt' }, { tags: ['x'], metadata: { a: 1 } });
    const { id } = await upload(server, { bytes: 'new!', name: 'a.txt' });
    const path = `/api/apps/${app.id}/files`;
    assertProblem(await server.call('POST', path, { blob_id: id }), 409, 'name_taken');
    assertProblem(await server.call('POST', path, { blob_id: id, replace: false }), 409, 'name_taken');
    const replaced = await server.call('POST', path, { blob_id: id, replace: true });
    assert.equal(replaced.status, 200);
    assert.equal(replaced.body.id, first.id);
    assert.equal(replaced.body.version, 2);
    assert.equal(replaced.body.size, 4);
    assert.deepEqual([replaced.body.tags, replaced.body.metadata], [['x'], { a: 1 }]);
    assert.ok(replaced.body.modified_at !== undefined);
    assert.equal(replaced.body.modified_by.uid, 'system');
    assert.equal(await (await fetch(String(replaced.body.download_url))).text(), 'new!');
    assert.equal(await (await fetch(String(first.download_url))).text(), 'old');
    assert.deepEqual(actionsOf(first.id), ['file_created', 'file_updated']);
    assert.equal(await countIn(path), 1);
  });

  test('is replaced together with its tags and metadata', async () => {
    const app = await filesApp();
    await make(app, { name: 'a.txt' }, { tags: ['old'], metadata: { a: 1 } });
    const { body } = await put(
      app,
      { name: 'a.txt' },
      { replace: true, tags: ['fresh'], metadata: { b: 2 } },
    );
    assert.deepEqual([body.tags, body.metadata], [['fresh'], { b: 2 }]);
    assert.deepEqual(await namesIn(`/api/apps/${app.id}/files?tag=old`), []);
    assert.deepEqual(await namesIn(`/api/apps/${app.id}/files?tag=fresh`), ['a.txt']);
  });

  test('in the trash is restored by the upload, and counted once', async () => {
    const app = await filesApp();
    const first = await make(app, { name: 'a.txt' });
    await server.call('POST', `/api/files/${first.id}/trash`);
    const { status, body } = await put(app, { bytes: 'back', name: 'a.txt' });
    assert.equal(status, 200);
    assert.deepEqual([body.id, body.version, body.is_trashed], [first.id, 2, false]);
    assert.equal(await countIn(`/api/apps/${app.id}/files`), 1);
    assert.equal(await countIn(`/api/apps/${app.id}/files?trashed=true`), 0);
    assert.deepEqual(actionsOf(first.id), ['file_created', 'file_trashed', 'file_restored']);
  });

  test('of another user is not replaced without the right to edit it', async () => {
    const app = await filesApp({ access: 'write' });
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const file = await make(app, { name: 'hers.txt' }, {}, { as: ada.token });
    const bobs = (body: object) => put(app, { name: 'hers.txt' }, body, { as: bob.token });
    assertProblem(await bobs({}), 409, 'name_taken');
    assertProblem(await bobs({ replace: true }), 403, 'edit_forbidden');
    await ada.call('POST', `/api/files/${file.id}/trash`);
    assertProblem(await bobs({}), 409, 'name_taken');
    assertProblem(await bobs({ replace: true }), 403, 'edit_forbidden');
    assert.equal((await put(app, { name: 'hers.txt' }, {}, { as: ada.token })).status, 200);
  });

  test('is used once by concurrent requests', async () => {
    const app = await filesApp();
    const answers = await Promise.all(Array.from({ length: 16 }, () => put(app, { name: 'race.txt' })));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 15);
    assert.equal(await countIn(`/api/apps/${app.id}/files`), 1);
  });

  test('may be the same in another app', async () => {
    await make(await filesApp(), { name: 'same.txt' });
    assert.equal((await make(await filesApp(), { name: 'same.txt' })).version, 1);
  });
});

// Lists show what the caller may see, in the requested order, with a count that agrees.
describe('lists of files', () => {
  let app: App;
  before(async () => {
    app = await filesApp();
    await make(app, { bytes: 'aaa', name: 'beta report.txt' }, { tags: ['red'] });
    await make(app, { bytes: 'a', name: 'alpha.txt' }, { tags: ['red', 'blue'] });
    await make(app, { bytes: 'aa', name: 'gamma report.txt' });
    const { id } = await make(app, { bytes: 'aaaa', name: 'delta report.txt' });
    await server.call('POST', `/api/files/${id}/trash`);
    await put(app, { bytes: 'aa', name: 'beta report.txt' }, { replace: true });
  });

  const asked: readonly [query: string, names: readonly string[]][] = [
    ['', ['beta report.txt', 'alpha.txt', 'gamma report.txt']],
    ['?order_by=name', ['alpha.txt', 'beta report.txt', 'gamma report.txt']],
    ['?orderby=name+desc', ['gamma report.txt', 'beta report.txt', 'alpha.txt']],
    ['?order_by=size+desc', ['gamma report.txt', 'beta report.txt', 'alpha.txt']],
    ['?order_by=created_at+desc', ['gamma report.txt', 'alpha.txt', 'beta report.txt']],
    ['?order_by=timestamp+desc', ['beta report.txt', 'gamma report.txt', 'alpha.txt']],
    ['?order_by=modified_at+desc', ['beta report.txt', 'gamma report.txt', 'alpha.txt']],
    ['?q=report', ['beta report.txt', 'gamma report.txt']],
    ['?q=REP+gam', ['gamma report.txt']],
    ['?q=nothing', []],
    ['?tag=red', ['beta report.txt', 'alpha.txt']],
    ['?tag=blue', ['alpha.txt']],
    ['?tag=red&q=report', ['beta report.txt']],
    ['?trashed=true', ['delta report.txt']],
    ['?trashed=null&q=report', ['beta report.txt', 'gamma report.txt', 'delta report.txt']],
    ['?top=1&skip=1', ['alpha.txt']],
  ];
  for (const [query, names] of asked)
    test(`of an app with ${query || 'nothing asked'} are ${names.join(', ') || 'empty'}`, async () => {
      const body = await server.read(`/api/apps/${app.id}/files${query}`);
      assert.deepEqual(
        body.data.map((file: File) => file.name),
        names,
      );
      const total = query.includes('top=1') ? 3 : names.length;
      assert.equal(body.count, total);
      const joint = query === '' ? '?' : `${query}&`;
      assert.equal(await countIn(`/api/apps/${app.id}/files${joint}count_only=true`), total);
    });

  test('over all apps contain exactly those that the caller may see', async () => {
    const ada = await makeUser(server);
    const as = { as: ada.token };
    const before = await countIn('/api/files?count_only=true', as);
    const [open, closed] = [await filesApp({ access: 'read' }), await filesApp()];
    await make(open, { name: 'open.txt' });
    await make(closed, { name: 'closed.txt' });
    assert.deepEqual((await namesIn('/api/files?order_by=id+desc&top=1', as)).slice(0, 1), ['open.txt']);
    assert.equal(await countIn('/api/files?count_only=true', as), before + 1);
    assert.deepEqual(await namesIn('/api/files?q=closed', as), []);
    assert.deepEqual(await namesIn('/api/files?q=closed'), ['closed.txt']);
    await server.call('POST', `/api/apps/${open.id}/trash`);
    assert.equal(await countIn('/api/files?count_only=true', as), before);
    assert.deepEqual(await namesIn('/api/files?q=open', as), []);
  });

  test('cost the same statements for twenty files as for one', async () => {
    const big = await filesApp();
    const small = await filesApp();
    await make(small, { name: 'one.txt' }, { tags: ['a'] });
    for (let i = 0; i < 20; i += 1) await make(big, { name: `f${i}.txt` }, { tags: ['a'] });
    async function cost(id: number): Promise<number> {
      statements.length = 0;
      await server.call('GET', `/api/apps/${id}/files?expand=created_by,modified_by,parent`);
      return statements.length;
    }
    assert.equal(await cost(big.id), await cost(small.id));
  });
});

// Rights and the trash hold for a file, for its comments and for its bytes alike.
describe('access to a file', () => {
  test('needs access to the app, and writing there needs write access', async () => {
    const app = await filesApp();
    const file = await make(app, { name: 'a.txt' });
    const reader = await makeUser(server);
    const as = { as: reader.token };
    const attempts = async () => [
      (await server.call('GET', `/api/files/${file.id}`, undefined, as)).status,
      (await server.call('GET', `/api/apps/${app.id}/files`, undefined, as)).status,
      (await server.call('GET', `/api/files/${file.id}/comments`, undefined, as)).status,
      (await server.call('POST', `/api/files/${file.id}/comments`, { text: 'x' }, as)).status,
      (await server.call('POST', `/api/files/${file.id}/trash`, undefined, as)).status,
      (await put(app, { name: 'b.txt' }, {}, as)).status,
    ];
    assert.deepEqual(await attempts(), [404, 404, 404, 404, 404, 404]);
    await addMembers(server, app.id, { read: [reader] });
    assert.deepEqual(await attempts(), [200, 200, 200, 403, 403, 403]);
    await addMembers(server, app.id, { write: [reader] });
    assert.deepEqual(await attempts(), [200, 200, 200, 201, 403, 201]);
  });

  test('that is trashed is hidden with its comments and its bytes, and is restored completely', async () => {
    const app = await filesApp();
    const file = await make(app, { name: 'trashed.txt' });
    const comments = `/api/files/${file.id}/comments`;
    const { body: comment } = await server.call('POST', comments, { text: 'xylophone', tags: ['hid'] });
    assert.deepEqual(comment.parent, { id: file.id, type: 'file' });
    assert.equal((await server.read(`/api/files/${file.id}`)).comment_count, 1);
    const all = await countIn('/api/comments?count_only=true');

    const trashed = await server.call('POST', `/api/files/${file.id}/trash`);
    assert.equal(trashed.body.is_trashed, true);
    assert.equal((await server.call('POST', `/api/files/${file.id}/trash`)).status, 200);
    for (const path of [`/api/files/${file.id}`, comments, `/api/comments/${comment.id}`])
      assert.equal((await server.call('GET', path)).status, 404, path);
    assert.equal((await server.call('POST', comments, { text: 'x' })).status, 404);
    assert.equal((await server.call('PATCH', `/api/comments/${comment.id}`, { text: 'x' })).status, 404);
    assert.equal((await fetch(String(file.download_url))).status, 404);
    assert.equal(await countIn('/api/comments?count_only=true'), all - 1);
    assert.equal(await countIn('/api/comments?q=xylophone'), 0);
    assert.equal(await countIn('/api/comments?tag=hid'), 0);
    assert.deepEqual(await namesIn(`/api/apps/${app.id}/files`), []);
    const shown = await server.call('GET', `/api/files/${file.id}?trashed=true`);
    assert.equal(shown.body.is_trashed, true);

    const restored = await server.call('POST', `/api/files/${file.id}/restore`);
    assert.equal(restored.body.is_trashed, false);
    assert.equal((await server.call('POST', `/api/files/${file.id}/restore`)).status, 200);
    assert.equal((await server.read(`/api/comments/${comment.id}`)).text, 'xylophone');
    assert.equal(await countIn('/api/comments?count_only=true'), all);
    assert.equal(await countIn('/api/comments?q=xylophone'), 1);
    assert.equal((await fetch(String(file.download_url))).status, 200);
    assert.deepEqual(actionsOf(file.id), ['file_created', 'file_trashed', 'file_restored']);
  });

  test('in a trashed app is refused, also to its bytes', async () => {
    const app = await filesApp();
    const file = await make(app, { name: 'a.txt' });
    await server.call('POST', `/api/apps/${app.id}/trash`);
    assert.equal((await server.call('GET', `/api/files/${file.id}?trashed=true`)).status, 404);
    assert.equal((await server.call('POST', `/api/files/${file.id}/restore`)).status, 404);
    assert.equal((await fetch(String(file.download_url))).status, 404);
  });

  test('that does not exist is 404 in the same words as a hidden one', async () => {
    const hidden = await make(await filesApp(), { name: 'a.txt' });
    const as = { as: (await makeUser(server)).token };
    const first = await server.call('GET', `/api/files/${hidden.id}`, undefined, as);
    const second = await server.call('GET', '/api/files/999999', undefined, as);
    assertProblem(first, 404, 'not_found');
    assert.equal(first.body.detail, second.body.detail);
  });
});
