import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, Page } from 'playwright-core';

const guide = readGuide('comments.md');
const readme = readGuide('../README.md');

/** Settings as a guide has them, one a line or before a command. */
function settingsIn(code: string): { readonly [name: string]: string } {
  return Object.fromEntries(
    [...code.matchAll(/(CONFAB_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

// Readers copy the markup and the settings of these pages, so they are used unchanged, apart from the addresses.
describe('the way to the first comment', () => {
  let host: Host;
  let browser: Browser;

  before(async () => {
    host = await startHost();
    browser = await launchBrowser();
  });

  after(async () => {
    await browser.close();
    await host.close();
  });

  /** Opens a page with the markup of a guide, writes a comment on it, and returns the page. */
  async function write(server: TestServer, path: string, markup: string) {
    host.serve(path, {
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><link rel="icon" href="data:,">${markup.replace(/https?:\/\/(confab\.example\.com|127\.0\.0\.1:8080)/, server.url)}`,
    });
    const context = await newContext(browser);
    const faults = watch(context, { origins: [host.url, server.url] });
    const page = await context.newPage();
    await page.goto(host.url + path);
    const field = page.locator('confab-comments').getByRole('textbox').first();
    await field.fill('The first comment');
    await page.getByRole('button', { name: /^(Send|Comment)$/ }).click();
    return { page, faults, close: () => context.close() };
  }

  const comment = (page: Page) => page.locator('article', { hasText: 'The first comment' });

  for (const [name, settings, markup] of [
    ['guide', guide.codeBelow('## For visitors', 'sh'), guide.codeIn('html')[0] ?? ''],
    ['README', readme.codeIn('sh')[1] ?? '', readme.codeIn('html')[0] ?? ''],
  ] as const)
    test(`leads a visitor there, with the settings of the ${name}`, async (context) => {
      const named = settingsIn(settings);
      assert.deepEqual(Object.keys(named), [
        'CONFAB_SIGN_IN',
        'CONFAB_CORS_ORIGINS',
        'CONFAB_PAGES_VISITORS',
      ]);
      const server = await startTestServer({ ...named, CONFAB_CORS_ORIGINS: host.url });
      context.after(() => server.close());
      const { page, faults, close } = await write(server, `/${name}`, markup);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').first().fill('Ada');
      await page.keyboard.press('Enter');
      await comment(page).filter({ hasText: 'Ada' }).waitFor();
      assert.deepEqual(faults, []);
      await close();
    });

  test('leads a user of the site there', async (context) => {
    const server = await startTestServer({ CONFAB_CORS_ORIGINS: host.url });
    context.after(() => server.close());
    const body = JSON.stringify({ access_token: await server.token('user-42', { name: 'Grace Hopper' }) });
    host.serve('/confab-token', { type: 'application/json', body });
    const markup = guide.codeBelow('### In your page (run)', 'html');
    const { page, close } = await write(server, '/own-users', markup);
    await comment(page).filter({ hasText: 'Grace Hopper' }).waitFor();
    await page.reload();
    await comment(page).waitFor();
    assert.equal(await comment(page).count(), 1);
    await close();
  });
});
