import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { poll } from '../support/poll.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { launchBrowser, watch } from './browser.ts';
import { type Host, startHost } from './host.ts';

/** How often a page is opened for the first time. */
const visits = 5;

// A product puts the unmodified reference client into a page of its own, of another origin, and nothing else.
describe('the reference client in a page of a product', { timeout: 120_000 }, () => {
  let host: Host;
  let server: TestServer;
  let browser: Browser;
  let token: string;

  before(async () => {
    host = await startHost();
    browser = await launchBrowser();
    server = await startTestServer({ CONFAB_CORS_ORIGINS: host.url });
    token = await server.token('ada', { name: 'Ada Lovelace' });
  });

  after(async () => {
    await browser.close();
    await server.close();
    await host.close();
  });

  /** Opens the page in a browser that has never seen it, and answers what went wrong in it as well. */
  async function visit(
    uid: string,
  ): Promise<{ context: BrowserContext; page: Page; faults: readonly string[] }> {
    const context = await browser.newContext({ viewport: { width: 760, height: 900 } });
    const faults = watch(context, { origins: [host.url, server.url, server.url.replace('http', 'ws')] });
    const page = await context.newPage();
    await page.goto(host.page(token, server.url, `<wy-comments uid="${uid}"></wy-comments>`));
    return { context, page, faults };
  }

  test('offers mentions each time it is opened', async () => {
    const offered: (string | null)[] = [];
    for (let turn = 0; turn < visits; turn += 1) {
      const { context, page } = await visit('a-product');
      await page.locator('wy-comment-editor .cm-content').pressSequentially('@Ada');
      offered.push(await page.locator('.cm-tooltip-autocomplete li .wy-item-body').textContent());
      await context.close();
    }
    assert.deepEqual(offered, Array(visits).fill('Ada Lovelace'));
  });

  test('shows a long list page after page, without an error', async () => {
    await server.call('PUT', '/api/apps/long', { type: 'comments', access: 'write' });
    for (let number = 1; number <= 60; number += 1)
      await server.call('POST', '/api/apps/long/comments', { text: `Comment number ${number}` });
    const { context, page, faults } = await visit('long');
    const cards = page.locator('wy-comment wy-comment-view');
    await cards.nth(24).waitFor();
    await poll('the third page', async () => {
      await page.locator('.wy-pager').last().scrollIntoViewIfNeeded();
      return (await cards.count()) >= 60 ? true : undefined;
    });
    const texts = await cards.locator('.wy-content').allInnerTexts();
    assert.deepEqual(
      texts.map((text) => text.trim()),
      Array.from({ length: 60 }, (_, index) => `Comment number ${index + 1}`),
    );
    assert.deepEqual(faults, []);
    await context.close();
  });
});
