import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { writeStore } from 'confab-testing/stores/store-watch.ts';
import type { Browser, Page } from 'playwright-core';
import { lookAtViews, openConsole, tabTo } from '../page.ts';

// Operators see how the node is, who has keys, and what the server was started with.
describe('the system in the console', () => {
  let server: TestServer;
  let browser: Browser;
  let place: string;

  before(async () => {
    place = mkdtempSync(join(tmpdir(), 'confab-console-'));
    server = await startTestServer(
      { CONFAB_BACKUP_PASSPHRASE: 'never-shown-anywhere', CONFAB_BACKUP_TO: place },
      { isQuiet: true },
    );
    browser = await launchBrowser();
    await server.running.keys.create('reader', { scopes: ['read'], expiresAt: Date.parse('2099-01-01') });
    await server.running.keys.create('gone');
    await server.running.keys.revoke((await server.running.keys.list()).at(-1)?.id ?? 0);
  });

  after(async () => {
    await browser.close();
    await server.close();
    rmSync(place, { recursive: true, force: true });
  });

  test('makes a backup, checks it and has it taken away, by keyboard', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/system/backups' });
    await page.keyboard.press('n');
    const row = page.locator('tbody tr');
    await row.getByText('not yet').waitFor();
    await row.getByRole('button', { name: 'Verify' }).press('Enter');
    await row.getByText('intact').waitFor();
    const download = page.waitForEvent('download');
    await row.getByRole('link', { name: 'Download' }).press('Enter');
    assert.match((await download).suggestedFilename(), /^confab-.*Z\.tar$/);
    await row.getByRole('button', { name: 'Restore' }).press('Enter');
    await page.getByText(`confab backup restore ${place} --backup`).waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(faults, []);
    await close();
  });

  test('examines the server and mends what can be mended, by keyboard and by mouse', async () => {
    const app = await makeApp(server);
    await makeComment(server, app.id);
    // An app that a user has opened to all directories is a note, which is no problem.
    const opener = await makeUser(server, { directory: 'acme' });
    await server.create(
      '/api/apps',
      { uid: 'opened', type: 'comments', access: 'write' },
      { as: opener.token },
    );
    writeStore(
      server.folder,
      `update tallies set live = live + 7 where kind = 'comment'; drop index entries_kind;
        update apps set directory_id = null where uid = 'opened'`,
    );
    const { page, faults, close } = await openConsole(browser, server, { path: '/system' });
    await page.getByRole('link', { name: 'Doctor' }).press('Enter');
    await page.keyboard.press('n');
    const counts = page.locator('li.card', { hasText: 'Stored counts' });
    await counts.getByText('Can be fixed automatically.').waitFor();
    const outcome = await page.locator('.card[role=status]').textContent();
    const problems = await page.locator('li.card .badge:not(.plain)').count();
    assert.ok(outcome?.includes(`${problems} problem`), `${problems} problems: ${outcome}`);
    assert.match(outcome ?? '', /1 note/);
    const indexes = page.locator('li.card', { hasText: 'Indexes' });
    await indexes.getByText('Run "confab doctor --fix".').waitFor();
    await page.getByRole('button', { name: 'Fix automatically' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Fix automatically' }).press('Enter');
    await counts.getByText('Counted 1 again.').waitFor();
    await indexes.waitFor();
    assert.equal(await page.getByRole('button', { name: 'Fix automatically' }).count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });

  test('has no fault of access in any look, and fits its width', async () => {
    const paths = [
      '/system',
      '/system/doctor',
      '/system/backups',
      '/system/keys',
      '/system/settings?set=all',
    ];
    const views = paths.map((path) => ({ path, picture: `console${path.replaceAll(/\W/g, '-')}` }));
    const prepare = async (page: Page) => {
      await page.keyboard.press('n');
      await page.locator('dialog input[name=name]').waitFor();
    };
    assert.deepEqual(
      await lookAtViews({ browser, server }, [
        ...views,
        { path: '/system/keys', picture: 'console-new-key', prepare },
      ]),
      [],
    );
  });

  test('shows the checks, the keys and the settings, by keyboard', async () => {
    const { page, faults, close } = await openConsole(browser, server);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.locator('.check-head', { hasText: 'Disk' }).getByText('OK').waitFor();
    const figures = (await page.locator('.figures').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ');
    assert.match(figures, /Needed at least 209\.7 MB/);
    assert.match(figures, /Overdue (?:yes|no)/);
    assert.match(figures, /Last backup (?:never|\w{3} \d+, 20)/);
    assert.match(figures, /Behind by \d/);
    assert.doesNotMatch(figures, /_|\dT\d/, 'neither names of the interface nor its times');
    await page.getByRole('link', { name: 'API keys' }).press('Enter');
    await page.locator('tbody tr', { hasText: 'reader' }).getByText('read', { exact: true }).waitFor();
    assert.equal(await page.getByText('gone').count(), 0);
    await page.getByLabel('Status').selectOption('all');
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

  test('makes a key, gives it a successor and revokes that, by keyboard', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/system/keys' });
    const shown = page.locator('dialog .secret code');
    const statusWith = async (key: string) =>
      (await server.call('GET', '/api/apps', undefined, { as: key })).status;
    await page.keyboard.press('n');
    await tabTo(page, 'Name');
    await page.keyboard.type('backend <b>');
    await tabTo(page, 'read read everything');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    const first = (await shown.textContent()) ?? '';
    assert.equal(await statusWith(first), 200);
    await page.getByRole('button', { name: 'I have saved it' }).press('Enter');
    await page.getByRole('button', { name: 'Rotate "backend <b>"' }).press('Enter');
    await page.getByLabel('Keep the old key valid for').selectOption('0');
    await page.getByRole('button', { name: 'Rotate', exact: true }).press('Enter');
    const second = (await shown.textContent()) ?? '';
    assert.deepEqual([await statusWith(first), await statusWith(second)], [401, 200]);
    await page.getByRole('button', { name: 'I have saved it' }).press('Enter');
    await page.locator('tbody tr', { hasText: `…${second.slice(-4)}` }).waitFor();
    await page.locator('tbody tr', { hasText: `…${first.slice(-4)}` }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke "backend <b>"' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
    await page.getByText('API key "backend <b>" revoked.').waitFor();
    assert.equal(await statusWith(second), 401);
    assert.deepEqual(faults, []);
    await close();
  });

  test('says what ends with the key in use, and signs out with it', async () => {
    const as = await server.running.keys.create('mine');
    const expected = [{ fault: /401/, reason: 'the session ends with its key' }];
    const { page, faults, close } = await openConsole(browser, server, {
      path: '/system/keys',
      as,
      expected,
    });
    await page.getByRole('button', { name: 'Revoke "mine"' }).click();
    await page.getByText('your session will end too').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Your session has expired').first().waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('offers no change to a key that only reads', async () => {
    const as = await server.running.keys.create('looker', { scopes: ['read'] });
    const { page, faults, close } = await openConsole(browser, server, { path: '/system/keys', as });
    await page.locator('tbody tr', { hasText: 'looker' }).getByText('in use by this session').waitFor();
    assert.equal(await page.getByRole('button', { name: /New API key|Revoke|Rotate/ }).count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });

  test('is not there for users', async () => {
    const { page, close } = await openConsole(browser, server, { as: await server.token('ada') });
    assert.equal(await page.getByRole('link', { name: 'System' }).count(), 0);
    await close();
  });
});
