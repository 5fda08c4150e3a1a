import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AppFields, makeApp } from 'confab-testing/fixtures.ts';
import { countOf } from 'confab-testing/lists.ts';
import { type TestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { freshName, signInGuest } from 'confab-testing/visitors.ts';

const open = { access: 'write', visitors: 'write' } as const;

async function pageOf({ url }: TestServer, uid: string): Promise<string> {
  return await (await fetch(`${url}/pages/${uid}`)).text();
}

/** Sends the form of a page as a browser without script does. */
async function send(
  { url }: TestServer,
  uid: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${url}/pages/${uid}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('the form of a page', () => {
  const asking = useServer({ CONFAB_SIGN_IN: 'guest' }, { isQuiet: true });
  const free = useServer({ CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' }, { isQuiet: true });
  const closed = useServer({}, { isQuiet: true });
  const watch = useStoreWatch(free);

  it('is there where guests need no puzzle, or what they write is held', async () => {
    const cases: readonly [TestServer, AppFields, boolean][] = [
      [free, open, true],
      [free, { access: 'write', visitors: 'read' }, false],
      [free, { access: 'read', visitors: 'write' }, false],
      [asking, open, false],
      [asking, { ...open, approval: 'rules' }, false],
      [asking, { ...open, approval: 'everything' }, true],
      [asking, { ...open, approval: 'newcomers' }, true],
      [closed, open, false],
    ];
    for (const [server, fields, hasForm] of cases) {
      const { uid } = await makeApp(server, fields);
      const response = await fetch(`${server.url}/pages/${uid}`);
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.equal((await response.text()).includes('<form'), hasForm, JSON.stringify(fields));
      assert.ok(policy.includes(`form-action ${hasForm ? "'self'" : "'none'"}`), policy);
      const { status } = await send(server, uid, { name: freshName(), text: 'words' });
      assert.equal(status, hasForm ? 303 : 404, JSON.stringify(fields));
    }
  });

  it('creates the comment of a new guest, and says so', async () => {
    const { uid, id } = await makeApp(free, open);
    const name = freshName();
    const { status, headers } = await send(free, uid, { name, text: 'Hello <b>there</b> & **you**' });
    assert.equal(status, 303);
    const back = await fetch(headers.get('location') ?? '');
    const text = await back.text();
    assert.match(text, /role="status"/);
    assert.ok(text.includes('<strong>you</strong>'));
    const { data } = await free.read(`/api/apps/${id}/comments?expand=created_by`);
    assert.deepEqual([data[0].created_by.name, data[0].created_by.way], [name, 'guest']);
    // The next one may have the name, because this guest cannot come back.
    assert.equal((await send(free, uid, { name, text: 'again' })).status, 303);
  });

  it('holds it where the app asks for approval', async () => {
    const { uid, id } = await makeApp(asking, { ...open, approval: 'everything' });
    assert.equal((await send(asking, uid, { name: freshName(), text: 'held words' })).status, 303);
    assert.equal((await asking.read(`/api/apps/${id}/comments`)).data.length, 0);
    assert.doesNotMatch(await pageOf(asking, uid), /held words/);
    const reports = await asking.read(`/api/reports?app=${id}`);
    assert.equal(reports.data.length, 1);
  });

  it('shows what is wrong, and keeps what was written', async () => {
    const { uid, id } = await makeApp(free, open);
    const { user } = await signInGuest(free);
    const hostile = '"><script>alert(1)</script></textarea>';
    for (const [fields, words] of [
      [{ name: user.name, text: hostile }, /looks like the name of somebody else/],
      [{ name: '', text: hostile }, /must have letters or digits/],
      [{ name: freshName(), text: '   ' }, /The comment is empty/],
      [{ name: freshName(), text: 'x'.repeat(70_000) }, /role="alert"/],
    ] as const) {
      const { status, headers, text } = await send(free, uid, { ...fields, name: fields.name ?? '' });
      assert.equal(status, 422);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.match(text, words);
      assert.doesNotMatch(text, /<script>alert/);
      if (fields.text === hostile) assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
    }
    assert.equal((await free.read(`/api/apps/${id}/comments`)).data.length, 0);
  });

  it('is sent from its own page, and from no page of another site', async () => {
    const { uid, id } = await makeApp(free, open);
    const own = new URL(free.url).origin;
    const users = await countOf(free, '/api/users');
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: own, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      const { status, text } = await send(free, uid, { name: freshName(), text: 'theirs' }, headers);
      assert.equal(status, 403, JSON.stringify(headers));
      assert.match(text, /role="alert">The form was sent by a page of another site/);
      assert.doesNotMatch(text, /theirs/);
    }
    assert.equal(await countOf(free, '/api/users'), users);
    const fields = { name: freshName(), text: 'mine' };
    const headers = { origin: own, 'sec-fetch-site': 'same-origin' };
    assert.equal((await send(free, uid, fields, headers)).status, 303);
    // A proxy or the browser may hide the referrer, and the origin with it.
    const hidden = { origin: 'null', 'sec-fetch-site': 'same-origin' };
    assert.equal((await send(free, uid, { name: freshName(), text: 'hidden' }, hidden)).status, 303);
    assert.equal((await free.read(`/api/apps/${id}/comments`)).data.length, 2);
    // With another policy, browsers send no origin with the form.
    const page = await fetch(`${free.url}/pages/${uid}`);
    assert.equal(page.headers.get('referrer-policy'), 'same-origin');
  });

  it('makes no guest of whom a comment is refused', async () => {
    const { uid, id } = await makeApp(free, open);
    const same = 'the very same words, which are more than forty characters';
    const { version } = await free.read('/api/moderation/rules');
    const rules = [
      { name: 'words', action: 'refuse', words: ['casino'] },
      { name: 'again', action: 'refuse', equal_texts: { of: 'everyone', count: 2, seconds: 600 } },
    ];
    assert.equal((await free.call('PUT', '/api/moderation/rules', { version, rules })).status, 200);
    assert.equal((await send(free, uid, { name: freshName(), text: same })).status, 303);
    const kept = () =>
      watch.rows('select (select count(*) from users) as users, (select max(id) from events) as event');
    for (const [text, status] of [
      ['x'.repeat(70_000), 422],
      ['a casino', 403],
      [same, 403],
    ] as const) {
      const name = freshName();
      const before = kept();
      assert.equal((await send(free, uid, { name, text })).status, status, text.slice(0, 20));
      assert.deepEqual(kept(), before, text.slice(0, 20));
      assert.equal((await send(free, uid, { name, text: `other words by ${name}` })).status, 303);
    }
    assert.equal((await free.read(`/api/apps/${id}/comments`)).data.length, 4);
    await free.call('PUT', '/api/moderation/rules', { version: version + 1, rules: [] });
  });

  it('is no form once the app is locked or closed', async () => {
    const { uid, id } = await makeApp(free, open);
    await free.call('POST', `/api/apps/${id}/lock`);
    assert.doesNotMatch(await pageOf(free, uid), /<form/);
    assert.equal((await send(free, uid, { name: freshName(), text: 'x' })).status, 404);
    await free.call('POST', `/api/apps/${id}/trash`);
    assert.equal((await send(free, uid, { name: freshName(), text: 'x' })).status, 404);
    assert.equal((await send(free, 'there-is-none', { name: freshName(), text: 'x' })).status, 404);
  });
});
