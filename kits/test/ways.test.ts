import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { attach, choose, drawn, react, type, words } from 'confab-testing/browser/people.ts';
import { picture } from 'confab-testing/browser/picture-file.ts';
import { runCommand } from 'confab-testing/command.ts';
import { makeSigner, sign } from 'confab-testing/network/identity-provider.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { rootUrl } from 'confab-tools/places.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { bundled } from './bundled.ts';

/** Where a walk finds things, which differs between comments and posts. */
type Places = {
  readonly card: string;
  readonly editor: string;
  readonly send: string;
  readonly edit: string;
};

const comments: Places = {
  card: 'wy-comment',
  editor: 'wy-comment-editor',
  send: 'wy-button[title="Comment"]',
  edit: 'wy-comment-edit',
};
const posts: Places = {
  card: 'wy-post',
  editor: 'wy-editor >> nth=0',
  send: 'wy-button[title=Post]',
  edit: 'wy-post-edit',
};

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

// A product brings version 21 into a page of its own origin in any way the kit offers, and all of it works.
describe('version 21 of the kit, whichever way it is brought in', () => {
  let host: Host;
  let server: TestServer;
  let browser: Browser;
  let token: string;

  before(async () => {
    host = await startHost();
    browser = await launchBrowser();
    server = await startTestServer({ CONFAB_CORS_ORIGINS: host.url, CONFAB_KIT: '21' });
    token = await server.token('ada', { name: 'Ada Lovelace' });
    host.serve('/token', { type: 'application/json', body: JSON.stringify({ access_token: token }) });
  });

  after(async () => {
    await browser.close();
    await server.close();
    await host.close();
  });

  /** Opens a page in a fresh browser profile. */
  async function open(address: string, { url } = server) {
    const context = await newContext(browser, { viewport: { width: 760, height: 900 }, locale: 'en-GB' });
    const faults = watch(context, { origins: [host.url, url, url.replace('http', 'ws')] });
    const page = await context.newPage();
    await page.goto(address);
    return { page, faults, close: () => context.close() };
  }

  /** Opens a page, walks through it, and returns what went wrong. */
  async function walkAt(address: string, places: Places, at = server): Promise<readonly string[]> {
    const { page, faults, close } = await open(address, at);
    await walk(page, places);
    await close();
    return faults;
  }

  /** Reads, writes, attaches, reacts and edits. */
  async function walk(page: Page, { card, editor, send, edit }: Places): Promise<void> {
    const cardOf = (text: string): Locator => page.locator(card, { hasText: text });
    assert.equal(await words(cardOf('Written before').locator('.wy-content')), 'Written before');
    await attach(page.locator(editor), picture('coast.png'));
    await type(page.locator(editor), 'Written **here**');
    await page.locator(editor).locator(send).click();
    await drawn(cardOf('Written here').locator('wy-image-grid img'));
    await react(cardOf('Written here'), '👍');
    await cardOf('Written here').locator('.wy-reaction-lineup').getByText('👍').first().waitFor();
    await choose(cardOf('Written here'), 'Edit');
    await page.locator(`${edit} .cm-content`).fill('Written over');
    await page.locator(edit).locator('wy-button[title=Update]').click();
    await cardOf('Written over').locator('time', { hasText: 'edited' }).waitFor();
  }

  /** The page of a comments app, with a comment that is there already. */
  async function prepared(uid: string): Promise<void> {
    await server.call('PUT', `/api/apps/${uid}`, { type: 'comments', access: 'write' });
    await server.create(`/api/apps/${uid}/comments`, { text: 'Written before' });
  }

  /** Serves a page with a module of the folder `pages`, and returns its address. */
  async function bundledPage(
    name: string,
    { url, markup, contents }: { url: string; markup: string; contents?: string },
  ): Promise<string> {
    const module = host.serve(`/${name}`, { type: script, body: await bundled(name, contents) });
    return host.serve(`/${name}.html`, {
      type: html,
      body: `<!doctype html><html data-confab="${url}"><link rel="icon" href="data:,">${markup}<script type="module" src="${module}"></script>`,
    });
  }

  test('by its bundle', async () => {
    await prepared('bundle');
    const page = host.page(token, server.url, '<wy-comments uid="bundle"></wy-comments>');
    assert.deepEqual(await walkAt(page, comments), []);
  });

  test('through a bundler', async () => {
    await prepared('bundler');
    const markup = '<wy-comments uid="bundler"></wy-comments>';
    const page = await bundledPage('bundler.js', { url: server.url, markup });
    assert.deepEqual(await walkAt(page, comments), []);
  });

  test('with React', async () => {
    await prepared('react');
    const contents = `import { createRoot } from 'react-dom/client';
      import { useWeavy } from 'weavy-uikit-react-21';
      function Comments() {
        useWeavy({ url: '${server.url}', tokenUrl: '/token' });
        return <wy-comments uid="react" />;
      }
      createRoot(document.querySelector('main')).render(<Comments />);`;
    const page = await bundledPage('react.js', { url: server.url, markup: '<main></main>', contents });
    assert.deepEqual(await walkAt(page, comments), []);
  });

  test('in version 20', async () => {
    await server.call('PUT', '/api/apps/older', { type: 'posts', access: 'write' });
    await server.create('/api/apps/older/posts', { text: 'Written before' });
    const markup = '<wy-posts uid="older"></wy-posts>';
    const page = await bundledPage('older.js', { url: server.url, markup });
    assert.deepEqual(await walkAt(page, posts), []);
  });

  /** Serves a page that embeds the comments, and returns its address. */
  function embedding(
    path: string,
    { head = '', policy = '', token = '/token', at = server.url } = {},
  ): string {
    return host.serve(path, {
      type: html,
      body: `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Page</title>${head}
<body><wy-comments></wy-comments><script src="${at}/embed.js" data-token-url="${token}" defer></script>`,
      headers: policy === '' ? {} : { 'content-security-policy': policy },
    });
  }

  test('by embed.js, under the strictest policy that the kit allows', async () => {
    const own = server.url;
    const policy = [
      "default-src 'none'",
      `script-src ${own}`,
      `connect-src 'self' ${own} ${own.replace('http', 'ws')}`,
      `img-src ${own} blob: data:`,
      `media-src ${own}`,
      "style-src 'unsafe-inline'",
    ].join('; ');
    const head = '<link rel="canonical" href="/blog/peas/">';
    await prepared(`${new URL(host.url).host}~blog~peas`);
    const address = embedding('/blog/peas', { head, policy });
    assert.deepEqual(await walkAt(`${address}?utm_source=letter`, comments), []);
  });

  test('by embed.js, on a page whose comments were imported', async () => {
    const file = fileURLToPath(new URL('importers/fixtures/disqus.xml', rootUrl));
    // The kit shows one list, in which only a quotation says what a reply answers.
    await runCommand(['import', 'disqus', file, '--replies', 'quote', '--data-dir', server.folder]);
    const address = embedding('/peas', {
      head: '<link rel="canonical" href="https://garden.example/#!/peas">',
    });
    const { page, faults, close } = await open(address);
    const reply = page.locator('wy-comment', { hasText: 'plainly' });
    assert.match(await words(reply.locator('blockquote')), /^Ada: One two three$/);
    assert.deepEqual(faults, []);
    await close();
  });

  test('by embed.js, dark on a dark page and light on a light one', async () => {
    const head =
      '<style>body { color: oklch(0.2 0 0) } .dark body { color: oklch(0.95 0.01 100); background: #111 }</style>';
    const { page, close } = await open(embedding('/theme', { head }));
    const editor = page.locator('wy-comment-editor .cm-content');
    const red = () =>
      editor.evaluate((element: any) =>
        Number(/\d+/.exec((globalThis as any).getComputedStyle(element).color)?.[0]),
      );
    await editor.waitFor();
    assert.ok((await red()) < 100);
    await page.evaluate('document.documentElement.className = "dark"');
    await poll('light words', async () => ((await red()) > 150 ? true : undefined));
    await close();
  });

  test('by embed.js, with tokens of an identity provider', async (t) => {
    const signer = await makeSigner();
    const own = await startTestServer({
      CONFAB_CORS_ORIGINS: host.url,
      CONFAB_KIT: '21',
      CONFAB_JWT_ISSUER: 'https://id.example.com',
      CONFAB_JWT_AUDIENCE: 'confab',
      CONFAB_JWT_PUBLIC_KEY: JSON.stringify(signer.jwk),
    });
    t.after(() => own.close());
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: 'https://id.example.com', aud: 'confab', sub: 'ada', iat, exp: iat + 600 };
    const body = JSON.stringify({ access_token: await sign(signer, claims) });
    host.serve('/signed', { type: 'application/json', body });
    const { page, faults, close } = await open(embedding('/own', { token: '/signed', at: own.url }), own);
    await page.locator('wy-comment-editor .cm-content').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('by embed.js, with an explanation of what is missing', async (t) => {
    const closed = await startTestServer();
    t.after(() => closed.close());
    host.serve('/empty', { type: 'application/json', body: '{}' });
    host.serve('/nobody', { status: 401, type: 'text/plain', body: 'log in' });
    host.serve('/other', {
      type: 'application/json',
      body: JSON.stringify({ access_token: await closed.token('ada') }),
    });
    host.serve('/key', { type: 'application/json', body: '{"access_token": "wys_x"}' });
    for (const [options, explanation] of [
      [{ at: closed.url }, /CONFAB_CORS_ORIGINS must include http:\/\/127\.0\.0\.1:\d+/],
      [{ token: '' }, /data-token-url is missing/],
      [{ token: '/nobody' }, /returned 401: no visitor is signed in/],
      [{ token: '/other' }, /refuses the tokens of \/other/],
      [{ token: '/empty' }, /returned 200 and no {"access_token": "…"}/],
      [{ token: '/key' }, /returned an API key/],
      [{ token: 'http://127.0.0.1:9/token' }, /cannot be reached.*with credentials \(CORS\)/],
      [{ policy: `script-src ${server.url}/embed.js` }, /script-src http:\/\/127\.0\.0\.1:\d+/],
    ] as const) {
      const { page, close } = await open('about:blank');
      const told: string[] = [];
      page.on('console', (message) => void told.push(message.text()));
      await page.goto(embedding('/broken', options));
      const isExplained = (text: string) => text.includes('Confab: ') && explanation.test(text);
      await poll(`${explanation}`, async () => (told.some(isExplained) ? true : undefined));
      assert.equal(await page.locator('wy-comment').count(), 0);
      await close();
    }
  });
});
