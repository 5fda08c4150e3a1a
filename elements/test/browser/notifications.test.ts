import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { faultsOfAxe, type Mode, setMode } from 'confab-testing/browser/looks.ts';
import { makeApp, makeComment, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Page } from 'playwright-core';
import { type ElementPage, type Opening, signedIn, useWorld } from './page.ts';

// A user hears of what others do, without looking at the page on which they do it.
describe('<confab-notifications>', () => {
  const world = useWorld();
  const { host, server } = world;
  let ada: Person;
  let bob: Person;

  /** A page with a bell, on which Ada is signed in. */
  async function opened(path: string, options: Opening = {}): Promise<ElementPage> {
    return await world.open({
      path,
      markup: '<confab-notifications></confab-notifications><p><button>After</button></p>',
      storageState: signedIn({ host, server }, { ...ada, name: 'Ada' }),
      ...options,
    });
  }

  const bell = (page: Page, unread: number) =>
    page.getByRole('button', {
      name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`,
      exact: true,
    });
  const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

  async function unread(person: Person): Promise<number> {
    return (await person.read('/api/notifications?unread=true&count_only=true')).count;
  }

  /** A page of Ada's with a comment of hers, to which Bob has replied so often. */
  async function replied(path: string, replies: number): Promise<number> {
    ada = await makeUser(server, { name: 'Ada' });
    bob = await makeUser(server, { name: 'Bob' });
    const app = await makeApp(server, {
      uid: pageUid(host.url + path),
      name: 'A long road',
      access: 'write',
    });
    const { id } = await makeComment(ada, app.id, { text: 'What do you think?' });
    for (let at = 0; at < replies; at += 1)
      await makeComment(bob, app.id, { text: `Thought ${at + 1}`, reply_to: id });
    await poll('the notifications', async () => (await unread(ada)) === replies || undefined);
    return id;
  }

  test('counts what is unread as it comes, and marks what is opened', async () => {
    const comment = await replied('/first', 1);
    const { page, faults, context } = await opened('/elsewhere');
    await bell(page, 1).waitFor();
    const { app_id: app } = await ada.read(`/api/comments/${comment}`);
    await makeComment(bob, app, { text: 'One more thought', reply_to: comment });
    await bell(page, 2).click();
    const items = panel(page).getByRole('listitem');
    await items.first().waitFor();
    assert.match(
      (await items.first().textContent()) ?? '',
      /Bob.* replied to your comment\s+One more thought\s+.*A long road/,
    );
    await keepPicture(page, 'elements-notifications');

    // What comes while the list is open waits, so that nothing moves.
    await makeComment(bob, app, { text: 'The last thought', reply_to: comment });
    const waiting = panel(page).getByRole('button', { name: '1 new notification' });
    await waiting.waitFor();
    assert.equal(await items.count(), 2);
    await waiting.click();
    await panel(page).getByText('The last thought').waitFor();

    host.serve('/first', { type: 'text/html', body: '<!doctype html><link rel="icon" href="data:,">there' });
    await items.first().getByRole('button').click();
    await page.waitForURL(/\/first#comment-\d+$/);
    assert.equal(await unread(ada), 2);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('works by keyboard alone', async () => {
    await replied('/keys', 3);
    const { page, faults, context } = await opened('/keys-page');
    await bell(page, 3).focus();
    await page.keyboard.press('Enter');
    await panel(page).getByRole('listitem').nth(2).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const focused = async () =>
      String(
        await page.evaluate(
          "document.querySelector('confab-notifications').shadowRoot.activeElement.innerText",
        ),
      );
    assert.match(await focused(), /Thought 2/);
    await page.keyboard.press('End');
    assert.match(await focused(), /Thought 1/);
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    assert.match((await bell(page, 3).getAttribute('aria-expanded')) ?? '', /false/);
    assert.ok(await bell(page, 3).evaluate((each) => each.matches(':focus')));

    await page.keyboard.press('Enter');
    await panel(page).getByRole('listitem').nth(2).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await bell(page, 0).waitFor();
    assert.equal(await unread(ada), 0);
    // Leaving the list, after its tabs and its items, closes it.
    for (let at = 0; at < 5; at += 1) await page.keyboard.press('Tab');
    await panel(page).waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('has views of what mentions the user, of threads and of what is resolved', async () => {
    const comment = await replied('/views', 2);
    const { app_id: app } = await ada.read(`/api/comments/${comment}`);
    await makeComment(bob, app, { text: `[Ada](@u${ada.id}) look` });
    await poll('the mention', async () => (await unread(ada)) === 3 || undefined);
    const { page, faults, context } = await opened('/views-page');
    await bell(page, 3).click();
    const items = panel(page).getByRole('listitem');
    const tab = (name: string) => panel(page).getByRole('tab', { name, exact: true });
    await items.nth(2).waitFor();
    assert.equal(await tab('All').getAttribute('aria-selected'), 'true');
    const top = async () => (await tab('Mentions').boundingBox())?.y;
    const place = await top();

    await tab('Mentions').click();
    await items.nth(1).waitFor({ state: 'detached' });
    assert.equal(await panel(page).getByRole('tabpanel', { name: 'Mentions' }).count(), 1);
    assert.match((await items.first().textContent()) ?? '', /Bob.* mentioned you/);
    // All are marked only where all are shown.
    assert.equal(await panel(page).getByRole('button', { name: 'Mark all as read' }).count(), 0);

    // What comes meanwhile waits in the view to which it belongs.
    await makeComment(bob, app, { text: 'Another reply', reply_to: comment });
    await bell(page, 4).waitFor();
    assert.equal(await panel(page).getByRole('button', { name: '1 new notification' }).count(), 0);
    await makeComment(bob, app, { text: `[Ada](@u${ada.id}) and here` });
    await panel(page).getByRole('button', { name: '1 new notification' }).click();
    await items.nth(1).waitFor();

    // The arrow keys choose the next tab, and lead from the last to the first.
    await tab('Mentions').focus();
    await page.keyboard.press('ArrowRight');
    await items.nth(2).waitFor();
    assert.match((await items.allTextContents()).join(), /Another reply.*Thought 2.*Thought 1/s);
    await page.keyboard.press('End');
    await panel(page).getByText('Nothing here yet.').waitFor();
    assert.equal(await tab('Resolved').getAttribute('aria-selected'), 'true');
    assert.equal(await top(), place);
    await page.keyboard.press('ArrowRight');
    await items.nth(4).waitFor();
    assert.ok(await tab('All').evaluate((each) => each.matches(':focus')));
    await page.keyboard.press('ArrowDown');
    assert.ok(
      await items
        .first()
        .getByRole('button')
        .evaluate((each) => each.matches(':focus')),
    );

    // A view leads to the place as well.
    await tab('Mentions').click();
    await items.nth(2).waitFor({ state: 'detached' });
    host.serve('/views', { type: 'text/html', body: '<!doctype html><link rel="icon" href="data:,">there' });
    await items.first().getByRole('button').click();
    await page.waitForURL(/\/views#comment-\d+$/);
    assert.equal(await unread(ada), 4);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('has its views in the order of the page from right to left, by its keys as well', async () => {
    await replied('/from-the-right', 1);
    const { page, faults, context } = await opened('/from-the-right-page', {
      language: 'ar',
      viewport: { width: 360, height: 640 },
    });
    await page.locator('confab-notifications').getByRole('button').click();
    const tabs = page.getByRole('tab');
    const lefts = () => Promise.all([0, 1].map(async (at) => (await tabs.nth(at).boundingBox())?.x ?? 0));
    const [first = 0, second = 0] = await lefts();
    assert.ok(first > second);
    await page.getByRole('dialog').getByRole('listitem').waitFor();
    await tabs.first().focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('dialog').getByRole('listitem').waitFor({ state: 'detached' });
    assert.equal(await tabs.nth(1).getAttribute('aria-selected'), 'true');
    // On a phone, the tabs stay where they are under the finger.
    const top = async () => (await tabs.first().boundingBox())?.y;
    const place = await top();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog').getByRole('listitem').waitFor();
    assert.equal(await top(), place);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('leaves a product to open what it shows by itself', async () => {
    await replied('/product', 1);
    const { page, context } = await opened('/product-page');
    await page.evaluate(`addEventListener('confab-open', (event) => {
      event.preventDefault();
      document.title = event.detail.link.type;
    })`);
    await bell(page, 1).click();
    await panel(page).getByRole('listitem').getByRole('button').click();
    await bell(page, 0).waitFor();
    assert.equal(await page.title(), 'comment');
    assert.equal(new URL(page.url()).pathname, '/product-page');
    await context.close();
  });

  test('shows nothing to somebody who is not signed in', async () => {
    const { page, faults, context } = await world.open({
      path: '/nobody',
      markup: '<confab-notifications></confab-notifications>',
    });
    await page.locator('confab-bell').waitFor({ state: 'attached' });
    assert.equal(await page.getByRole('button').count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('has nothing for axe to object to, light and dark, wide and narrow, in both directions', async () => {
    await replied('/axe', 2);
    const phone: Mode = { colorScheme: 'dark', viewport: { width: 360, height: 640 } };
    const desktop: Mode = { colorScheme: 'light', viewport: { width: 1200, height: 800 } };
    for (const [language, modes] of [
      ['en', [phone, desktop]],
      ['ar', [desktop]],
    ] as const) {
      const { page, context } = await opened('/axe-page', { language });
      // By its place: its name is in the language of the page.
      await page.locator('confab-notifications').getByRole('button').click();
      await page.getByRole('dialog').getByRole('listitem').nth(1).waitFor();
      for (const mode of modes) {
        await setMode(page, mode);
        await keepPicture(page, `elements-notifications-${mode.colorScheme}-${language}`);
        assert.deepEqual(await faultsOfAxe(page), []);
      }
      await page.getByRole('tab').last().click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor({ state: 'detached' });
      assert.deepEqual(await faultsOfAxe(page), []);
      await context.close();
    }
  });
});
