import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { keepPicture, launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** The page of all objects. */
const longest = '/docs/reference/objects';
const paths = [
  '/',
  '/docs',
  '/docs/comments',
  '/docs/reference/apps',
  longest,
  '/problems',
  '/problems/not_found',
];
const phone = { width: 375, height: 740 };
const desktop = { width: 1280, height: 900 };
/** The rules of axe that depend on colors and on the width of the window. */
const changing = `{ runOnly: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'] }`;

// Everyone can read the pages: in light and dark, on a phone and a desktop, with a keyboard, from either side.
describe('the pages in a browser', () => {
  let server: TestServer;
  let browser: Browser;

  before(async () => {
    server = await startTestServer({ CONFAB_DEMO: 'here' });
    browser = await launchBrowser();
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  async function open(
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; faults: readonly string[]; close: () => Promise<void> }> {
    const context = await newContext(browser, { viewport: desktop, ...options });
    const faults = watch(context, { origins: [server.url], expected: favicon });
    const page = await context.newPage();
    await page.goto(server.url + path);
    return { page, faults, close: () => context.close() };
  }

  const favicon = [
    { fault: /favicon\.ico$/, reason: 'browsers ask for it unasked, and the pages have none' },
  ];

  /** The serious faults that axe finds, one line each. */
  async function faultsOfAxe(page: Page, options = '{}'): Promise<string[]> {
    // The policy of the page permits no script of the test, so it comes through the debugger.
    if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe);
    const { violations }: any = await page.evaluate(
      `axe.run({ resultTypes: ['violations'], ...${options} })`,
    );
    return violations
      .filter(({ impact }: any) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }: any) => nodes.map(({ html }: any) => `${id}: ${html.slice(0, 200)}`));
  }

  test('have no serious fault of access by day and by night, on a desktop and a phone, and fit their width', async () => {
    const { page, faults, close } = await open('/');
    for (const path of paths) {
      await page.goto(server.url + path);
      await page.locator('header search input').waitFor();
      for (const [name, colorScheme, viewport] of [
        ['desktop', 'light', desktop],
        ['phone', 'dark', phone],
      ] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize(viewport);
        await keepPicture(page, `docs${path.replaceAll('/', '-')}-${name}-${colorScheme}`);
        // The longest page has no color that the others do not have.
        if (name === 'desktop') assert.deepEqual(await faultsOfAxe(page), [], path);
        else if (path !== longest) assert.deepEqual(await faultsOfAxe(page, changing), [], path);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        assert.ok(Number(width) <= viewport.width, `${path} is ${width} wide`);
      }
    }
    assert.deepEqual(faults, []);
    await close();
  });

  test('of the demo have no serious fault of access around the web components', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await open('/demo', { colorScheme });
      await page.frameLocator('iframe').first().locator('confab-comments h2').waitFor();
      assert.deepEqual(await faultsOfAxe(page, '{ iframes: false }'), []);
      await close();
    }
  });

  test('read from the right as well', async () => {
    for (const viewport of [phone, desktop]) {
      const { page, close } = await open('/docs/reference/apps', { viewport });
      await page.evaluate("document.documentElement.dir = 'rtl'");
      await keepPicture(page, `docs-rtl-${viewport.width}`);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(Number(width) <= viewport.width, `${width} wide`);
      await close();
    }
  });

  test('work without a script', async () => {
    const { page, close } = await open('/docs', { javaScriptEnabled: false });
    await page.locator('.groups a', { hasText: 'Create app' }).first().click();
    await page.locator('nav a', { hasText: 'Webhooks' }).first().click();
    assert.equal(new URL(page.url()).pathname, '/docs/webhooks');
    assert.equal(await page.locator('search').count(), 0);
    await close();
  });

  test('are searched with the keyboard', async () => {
    const { page, faults, close } = await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('createAppComment');
    await page.locator('search mark', { hasText: 'createAppComment' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/reference\/.*#createAppComment$/);
    assert.deepEqual(faults, []);
    await close();
  });

  test('lead to the best result by Enter alone', async () => {
    const { page, close } = await open('/docs');
    await page.getByRole('searchbox').fill('how do I upgrade');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/installing#*');
    assert.equal(new URL(page.url()).hash, '#upgrading');
    await close();
  });

  test('say how many results there are, why each was found, and what to do where there are none', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1280]) {
        const { page, close } = await open('/docs', { colorScheme, viewport: { width, height: 740 } });
        const status = page.locator('search [role=status]');
        await page.getByRole('searchbox').fill('how do I back up');
        await status.filter({ hasText: /^\d+ results/ }).waitFor();
        assert.ok((await page.locator('search li mark').count()) > 0);
        await keepPicture(page, `docs-search-${width}-${colorScheme}`);
        assert.deepEqual(await faultsOfAxe(page), []);
        const box = await page.locator('search .found').boundingBox();
        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
        await page.getByRole('searchbox').fill('xqzvwkj');
        const nothing = status.filter({ hasText: 'Nothing found for “xqzvwkj”.' });
        await nothing.waitFor();
        const height = (await nothing.boundingBox())?.height ?? 0;
        assert.ok(height > 10, 'it is there for those who see, too');
        await keepPicture(page, `docs-search-nothing-${width}-${colorScheme}`);
        await nothing.getByRole('link', { name: 'see all guides' }).click();
        assert.equal(await page.locator('search.open').count(), 0);
        await close();
      }
  });

  test('lead old addresses to their operation', async () => {
    const { page, close } = await open('/docs#createApp');
    await page.waitForURL('**/docs/reference/**');
    assert.equal(page.url(), `${server.url}/docs/reference/apps#createApp`);
    await close();
  });

  test('copy code', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, close } = await open('/docs/comments', { permissions });
    await page.locator('.code', { hasText: 'confab key create site' }).getByRole('button').click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^confab key create site/);
    await close();
  });

  test('try an operation whose parameters the document has at its path', async () => {
    await server.call('POST', '/api/apps', { uid: 'with-members', type: 'comments' });
    const { page, close } = await open('/docs/reference/members');
    await page.locator('#listMembers + .call button').click();
    const list = page.locator('#listMembers ~ form').first();
    await list.locator('input[type=password]').fill(server.key);
    await list.getByLabel('app', { exact: true }).fill('with-members');
    await list.getByRole('button').click();
    await list.locator('.result p', { hasText: '200' }).waitFor();
    assert.ok(await list.locator('.result pre', { hasText: '"data"' }).isVisible());
    await close();
  });

  test('try operations with a credential that they do not keep', async () => {
    const { page, close } = await open('/docs/reference/apps');
    await page.locator('#createApp + .call button').click();
    const create = page.locator('#createApp ~ form').first();
    await create.locator('input[type=password]').fill(server.key);
    await create.locator('textarea').fill('{"uid": "tried", "type": "comments"}');
    await create.getByRole('button').click();
    await create.locator('.result p', { hasText: '201' }).waitFor();
    await page.locator('#getApp + .call button').click();
    const get = page.locator('#getApp ~ form').first();
    await get.locator('input:not([type=password])').first().fill('tried');
    await keepPicture(page, 'docs-try');
    await get.getByRole('button').click();
    await get.locator('.result pre', { hasText: '"uid": "tried"' }).waitFor();
    assert.deepEqual(await faultsOfAxe(page), []);
    assert.equal(
      await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'),
      0,
    );
    await page.reload();
    await page.locator('#getApp + .call button').click();
    assert.equal(await page.locator('#getApp ~ form input[type=password]').inputValue(), '');
    await close();
  });
});
