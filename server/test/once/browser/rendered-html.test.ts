import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser, newContext } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { hostileTexts } from 'confab-testing/corpus/hostile-texts.ts';
import { poll } from 'confab-testing/poll.ts';
import { rootUrl } from 'confab-tools/places.ts';
import type { Browser, Page } from 'playwright-core';
import { renderMarkdown } from '../../../src/features/markdown/markdown.ts';

/** The longest texts are left to the tests of the renderer, which need no browser. */
const lengthMax = 4096;
const texts = [...new Set(hostileTexts.map(({ text }) => text))].filter(
  (text) => text.length <= lengthMax && text.trim() !== '',
);
/** How many are in one page. */
const textsOnPage = 250;

// The html of a text runs nothing in a page that inserts it unchanged and that no policy protects.
describe('the html of hostile texts', () => {
  let host: Host;
  let browser: Browser;
  let page: Page;
  /** What a text has run, and what it has asked of others. */
  const ran: string[] = [];

  before(async () => {
    [host, browser] = await Promise.all([startHost(), launchBrowser()]);
    const context = await newContext(browser, { viewport: { width: 900, height: 1400 } });
    await context.addInitScript({ path: new URL('kits/test/in-page.js', rootUrl).pathname });
    await context.exposeBinding('canary', () => void ran.push('canary'));
    context.on('dialog', (dialog) => {
      ran.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    await context.route(
      (url) => url.origin !== host.url && /^https?:$/.test(url.protocol),
      async (route) => {
        ran.push(`asked for ${route.request().url()}`);
        await route.abort();
      },
    );
    page = await context.newPage();
  });

  after(async () => {
    await browser.close();
    await host.close();
  });

  /** Opens a page that has each of these as the html of an element, and follows its links. Returns how many there are. */
  async function insert(html: readonly string[]): Promise<number> {
    const body = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><main></main>';
    await page.goto(host.serve('/careless', { type: 'text/html; charset=utf-8', body }));
    await page.evaluate(`setAsHtml(${JSON.stringify(html)})`);
    assert.equal(await page.locator('[data-html]').count(), html.length);
    return await page.evaluate<number>('clickEveryLink()');
  }

  for (const [html, noticed] of [
    ['<img src="data:," onerror="canary(1)">', 'canary'],
    ['<img src="data:," onerror="alert(1)">', 'dialog 1'],
    ['<img src="https://evil.example/x.gif">', 'asked for https://evil.example/x.gif'],
    ['<a href="javascript:canary(1)">x</a>', 'canary'],
  ] as const)
    test(`is watched: ${html} is noticed`, async () => {
      await insert([html]);
      await poll('what runs', () => ran.length || undefined);
      assert.deepEqual(ran.splice(0), [noticed]);
    });

  test('runs nothing and asks nobody for anything', async () => {
    let links = 0;
    for (let start = 0; start < texts.length; start += textsOnPage) {
      const some = texts.slice(start, start + textsOnPage);
      links += await insert(some.map((text) => renderMarkdown(text).html));
      // What the html would run has run once a frame is drawn.
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      );
      assert.equal(page.url(), `${host.url}/careless`);
    }
    assert.ok(links > texts.length / 10, `${links} links`);
    assert.deepEqual(ran, []);
    assert.deepEqual(host.canaries, []);
  });
});
