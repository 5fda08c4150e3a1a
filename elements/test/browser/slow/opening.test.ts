import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { freshName } from 'confab-testing/visitors.ts';
import type { Page } from 'playwright-core';
import { guests, type Opening, signedIn, useWorld } from '../page.ts';

// Two lines on a page of a listed origin are a thread: nobody makes its app beforehand.
describe('a page that nobody has made', { concurrency: 3 }, () => {
  const world = useWorld({ ...guests, CONFAB_PAGES_VISITORS: 'write', CONFAB_PAGES_APPROVAL: 'none' });
  const { host, server } = world;

  const { open } = world;
  const field = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' });

  /** Writes a comment, and signs in as a guest when asked to. */
  async function write(page: Page, text: string): Promise<void> {
    await field(page).click();
    await page.keyboard.type(text);
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
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

  test('costs its readers and writers no failed request and no line on the console, from the first view on', async () => {
    const moderator = await makeUser(server, { name: 'Moderator', role: 'moderator' });
    const user = await makeUser(server, { name: 'Ada' });
    const as = ({ token, id }: { token: string; id: number }) => ({
      storageState: signedIn({ host, server }, { token, id, name: 'Ada' }),
    });
    const people: Readonly<Record<string, Opening>> = {
      guest: {},
      'guest-with-others': {
        markup: `<confab-count></confab-count><confab-notifications></confab-notifications>
          <confab-comments></confab-comments>`,
      },
      user: as(user),
      moderator: as(moderator),
      'user-of-the-product': {
        markup: `<confab-count></confab-count><confab-notifications token-url="/token"></confab-notifications>
          <confab-comments token-url="/token"></confab-comments>`,
        calls: [host.url],
      },
    };
    const token = JSON.stringify({ access_token: user.token });
    host.serve('/token', { type: 'application/json', body: token });
    for (const [name, opening] of Object.entries(people)) {
      const told: string[] = [];
      const path = `/quiet-${name}`;
      const { page, faults, context } = await open({
        path,
        ...opening,
        prepare: async (it) => void it.on('console', (message) => told.push(message.text())),
      });
      const watching = page.waitForResponse(/\/changes\?/);
      await page.getByText('No comments yet.').first().waitFor();
      await watching;
      // Somebody who goes away and comes back asks again.
      const again = page.waitForResponse(/\/changes\?/);
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      assert.equal((await again).status(), 204, name);
      const opened = page.waitForResponse((it) => it.url().includes('/changes?') && it.status() === 200);
      if (name.startsWith('guest')) await write(page, 'The very first');
      else {
        await field(page).click();
        await page.keyboard.type('The very first');
        await page.getByRole('button', { name: 'Comment', exact: true }).click();
      }
      await page.locator('article[id^=comment]', { hasText: 'The very first' }).waitFor();
      await opened;
      const followed = page.waitForResponse((it) => it.url().includes('/changes?') && it.status() === 200);
      await page.reload();
      await page.locator('article[id^=comment]', { hasText: 'The very first' }).waitFor();
      await followed;
      assert.deepEqual([...faults, ...told], [], name);
      await context.close();
    }
  });

  test('shows its reader the first comment of somebody else when they come back to it', async () => {
    const path = '/opened-by-another';
    const { page, faults, context } = await open({ path });
    await page.getByText('No comments yet.').first().waitFor();
    const uid = pageUid(host.url + path);
    const { id } = await makeApp(server, { uid, access: 'write', visitors: 'write' });
    await server.create(`/api/apps/${id}/comments`, { text: 'From elsewhere' });
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    const article = page.locator('article', { hasText: 'From elsewhere' });
    const button = page.getByRole('button', { name: '1 new comment' });
    await article.or(button).first().waitFor();
    if ((await button.count()) > 0) await button.click();
    await article.waitFor();
    assert.deepEqual(faults, []);
    await context.close();
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
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('article[id^=comment]', { hasText: 'By a user' }).waitFor();
    const read = await server.as(null).read(`/api/apps/${pageUid(host.url + path)}/comments`);
    assert.equal(read.data.length, 1);
    await context.close();
  });

  test('may turn out to be closed: what was typed is kept, and the reason is said', async () => {
    const path = '/closed';
    const uid = pageUid(host.url + path);
    await makeApp(server, { uid, access: 'write' });
    const { page, faults, context } = await open({
      path,
      expected: [{ fault: /answered 403: PUT/, reason: 'the page is closed' }],
    });
    await write(page, 'Not here');
    const unsent = page.locator('article.unsent', { hasText: 'Not here' });
    await unsent.getByText('Visitors cannot open this page.').waitFor();
    await page.reload();
    await page.locator('article.unsent', { hasText: 'Not here' }).waitFor();
    assert.equal((await server.read(`/api/apps/${uid}/comments`)).data.length, 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('shows no field where visitors could not open it', async () => {
    const { page, context } = await open({
      path: '/of-a-product',
      markup: '<confab-comments uid="product-42"></confab-comments>',
    });
    await page.getByText('No comments yet.').first().waitFor();
    assert.equal(await field(page).count(), 0);
    await context.close();
  });
});
