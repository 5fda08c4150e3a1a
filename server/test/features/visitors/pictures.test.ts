import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { blobSettings } from 'confab-testing/network/bucket.ts';
import { png } from 'confab-testing/pictures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { keptFiles, upload } from 'confab-testing/uploads.ts';
import { freshName } from 'confab-testing/visitors.ts';
import sharp from 'sharp';
import { defaultRates, ratesText } from '../../../src/kernel/rate-limits.ts';

let now = Date.parse('2026-11-26T08:00:00.000Z');
const settings = {
  ...blobSettings(),
  CONFAB_SIGN_IN: 'guest',
  CONFAB_SIGN_IN_PUZZLE: 'no',
  CONFAB_TRUSTED_PROXIES: '127.0.0.1',
  CONFAB_LIMITS_PERSON: ratesText(defaultRates.person),
};
const server = useServer(
  { ...settings, CONFAB_SIGN_IN_PICTURES: 'all' },
  { isQuiet: true, clock: { now: () => now } },
);
const watch = useStoreWatch(server);

let addresses = 0;

/** An address that nobody else has. */
function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

async function guest(address = freshAddress()) {
  const from = (as: string | null): Sending => ({ headers: { 'x-forwarded-for': address }, as });
  const { body, status, text } = await server.call(
    'POST',
    '/api/sign-in/guest',
    { name: freshName() },
    from(null),
  );
  assert.equal(status, 200, text);
  const as = from(body.access_token);
  return {
    id: body.user.id,
    token: body.access_token,
    caller: server.as(body.access_token),
    patch: (fields: object) => server.call('PATCH', '/api/user', fields, as),
  };
}

const sides = { width: 300, height: 200, channels: 3 } as const;

async function drawn(background = '#c04020') {
  return await sharp({ create: { ...sides, background } })
    .jpeg()
    .toBuffer();
}

const inBase64 = (bytes: Uint8Array, type = 'image/jpeg') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

const portrait = async (background?: string) => inBase64(await drawn(background));

const uploads = () => watch.rows('select id from blobs').length;

// What a visitor shows of themselves is a small copy of bytes that they sent, and theirs to take away.
describe('the picture of a visitor', () => {
  it('is served from this server without a credential, small, beside what the visitor writes', async () => {
    const ada = await guest();
    const { status, body, text } = await ada.patch({ picture: await portrait() });
    assert.equal(status, 200, text);
    assert.ok(body.avatar_url.startsWith(`${server.url}/pictures/`));
    assert.deepEqual(watch.actionsOf('user', ada.id).at(-1), 'user_updated');
    const app = await makeApp(server, { access: 'write', visitors: 'write' });
    await makeComment(ada.caller, app.id, {});
    const page = await server.as(null).read(`/api/apps/${app.id}/comments?expand=created_by`);
    assert.equal(page.data[0].created_by.avatar_url, body.avatar_url);
    const shown = await fetch(body.avatar_url);
    assert.deepEqual(
      [shown.status, shown.headers.get('content-type'), shown.headers.get('cross-origin-resource-policy')],
      [200, 'image/webp', 'cross-origin'],
    );
    const { width, height } = await sharp(await shown.arrayBuffer()).metadata();
    assert.deepEqual([width, height], [256, 171]);
  });

  it('can be sent with a name, and stays where only the name changes', async () => {
    const ada = await guest();
    const picture = await portrait();
    const { body } = await ada.patch({ name: freshName(), picture });
    const renamed = await ada.patch({ name: freshName() });
    assert.equal(renamed.body.avatar_url, body.avatar_url);
    assert.equal((await ada.patch({ picture })).body.picture_id, body.picture_id);
  });

  it('can be replaced and taken away, and its bytes go', async () => {
    const ada = await guest();
    const before = keptFiles(server.folder);
    const first = (await ada.patch({ picture: await portrait('#111111') })).body;
    const second = (await ada.patch({ picture: await portrait('#222222') })).body;
    assert.notEqual(second.avatar_url, first.avatar_url);
    assert.equal((await fetch(first.avatar_url)).status, 404);
    assert.equal((await ada.patch({ picture: null })).body.avatar_url, undefined);
    assert.equal((await fetch(second.avatar_url)).status, 404);
    await areSwept(before);
  });

  it('is in the export of the visitor, and goes with them', async () => {
    const ada = await guest();
    const before = keptFiles(server.folder);
    const bytes = await drawn('#336699');
    const { body } = await ada.patch({ picture: inBase64(bytes) });
    const archive = await fetch(`${server.url}/api/users/${ada.id}/export`, {
      headers: { authorization: `Bearer ${ada.token}` },
    });
    assert.ok(Buffer.from(await archive.arrayBuffer()).includes(bytes));
    assert.equal((await ada.caller.call('DELETE', `/api/users/${ada.id}`)).status, 202);
    await poll('the erased picture', async () => (await fetch(body.avatar_url)).status === 404 || undefined);
    await areSwept(before);
  });

  it('is taken away by an API key alone, or with the visitor', async () => {
    const [ada, bob] = [await guest(), await guest()];
    const before = keptFiles(server.folder);
    const { avatar_url: address } = (await ada.patch({ picture: await portrait() })).body;
    const asKey = (fields: object) => server.call('PATCH', `/api/users/${ada.id}`, fields);
    assert.equal((await bob.caller.call('PATCH', `/api/users/${ada.id}`, { picture: null })).status, 401);
    assert.equal((await fetch(address)).status, 200);
    assert.equal((await asKey({ picture: null })).body.avatar_url, undefined);
    assert.equal((await fetch(address)).status, 404);
    const again = (await ada.patch({ picture: await portrait('#222222') })).body;
    assert.equal((await asKey({ is_suspended: true })).body.avatar_url, undefined);
    assert.equal((await fetch(again.avatar_url)).status, 404);
    assertProblem(await ada.patch({ picture: await portrait() }), 401, 'invalid_credential');
    assert.equal((await asKey({ is_suspended: false })).body.avatar_url, undefined);
    await areSwept(before);
  });

  it('cannot be set from a banned address', async () => {
    const ada = await guest('203.0.113.77');
    await server.create('/api/bans', { user: String(ada.id), seconds: 600 });
    const before = uploads();
    assertProblem(await ada.patch({ picture: await portrait() }), 403, 'address_banned');
    assert.equal(uploads(), before);
  });
});

/** Waits until there are no other bytes than before. */
async function areSwept(before: readonly string[]) {
  await server.restart(() => {
    now += 120_000;
  });
  await poll('the sweep', () => keptFiles(server.folder).every((path) => before.includes(path)) || undefined);
}

// Bytes that are no picture, and what belongs to others, take no room.
describe('what is no picture of a visitor', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const page = Buffer.from('<!doctype html><script>alert(1)</script>');
  const wrong: { readonly [what: string]: () => Promise<unknown> | unknown } = {
    'an SVG': () => inBase64(svg, 'image/svg+xml'),
    'an SVG that calls itself JPEG': () => inBase64(svg),
    'a page that calls itself PNG': () => inBase64(page, 'image/png'),
    'a page behind the first bytes of a GIF': () =>
      inBase64(Buffer.concat([Buffer.from('GIF89a'), page]), 'image/gif'),
    'a data address of another type': () => 'data:text/html;base64,PGI+',
    'a bomb of pixels': () => inBase64(png(60_000, 60_000), 'image/png'),
    'a bomb of one row': () => inBase64(png(2_000_000_000, 1), 'image/png'),
    'more than 512 KiB': () => inBase64(Buffer.concat([png(10, 10), Buffer.alloc(513 * 1024)])),
    'more than the field may have': () => `data:image/png;base64,${'A'.repeat(700_001)}`,
    'an address elsewhere': () => 'https://tracker.example.com/a.png',
    'a relative address': () => '/pictures/a',
    'an address of this server': async () =>
      (await (await guest()).patch({ picture: await portrait() })).body.avatar_url,
    'the blob of somebody else': async () =>
      String((await upload(server, { bytes: new Uint8Array(await drawn()), name: 'a.jpg' })).id),
    'the picture of somebody else': async () =>
      String((await (await guest()).patch({ picture: await portrait() })).body.picture_id),
    nothing: () => '',
  };
  for (const [what, make] of Object.entries(wrong))
    it(`is refused: ${what}`, async () => {
      const ada = await guest();
      const picture = await make();
      const before = uploads();
      assertProblem(await ada.patch({ picture }), 422, 'validation_failed', '/picture');
      assert.equal(uploads(), before);
      assert.equal((await ada.caller.read('/api/user')).avatar_url, undefined);
    });

  it('is refused: a number', async () => {
    assertProblem(await (await guest()).patch({ picture: 1 }), 400, 'wrong_type', '/picture');
  });

  it('is taken with a name only where both are right', async () => {
    const [ada, bob] = [await guest(), await guest()];
    const { name } = await bob.caller.read('/api/user');
    assertProblem(await ada.patch({ name, picture: await portrait() }), 422, 'validation_failed', '/name');
    assert.equal((await ada.caller.read('/api/user')).avatar_url, undefined);
  });

  it('is shown to nobody where it cannot be decoded', async () => {
    const { body } = await (await guest()).patch({ picture: inBase64(png(7000, 7000), 'image/png') });
    assert.equal((await fetch(body.avatar_url)).status, 404);
  });
});

// Each picture takes room of the disk, so a day has few of them.
describe('many pictures', () => {
  it('of one person are refused, and the answer says until when', async () => {
    const ada = await guest();
    for (let sent = 0; sent < 10; sent += 1)
      assert.equal((await ada.patch({ picture: await portrait(`#${String(sent).repeat(6)}`) })).status, 200);
    const before = uploads();
    const refused = await ada.patch({ picture: await portrait('#abcdef') });
    assertProblem(refused, 429, 'rate_limited');
    assert.ok(Number(refused.headers.get('retry-after')) > 3600);
    assert.equal(uploads(), before);
    assert.equal((await ada.patch({ picture: null })).status, 200);
    assert.equal((await (await guest()).patch({ picture: await portrait() })).status, 200);
    now += 86_400_000;
  });

  it('from one address are refused, whoever sends them, also those that change nothing', async () => {
    const address = '203.0.113.9';
    const { name } = await (await guest()).caller.read('/api/user');
    const picture = await portrait();
    for (let sent = 0; sent < 50; sent += 10) {
      const one = await guest(address);
      const all = await Promise.all(Array.from({ length: 10 }, () => one.patch({ name, picture })));
      assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([422]));
    }
    const before = uploads();
    assertProblem(await (await guest(address)).patch({ picture }), 429, 'rate_limited');
    assert.equal(uploads(), before);
    assert.equal((await (await guest()).patch({ picture })).status, 200);
  });
});

describe('a server that lets visitors have no pictures', () => {
  const closed = useServer(settings, { isQuiet: true });
  const ofConfirmed = useServer({ ...settings, CONFAB_SIGN_IN_PICTURES: 'confirmed' }, { isQuiet: true });

  it('says so, refuses them, and lets nobody keep one', async () => {
    for (const [by, pictures] of [
      [closed, 'none'],
      [ofConfirmed, 'confirmed'],
    ] as const) {
      assert.equal((await by.as(null).read('/api/sign-in')).pictures, pictures);
      const { body } = await by.call('POST', '/api/sign-in/guest', { name: freshName() }, { as: null });
      const visitor = by.as(body.access_token);
      const sent = await visitor.call('PATCH', '/api/user', { picture: await portrait() });
      assertProblem(sent, 422, 'validation_failed', '/picture');
      assert.equal(sent.body.errors[0].code, 'not_allowed');
      assert.equal((await visitor.call('PATCH', '/api/user', { picture: null })).status, 200);
    }
  });
});
