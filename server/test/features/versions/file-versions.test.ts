import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { File } from 'confab-contract/files.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { keptFiles, upload } from 'confab-testing/uploads.ts';

let now = Date.parse('2026-11-21T07:42:00.000Z');
const statements: string[] = [];
const server = useServer(
  {},
  { isQuiet: true, clock: { now: () => now }, onStatement: (sql) => void statements.push(sql) },
);
const watch = useStoreWatch(server);

const call = (method: string, path: string, body?: unknown, sending?: Sending) =>
  server.call(method, path, body, sending);
const filesApp = async (fields: object = {}): Promise<number> =>
  (await makeApp(server, { type: 'files', ...fields })).id;
const content = async (file: File): Promise<string> => await (await fetch(String(file.download_url))).text();

/** A file whose contents were these one after the other, a second apart. */
async function fileOf(contents: readonly string[], app?: number, sending: Sending = {}): Promise<File> {
  const path = `/api/apps/${app ?? (await filesApp())}/files`;
  let file: File | undefined;
  for (const bytes of contents) {
    now += 1000;
    const { id: blob_id } = await upload(server, { bytes, name: 'plan.txt' }, sending);
    file = (await call('POST', path, { blob_id, replace: true }, sending)).body;
  }
  assert.ok(file !== undefined);
  return file;
}

async function versionsOf(id: number, query = ''): Promise<File[]> {
  const answer = await call('GET', `/api/files/${id}/versions${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
const numbers = (files: readonly File[]) => files.map((file) => file.version);
const restore = (id: number, version: number | string, sending?: Sending) =>
  call('POST', `/api/files/${id}/versions/${version}/restore`, undefined, sending);

const actionsOf = (id: number) => watch.actionsOf('file', id);

// Every content a file had is there under its number, with who put it in, until it is deleted.
describe('the versions of a file', () => {
  test('of one content are the file itself', async () => {
    const file = await fileOf(['one']);
    assert.deepEqual(await versionsOf(file.id), [file]);
    assert.deepEqual((await call('GET', `/api/files/${file.id}/versions/1`)).body, file);
  });

  test('are the current one and the earlier ones, newest first, each with its bytes', async () => {
    const app = await filesApp({ access: 'write' });
    const ada = await makeUser(server);
    const file = await fileOf(['one', 'two!', 'three'], app, { as: ada.token });
    assert.equal(file.version, 3);
    const versions = await versionsOf(file.id);
    assert.deepEqual(numbers(versions), [3, 2, 1]);
    assert.deepEqual(await Promise.all(versions.map(content)), ['three', 'two!', 'one']);
    assert.deepEqual(
      versions.map(({ size }) => size),
      [5, 4, 3],
    );
    assert.deepEqual(
      versions.map(({ modified_by }) => modified_by?.uid),
      [ada.uid, ada.uid, ada.uid],
    );
    const times = versions.map(({ modified_at }) => Date.parse(String(modified_at)));
    assert.deepEqual(times, [now, now - 1000, now - 2000]);
    assert.ok(versions.every((one) => one.id === file.id && one.created_by.uid === ada.uid));
    for (const one of versions)
      assert.deepEqual((await call('GET', `/api/files/${file.id}/versions/${one.version}`)).body, one);
  });

  test('are kept by a change with backup and dropped by one without', async () => {
    const file = await fileOf(['one']);
    const patch = async (bytes: string, body: object) => {
      const { id: blob_id } = await upload(server, { bytes });
      return await call('PATCH', `/api/files/${file.id}`, { blob_id, ...body });
    };
    assert.equal((await patch('two', { backup: true, name: 'renamed.md' })).body.version, 2);
    assert.equal((await patch('three', { backup: false })).body.version, 3);
    assert.equal((await patch('four', { backup: true })).body.version, 4);
    const versions = await versionsOf(file.id);
    assert.deepEqual(numbers(versions), [4, 3, 1]);
    assert.deepEqual(
      versions.map(({ name }) => name),
      ['renamed.md', 'renamed.md', 'plan.txt'],
    );
    assert.deepEqual(await Promise.all(versions.map(content)), ['four', 'three', 'one']);
    assertProblem(await call('GET', `/api/files/${file.id}/versions/2`), 404, 'not_found');
  });

  test('include the content uploaded for a trashed file, and the previous one', async () => {
    const app = await filesApp();
    const file = await fileOf(['old'], app);
    await call('POST', `/api/files/${file.id}/trash`);
    const { id: blob_id } = await upload(server, { bytes: 'new', name: 'plan.txt' });
    const back = await call('POST', `/api/apps/${app}/files`, { blob_id });
    assert.deepEqual(
      [back.status, back.body.id, back.body.version, back.body.is_trashed],
      [200, file.id, 2, false],
    );
    assert.deepEqual(await Promise.all((await versionsOf(file.id)).map(content)), ['new', 'old']);
    assert.deepEqual(actionsOf(file.id), ['file_created', 'file_trashed', 'file_restored']);
  });

  test('are hidden with the file, and so are their bytes', async () => {
    const file = await fileOf(['one', 'two']);
    const [, earlier] = await versionsOf(file.id);
    assert.ok(earlier !== undefined);
    await call('POST', `/api/files/${file.id}/trash`);
    assertProblem(await call('GET', `/api/files/${file.id}/versions`), 404, 'not_found');
    assertProblem(await call('GET', `/api/files/${file.id}/versions/1`), 404, 'not_found');
    assertProblem(await restore(file.id, 1), 404, 'not_found');
    assert.equal((await fetch(String(earlier.download_url))).status, 404);
    await call('POST', `/api/files/${file.id}/restore`);
    assert.equal((await fetch(String(earlier.download_url))).status, 200);
  });

  test('are listed page by page', async () => {
    const file = await fileOf(['1', '2', '3', '4', '5']);
    assert.deepEqual(numbers(await versionsOf(file.id, '?top=2')), [5, 4]);
    assert.deepEqual(numbers(await versionsOf(file.id, '?top=2&skip=1')), [4, 3]);
    assert.deepEqual(numbers(await versionsOf(file.id, '?skip=4')), [1]);
    assert.deepEqual(numbers(await versionsOf(file.id, '?top=1')), [5]);
    assert.deepEqual(numbers(await versionsOf(file.id, '?skip=9&top=1000')), []);
  });

  test('cost the same statements for five as for two', async () => {
    const [few, many] = [await fileOf(['1', '2']), await fileOf(['1', '2', '3', '4', '5'])];
    async function cost(id: number): Promise<number> {
      statements.length = 0;
      await versionsOf(id);
      return statements.length;
    }
    assert.equal(await cost(many.id), await cost(few.id));
  });

  for (const wrong of ['0', '7', '-1', 'x', '01', '9007199254740993'])
    test(`do not have the number ${wrong}`, async () => {
      const file = await fileOf(['one', 'two']);
      const path = `/api/files/${file.id}/versions/${wrong}`;
      assertProblem(await call('GET', path), 404, 'not_found');
      assertProblem(await call('DELETE', path), 404, 'not_found');
      assertProblem(await restore(file.id, wrong), 404, 'not_found');
    });
});

// Restoring makes a content current under a number that nothing ever had; nothing is lost by it.
describe('a restored version', () => {
  test('is the current content under the next number, and keeps its own', async () => {
    const file = await fileOf(['one', 'two']);
    now += 1000;
    const { status, body } = await restore(file.id, 1);
    assert.deepEqual([status, body.version, body.name, await content(body)], [200, 3, 'plan.txt', 'one']);
    assert.equal(body.modified_at, new Date(now).toISOString());
    const versions = await versionsOf(file.id);
    assert.deepEqual(numbers(versions), [3, 2, 1]);
    assert.deepEqual(await Promise.all(versions.map(content)), ['one', 'two', 'one']);
    assert.deepEqual(actionsOf(file.id), ['file_created', 'file_updated', 'file_updated']);
  });

  test('that is already current changes nothing', async () => {
    const file = await fileOf(['one', 'two']);
    watch.hasChanged();
    const { status, body } = await restore(file.id, 2);
    assert.deepEqual([status, body], [200, file]);
    assert.equal(watch.hasChanged(), false);
  });

  test('under a race of 32 gives 32 new numbers, all of them listed, and one of the contents', async () => {
    const file = await fileOf(['one', 'two', 'three']);
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) => restore(file.id, 1 + (index % 2))),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    const given = answers.map(({ body }) => body.version).sort((one, other) => one - other);
    assert.deepEqual(
      given,
      Array.from({ length: 32 }, (_, index) => 4 + index),
    );
    const versions = await versionsOf(file.id);
    assert.deepEqual(
      numbers(versions),
      Array.from({ length: 35 }, (_, index) => 35 - index),
    );
    const { body: current } = await call('GET', `/api/files/${file.id}`);
    assert.equal(current.version, 35);
    assert.ok(['one', 'two'].includes(await content(current)));
    const winner = answers.find(({ body }) => body.version === 35);
    assert.equal(await content(current), await content(winner?.body));
    assert.equal(actionsOf(file.id).length, 35);
  });

  test('in a race with deletions and uploads never reuses a number', async () => {
    const app = await filesApp();
    const file = await fileOf(['one', 'two', 'three', 'four'], app);
    const blobs = await Promise.all(
      Array.from({ length: 8 }, () => upload(server, { bytes: 'new', name: 'plan.txt' })),
    );
    const answers = await Promise.all([
      ...blobs.map(({ id }) => call('PATCH', `/api/files/${file.id}`, { blob_id: id, backup: true })),
      ...Array.from({ length: 8 }, () => restore(file.id, 1)),
      ...[1, 2, 3].map((number) => call('DELETE', `/api/files/${file.id}/versions/${number}`)),
    ]);
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.version);
    assert.equal(new Set(made).size, made.length);
    const versions = await versionsOf(file.id);
    assert.equal(new Set(numbers(versions)).size, versions.length);
    for (const one of versions) assert.equal((await fetch(String(one.download_url))).status, 200);
    const deleted = answers.filter(({ status }) => status === 204).length;
    assert.equal(versions.length, 4 + made.length - deleted);
    assert.deepEqual(
      made.sort((one, other) => one - other),
      made.map((_, index) => 5 + index),
    );
    assert.equal(versions[0]?.version, 4 + made.length);
    assert.equal(actionsOf(file.id).length, 4 + made.length + deleted);
  });
});

// A deleted version is gone for good with its bytes, unless another version has the same ones.
describe('a deleted version', () => {
  test('is in no list, and its number is not reused', async () => {
    const file = await fileOf(['one', 'two', 'three']);
    const [, second] = await versionsOf(file.id);
    assert.equal((await call('DELETE', `/api/files/${file.id}/versions/2`)).status, 204);
    assert.deepEqual(numbers(await versionsOf(file.id)), [3, 1]);
    assertProblem(await call('DELETE', `/api/files/${file.id}/versions/2`), 404, 'not_found');
    assert.equal((await fetch(String(second?.download_url))).status, 404);
    assert.equal((await restore(file.id, 1)).body.version, 4);
    assert.equal((await call('GET', `/api/files/${file.id}`)).body.version, 4);
    assert.equal(actionsOf(file.id).length, 5);
  });

  test('cannot be the current one: 400', async () => {
    const file = await fileOf(['one', 'two']);
    const answer = await call('DELETE', `/api/files/${file.id}/versions/2`);
    assertProblem(answer, 400, 'validation_failed');
    assert.equal(answer.body.errors[0].code, 'current_version');
  });

  test('keeps bytes that another version shares, until that is deleted too', async () => {
    const before = keptFiles(server.folder);
    const file = await fileOf(['one', 'two']);
    const bytes = keptFiles(server.folder).filter((path) => !before.includes(path));
    assert.equal(bytes.length, 2);
    const { body: restored } = await restore(file.id, 1);
    await call('DELETE', `/api/files/${file.id}/versions/1`);
    await call('DELETE', `/api/files/${file.id}/versions/2`);
    await server.restart(() => {
      now += 120_000;
    });
    await poll(
      'the sweep',
      () => keptFiles(server.folder).filter((path) => bytes.includes(path)).length === 1 || undefined,
    );
    const { body: current } = await call('GET', `/api/files/${file.id}`);
    assert.deepEqual([current.version, await content(current)], [restored.version, 'one']);
  });
});

// Who may change a file may restore and delete its versions; who may read it sees them.
describe('rights on versions', () => {
  test('are those on the file', async () => {
    const app = await filesApp();
    const [author, writer, reader, stranger] = [
      await makeUser(server),
      await makeUser(server),
      await makeUser(server),
      await makeUser(server),
    ];
    for (const [user, access] of [
      [author, 'write'],
      [writer, 'write'],
      [reader, 'read'],
    ] as const)
      await call('PUT', `/api/apps/${app}/members/${user.uid}`, { access });
    const file = await fileOf(['one', 'two', 'three'], app, { as: author.token });
    const path = `/api/files/${file.id}/versions`;
    const statuses = async (as: string) => [
      (await call('GET', path, undefined, { as })).status,
      (await call('GET', `${path}/1`, undefined, { as })).status,
      (await restore(file.id, 1, { as })).status,
      (await call('DELETE', `${path}/2`, undefined, { as })).status,
    ];
    assert.deepEqual(await statuses(stranger.token), [404, 404, 404, 404]);
    assert.deepEqual(await statuses(reader.token), [200, 200, 403, 403]);
    assert.deepEqual(await statuses(writer.token), [200, 200, 403, 403]);
    assert.deepEqual(await statuses(author.token), [200, 200, 200, 204]);
  });
});
