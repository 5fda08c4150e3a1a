import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser, newContext } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { hostileTexts } from 'confab-testing/corpus/hostile-texts.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { sendUpload } from 'confab-testing/uploads.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** How many texts of the corpus are shown in each field; it has more than a browser shows in a minute. */
const textsWanted = 240;
/** The longest name of a user, an app or a file. */
const nameMax = 256;
/** Requests under way at once while the texts are written. */
const writersMax = 16;

/** The corpus in an order of which every beginning holds all its families; the longest texts are left to other tests. */
const texts: readonly string[] = (() => {
  const short = hostileTexts.filter(({ text }) => text.length <= 4096 && text.trim() !== '');
  const step = Math.round(short.length * 0.618) | 1;
  const order = new Set(short.map((_, index) => (index * step) % short.length));
  return [...order].flatMap((index) => short[index]?.text ?? []);
})();

const names = [...new Set(texts.map((text) => text.slice(0, nameMax)))];

/** Writes one text after the other, some at once, until as many as wanted were taken. */
async function write(
  from: readonly string[],
  take: (text: string, index: number) => Promise<boolean>,
): Promise<void> {
  let next = 0;
  let taken = 0;
  const writers = Array.from({ length: writersMax }, async () => {
    for (let index = next; taken < textsWanted; index = next) {
      next = index + 1;
      const text = from[index];
      assert.ok(text !== undefined, `only ${taken} texts were taken`);
      if (await take(text, index)) taken += 1;
    }
  });
  await Promise.all(writers);
}

/** The versions of the kit that show them. */
type Version = '21' | '32';

// Texts that people write run nothing in the browsers of others, with no security policy to fall back on.
describe('hostile texts in a real browser', () => {
  let host: Host;
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let token: string;
  /** What a text has run, and what it has asked of others. */
  const ran: string[] = [];

  before(async () => {
    host = await startHost();
    browser = await launchBrowser();
    server = await startTestServer({ CONFAB_CORS_ORIGINS: host.url });
    token = await server.token('reader');
    context = await newContext(browser, { viewport: { width: 900, height: 1400 } });
    await context.addInitScript({ path: new URL('./in-page.js', import.meta.url).pathname });
    await context.exposeBinding('canary', ({ page }) => void ran.push(`canary in ${page.url()}`));
    context.on('dialog', (dialog) => {
      ran.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    await context.route(
      (url) => ![host.url, server.url].includes(url.origin) && /^https?:$/.test(url.protocol),
      async (route) => {
        ran.push(`asked for ${route.request().url()}`);
        await route.abort();
      },
    );
    await server.call('PUT', '/api/apps/hostile-comments', { type: 'comments', access: 'write' });
    await server.call('PUT', '/api/apps/hostile-files', { type: 'files', access: 'write' });
  });

  after(async () => {
    await browser.close();
    await server.close();
    await host.close();
  });

  async function show(markup: string, version: Version = '21'): Promise<Page> {
    const page = await context.newPage();
    await page.goto(version === '21' ? host.page(token, server.url, markup) : newerPage(markup));
    return page;
  }

  /** A page of version 32 of the kit. */
  function newerPage(markup: string): string {
    const start = `import { Weavy } from '${server.url}/uikit-web/32.2.0/weavy.esm.js'; new Weavy({ url: '${server.url}', tokenFactory: async () => '${token}' });`;
    return host.serve('/newer', {
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${markup}<script type="module">${start}</script>`,
    });
  }

  /** Scrolls a list of the client to its end, page by page, until it shows this many. */
  async function scrollTo(page: Page, selector: string, count: number): Promise<void> {
    await poll(`${count} of ${selector}`, async () => {
      const shown = page.locator(selector);
      if ((await shown.count()) >= count) return true;
      await page.locator('.wy-pager, [part~=wy-pager]').last().scrollIntoViewIfNeeded();
      return undefined;
    });
  }

  async function clickLinks(page: Page): Promise<number> {
    return await page.evaluate<number>('clickEveryLink()');
  }

  test('a running script is noticed, and so is a request', async () => {
    const page = await show('<main></main>');
    await page.evaluate(`setAsHtml(['<img src="data:," onerror="canary(1)">'])`);
    await poll('the canary', () => ran.length || undefined);
    assert.deepEqual(ran.splice(0), [`canary in ${page.url()}`]);
    await page.evaluate(`setAsHtml(['<img src="data:," onerror="alert(1)">'])`);
    await poll('the dialog', () => ran.length || undefined);
    assert.deepEqual(ran.splice(0), ['dialog 1']);
    await page.evaluate(`setAsHtml(['<img src="https://evil.example/x.gif">'])`);
    await poll('the request', () => ran.length || undefined);
    assert.deepEqual(ran.splice(0), ['asked for https://evil.example/x.gif']);
    await page.evaluate(`setAsHtml(['<a href="javascript:canary(1)">x</a>'])`);
    await clickLinks(page);
    await poll('the canary', () => ran.length || undefined);
    assert.deepEqual(ran.splice(0), [`canary in ${page.url()}`]);
    await page.close();
  });

  test('comments, their authors, attachments and polls run nothing', async () => {
    await write(names, async (name, index) => {
      const { status } = await server.call('PUT', `/api/users/author-${index}`, { name });
      if (status !== 201) return false;
      const sending = { headers: { 'x-confab-user': `author-${index}` } };
      const blob = await sendUpload(server, { name }, sending);
      const blobs = blob.status === 201 ? [blob.body.id] : [];
      const path = '/api/apps/hostile-comments/comments';
      const comment = { text: texts[index], blobs, options: [{ text: name }] };
      return (await server.call('POST', path, comment, sending)).status === 201;
    });
    for (const [version, attachment] of [
      ['21', 'wy-comment wy-attachments-list a'],
      ['32', 'wy-comment wy-attachment-list wy-item'],
    ] as const) {
      const page = await show('<wy-comments uid="hostile-comments"></wy-comments>', version);
      await scrollTo(page, 'wy-comment wy-avatar', textsWanted);
      assert.ok((await page.locator(attachment).count()) > textsWanted * 0.95);
      assert.ok((await page.locator('wy-comment wy-poll-option').count()) > textsWanted * 0.95);
      assert.ok((await clickLinks(page)) > 50);
      assert.deepEqual(ran, []);
      await page.close();
    }
  });

  test('names of files run nothing', async () => {
    await write(names, async (name, index) => {
      const blob = await sendUpload(server, { name: `${index}.txt` });
      const path = '/api/apps/hostile-files/files';
      return (await server.call('POST', path, { blob_id: blob.body.id, name })).status === 201;
    });
    for (const version of ['21', '32'] as const) {
      const page = await show('<wy-files uid="hostile-files"></wy-files>', version);
      await scrollTo(page, 'wy-files-list tr:has(td)', textsWanted);
      assert.deepEqual(ran, []);
      await page.close();
    }
  });
});
