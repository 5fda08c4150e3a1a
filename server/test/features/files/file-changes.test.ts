import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { File } from 'confab-contract/files.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { startReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { keptFiles, type UploadFields, upload } from 'confab-testing/uploads.ts';
import { register } from 'confab-testing/webhooks.ts';

let now = Date.parse('2026-11-21T07:42:00.000Z');
const server = useServer({}, { clock: { now: () => now } });
const watch = useStoreWatch(server);

const call = (method: string, path: string, body?: unknown, sending?: Sending) =>
  server.call(method, path, body, sending);

async function make(app: number, fields: UploadFields = {}, sending: Sending = {}): Promise<File> {
  const { id } = await upload(server, fields, sending);
  const answer = await call('POST', `/api/apps/${app}/files`, { blob_id: id }, sending);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const filesApp = async (fields: object = {}): Promise<number> =>
  (await makeApp(server, { type: 'files', ...fields })).id;
const content = async (file: File): Promise<string> => await (await fetch(String(file.download_url))).text();

const actionsOf = (id: number) => watch.actionsOf('file', id);

const names = async (path: string): Promise<string[]> =>
  (await call('GET', path)).body.data.map((file: File) => file.name);

// A file changes in the fields that are sent, once, and is found by what it is called then.
describe('a changed file', () => {
  test('has another name and is found only by that', async () => {
    const app = await filesApp();
    const file = await make(app, { name: 'kumquat.txt' });
    now += 1000;
    const { status, body } = await call('PATCH', `/api/files/${file.id}`, {
      name: '../a/mangosteen\u202e.md',
    });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.name, body.kind, body.version, body.created_at],
      ['mangosteen.md', 'text', 1, file.created_at],
    );
    assert.ok(body.modified_at > file.created_at);
    assert.equal(body.modified_by.uid, 'system');
    assert.deepEqual(await names(`/api/apps/${app}/files?q=mangosteen`), ['mangosteen.md']);
    assert.deepEqual(await names(`/api/apps/${app}/files?q=kumquat`), []);
    assert.deepEqual((await call('GET', `/api/files/${file.id}`)).body, body);
    assert.deepEqual(actionsOf(file.id), ['file_created', 'file_updated']);
  });

  test('has the metadata and tags that are sent, and null clears them', async () => {
    const app = await filesApp();
    const file = await make(app);
    const path = `/api/files/${file.id}`;
    const set = await call('PATCH', path, { metadata: { a: [1] }, tags: [' x ', 'y', 'x'] });
    assert.deepEqual([set.body.metadata, set.body.tags], [{ a: [1] }, ['x', 'y']]);
    assert.deepEqual(await names(`/api/apps/${app}/files?tag=y`), [file.name]);
    const kept = await call('PATCH', path, { tags: ['z'] });
    assert.deepEqual([kept.body.metadata, kept.body.tags], [{ a: [1] }, ['z']]);
    assert.deepEqual(await names(`/api/apps/${app}/files?tag=y`), []);
    const cleared = await call('PATCH', path, { metadata: null, tags: null });
    assert.deepEqual([cleared.body.metadata, cleared.body.tags], [undefined, []]);
  });

  test('by its present values, or by nothing, is not an edit', async () => {
    const file = await make(await filesApp());
    watch.hasChanged();
    for (const body of [
      undefined,
      {},
      { name: file.name },
      { tags: [] },
      { backup: true },
      { metadata: null },
    ]) {
      const answer = await call('PATCH', `/api/files/${file.id}`, body);
      assert.deepEqual([answer.status, answer.body], [200, file]);
    }
    assert.equal(watch.hasChanged(), false);
  });

  test('cannot have the name of another file of the app, in the trash or not: 409', async () => {
    const app = await filesApp();
    const [first, second, other] = [
      await make(app, { name: 'one.txt' }),
      await make(app, { name: 'two.txt' }),
      await make(await filesApp(), { name: 'three.txt' }),
    ];
    const { id: blob_id } = await upload(server);
    const rename = { name: 'one.txt', blob_id };
    assertProblem(await call('PATCH', `/api/files/${second.id}`, rename), 409, 'name_taken');
    await call('POST', `/api/files/${first.id}/trash`);
    assertProblem(await call('PATCH', `/api/files/${second.id}`, rename), 409, 'name_taken');
    assert.equal((await call('GET', `/api/files/${second.id}`)).body.version, 1);
    assert.equal((await call('PATCH', `/api/files/${other.id}`, rename)).status, 200);
  });

  test('with another content has the next version, and the previous one is gone', async () => {
    const app = await filesApp();
    const file = await make(app, { bytes: 'old', name: 'a.txt' });
    const { id: blob_id } = await upload(server, { bytes: 'newer', name: 'other.txt' });
    const { body } = await call('PATCH', `/api/files/${file.id}`, { blob_id });
    assert.deepEqual([body.name, body.version, body.size, await content(body)], ['a.txt', 2, 5, 'newer']);
    assert.equal((await fetch(String(file.download_url))).status, 404);
    const versions = await call('GET', `/api/files/${file.id}/versions`);
    assert.deepEqual(
      versions.body.map((one: File) => one.version),
      [2],
    );
    assert.deepEqual(actionsOf(file.id), ['file_created', 'file_updated']);
  });

  test('needs an unused upload of the caller', async () => {
    const app = await filesApp({ access: 'write' });
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const file = await make(app, {}, { as: bob.token });
    const { id } = await upload(ada);
    const patch = (blob_id: unknown) =>
      call('PATCH', `/api/files/${file.id}`, { blob_id }, { as: bob.token });
    assertProblem(await patch(id), 422, 'validation_failed', '/blob_id');
    assertProblem(await patch(999_999), 422, 'validation_failed', '/blob_id');
    assertProblem(await patch('7'), 400, 'wrong_type', '/blob_id');
    assertProblem(await patch(null), 422, 'validation_failed', '/blob_id');
    assert.equal((await call('GET', `/api/files/${file.id}`)).body.version, 1);
  });

  const broken: [what: string, body: object, pointer: string][] = [
    ['a name of nothing visible', { name: '\u200d' }, '/name'],
    ['no name', { name: null }, '/name'],
    ['a name of 257 characters', { name: 'n'.repeat(257) }, '/name'],
    ['an empty tag', { tags: [' '] }, '/tags/0'],
    ['metadata above 64 KiB', { metadata: { a: 'x'.repeat(65_536) } }, '/metadata'],
  ];
  for (const [what, body, pointer] of broken)
    test(`with ${what} is 422`, async () => {
      const file = await make(await filesApp());
      assertProblem(await call('PATCH', `/api/files/${file.id}`, body), 422, 'validation_failed', pointer);
    });

  test('is sent to webhooks, each change once and with its fields', async () => {
    const hook = await startReceiver();
    const { id } = await register(server, { payload_url: `${hook.url}/hook`, triggers: ['files'] });
    const app = await filesApp({ access: 'read' });
    const { token: as } = await makeUser(server);
    const file = await make(app, { name: 'before.txt' });
    const path = `/api/files/${file.id}`;
    const fresh = async (name: string) => (await upload(server, { name })).id;
    const steps: [method: string, path: string, body?: object | undefined, sending?: Sending][] = [
      ['PATCH', path, { name: 'after.txt' }],
      ['PATCH', path, { blob_id: await fresh('x.txt'), tags: ['t'], backup: true }],
      ['POST', `${path}/versions/1/restore`],
      ['DELETE', `${path}/versions/2`],
      ['POST', `/api/apps/${app}/files`, { blob_id: await fresh('after.txt'), replace: true }],
      ['POST', `${path}/subscribe`, undefined, { as }],
      ['POST', `${path}/unsubscribe`, undefined, { as }],
      ['POST', `${path}/trash`],
      ['POST', `${path}/restore`],
      ['DELETE', path],
    ];
    for (const step of steps) assert.ok((await call(...step)).status < 300, step.join(' '));
    const told = (await hook.received('/hook', steps.length + 1))
      .map(({ body }) => JSON.parse(body.toString()))
      .sort((one, other) => one.id - other.id);
    assert.deepEqual(
      told.map(({ action, file: { version, name, is_trashed } }) => [action, version, name, is_trashed]),
      [
        ['file_created', 1, 'before.txt', false],
        ['file_updated', 1, 'after.txt', false],
        ['file_updated', 2, 'after.txt', false],
        ['file_updated', 3, 'after.txt', false],
        ['file_updated', 3, 'after.txt', false],
        ['file_updated', 4, 'after.txt', false],
        ['file_subscribed', 4, 'after.txt', false],
        ['file_unsubscribed', 4, 'after.txt', false],
        ['file_trashed', 4, 'after.txt', true],
        ['file_restored', 4, 'after.txt', false],
        ['file_deleted', 4, 'after.txt', false],
      ],
    );
    for (const event of told)
      assert.deepEqual([event.file.id, event.file.parent], [file.id, { id: app, type: 'app' }]);
    assert.deepEqual(
      actionsOf(file.id),
      told.map(({ action }) => action),
    );
    await call('DELETE', `/api/webhooks/${id}`);
    await hook.close();
  });
});

// Deleting leaves nothing: no row, no word, no count, no byte, and no comment that a search can find.
describe('a deleted file', () => {
  test('is gone with its versions, its comments and its bytes', async () => {
    const app = await filesApp();
    const user = await makeUser(server);
    await call('PUT', `/api/apps/${app}/members/${user.uid}`, {});
    const kept = await make(app, { name: 'kept.txt' });
    const before = keptFiles(server.folder);
    const file = await make(app, { bytes: 'first', name: 'durian.txt' });
    const { id: blob_id } = await upload(server, { bytes: 'second' });
    const { body: second } = await call('PATCH', `/api/files/${file.id}`, {
      blob_id,
      backup: true,
      tags: ['t'],
    });
    await call('POST', `/api/files/${file.id}/subscribe`, undefined, { as: user.token });
    const comments = `/api/files/${file.id}/comments`;
    const attached = await upload(server, { bytes: 'attached' });
    const comment = await call('POST', comments, { text: 'rambutan', blobs: [attached.id] });
    assert.equal(comment.status, 201);

    const bytes = keptFiles(server.folder).filter((path) => !before.includes(path));
    assert.equal(bytes.length, 3);

    assert.equal((await call('DELETE', `/api/files/${file.id}`)).status, 204);
    for (const path of ['', '?trashed=true', '/versions', '/versions/1', '/comments'])
      assert.equal((await call('GET', `/api/files/${file.id}${path}`)).status, 404, path);
    assert.equal((await call('DELETE', `/api/files/${file.id}`)).status, 404);
    assert.equal((await call('GET', `/api/comments/${comment.body.id}`)).status, 404);
    assert.deepEqual(await names(`/api/apps/${app}/files?trashed=null`), ['kept.txt']);
    assert.equal((await call('GET', `/api/apps/${app}/files?count_only=true`)).body.count, 1);
    assert.equal((await call('GET', '/api/comments?q=rambutan&count_only=true')).body.count, 0);
    for (const one of [file, second]) assert.equal((await fetch(one.download_url)).status, 404);
    assert.deepEqual(actionsOf(file.id).at(-1), 'file_deleted');
    assert.equal((await make(app, { name: 'durian.txt' })).version, 1);
    assert.equal((await call('GET', `/api/files/${kept.id}`)).status, 200);

    assert.deepEqual(watch.rows(`select * from file_versions where file_id = ${file.id}`), []);
    assert.deepEqual(watch.rows(`select * from file_tags where file_id = ${file.id}`), []);
    const subscriptions = `select * from subscriptions where entity_type = 'file' and entity_id = ${file.id}`;
    assert.deepEqual(watch.rows(subscriptions), []);
    const tallies = `select * from tallies where parent_type = 'file' and parent_id = ${file.id}`;
    await poll('the removal of its comments', () => watch.rows(tallies).length === 0 || undefined);
    await server.restart(() => {
      now += 120_000;
    });
    await poll(
      'the sweep',
      () => !keptFiles(server.folder).some((path) => bytes.includes(path)) || undefined,
    );
  });

  test('can be in the trash, and counts there until then', async () => {
    const app = await filesApp();
    const file = await make(app);
    await call('POST', `/api/files/${file.id}/trash`);
    const count = async () =>
      (await call('GET', `/api/apps/${app}/files?trashed=true&count_only=true`)).body.count;
    assert.equal(await count(), 1);
    assert.equal((await call('DELETE', `/api/files/${file.id}`)).status, 204);
    assert.equal(await count(), 0);
  });

  test('is deleted once by 32 concurrent requests', async () => {
    const file = await make(await filesApp());
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => call('DELETE', `/api/files/${file.id}`)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...new Array(31).fill(404)]);
    assert.deepEqual(actionsOf(file.id), ['file_created', 'file_deleted']);
  });
});

// An attachment is part of what it belongs to, so it is changed and removed there.
describe('an attachment', () => {
  test('cannot be changed or deleted by itself', async () => {
    const app = (await makeApp(server)).id;
    const blob = await upload(server);
    const [attachment] = (await makeComment(server, app, { blobs: [blob.id] })).attachments;
    const path = `/api/files/${attachment?.id}`;
    assertProblem(await call('PATCH', path, { name: 'x.txt' }), 422, 'validation_failed');
    assertProblem(await call('DELETE', path), 400, 'validation_failed');
    assertProblem(await call('POST', `${path}/versions/1/restore`), 400, 'validation_failed');
    const versions = await call('GET', `${path}/versions`);
    assert.deepEqual(
      versions.body.map((one: File) => one.version),
      [1],
    );
  });
});

// A subscription is the caller's own; asking for it again changes nothing.
describe('a subscription to a file', () => {
  test('is created and ended once each', async () => {
    const app = await filesApp({ access: 'read' });
    const file = await make(app);
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const ask = (verb: string, as: string) =>
      call('POST', `/api/files/${file.id}/${verb}`, undefined, { as });
    for (let i = 0; i < 2; i += 1) {
      const { status, body } = await ask('subscribe', ada.token);
      assert.deepEqual([status, body.is_subscribed, body.id], [200, true, file.id]);
    }
    assert.equal(
      (await call('GET', `/api/files/${file.id}`, undefined, { as: bob.token })).body.is_subscribed,
      false,
    );
    for (let i = 0; i < 2; i += 1)
      assert.equal((await ask('unsubscribe', ada.token)).body.is_subscribed, false);
    assert.deepEqual(actionsOf(file.id), ['file_created', 'file_subscribed', 'file_unsubscribed']);
  });

  test('needs a user and an existing file', async () => {
    const file = await make(await filesApp());
    const ada = await makeUser(server);
    for (const verb of ['subscribe', 'unsubscribe']) {
      const path = `/api/files/${file.id}/${verb}`;
      assertProblem(await call('POST', path), 401, 'user_required');
      assertProblem(await call('POST', path, undefined, { as: ada.token }), 404, 'not_found');
    }
  });

  test('of 32 calls at once is one', async () => {
    const file = await make(await filesApp({ access: 'read' }));
    const { token } = await makeUser(server);
    await Promise.all(
      Array.from({ length: 32 }, () =>
        call('POST', `/api/files/${file.id}/subscribe`, undefined, { as: token }),
      ),
    );
    assert.deepEqual(actionsOf(file.id), ['file_created', 'file_subscribed']);
  });

  test('of 32 users who subscribe and unsubscribe at once leaves the rows of the events', async () => {
    const file = await make(await filesApp({ access: 'read' }));
    const people = await Promise.all(Array.from({ length: 32 }, () => makeUser(server)));
    const ask = (verb: string, as: string) =>
      call('POST', `/api/files/${file.id}/${verb}`, undefined, { as });
    await Promise.all(people.map(({ token }) => ask('subscribe', token)));
    const rows = `select user_id from subscriptions where entity_type = 'file' and entity_id = ${file.id}`;
    assert.equal(watch.rows(rows).length, 32);
    const verbs = ['unsubscribe', 'subscribe', 'unsubscribe', 'subscribe'];
    const answers = await Promise.all(people.flatMap(({ token }) => verbs.map((verb) => ask(verb, token))));
    assert.ok(answers.every(({ status }) => status === 200));
    const told = actionsOf(file.id);
    const balance =
      told.filter((action) => action === 'file_subscribed').length -
      told.filter((action) => action === 'file_unsubscribed').length;
    const subscribed = watch.rows(rows).map((row) => row['user_id']);
    assert.equal(subscribed.length, balance);
    for (const { id, token } of people) {
      const { body } = await call('GET', `/api/files/${file.id}`, undefined, { as: token });
      assert.equal(body.is_subscribed, subscribed.includes(id));
    }
  });
});
