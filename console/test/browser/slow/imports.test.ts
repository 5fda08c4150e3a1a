import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { reached, tryImport } from 'confab-testing/imports.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { wrongKinds } from 'confab-testing/wrong-exports.ts';
import { rootUrl } from 'confab-tools/places.ts';
import type { Browser, Page } from 'playwright-core';
import { lookAtViews, openConsole, settled, tabTo } from '../page.ts';

const fixture = fileURLToPath(new URL('importers/fixtures/disqus.xml', rootUrl));
const comments = '/api/apps/garden.example:23:21:2Fpeas/comments';

// Operators upload an export, read what it would bring, run it, see the result and take it back.
describe('imports in the console', () => {
  let server: TestServer;
  let browser: Browser;

  before(async () => {
    [server, browser] = await Promise.all([startTestServer({}), launchBrowser()]);
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  const open = async (path: string, options: object = {}) =>
    await openConsole(browser, server, { path, ...options });
  const row = (page: Page, name: string) => page.locator('tr', { hasText: name }).locator('td').first();
  const state = (page: Page, word: string) => page.locator('.badge', { hasText: word });

  test('are checked, run and undone with the mouse', async () => {
    const { page, faults, close } = await open('/imports');
    await page.getByText('There are no imports yet.').waitFor();
    await page.getByRole('link', { name: 'New import' }).click();
    await page.getByLabel('Source').selectOption('disqus');
    await page.getByLabel('File').setInputFiles(fixture);
    await page.getByRole('button', { name: 'Upload and check' }).click();
    await state(page, 'ready to import').waitFor();
    assert.equal(await row(page, 'Comments in the file').textContent(), '9');
    assert.equal(await row(page, 'To import').textContent(), '3');
    assert.equal(await row(page, 'unreadable').textContent(), '3');
    await page.getByText('The comment that begins in line', { exact: false }).first().waitFor();
    await page.getByText('removed', { exact: true }).waitFor();
    assert.equal((await server.call('GET', comments)).status, 404);

    await page.getByRole('button', { name: 'Start import' }).click();
    await state(page, 'completed').waitFor();
    assert.equal(await row(page, 'New comments').textContent(), '3');
    assert.equal((await server.call('GET', comments)).body.count, 3);

    await page.getByRole('button', { name: 'Undo import' }).click();
    await page.getByRole('dialog').getByText('Replies by other users stay.', { exact: false }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
    await state(page, 'undone').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo import' }).count(), 0);
    assert.equal((await server.call('GET', comments)).status, 404);
    await page.getByRole('link', { name: 'Show in the event log' }).click();
    await page.getByRole('link', { name: 'import_created' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('are made with the keyboard alone, and say what is wrong with a file', async () => {
    const { page, faults, close } = await open('');
    for (const key of ['g', 'i']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'Imports' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New import' }).waitFor();
    await tabTo(page, 'Source');
    await page.keyboard.press('d');
    // The dialog of the system, in which a file is chosen, is not the page's.
    await page.getByLabel('File').setInputFiles({
      name: 'wrong.xml',
      mimeType: 'text/xml',
      buffer: Buffer.from('<rss/>'),
    });
    await tabTo(page, 'Upload and check');
    await page.keyboard.press('Enter');
    await state(page, 'failed').waitFor();
    await page
      .getByText('this is a feed or an export of WordPress, not of Disqus', { exact: false })
      .waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('of wrong files fail, one after the other, and are followed by a packed one that is stopped', async () => {
    const { page, faults, close } = await open('/imports/new');
    const guide = page.getByRole('link', { name: 'Where to get the export of each system' });
    assert.equal((await fetch(new URL((await guide.getAttribute('href')) ?? '', server.url))).status, 200);
    const send = async (name: string, bytes: Buffer) => {
      await page.goto(`${server.url}/console/imports/new`);
      await page.getByLabel('Source').selectOption('disqus');
      await page.getByLabel('File').setInputFiles({ name, mimeType: 'text/xml', buffer: bytes });
      await page.getByRole('button', { name: 'Upload and check' }).click();
    };
    for (const kind of ['tags', 'a packed file that is damaged']) {
      await send('wrong.xml', wrongKinds[kind]?.bytes(2 ** 18) ?? assert.fail(kind));
      await state(page, 'failed').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0);
    }
    await send('good.xml.gz', gzipSync(disqusExport(3, { page: 'c.example/page' })));
    await state(page, 'ready to import').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByText('Nothing more is written.', { exact: false }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await state(page, 'stopped').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Start import' }).count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });

  test('are looked at by a key that may only read, which can change none', async () => {
    const id = await tryImport(server, disqusExport(2, { page: 'b.example/page' }));
    await reached(server, id, 'ready');
    const key = await server.running.keys.create('reader', { scopes: ['read'] });
    const { page, faults, close } = await open(`/imports/${id}`, { as: key });
    await state(page, 'ready to import').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Start import' }).count(), 0);
    await page.goto(`${server.url}/console/imports`);
    await settled(page);
    assert.equal(await page.getByRole('link', { name: 'New import' }).count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });

  test('have no fault of access in any look, and fit their width', async () => {
    const id = await tryImport(server, readFileSync(fixture));
    await reached(server, id, 'ready');
    const paths = ['/imports', '/imports/new', `/imports/${id}`, '/imports/1'];
    const views = paths.map((path) => ({ path, picture: `console-imports-${path.split('/')[2] ?? 'list'}` }));
    assert.deepEqual(await lookAtViews({ browser, server }, views), []);
  });
});
