import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeApp, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { uploadIds } from 'confab-testing/uploads.ts';

const server = useServer();
const watch = useStoreWatch(server);

describe('files in the second form', () => {
  let ada: Person;
  let app: { readonly id: number };
  let asKit: ReturnType<typeof inSecondForm>;

  before(async () => {
    ada = await makeUser(server, { name: 'Ada' });
    app = await makeApp(server, { type: 'files', access: 'write' });
    asKit = inSecondForm(ada);
  });

  async function put(name: string) {
    const [blob] = await uploadIds(ada, 1);
    const { status, body } = await asKit.call('POST', `/api/apps/${app.id}/files`, {
      blob_id: blob,
      name,
      replace: true,
    });
    assert.ok(status < 300);
    return body;
  }
  const shown = ({ rev, app: place, updated_by: editor, comments, is_starred: isStarred }: any) => [
    ...[rev, place, editor?.name, comments, isStarred],
  ];
  const none = { count: 0, data: [] };

  test('have a number of their version, their app and who changed them', async () => {
    const made = await put('plan.txt');
    assert.deepEqual(shown(made), [1, { id: app.id }, undefined, none, false]);
    assert.equal('updated_at' in made, false);
    const next = await put('plan.txt');
    assert.deepEqual(shown(next), [2, { id: app.id }, 'Ada', none, false]);
    assert.equal(next.updated_at, next.modified_at);
    await asKit.create(`/api/files/${next.id}/comments`, { text: 'on it' });
    const one = { count: 1, data: [] };
    for (const file of [
      await asKit.read(`/api/files/${next.id}`),
      (await asKit.read(`/api/apps/${app.id}/files`)).data[0],
    ])
      assert.deepEqual(shown(file), [2, { id: app.id }, 'Ada', one, false]);
    assert.deepEqual((await ada.read(`/api/files/${next.id}`)).comments, []);
  });

  test('are in the first form in the log, whoever changed them', async () => {
    const { id } = await put('logged.txt');
    const rows = watch.rows(`select payload from events where entity_type = 'file' and entity_id = ${id}`);
    assert.ok(rows.length > 0);
    for (const { payload } of rows) {
      const { file } = JSON.parse(`{${String(payload)}}`);
      assert.deepEqual([file.comments, 'rev' in file], [[], false]);
    }
  });

  test('have versions as a list with a count, which are restored and deleted by their number', async () => {
    let file: any;
    for (let n = 0; n < 3; n += 1) file = await put('versions.txt');
    const path = `/api/files/${file.id}/versions`;
    const versions = async (query = '') => {
      const { data, start, end, count } = await asKit.read(`${path}${query}`);
      return [data.map(({ rev }: { rev: number }) => rev), start, end, count];
    };
    assert.deepEqual(await versions(), [[3, 2, 1], 1, 3, 3]);
    assert.deepEqual(await versions('?skip=1&top=1'), [[2], 2, 2, 3]);
    assert.deepEqual(await versions('?skip=9'), [[], 0, 0, 3]);
    assert.equal((await asKit.call('POST', `${path}/1/restore`)).body.rev, 4);
    assert.equal((await asKit.call('DELETE', `${path}/2`)).status, 204);
    assert.deepEqual(await versions(), [[4, 3, 1], 1, 3, 3]);
    assert.equal(Array.isArray((await ada.call('GET', path)).body), true);
  });

  test('are sorted by their last change', async () => {
    const other = await makeApp(server, { type: 'files', access: 'write' });
    const names: string[] = [];
    for (const [name, blob] of [
      ['a.txt', (await uploadIds(ada, 1))[0]],
      ['b.txt', (await uploadIds(ada, 1))[0]],
    ] as const)
      names.push((await asKit.create(`/api/apps/${other.id}/files`, { name, blob_id: blob })).name);
    const first = (await asKit.read(`/api/apps/${other.id}/files?order_by=id`)).data[0];
    await asKit.call('PATCH', `/api/files/${first.id}`, { name: 'c.txt' });
    const sorted = async (order: string) =>
      (await asKit.read(`/api/apps/${other.id}/files?skip=0&order_by=${order}`)).data.map(
        ({ name }: { name: string }) => name,
      );
    assert.deepEqual(await sorted('updated_at'), ['b.txt', 'c.txt']);
    assert.deepEqual(await sorted('updated_at+desc'), ['c.txt', 'b.txt']);
    assert.deepEqual(await sorted('name+desc'), ['c.txt', 'b.txt']);
  });

  test('are the same where they are attached to something', async () => {
    const comments = await makeApp(server, { access: 'write' });
    const made = await asKit.create(`/api/apps/${comments.id}/comments`, {
      text: 'see',
      blobs: await uploadIds(ada, 1),
    });
    assert.deepEqual(shown(made.attachments.data[0]), [1, { id: comments.id }, undefined, none, false]);
    const { data } = await asKit.read(`/api/comments/${made.id}/attachments`);
    assert.deepEqual(shown(data[0]), [1, { id: comments.id }, undefined, none, false]);
  });
});
