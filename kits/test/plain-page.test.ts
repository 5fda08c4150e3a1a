import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** How often a page is opened for the first time. */
const visits = 5;

// A product puts the unmodified reference client into a page of its own, of another origin, and nothing else.
describe('the reference client in a page of a product', () => {
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
    as = token,
  ): Promise<{ context: BrowserContext; page: Page; faults: readonly string[] }> {
    const context = await newContext(browser, { viewport: { width: 760, height: 900 } });
    const faults = watch(context, { origins: [host.url, server.url, server.url.replace('http', 'ws')] });
    const page = await context.newPage();
    await page.goto(host.page(as, server.url, `<wy-comments uid="${uid}"></wy-comments>`));
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

  test('shows a long list page by page, without an error', async () => {
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

  test('opens a page in which all users write and none can change what another wrote', async () => {
    const people = {
      first: await server.token('first', { name: 'First Visitor' }),
      second: await server.token('second', { name: 'Second Visitor' }),
    };
    const write = async (name: 'first' | 'second') => {
      const { context, page, faults } = await visit('nobodys', people[name]);
      await page.locator('wy-comment-editor .cm-content').pressSequentially(`Words of the ${name}`);
      const sent = page.waitForResponse(/\/api\/apps\/\w+\/comments$/);
      await page.locator('wy-comment-editor wy-button[title="Comment"]').click();
      await sent;
      await page
        .locator('wy-comment', { hasText: `Words of the ${name}` })
        .locator('wy-comment-view')
        .waitFor();
      assert.deepEqual(faults, []);
      await context.close();
    };
    await write('first');
    await write('second');
    const { body } = await server.call('GET', '/api/apps/nobodys/comments?expand=created_by');
    assert.deepEqual(
      body.data.map(({ created_by, plain }: any) => [created_by.uid, plain]),
      [
        ['first', 'Words of the first'],
        ['second', 'Words of the second'],
      ],
    );
    for (const [index, as] of [
      [1, people.first],
      [0, people.second],
    ] as const) {
      const path = `/api/comments/${body.data[index].id}`;
      for (const [method, suffix] of [
        ['PATCH', ''],
        ['POST', '/trash'],
        ['DELETE', ''],
      ] as const) {
        const sent = method === 'PATCH' ? { text: 'other words' } : undefined;
        assert.equal((await server.call(method, path + suffix, sent, { as })).status, 403);
      }
      const page = '/api/apps/nobodys';
      assert.equal((await server.call('PATCH', page, { name: 'Mine' }, { as })).status, 403);
      assert.equal((await server.call('POST', `${page}/trash`, undefined, { as })).status, 403);
      assert.equal((await server.call('DELETE', page, undefined, { as })).status, 403);
    }
  });
});
