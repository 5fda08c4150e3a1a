import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, startTestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { keptFiles } from 'confab-testing/uploads.ts';

const server = useServer();
const watch = useStoreWatch(server);

const link = 'https://drive.example.com/open?id=1';
const plain = { provider: 'Google Drive', link, name: 'Plan.gdoc' };
const full = {
  ...plain,
  name: '../Plan\u202e.png',
  size: 1234,
  media_type: 'Image/PNG',
  width: 640,
  height: 480,
  download: 'https://drive.example.com/bytes/1',
  embed: 'https://drive.example.com/embed/1',
  raw: { id: 1, nested: ['x'] },
};
const create = (body: unknown, sending?: Sending) =>
  server.call('POST', '/api/blobs/external', body, sending);

async function idOf(body: object, sending?: Sending): Promise<number> {
  const answer = await create(body, sending);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id;
}

// A link to a file elsewhere is returned as sent, made safe, and nothing is fetched or stored.
describe('a blob that is stored elsewhere', () => {
  test('shows its provider and its addresses', async () => {
    const { status, body } = await create(full);
    assert.equal(status, 201);
    const { id, ...rest } = body;
    assert.deepEqual(rest, {
      name: 'Plan.png',
      media_type: 'image/png',
      width: 640,
      height: 480,
      size: 1234,
      provider: 'Google Drive',
      external_url: link,
      download_url: full.download,
      embed_url: full.embed,
      raw: '{"id":1,"nested":["x"]}',
    });
    assert.deepEqual(await server.read(`/api/blobs/${id}`), body);
    assert.deepEqual(keptFiles(server.folder), []);
    const [event] = watch.rows(
      `select action, app_id, user_id from events where entity_type = 'blob' and entity_id = ${id}`,
    );
    assert.deepEqual({ ...event }, { action: 'blob_linked', app_id: null, user_id: 1 });
  });

  test('has addresses in which nothing can end an attribute', async () => {
    const hostile = `https://drive.example.com/'"<>?'"<>#'"<>`;
    const { body } = await create({ ...plain, link: hostile, download: hostile, embed: hostile });
    const inert = 'https://drive.example.com/%27%22%3C%3E?%27%22%3C%3E#%27%22%3C%3E';
    assert.deepEqual([body.external_url, body.download_url, body.embed_url], [inert, inert, inert]);
  });

  test('needs only a provider, a link and a name', async () => {
    const { body } = await create(plain);
    const { id: _, ...rest } = body;
    assert.deepEqual(rest, {
      name: 'Plan.gdoc',
      media_type: 'application/octet-stream',
      size: 0,
      provider: 'Google Drive',
      external_url: link,
    });
  });

  test('belongs to its creator', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const id = await idOf(plain, { as: ada.token });
    assert.equal((await ada.call('GET', `/api/blobs/${id}`)).status, 200);
    assertProblem(await bob.call('GET', `/api/blobs/${id}`), 404, 'not_found');
    assertProblem(await create(plain, { as: null }), 401, 'unauthorized');
  });

  const broken: [what: string, fields: object, pointer: string][] = [
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'ftp://a.example/x',
      '//a.example/x',
      '',
    ].map((address): [string, object, string] => [`the link ${address}`, { link: address }, '/link']),
    ['a link with a user name', { link: 'https://drive.example.com@evil.example/' }, '/link'],
    ['a link of 2049 characters', { link: `https://a.example/${'x'.repeat(2031)}` }, '/link'],
    ['an embed that runs', { embed: 'javascript:alert(1)' }, '/embed'],
    ['a download that runs', { download: 'JaVaScRiPt:alert(1)' }, '/download'],
    ['no provider', { provider: undefined }, '/provider'],
    ['a blank provider', { provider: ' ' }, '/provider'],
    ['a provider of 257 characters', { provider: 'p'.repeat(257) }, '/provider'],
    ['a name of nothing visible', { name: '\u202e' }, '/name'],
    ['a size below zero', { size: -1 }, '/size'],
    ['a media type that is none', { media_type: 'text/html\r\nX: y' }, '/media_type'],
    ['a media type of 129 characters', { media_type: `a/${'b'.repeat(127)}` }, '/media_type'],
    ['a width of zero', { width: 0 }, '/width'],
    ['64 KiB of raw', { raw: 'x'.repeat(65_537) }, '/raw'],
  ];
  for (const [what, fields, pointer] of broken)
    test(`with ${what} is 422 and creates nothing`, async () => {
      watch.hasChanged();
      assertProblem(await create({ ...plain, ...fields }), 422, 'validation_failed', pointer);
      assert.equal(watch.hasChanged(), false);
    });

  test('with a field of the wrong type is 400', async () => {
    for (const fields of [{ provider: 7 }, { size: '1' }, { link: [] }, { media_type: {} }])
      assertProblem(await create({ ...plain, ...fields }), 400, 'wrong_type');
  });
});

// A file or an attachment created from it leads to its provider, and to no address of this server.
describe('a file that is stored elsewhere', () => {
  test('has the addresses of its provider and is shown by it', async () => {
    const app = (await makeApp(server, { type: 'files' })).id;
    const { body: file } = await server.call('POST', `/api/apps/${app}/files`, { blob_id: await idOf(full) });
    assert.deepEqual(
      [file.provider, file.external_url, file.embed_url, file.download_url, file.raw, file.kind],
      ['Google Drive', link, full.embed, full.download, '{"id":1,"nested":["x"]}', 'image'],
    );
    assert.deepEqual(
      [file.preview_format, file.preview_url, file.thumbnail_url],
      ['embed', full.embed, undefined],
    );
    assert.deepEqual(await server.read(`/api/files/${file.id}`), file);
    const list = await server.read(`/api/apps/${app}/files`);
    assert.equal(list.data[0].external_url, link);
  });

  test('without an address to embed has no preview, and without one to download none of these', async () => {
    const app = (await makeApp(server)).id;
    const body = { blobs: [await idOf(plain)] };
    const { body: comment } = await server.call('POST', `/api/apps/${app}/comments`, body);
    const [attachment] = comment.attachments;
    assert.deepEqual(
      [attachment.preview_format, attachment.preview_url, attachment.download_url, attachment.external_url],
      ['none', undefined, undefined, link],
    );
  });

  test('is used once', async () => {
    const app = (await makeApp(server, { type: 'files' })).id;
    const blob_id = await idOf(plain);
    assert.equal((await server.call('POST', `/api/apps/${app}/files`, { blob_id })).status, 201);
    const again = await server.call('POST', `/api/apps/${app}/files`, { blob_id, name: 'b.gdoc' });
    assertProblem(again, 422, 'validation_failed', '/blob_id');
  });

  test('has versions like any other', async () => {
    const app = (await makeApp(server, { type: 'files' })).id;
    const { body: file } = await server.call('POST', `/api/apps/${app}/files`, {
      blob_id: await idOf(plain),
    });
    const blob_id = await idOf({ ...plain, link: `${link}2` });
    const path = `/api/files/${file.id}`;
    assert.equal((await server.call('PATCH', path, { blob_id, backup: true })).body.external_url, `${link}2`);
    assert.equal((await server.read(`${path}/versions/1`)).external_url, link);
  });

  test('cannot be the picture of a user', async () => {
    const picture = await idOf(full);
    const answer = await server.call('POST', '/api/users', { uid: 'pictured-elsewhere', picture });
    assertProblem(answer, 422, 'validation_failed', '/picture');
  });
});

/** A body is judged ahead of the transaction where nothing can be absent or forbidden. */
describe('a body with faults', () => {
  test('opens no transaction', async () => {
    let writes = 0;
    const own = await startTestServer(
      {},
      {
        isQuiet: true,
        wrapDb: (db) =>
          Object.assign(Object.create(db), {
            write: async (...given: Parameters<typeof db.write>) => {
              writes += 1;
              return await db.write(...given);
            },
          }),
      },
    );
    try {
      const before = writes;
      const send = (body: object) => own.call('POST', '/api/blobs/external', body);
      assert.equal((await send({ ...plain, link: 'javascript:1' })).status, 422);
      assert.equal(writes, before);
      assert.equal((await send(plain)).status, 201);
      assert.equal(writes, before + 1);
    } finally {
      await own.close();
    }
  });
});
