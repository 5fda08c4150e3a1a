import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser } from 'playwright-core';
import { lookAtViews, openConsole, tabTo } from '../page.ts';

// The owner of a new server gets comments on a page with one address and two lines.
describe('the site in the console', () => {
  let server: TestServer;
  let browser: Browser;

  before(async () => {
    server = await startTestServer({}, { isQuiet: true });
    browser = await launchBrowser();
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  test('is set up from the empty overview, with its address alone, by keyboard', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '' });
    await page.getByRole('link', { name: 'Set up comments on your site' }).press('Enter');
    await page.getByText('No site shows comments yet.').waitFor();
    await tabTo(page, 'Your site');
    await page.keyboard.type('localhost:8300/posts/hello.html');
    await tabTo(page, 'Save');
    await page.keyboard.press('Enter');
    await page.getByText('Visitors can comment on the pages of http://localhost:8300.').waitFor();
    const { origins, visitors, sign_in, approval } = await server.read('/api/site');
    assert.deepEqual(
      { origins, visitors, sign_in, approval },
      { origins: ['http://localhost:8300'], visitors: 'write', sign_in: ['guest'], approval: 'newcomers' },
    );
    await page.getByText(`<script type="module" src="${server.url}/elements.js"></script>`).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('names what is wrong at its field, and keeps what was typed', async () => {
    const { page, close } = await openConsole(browser, server, { path: '/system/site' });
    await page.getByLabel('Your site').fill('https://a.example ftp://files.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.wrong').getByText('must be an origin such as').waitFor();
    assert.equal(await page.getByLabel('Your site').inputValue(), 'https://a.example ftp://files.example');
    await close();
  });

  test('shows what settings give, and does not offer to change it', async () => {
    const given = await startTestServer(
      { CONFAB_CORS_ORIGINS: 'https://blog.example.com' },
      { isQuiet: true },
    );
    try {
      const { page, close } = await openConsole(browser, given, { path: '/system/site' });
      await page.getByText('Set by CONFAB_CORS_ORIGINS.').waitFor();
      assert.equal(await page.getByLabel('Your site').isDisabled(), true);
      await page.getByLabel('Visitors').selectOption('write');
      await page.getByLabel('give a name (guests)').check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Visitors can comment on the pages of https://blog.example.com.').waitFor();
      await close();
    } finally {
      await given.close();
    }
  });

  test('adds a moderator, who gets email, where the server can send some', async () => {
    const mailing = await startTestServer(
      { CONFAB_SMTP_URL: 'smtp://127.0.0.1:1', CONFAB_MAIL_FROM: 'Blog <blog@example.com>' },
      { isQuiet: true },
    );
    try {
      const { page, close } = await openConsole(browser, mailing, { path: '/system/site' });
      await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
      await page.getByLabel('Email', { exact: true }).fill('Grace@example.com');
      await page.getByRole('button', { name: 'Add moderator' }).click();
      await page.getByText('Grace Hopper moderates every page now.').waitFor();
      assert.equal(await page.getByLabel('Email', { exact: true }).inputValue(), '');
      const { name, email, role } = await mailing.read('/api/users/grace-example.com');
      const expected = { name: 'Grace Hopper', email: 'Grace@example.com', role: 'moderator' };
      assert.deepEqual({ name, email, role }, expected);
      const token = await mailing.token('grace-example.com');
      assert.equal((await mailing.as(token).read('/api/user/mail')).new_comments, true);
      await close();
    } finally {
      await mailing.close();
    }
  });

  test('is readable in each language, on a phone and in the dark', async () => {
    const views = [{ path: '/system/site', picture: 'console-system-site' }];
    assert.deepEqual(await lookAtViews({ browser, server }, views), []);
  });
});
