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

  const named = settingsIn(guide.codeBelow('## For visitors', 'sh'));
  for (const [name, settings, markup] of [
    ['settings of the guide', { ...named, CONFAB_CORS_ORIGINS: '' }, guide.codeIn('html')[0] ?? ''],
    ['site of the console, as the README says', {}, readme.codeIn('html')[0] ?? ''],
  ] as const)
    test(`leads a visitor there, with the ${name}`, async (context) => {
      const isByConsole = Object.keys(settings).length === 0;
      const server = await startTestServer(isByConsole ? {} : { ...settings, CONFAB_CORS_ORIGINS: host.url });
      context.after(() => server.close());
      if (isByConsole) {
        const site = { origins: [host.url], sign_in: ['guest'], visitors: 'write' };
        assert.equal((await server.call('PATCH', '/api/site', site)).status, 200);
      } else
        assert.deepEqual(Object.keys(settings), [
          'CONFAB_SIGN_IN',
          'CONFAB_CORS_ORIGINS',
          'CONFAB_PAGES_VISITORS',
        ]);
      const { page, faults, close } = await write(server, `/${isByConsole ? 'console' : 'settings'}`, markup);
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
