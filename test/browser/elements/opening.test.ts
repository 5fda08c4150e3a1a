import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { pageUid } from '../../../src/kernel/page-uid.ts';
import { makeApp, makeUser } from '../../support/fixtures.ts';
import { freshName } from '../../support/visitors.ts';
import { guests, type Opening, signedIn, useWorld } from './page.ts';

// Two lines on a page of a listed origin are a thread: nobody makes its app beforehand.
describe('a page that nobody has made', () => {
  const world = useWorld({ ...guests, CONFAB_PAGES_VISITORS: 'write' });
  const { host, server } = world;

  const expected = [
    { fault: /answered 40[13]/, reason: 'there is no app, or a closed one' },
    { fault: /answered 404/, reason: 'there is no app for somebody who has signed in' },
  ];

  const open = (opening: Opening) => world.open({ expected, ...opening });
  const field = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' });

  /** Writes a comment, and signs in as a guest when asked to. */
  async function write(page: Page, text: string): Promise<void> {
    await field(page).click();
    await page.keyboard.type(text);
    await page.getByRole('button', { name: 'Send' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your name').fill(freshName());
    await dialog.getByRole('button', { name: 'Continue as a guest' }).click();
  }

  test('is opened by the guest who writes first, and read by somebody without a credential', async () => {
    const path = '/opened';
    const first = await open({ path });
    await write(first.page, 'The very first');
    await first.page.locator('article[id^=comment]', { hasText: 'The very first' }).waitFor();
    const second = await open({ path });
    await second.page.locator('article[id^=comment]', { hasText: 'The very first' }).waitFor();
    const { visitors } = await server.read(`/api/apps/${pageUid(host.url + path)}`);
    assert.equal(visitors, 'write');
    assert.deepEqual([...first.faults, ...second.faults], []);
    await Promise.all([first.context.close(), second.context.close()]);
  });

  test('follows at once what others write on it', async () => {
    const path = '/opened-and-followed';
    const { page, faults, context } = await open({ path });
    await write(page, 'The very first');
    await page.locator('article[id^=comment]', { hasText: 'The very first' }).waitFor();
    await server.create(`/api/apps/${pageUid(host.url + path)}/comments`, { text: 'The second' });
    await page.getByRole('button', { name: '1 new comment' }).click();
    await page.locator('article[id^=comment]', { hasText: 'The second' }).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('is opened by a user of the site', async () => {
    const path = '/opened-by-a-user';
    const { token, id } = await makeUser(server, { name: 'Ada' });
    const storageState = signedIn({ host, server }, { token, id, name: 'Ada' });
    const { page, context } = await open({ path, storageState });
    await field(page).click();
    await page.keyboard.type('By a user');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('article[id^=comment]', { hasText: 'By a user' }).waitFor();
    const read = await server.as(null).read(`/api/apps/${pageUid(host.url + path)}/comments`);
    assert.equal(read.data.length, 1);
    await context.close();
  });

  test('may turn out to be closed: what was typed is kept, and the reason is said', async () => {
    const path = '/closed';
    const uid = pageUid(host.url + path);
    await makeApp(server, { uid, access: 'write' });
    const { page, context } = await open({ path });
    await write(page, 'Not here');
    const unsent = page.locator('article.unsent', { hasText: 'Not here' });
    await unsent.getByText('Visitors cannot open this page.').waitFor();
    await page.reload();
    await page.locator('article.unsent', { hasText: 'Not here' }).waitFor();
    assert.equal((await server.read(`/api/apps/${uid}/comments`)).data.length, 0);
    await context.close();
  });

  test('shows no field where visitors could not open it', async () => {
    const { page, context } = await open({
      path: '/of-a-product',
      markup: '<confab-comments uid="product-42"></confab-comments>',
    });
    await page.getByText('Nobody has commented yet.').first().waitFor();
    assert.equal(await field(page).count(), 0);
    await context.close();
  });
});
