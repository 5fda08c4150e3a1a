import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { blobSettings } from 'confab-testing/network/bucket.ts';
import { useMailServer } from 'confab-testing/network/mail-server.ts';
import { png } from 'confab-testing/pictures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, startTestServer, type TestServer, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { keptFiles, sendUpload, type UploadFields, upload } from 'confab-testing/uploads.ts';
import { freshName } from 'confab-testing/visitors.ts';
import sharp from 'sharp';
import { defaultRates, ratesText } from '../../../src/kernel/rate-limits.ts';

let now = Date.parse('2026-11-26T08:00:00.000Z');
const settings = {
  ...blobSettings(),
  CONFAB_SIGN_IN: 'guest',
  CONFAB_SIGN_IN_PUZZLE: 'no',
  CONFAB_SIGN_IN_PICTURES: 'all',
  CONFAB_TRUSTED_PROXIES: '127.0.0.1',
  CONFAB_LIMITS_PERSON: ratesText(defaultRates.person),
};
const clock = { now: () => now };
const server = useServer({ ...settings, CONFAB_COMMENTS_PICTURES: 'all' }, { isQuiet: true, clock });
const watch = useStoreWatch(server);
const open = { access: 'write', visitors: 'write' };

let addresses = 0;

/** An address that nobody else has. */
function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

async function guest(address = freshAddress(), of: TestServer = server) {
  const from = (as: string | null): Sending => ({ headers: { 'x-forwarded-for': address }, as });
  const made = await of.call('POST', '/api/sign-in/guest', { name: freshName() }, from(null));
  assert.equal(made.status, 200, made.text);
  const token: string = made.body.access_token;
  return {
    id: made.body.user.id as number,
    token,
    caller: of.as(token),
    send: (fields: UploadFields) => sendUpload(of, fields, from(token)),
    write: (app: number, fields: object) => of.call('POST', `/api/apps/${app}/comments`, fields, from(token)),
    call: (method: 'POST' | 'PATCH' | 'DELETE' | 'GET', path: string, body?: object) =>
      of.call(method, path, body, from(token)),
  };
}

/** A photograph with a note of where it was taken. */
async function photograph({ width = 300, height = 200, background = '#c04020' } = {}) {
  const bytes = await sharp({ create: { width, height, channels: 3, background } })
    .withExif({ IFD0: { Copyright: 'the secret place' } })
    .jpeg()
    .toBuffer();
  return { bytes: new Uint8Array(bytes), name: 'holiday.jpg', type: 'image/jpeg' };
}

/** The id of the newest upload. */
const newest = () => Number(watch.rows('select coalesce(max(id), 0) as id from blobs')[0]?.['id']);
const anyone = () => server.as(null);

async function loaded(address: string) {
  const response = await fetch(address);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

// What visitors add to comments is drawn again by the server, so that nothing of what they sent is served.
describe('a picture in the comment of a visitor', () => {
  it('is shown to everyone as a WebP without what the sender noted in it', async () => {
    const ada = await guest();
    const app = await makeApp(server, open);
    const sent = await ada.send(await photograph({ width: 3000, height: 1500 }));
    assert.equal(sent.status, 201, sent.text);
    const { name, media_type: type, width, height } = sent.body;
    assert.deepEqual([name, type, width, height], ['holiday.webp', 'image/webp', 2048, 1024]);
    const { status, text } = await ada.write(app.id, { text: 'Look', blobs: [sent.body.id] });
    assert.equal(status, 201, text);
    const { data } = await anyone().read(`/api/apps/${app.id}/comments`);
    const [file] = data[0].attachments;
    assert.equal(file.name, 'holiday.webp');
    for (const address of [file.download_url, file.preview_url, file.thumbnail_url]) {
      const { status: shown, bytes } = await loaded(address);
      assert.equal(shown, 200);
      assert.equal((await sharp(bytes).metadata()).format, 'webp');
      assert.equal(bytes.includes('the secret place'), false);
    }
  });

  it('can be added, and taken away, by an edit', async () => {
    const ada = await guest();
    const app = await makeApp(server, open);
    const { body: comment } = await ada.write(app.id, { text: 'Look' });
    const { id } = (await ada.send(await photograph())).body;
    const edited = await ada.call('PATCH', `/api/comments/${comment.id}`, { blobs: [id] });
    assert.equal(edited.status, 200, edited.text);
    const address = edited.body.attachments[0].download_url;
    assert.equal((await loaded(address)).status, 200);
    await ada.call('PATCH', `/api/comments/${comment.id}`, { attachments: [] });
    assert.equal((await loaded(address)).status, 404);
  });

  it('is not shown while the comment is held or in the trash, and goes with it', async () => {
    const before = keptFiles(server.folder);
    const ada = await guest();
    const app = await makeApp(server, open);
    const { id: blob } = (await ada.send(await photograph())).body;
    const { body: comment } = await ada.write(app.id, { text: 'Look', blobs: [blob] });
    const address = comment.attachments[0].download_url;
    const path = `/api/comments/${comment.id}`;
    for (const [away, back] of [
      ['hold', 'approve'],
      ['trash', 'restore'],
    ]) {
      assert.equal((await server.call('POST', `${path}/${away}`)).status, 200);
      assert.equal((await loaded(address)).status, 404);
      assert.equal((await server.call('POST', `${path}/${back}`)).status, 200);
      assert.equal((await loaded(address)).status, 200);
    }
    assert.equal((await ada.call('DELETE', path)).status, 204);
    assert.equal((await loaded(address)).status, 404);
    await areSwept(before);
  });

  it('is in the export of the visitor', async () => {
    const ada = await guest();
    const app = await makeApp(server, open);
    const { id: blob } = (await ada.send(await photograph())).body;
    const { body: comment } = await ada.write(app.id, { text: 'Look', blobs: [blob] });
    const { bytes } = await loaded(comment.attachments[0].download_url);
    const archive = await fetch(`${server.url}/api/users/${ada.id}/export`, {
      headers: { authorization: `Bearer ${ada.token}` },
    });
    assert.ok(Buffer.from(await archive.arrayBuffer()).includes(bytes));
  });

  it('is removed after a day where no comment uses it', async () => {
    const before = keptFiles(server.folder);
    const ada = await guest();
    const { id } = (await ada.send(await photograph())).body;
    now += 86_400_000;
    const late = await ada.write((await makeApp(server, open)).id, { text: 'Late', blobs: [id] });
    // The token of a visitor ends after an hour.
    assertProblem(late, 401, 'invalid_credential');
    await areSwept(before);
  });
});

/** Waits until there are no other bytes than before. */
async function areSwept(before: readonly string[]) {
  await server.restart(() => {
    now += 120_000;
  });
  await poll('the sweep', () => keptFiles(server.folder).every((path) => before.includes(path)) || undefined);
}

// An erasure takes pictures along, and one account made of two keeps them.
describe('the pictures of a visitor who goes', () => {
  const mailServer = useMailServer();
  const origin = 'https://blog.example.com';
  const lasting = use(() =>
    startTestServer({
      ...settings,
      CONFAB_SIGN_IN: 'guest,email',
      CONFAB_COMMENTS_PICTURES: 'all',
      CONFAB_SMTP_URL: mailServer.url,
      CONFAB_MAIL_FROM: 'no-reply@example.com',
      CONFAB_CORS_ORIGINS: origin,
    }),
  );
  after(() => lasting.close());
  const store = useStoreWatch(lasting);

  async function written(of: Awaited<ReturnType<typeof guest>>) {
    const app = await makeApp(lasting, open);
    const { id: blob } = (await of.send(await photograph())).body;
    const { body } = await of.write(app.id, { text: 'Look', blobs: [blob] });
    return { app: app.id, comment: body.id as number, address: body.attachments[0].download_url as string };
  }

  const storedBytes = (id: number) =>
    Number(store.rows(`select stored_bytes as bytes from users where id = ${id}`)[0]?.['bytes']);

  it('go with an erasure', async () => {
    const ada = await guest(freshAddress(), lasting);
    const { address } = await written(ada);
    const before = keptFiles(lasting.folder).length;
    assert.equal((await ada.call('DELETE', `/api/users/${ada.id}`)).status, 202);
    await poll('the erased picture', async () => (await loaded(address)).status === 404 || undefined);
    await poll('the erased bytes', () => keptFiles(lasting.folder).length < before || undefined);
  });

  it('stay where two accounts become one, and are those of the one that stays', async () => {
    let mails = 0;
    const join = async (one: Awaited<ReturnType<typeof guest>>) => {
      const email = 'reader@example.com';
      const asked = await one.call('POST', '/api/user/mailbox', { email, origin });
      mails += 1;
      const mail = await poll('the mail', () => mailServer.mails[mails - 1]);
      const code = /^\d{6}$/m.exec(mail.text)?.[0];
      const sent = { ticket: asked.body.ticket, code };
      const joined = await one.call('POST', '/api/user/mailbox/code', sent);
      assert.equal(joined.status, 200, joined.text);
      return joined.body as { access_token: string; user: { id: number } };
    };
    const [ada, bob] = [await guest(freshAddress(), lasting), await guest(freshAddress(), lasting)];
    const heir = (await join(ada)).user.id;
    assert.equal(heir, ada.id);
    const { app, comment, address } = await written(bob);
    const bytes = storedBytes(bob.id);
    assert.ok(bytes > 0);
    assert.equal((await join(bob)).user.id, heir);
    const isDone = () =>
      store.rows('select id from erasures where finished_at is null').length === 0 || undefined;
    await poll('the end of the erasure', isDone);
    const { data } = await lasting.as(null).read(`/api/apps/${app}/comments`);
    assert.equal(data[0].attachments[0].created_by_id, heir);
    assert.equal((await loaded(address)).status, 200);
    assert.deepEqual([storedBytes(heir), storedBytes(bob.id)], [bytes, 0]);
    assert.equal((await lasting.call('DELETE', `/api/comments/${comment}`)).status, 204);
    assert.equal(storedBytes(heir), 0);
  });
});

// Whatever calls itself a picture, nothing is kept of what the decoder does not draw.
describe('what a visitor sends that is no picture', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const page = '<!doctype html><script>alert(1)</script>';
  const wrong: { readonly [what: string]: () => UploadFields | Promise<UploadFields> } = {
    'a text': () => ({ bytes: 'words', name: 'a.png', type: 'image/png' }),
    nothing: () => ({ bytes: '', name: 'a.png', type: 'image/png' }),
    'an SVG': () => ({ bytes: svg, name: 'a.svg', type: 'image/svg+xml' }),
    'an SVG that calls itself PNG': () => ({ bytes: svg, name: 'a.png', type: 'image/png' }),
    'a page behind the first bytes of a GIF': () => ({ bytes: `GIF89a${page}`, name: 'a.gif' }),
    'a bomb of pixels': () => ({ bytes: png(60_000, 60_000), name: 'a.png' }),
    'a bomb of one row': () => ({ bytes: png(2_000_000_000, 1), name: 'a.png' }),
    'a picture that cannot be decoded': () => ({ bytes: png(7000, 7000), name: 'a.png' }),
    'half of a photograph': async () => {
      const { bytes, name } = await photograph({ width: 900, height: 900 });
      return { bytes: bytes.slice(0, bytes.length / 3), name };
    },
  };
  for (const [what, make] of Object.entries(wrong))
    it(`is refused: ${what}`, async () => {
      const ada = await guest();
      const fields = await make();
      const [before, files] = [newest(), keptFiles(server.folder)];
      const answer = await ada.send(fields);
      assertProblem(answer, 422, 'validation_failed', '/blob');
      assert.equal((answer.body as unknown as { errors: { code: string }[] }).errors[0]?.code, 'not_picture');
      assert.deepEqual([newest(), keptFiles(server.folder)], [before, files]);
    });

  it('is refused: more than 10 MiB, whatever follows the picture', async () => {
    const ada = await guest();
    const { bytes, name } = await photograph();
    const more = new Uint8Array(10 * 1024 * 1024 + 1);
    more.set(bytes);
    const files = keptFiles(server.folder);
    assertProblem(await ada.send({ bytes: more, name }), 413, 'body_too_large', '/blob');
    assert.deepEqual(keptFiles(server.folder), files);
  });

  it('is not kept behind a picture either', async () => {
    const ada = await guest();
    const { bytes, name } = await photograph();
    const sent = await ada.send({ bytes: new Uint8Array(Buffer.concat([bytes, Buffer.from(page)])), name });
    assert.equal(sent.status, 201, sent.text);
    const app = await makeApp(server, open);
    const { body } = await ada.write(app.id, { text: 'Look', blobs: [sent.body.id] });
    assert.equal((await loaded(body.attachments[0].download_url)).bytes.includes('alert'), false);
  });
});

// A visitor attaches what they have sent for comments, once, and nothing else.
describe('what a visitor cannot attach', () => {
  async function refuses(ada: Awaited<ReturnType<typeof guest>>, blobs: readonly number[]) {
    const app = await makeApp(server, open);
    assertProblem(await ada.write(app.id, { text: 'Look', blobs }), 422, 'validation_failed');
  }

  it('is the picture of another visitor, of a user, or of the operator', async () => {
    const [ada, bob, user] = [await guest(), await guest(), await makeUser(server)];
    const others = [
      (await bob.send(await photograph())).body.id,
      (await upload(server, await photograph(), { as: user.token })).id,
      (await upload(server, await photograph())).id,
    ];
    for (const id of others) await refuses(ada, [id]);
    const app = await makeApp(server, open);
    assert.equal((await bob.write(app.id, { text: 'Mine', blobs: [others[0]] })).status, 201);
  });

  it('is a picture that a comment has already', async () => {
    const ada = await guest();
    const app = await makeApp(server, open);
    const { id } = (await ada.send(await photograph())).body;
    await refuses(ada, [id, id]);
    assert.equal((await ada.write(app.id, { text: 'Once', blobs: [id] })).status, 201);
    await refuses(ada, [id]);
  });

  it('is the picture of themselves, of which the server has the bytes as they were sent', async () => {
    const [ada, bob] = [await guest(), await guest()];
    const { bytes } = await photograph({ background: '#123456' });
    const picture = `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`;
    const { picture_id: own } = (await ada.call('PATCH', '/api/user', { picture })).body;
    await refuses(ada, [own]);
    // The change fails in its transaction, so the upload is free.
    const { name } = await bob.caller.read('/api/user');
    const other = `data:image/jpeg;base64,${Buffer.from((await photograph({ background: '#654321' })).bytes).toString('base64')}`;
    const last = newest();
    assertProblem(await ada.call('PATCH', '/api/user', { name, picture: other }), 422, 'validation_failed');
    const free = newest();
    assert.ok(free > last);
    await refuses(ada, [free]);
  });

  it('is a picture while what they write waits for approval, also by an edit', async () => {
    const ada = await guest();
    for (const approval of ['guests', 'everything', 'newcomers']) {
      const app = await makeApp(server, { ...open, approval });
      const { id } = (await ada.send(await photograph())).body;
      const refused = await ada.write(app.id, { text: 'Look', blobs: [id] });
      assertProblem(refused, 422, 'validation_failed', '/blobs');
      assert.equal(refused.body.errors[0].code, 'not_allowed');
      const { body: comment } = await ada.write(app.id, { text: 'Words' });
      const path = `/api/comments/${comment.id}`;
      assertProblem(await ada.call('PATCH', path, { blobs: [id] }), 403, 'moderated');
      await server.call('POST', `${path}/approve`);
      const edited = await ada.call('PATCH', path, { blobs: [id] });
      if (approval === 'newcomers') assert.equal(edited.status, 200, edited.text);
      else assertProblem(edited, 422, 'validation_failed', '/blobs');
    }
    const trusted = await guest();
    await server.call('PATCH', `/api/users/${trusted.id}`, { is_trusted: true });
    const app = await makeApp(server, { ...open, approval: 'guests' });
    const { id } = (await trusted.send(await photograph())).body;
    assert.equal((await trusted.write(app.id, { text: 'Look', blobs: [id] })).status, 201);
  });

  it('is a picture beside a word of a rule where what they write waits for approval', async () => {
    const rules = [{ name: 'Gambling', words: ['casino'], action: 'hold' }];
    const { version } = await server.read('/api/moderation/rules');
    assert.equal((await server.call('PUT', '/api/moderation/rules', { version, rules })).status, 200);
    const ada = await guest();
    const { id } = (await ada.send(await photograph())).body;
    const app = await makeApp(server, { ...open, approval: 'guests' });
    const text = 'Come to the casino';
    assertProblem(await ada.write(app.id, { text, blobs: [id] }), 422, 'validation_failed', '/blobs');
    const { body: comment } = await ada.write(app.id, { text: 'Words' });
    const path = `/api/comments/${comment.id}`;
    await server.call('POST', `${path}/approve`);
    assertProblem(await ada.call('PATCH', path, { text, blobs: [id] }), 422, 'validation_failed', '/blobs');
    const free = await makeApp(server, open);
    const held = await ada.write(free.id, { text, blobs: [id] });
    assert.deepEqual([held.status, held.body.is_held], [201, true], 'an app that does not approve');
    assert.equal(
      (await server.call('PUT', '/api/moderation/rules', { version: version + 1, rules: [] })).status,
      200,
    );
  });

  it('is a file kept elsewhere', async () => {
    const ada = await guest();
    const external = { provider: 'Drive', link: 'https://drive.example.com/1', name: 'a.png' };
    assertProblem(await ada.call('POST', '/api/blobs/external', external), 401, 'users_only');
  });
});

// Each picture takes room, so a day has few, and a server has no more than its operator says.
describe('many pictures of visitors', () => {
  it('of one visitor are refused, pictures of themselves included, and the answer says until when', async () => {
    const ada = await guest();
    const picture = `data:image/jpeg;base64,${Buffer.from((await photograph()).bytes).toString('base64')}`;
    assert.equal((await ada.call('PATCH', '/api/user', { picture })).status, 200);
    for (let sent = 1; sent < 10; sent += 1) assert.equal((await ada.send(await photograph())).status, 201);
    const before = newest();
    const refused = await ada.send(await photograph());
    assertProblem(refused, 429, 'rate_limited');
    assert.ok(Number(refused.headers.get('retry-after')) > 3600);
    assert.equal(newest(), before);
    assert.equal((await (await guest()).send(await photograph())).status, 201);
  });

  it('from one address are refused, whoever sends them, also what is no picture', async () => {
    const address = '203.0.113.9';
    for (let sent = 0; sent < 50; sent += 10) {
      const one = await guest(address);
      const all = await Promise.all(
        Array.from({ length: 10 }, () => one.send({ bytes: 'x', name: 'a.png' })),
      );
      assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([422]));
    }
    assertProblem(await (await guest(address)).send(await photograph()), 429, 'rate_limited');
  });

  const small = useServer(
    { ...settings, CONFAB_COMMENTS_PICTURES: 'all', CONFAB_COMMENTS_PICTURES_MIB: '1' },
    { isQuiet: true },
  );

  it('of all visitors together have a total, also where they arrive at once', async () => {
    const noise = await sharp({
      create: { width: 1200, height: 1200, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    } as never)
      .jpeg()
      .toBuffer();
    const fields = { bytes: new Uint8Array(noise), name: 'noise.jpg' };
    const visitors = await Promise.all(Array.from({ length: 8 }, () => guest(freshAddress(), small)));
    const answers = await Promise.all(visitors.map(({ send }) => send(fields)));
    const kept = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    assert.ok(kept.length > 0 && refused.length > 0);
    for (const answer of refused) assertProblem(answer, 422, 'storage_quota_reached');
    assert.ok(kept.reduce((sum, { body }) => sum + body.size, 0) <= 1024 * 1024);
  });
});

// Nothing works where the operator has not said so, and nothing after a ban.
describe('who may send pictures for comments', () => {
  const closed = useServer(settings, { isQuiet: true });
  const ofConfirmed = useServer({ ...settings, CONFAB_COMMENTS_PICTURES: 'confirmed' }, { isQuiet: true });

  it('is nobody by default, and guests only where they are allowed to', async () => {
    for (const [of, which] of [
      [closed, 'none'],
      [ofConfirmed, 'confirmed'],
    ] as const) {
      assert.equal((await of.as(null).read('/api/sign-in')).comment_pictures, which);
      const answer = await (await guest(freshAddress(), of)).send(await photograph());
      assertProblem(answer, 422, 'validation_failed', '/blob');
    }
  });

  it('is nobody from a banned address, and nobody who is suspended or has no credential', async () => {
    const [ada, bob] = [await guest('203.0.113.77'), await guest()];
    await server.create('/api/bans', { user: String(ada.id), seconds: 600 });
    assertProblem(await ada.send(await photograph()), 403, 'address_banned');
    await server.call('PATCH', `/api/users/${bob.id}`, { is_suspended: true });
    assertProblem(await bob.send(await photograph()), 401, 'invalid_credential');
    assertProblem(await sendUpload(anyone(), await photograph()), 401, 'unauthorized');
  });
});
