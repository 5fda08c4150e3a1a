import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser, newContext } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, use } from 'confab-testing/server.ts';
import type { Page } from 'playwright-core';

/** What a page has asked another origin for, each with the credential that came along. */
type Asked = { readonly url: string; readonly credential: string | undefined };

const open = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

/** Serves a list of comments as a server does, whose HTML runs a script. */
function serveHostileComments(evil: Host): void {
  const comment = {
    id: 1,
    app_id: 1,
    html: '<img src="x" onerror="ran = true">',
    created_at: '2026-01-01T00:00:00Z',
    is_trashed: false,
    attachments: [],
    options: [],
    reactions: [{ content: '👍', count: 1 }],
  };
  const body = JSON.stringify({ data: [comment], count: 1 });
  evil.serve('/api/apps/x/comments', { type: 'application/json', body, headers: open });
  evil.serve('/api/comments/1', { type: 'application/json', body: JSON.stringify(comment), headers: open });
  evil.serve('/api/user', { type: 'application/json', body: '{"id":1,"display_name":"Eve"}', headers: open });
}

// Elements show what a server says as HTML of the page, and give it the tokens of the site. Which server that is, is decided by
// whoever puts scripts into the page, not by whoever puts elements into it.
describe('markup with elements', () => {
  const host = use(startHost);
  const evil = use(startHost);
  const server = use(() => startTestServer({ CONFAB_CORS_ORIGINS: host.url }));
  const other = use(() => startTestServer({ CONFAB_CORS_ORIGINS: host.url }));
  const started = use(async () => ({ browser: await launchBrowser() }));
  before(async () => {
    serveHostileComments(evil);
    const { token } = await makeUser(server, { name: 'Ada' });
    const body = JSON.stringify({ access_token: token });
    host.serve('/token', { type: 'application/json', body });
    for (const each of [server, other]) {
      const { id } = await makeApp(each, { uid: 'read', access: 'write', visitors: 'read' });
      await makeComment(await makeUser(each, { name: 'Bea' }), id, { text: `Of ${each.url}` });
    }
  });
  after(async () => {
    await started.browser.close();
    for (const each of [server, other, host, evil]) await each.close();
  });

  /** Opens a page without any policy, with what others have put into it, and notes what it asks an origin for. */
  async function visit(
    markup: string,
    { attributes = '', asks = evil.url, wait = (_: Page): Promise<unknown> => Promise.resolve() } = {},
  ) {
    const address = host.serve('/wiki', {
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Wiki</title><link rel="icon" href="data:,">
<script type="module" src="${server.url}/elements.js" ${attributes}></script>
<body><main>${markup}</main></body></html>`,
    });
    const context = await newContext(started.browser, { locale: 'en-US' });
    const asked: Asked[] = [];
    const told: string[] = [];
    context.on('request', (request) => {
      if (request.url().startsWith(asks) && request.method() !== 'OPTIONS')
        asked.push({ url: request.url(), credential: request.headers()['authorization'] });
    });
    context.on('console', (message) => void told.push(message.text()));
    const page = await context.newPage();
    await page.goto(address);
    await wait(page);
    return { page, context, asked, told };
  }

  const commentsOf = (page: Page, url: string) => page.getByText(`Of ${url}`).waitFor();

  test('asks no other server, whatever names it', async () => {
    const at = `server="${evil.url}" token-url="/token"`;
    const { page, context, asked, told } = await visit(
      `<confab-comments ${at} uid="x"></confab-comments><confab-count ${at} uid="x"></confab-count>
      <confab-notifications ${at}></confab-notifications><confab-reactions ${at} comment="1"></confab-reactions>
      <confab-comments uid="read" token-url="/token"></confab-comments>`,
      { wait: (opened) => commentsOf(opened, server.url) },
    );
    await page.getByText(`This page does not trust ${evil.url}/.`).waitFor();
    await page.locator('confab-account', { hasText: 'Ada' }).waitFor();
    assert.equal(await page.evaluate('globalThis.ran'), undefined);
    assert.deepEqual(asked, []);
    assert.ok(told.some((text) => text.includes(`trustServer('${evil.url}/')`)));
    await context.close();
  });

  test('is shown what a server says that the tag of the script lists, which gets no tokens of the site', async () => {
    const at = `server="${other.url}" uid="read" token-url="/token"`;
    const { page, context, asked, told } = await visit(`<confab-comments ${at}></confab-comments>`, {
      attributes: `data-servers="https://nobody.example ${other.url}"`,
      asks: other.url,
      wait: (opened) => commentsOf(opened, other.url),
    });
    await poll(
      'the explanation',
      async () => told.some((text) => text.includes('gets no tokens')) || undefined,
    );
    assert.equal(await page.getByText('Ada').count(), 0);
    assert.ok(asked.length > 0);
    assert.deepEqual(
      asked.filter(({ credential }) => credential !== undefined),
      [],
    );
    await context.close();
  });

  test('lists no server in a tag that comes later', async () => {
    const { page, context, asked } = await visit('<confab-comments uid="read"></confab-comments>', {
      wait: (opened) => commentsOf(opened, server.url),
    });
    const tag = `<script src="${server.url}/elements.js" data-servers="${evil.url}"></script>`;
    const element = `<confab-comments server="${evil.url}" uid="x"></confab-comments>`;
    await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(tag + element)}`);
    await page.getByText(`This page does not trust ${evil.url}/.`).waitFor();
    assert.deepEqual(asked, []);
    await context.close();
  });

  test('is shown what a server says that code names, by a property or a function', async () => {
    for (const [name, code] of Object.entries({
      'a property before the element is defined': `document.querySelector('confab-comments').server = '${other.url}';`,
      'a property of a new element': `import '${server.url}/elements.js';
        const element = document.createElement('confab-comments');
        Object.assign(element, { server: '${other.url}' }).setAttribute('uid', 'read');
        document.querySelector('main').replaceChildren(element);`,
      'a function': `import { trustServer } from '${server.url}/elements.js'; trustServer('${other.url}');`,
      'a function that is imported later': `const { trustServer } = await import('${server.url}/elements.js');
        trustServer('${other.url}');`,
    })) {
      const { page, context } = await visit(
        `<confab-comments server="${other.url}" uid="read"></confab-comments><script type="module">${code}</script>`,
        { wait: (opened) => commentsOf(opened, other.url) },
      );
      assert.equal(await page.getByText('does not trust').count(), 0, name);
      await context.close();
    }
  });

  test('gives the count of a server that a property of the count names', async () => {
    const { page, context } = await visit(`<confab-count uid="read"></confab-count>
      <script>document.querySelector('confab-count').server = '${other.url}'</script>`);
    const text = () => page.locator('confab-count').evaluate((it: any) => it.shadowRoot?.textContent);
    const count = await poll('the count', async () => (await text()) || undefined);
    assert.equal(count, '1 comment');
    await context.close();
  });

  test('signs nobody in as somebody else, by an address of tokens that is not of the site', async () => {
    const { token } = await makeUser(server, { name: 'Mallory' });
    const headers = { 'access-control-allow-origin': host.url, 'access-control-allow-credentials': 'true' };
    const away = evil.serve('/mine', {
      type: 'application/json',
      body: JSON.stringify({ access_token: token }),
      headers,
    });
    host.serve('/out', { status: 302, type: 'text/plain', body: '', headers: { location: away } });
    for (const address of [away, '/out']) {
      const { page, context, told } = await visit(
        `<confab-comments uid="read" token-url="${address}"></confab-comments>`,
        { wait: (opened) => commentsOf(opened, server.url) },
      );
      await poll(
        'the explanation',
        async () =>
          told.some((text) => /Confab: .*another origin|Confab: token-url is no address/.test(text)) ||
          undefined,
      );
      assert.equal(await page.getByText('Mallory').count(), 0, address);
      await context.close();
    }
  });

  test('does not stand in for the tag of embed.js', async () => {
    evil.serve('/uikit-web/x.js', { type: 'text/javascript', body: 'globalThis.ran = true', headers: open });
    const { page, context, asked } = await visit(`<img name="currentScript" src="${evil.url}/" alt="">
      <wy-comments></wy-comments><script src="${server.url}/embed.js" data-token-url="/token" defer></script>`);
    await page.locator('wy-comments .cm-content').waitFor();
    assert.deepEqual(
      asked.filter(({ url }) => url !== `${evil.url}/`),
      [],
    );
    await context.close();
  });

  test('shows no error where the site says that nobody is signed in', async () => {
    host.serve('/nobody', { status: 204, type: 'application/json', body: '' });
    const { page, context, told } = await visit(
      '<confab-comments uid="read" token-url="/nobody"></confab-comments>',
      { wait: (opened) => commentsOf(opened, server.url) },
    );
    assert.equal(await page.getByRole('button', { name: 'Sign in' }).count(), 0);
    assert.deepEqual(told, []);
    await context.close();
  });
});
