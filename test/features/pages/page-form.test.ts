import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AppFields, makeApp } from '../../support/fixtures.ts';
import { type TestServer, useServer } from '../../support/server.ts';
import { freshName, signInGuest } from '../../support/visitors.ts';

const open = { access: 'write', visitors: 'write' } as const;

async function pageOf({ url }: TestServer, uid: string): Promise<string> {
  return await (await fetch(`${url}/pages/${uid}`)).text();
}

/** Sends the form of a page as a browser without script does. */
async function send({ url }: TestServer, uid: string, fields: Record<string, string>) {
  const response = await fetch(`${url}/pages/${uid}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('the form of a page', () => {
  const asking = useServer({ CONFAB_SIGN_IN: 'guest' }, { isQuiet: true });
  const free = useServer({ CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' }, { isQuiet: true });
  const closed = useServer({}, { isQuiet: true });

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
