import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startTestServer, type TestServer } from '../support/server.ts';
import { launchBrowser } from './browser.ts';
import { look, looks, openConsole, settled } from './console-page.ts';

// Operators see how the node is, who has keys, and what the server was started with.
describe('the system in the console', { timeout: 240_000 }, () => {
  let server: TestServer;
  let browser: Browser;

  before(async () => {
    server = await startTestServer({ CONFAB_BACKUP_PASSPHRASE: 'never-shown-anywhere' });
    browser = await launchBrowser();
    await server.running.keys.create('reader', { scopes: ['read'], expiresAt: Date.parse('2099-01-01') });
    await server.running.keys.create('gone');
    await server.running.keys.revoke((await server.running.keys.list()).at(-1)?.id ?? 0);
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  const looked = ['desktop-light', 'desktop-dark', 'phone-rtl'];
  for (const [name, options] of looks.filter(([each]) => looked.includes(each)))
    test(`has no fault of access on ${name}, and fits its width`, async () => {
      const { page, faults, close } = await openConsole(browser, server, options);
      for (const path of ['/system', '/system/keys', '/system/settings?set=all']) {
        await page.goto(`${server.url}/console${path}`);
        await settled(page);
        await look(page, `console${path.replaceAll(/\W/g, '-')}-${name}`);
      }
      assert.deepEqual(faults, []);
      await close();
    });

  test('shows the checks, the keys and the settings, by keyboard', async () => {
    const { page, faults, close } = await openConsole(browser, server);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.locator('.check-head', { hasText: 'Disk' }).getByText('in order').waitFor();
    await page.getByRole('link', { name: 'API keys' }).press('Enter');
    await page.locator('tbody tr', { hasText: 'reader' }).getByText('read', { exact: true }).waitFor();
    assert.equal(await page.getByText('gone').count(), 0);
    await page.getByLabel('State').selectOption('all');
    await page.locator('tbody tr', { hasText: 'gone' }).getByText('revoked').waitFor();
    await page.getByRole('link', { name: 'Settings' }).press('Enter');
    await page.locator('tbody tr', { hasText: 'backup-passphrase' }).getByText('hidden').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('disk-free');
    await page.locator('tbody tr', { hasText: 'disk-free-mib' }).getByText('default').waitFor();
    assert.equal((await page.content()).includes('never-shown-anywhere'), false);
    assert.deepEqual(faults, []);
    await close();
  });

  test('is not there for users', async () => {
    const { page, close } = await openConsole(browser, server, { as: await server.token('ada') });
    assert.equal(await page.getByRole('link', { name: 'System' }).count(), 0);
    await close();
  });
});
