import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Locator, Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../support/server.ts';
import { launchBrowser, watch } from './browser.ts';
import { type Host, startHost } from './host.ts';
import { choose, drawn, react, type, words } from './people.ts';
import { picture } from './picture-file.ts';

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

/** A module of the folder `pages`, as a bundler writes it. */
async function bundled(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`pages/${name}`, import.meta.url))],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

// A product brings the kit into a page of its own origin in any way the kit offers, and all of it works.
describe('the kit, whichever way it is brought in', { timeout: 120_000 }, () => {
  let host: Host;
  let server: TestServer;
  let browser: Browser;
  let token: string;

  before(async () => {
    host = await startHost();
    browser = await launchBrowser();
    server = await startTestServer({ CONFAB_CORS_ORIGINS: host.url });
    token = await server.token('ada', { name: 'Ada Lovelace' });
    host.serve('/token', { type: 'application/json', body: JSON.stringify({ access_token: token }) });
  });

  after(async () => {
    await browser.close();
    await server.close();
    await host.close();
  });

  /** Opens a page in a fresh browser profile, walks through it, and returns what went wrong. */
  async function walkAt(address: string, places: Places, { url } = server): Promise<readonly string[]> {
    const context = await browser.newContext({ viewport: { width: 760, height: 900 }, locale: 'en-GB' });
    context.setDefaultTimeout(10_000);
    const faults = watch(context, { origins: [host.url, url, url.replace('http', 'ws')] });
    const page = await context.newPage();
    await page.goto(address);
    await walk(page, places);
    await context.close();
    return faults;
  }

  /** Reads, writes, attaches, reacts and edits. */
  async function walk(page: Page, { card, editor, send, edit }: Places): Promise<void> {
    const cardOf = (text: string): Locator => page.locator(card, { hasText: text });
    assert.equal(await words(cardOf('Written before').locator('.wy-content')), 'Written before');
    const uploaded = page.waitForResponse(/\/api\/blobs$/);
    await page.locator(editor).locator('input[type=file]').setInputFiles(picture('coast.png'));
    await uploaded;
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
    { url, markup }: { url: string; markup: string },
  ): Promise<string> {
    const module = host.serve(`/${name}`, { type: script, body: await bundled(name) });
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
    const page = await bundledPage('react.js', { url: server.url, markup: '<main></main>' });
    assert.deepEqual(await walkAt(page, comments), []);
  });

  test('in version 20', async (t) => {
    const version = { CONFAB_CORS_ORIGINS: host.url, CONFAB_CLIENT_VERSION: '20.0.0' };
    const older = await startTestServer(version);
    t.after(() => older.close());
    await older.call('PUT', '/api/apps/older', { type: 'posts', access: 'write' });
    await older.create('/api/apps/older/posts', { text: 'Written before' });
    const body = JSON.stringify({ access_token: await older.token('ada', { name: 'Ada Lovelace' }) });
    host.serve('/older-token', { type: 'application/json', body });
    const markup = '<wy-posts uid="older"></wy-posts>';
    const page = await bundledPage('older.js', { url: older.url, markup });
    assert.deepEqual(await walkAt(page, posts, older), []);
  });

  test('by embed.js', async () => {
    const address = host.serve('/blog/peas', {
      type: html,
      body: `<!doctype html><link rel="icon" href="data:,"><title>Peas</title><link rel="canonical" href="/blog/peas/">
<wy-comments></wy-comments><script src="${server.url}/embed.js" data-token-url="/token" defer></script>`,
    });
    await prepared(`${new URL(host.url).host}~blog~peas`);
    assert.deepEqual(await walkAt(`${address}?utm_source=letter`, comments), []);
  });
});
