import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { sendUpload } from 'confab-testing/uploads.ts';

const mebibyte = 1024 * 1024;
const server = useServer({ CONFAB_STORAGE_PERSON_MIB: '2', CONFAB_STORAGE_APP_MIB: '3' });
const watch = useStoreWatch(server);

/** The id of an upload of so many kibibytes. */
async function upload(kibibytes: number, as?: string): Promise<number> {
  const sending = as === undefined ? {} : { as };
  const { status, body, text } = await sendUpload(
    server,
    { bytes: new Uint8Array(kibibytes * 1024) },
    sending,
  );
  assert.equal(status, 201, text);
  return body.id;
}

const storedBy = (userId: number) =>
  watch.rows(`select stored_bytes from users where id = ${userId}`)[0]?.['stored_bytes'];
const storedIn = (appId: number) =>
  watch.rows(`select stored_bytes from apps where id = ${appId}`)[0]?.['stored_bytes'];

// The files that comments, posts, messages and files use take room of their person and of their app until they are gone.
describe('the files of a person', () => {
  test('have 2 MiB here: more is 422, and changes nothing', async () => {
    const { token: as, id } = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const path = `/api/apps/${app.id}/comments` as const;
    const post = async (blobs: number[]) => await server.as(as).call('POST', path, { text: 'x', blobs });
    const [one, two] = [await upload(1024, as), await upload(1000, as)];
    assert.equal((await post([one, two])).status, 201);
    assert.deepEqual([storedBy(id), storedIn(app.id)], [2024 * 1024, 2024 * 1024]);
    const more = await upload(100, as);
    const refused = await post([more]);
    assertProblem(refused, 422, 'storage_quota_reached');
    assert.match(String(refused.body.detail), /Your files may have at most 2097152 bytes/);
    assert.deepEqual([storedBy(id), storedIn(app.id)], [2024 * 1024, 2024 * 1024]);
    // What was refused is still there to be used elsewhere.
    assert.equal((await post([await upload(24, as)])).status, 201);
    assert.equal(storedBy(id), 2 * mebibyte);
  });

  test('free their room when what uses them is deleted, edited or replaced', async () => {
    const { token: as, id } = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const blobs = [await upload(100, as), await upload(200, as)];
    const comment = await server.as(as).create(`/api/apps/${app.id}/comments`, { text: 'x', blobs });
    assert.equal(storedBy(id), 300 * 1024);
    const kept = comment.attachments?.[1]?.id;
    await server.as(as).call('PATCH', `/api/comments/${comment.id}`, { attachments: [kept] });
    assert.deepEqual([storedBy(id), storedIn(app.id)], [200 * 1024, 200 * 1024]);
    await server.as(as).call('DELETE', `/api/comments/${comment.id}`);
    assert.deepEqual([storedBy(id), storedIn(app.id)], [0, 0]);

    const files = await makeApp(server, { type: 'files', access: 'write' });
    const file = await server
      .as(as)
      .create(`/api/apps/${files.id}/files`, { blob_id: await upload(500, as) });
    const next = { blob_id: await upload(300, as), backup: true };
    assert.equal((await server.as(as).call('PATCH', `/api/files/${file.id}`, next)).status, 200);
    assert.deepEqual([storedBy(id), storedIn(files.id)], [800 * 1024, 800 * 1024]);
    await server.as(as).call('DELETE', `/api/files/${file.id}/versions/1`);
    assert.deepEqual([storedBy(id), storedIn(files.id)], [300 * 1024, 300 * 1024]);
    const other = { blob_id: await upload(50, as) };
    assert.equal((await server.as(as).call('PATCH', `/api/files/${file.id}`, other)).status, 200);
    assert.deepEqual([storedBy(id), storedIn(files.id)], [50 * 1024, 50 * 1024]);
  });

  test('that are used at the same time share the room', async () => {
    const { token: as, id } = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const ids = await Promise.all(Array.from({ length: 6 }, () => upload(600, as)));
    const answers = await Promise.all(
      ids.map((blob) => server.as(as).call('POST', `/api/apps/${app.id}/comments`, { blobs: [blob] })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, 201, 201, 422, 422, 422]);
    assert.equal(storedBy(id), 1800 * 1024);
  });

  test('do not count where they are links to files elsewhere, or waiting for their use', async () => {
    const { token: as, id } = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const external = { provider: 'p', link: 'https://example.com/', name: 'a', size: 10 * mebibyte };
    const { body } = await server.as(as).call('POST', '/api/blobs/external', external);
    await upload(2000, as);
    const made = await server.as(as).call('POST', `/api/apps/${app.id}/comments`, { blobs: [body.id] });
    assert.equal(made.status, 201, made.text);
    assert.equal(storedBy(id), 0);
  });
});

describe('the files of an app', () => {
  test('have 3 MiB here, whoever adds them; an API key adds any number', async () => {
    const app = await makeApp(server, { type: 'files', access: 'write' });
    const add = async (as?: string) =>
      await server.call(
        'POST',
        `/api/apps/${app.id}/files`,
        { blob_id: await upload(1900, as), name: freshUid('file') },
        as === undefined ? {} : { as },
      );
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    assert.equal((await add(ada.token)).status, 201);
    const refused = await add(bob.token);
    assertProblem(refused, 422, 'storage_quota_reached');
    assert.match(String(refused.body.detail), /The files of this app may have at most 3145728 bytes/);
    assert.equal((await add()).status, 201);
    assert.equal(storedIn(app.id), 3800 * 1024);
  });
});
