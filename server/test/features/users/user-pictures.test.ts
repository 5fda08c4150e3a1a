import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { blobSettings } from 'confab-testing/network/bucket.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { codeOf, keptFiles, upload } from 'confab-testing/uploads.ts';
import sharp from 'sharp';

let now = Date.parse('2026-11-21T07:42:00.000Z');
const server = useServer(blobSettings(), { isQuiet: true, clock: { now: () => now } });
const watch = useStoreWatch(server);

async function portrait(background = '#c04020', width = 400, height = 300): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer(),
  );
}

const inBase64 = (bytes: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

async function portraitBlob(background?: string): Promise<number> {
  return (await upload(server, { bytes: await portrait(background), name: 'ada.png' })).id;
}

const put = (uid: string, body: object) => server.call('PUT', `/api/users/${uid}`, body);

const actionsOf = (id: number) => watch.actionsOf('user', id);

// A user's picture is a small copy of the sent one, visible to everyone who sees the user.
describe('the picture of a user', () => {
  test('is a shrunk blob, served without a credential', async () => {
    const uid = freshUid('ada');
    const picture = await portraitBlob();
    const { status, body } = await put(uid, { picture });
    assert.equal(status, 201);
    assert.deepEqual([body.picture_id, body.picture.id, body.picture.width], [picture, picture, 400]);
    assert.deepEqual(await server.read(`/api/users/${uid}`), body);
    const shown = await fetch(body.avatar_url);
    assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/webp']);
    assert.equal(shown.headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.equal(shown.headers.get('x-content-type-options'), 'nosniff');
    assert.equal((await fetch(body.picture.thumbnail_url)).status, 200);
    const { width, height } = await sharp(await shown.arrayBuffer()).metadata();
    assert.deepEqual([width, height], [256, 192]);
    assert.deepEqual(actionsOf(body.id), ['user_created']);
  });

  test('is shown wherever the user is shown', async () => {
    const uid = freshUid('ada');
    const { body } = await put(uid, { picture: String(await portraitBlob()) });
    const as = await server.token(uid);
    const app = await makeApp(server.as(as));
    const comment = await makeComment(server.as(as), app.id, {});
    assert.equal(comment.created_by.avatar_url, body.avatar_url);
    const me = await server.as(as).read('/api/user');
    assert.deepEqual([me.avatar_url, me.picture.id], [body.avatar_url, body.picture_id]);
    const list = await server.read(`/api/users?q=${uid}`);
    assert.equal(list.data[0].avatar_url, body.avatar_url);
    assert.equal('picture' in list.data[0], false);
  });

  test('can be sent inside the request, and repeating it keeps the same blob', async () => {
    const uid = freshUid('ada');
    const picture = inBase64(await portrait('#204060'));
    const { body } = await put(uid, { picture });
    assert.equal((await fetch(body.avatar_url)).status, 200);
    watch.hasChanged();
    const again = await put(uid, { picture });
    assert.deepEqual([again.status, again.body], [200, body]);
    assert.equal(watch.hasChanged(), false);
    assert.deepEqual(actionsOf(body.id), ['user_created']);
  });

  test('can be an address elsewhere, which is returned unchanged', async () => {
    const { body } = await put(freshUid('ada'), { picture: 'https://example.com/ada.png' });
    assert.deepEqual(
      [body.avatar_url, body.picture_id, body.picture],
      ['https://example.com/ada.png', undefined, undefined],
    );
  });

  test('has an address in which nothing can end an attribute', async () => {
    const { body } = await put(freshUid('ada'), { picture: `https://example.com/'"<>?'"<>#'"<>` });
    assert.equal(body.avatar_url, 'https://example.com/%27%22%3C%3E?%27%22%3C%3E#%27%22%3C%3E');
  });

  test('can be replaced or removed: the old address stops working and the bytes are swept', async () => {
    const uid = freshUid('ada');
    const before = keptFiles(server.folder);
    const first = await put(uid, { picture: await portraitBlob('#111111') });
    assert.equal((await fetch(first.body.avatar_url)).status, 200);
    const bytes = keptFiles(server.folder).filter((path) => !before.includes(path));
    assert.equal(bytes.length, 2);
    const second = await server.call('PATCH', `/api/users/${uid}`, {
      picture: await portraitBlob('#222222'),
    });
    assert.notEqual(second.body.avatar_url, first.body.avatar_url);
    assert.equal((await fetch(first.body.avatar_url)).status, 404);
    assert.equal((await fetch(first.body.picture.thumbnail_url)).status, 404);
    const third = await server.call('PATCH', `/api/users/${uid}`, { picture: null });
    assert.deepEqual(
      [third.body.avatar_url, third.body.picture_id, third.body.picture],
      [undefined, undefined, undefined],
    );
    assert.equal((await fetch(second.body.avatar_url)).status, 404);
    assert.deepEqual(actionsOf(first.body.id), ['user_created', 'user_updated', 'user_updated']);
    await server.restart(() => {
      now += 120_000;
    });
    await poll(
      'the sweep',
      () => !keptFiles(server.folder).some((path) => bytes.includes(path)) || undefined,
    );
  });

  test('stays when a change leaves it out', async () => {
    const uid = freshUid('ada');
    const { body } = await put(uid, { picture: await portraitBlob() });
    const changed = await put(uid, { name: 'Ada' });
    assert.deepEqual([changed.body.name, changed.body.avatar_url], ['Ada', body.avatar_url]);
  });

  test('from one blob belongs to one user, however many claim it at once', async () => {
    const picture = await portraitBlob();
    const uids = Array.from({ length: 32 }, () => freshUid('many'));
    const answers = await Promise.all(uids.map((uid) => put(uid, { picture })));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...new Array(31).fill(422)]);
    assert.deepEqual(
      watch.rows(`select count(*) as n from users where picture_id = ${picture}`)[0]?.['n'],
      1,
    );
  });

  test('has an address below the public address, also when that changes', async () => {
    const uid = freshUid('ada');
    const { body } = await put(uid, { picture: await portraitBlob() });
    await server.restart(undefined, { CONFAB_PUBLIC_URL: 'https://talk.example.com' });
    const moved = await server.read(`/api/users/${uid}`);
    assert.equal(moved.avatar_url, body.avatar_url.replace(/^http:\/\/[^/]+/, 'https://talk.example.com'));
    await server.restart();
    const back = await server.read(`/api/users/${uid}`);
    assert.equal((await fetch(back.avatar_url)).status, 200);
  });
});

// Only bytes that can be shrunk are a picture, and only users who may use a blob can claim it.
describe('an invalid picture', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const broken: [what: string, picture: () => Promise<unknown>][] = [
    ['a blob of text', async () => (await upload(server)).id],
    ['a blob that is not there', async () => 999_999],
    ['an SVG in base64', async () => inBase64(svg, 'image/svg+xml')],
    ['an SVG that calls itself PNG', async () => inBase64(svg)],
    ['text in base64', async () => inBase64(Buffer.from('words'))],
    ['no base64', async () => 'data:image/png;base64,%%%'],
    ['a data address of another type', async () => 'data:text/html;base64,PGI+'],
    ['513 KiB in base64', async () => inBase64(new Uint8Array(513 * 1024))],
    ['a picture of few pixels on a long side', async () => inBase64(await portrait('#111', 16_385, 1))],
    ['base64 that goes on after its end', async () => 'data:image/png;base64,iVBORw0K==iVBO'],
    ['a picture of too many pixels', async () => inBase64(await portrait('#111', 7200, 7200))],
  ];
  for (const [what, picture] of broken)
    test(`as ${what} is 422 and changes nothing`, async () => {
      const sent = await picture();
      watch.hasChanged();
      assertProblem(await put(freshUid('ada'), { picture: sent }), 422, 'validation_failed', '/picture');
      assert.equal(watch.hasChanged(), false);
    });

  test('that something else already uses is 422', async () => {
    const picture = await portraitBlob();
    const app = await makeApp(server, { type: 'files' });
    await server.call('POST', `/api/apps/${app.id}/files`, { blob_id: picture });
    assertProblem(await put(freshUid('ada'), { picture }), 422, 'validation_failed', '/picture');
  });

  test('that is truncated is stored, and its address is 404', async () => {
    const whole = await portrait('#123456', 900, 900);
    const { body } = await put(freshUid('ada'), { picture: inBase64(whole.slice(0, whole.length / 2)) });
    assert.equal((await fetch(body.avatar_url)).status, 404);
  });
});

// The address of a picture gives away that picture and nothing else.
describe('the address of a picture', () => {
  test('is valid only for that picture and only unchanged', async () => {
    const [one, other] = [
      (await put(freshUid('ada'), { picture: await portraitBlob() })).body,
      (await put(freshUid('ada'), { picture: await portraitBlob() })).body,
    ];
    const keyOf = (address: string) => /[0-9a-f]{32}/.exec(address)?.[0] ?? '';
    const wrong: string[] = [
      one.avatar_url.replace(keyOf(one.avatar_url), keyOf(other.avatar_url)),
      one.avatar_url.replace(/signature=.*/, 'signature='),
      one.avatar_url.replace(/\?.*/, ''),
      one.avatar_url.replace('/pictures/', '/thumbnails/').replace('?', '/a.png?expires=9999999999&'),
      one.avatar_url.replace('/pictures/', '/blobs/').replace('?', '/a.png?expires=9999999999&'),
      one.picture.thumbnail_url.replace('/thumbnails/', '/blobs/'),
      one.picture.thumbnail_url.replace('/thumbnails/', '/previews/'),
    ];
    for (const address of wrong) {
      const answer = await fetch(address);
      assert.deepEqual([answer.status, await codeOf(answer)], [404, 'not_found'], address);
    }
  });
});
