import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepPicture, launchBrowser } from 'confab-testing/browser/browser.ts';
import { faultsOfAxe } from 'confab-testing/browser/looks.ts';
import { makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { type Receiver, startReceiver } from 'confab-testing/network/receiver.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { register, settled as settledDelivery } from 'confab-testing/webhooks.ts';
import type { Browser } from 'playwright-core';
import { lookAtViews, openConsole, tabTo } from '../page.ts';

// Operators see what happens, find who did it, and follow one thing through all of it.
describe('the events of the console in a browser', () => {
  let server: TestServer;
  let receiver: Receiver;
  let browser: Browser;
  let webhook: number;
  let trashed: number;
  let ada: { readonly id: number; readonly uid: string; readonly token: string };

  before(async () => {
    server = await startTestServer({});
    receiver = await startReceiver();
    browser = await launchBrowser();
    ({ id: webhook } = await register(server, {
      payload_url: `${receiver.url}/log`,
      triggers: ['comment_trashed'],
    }));
    await server.create('/api/apps', { uid: 'guestbook', type: 'comments', name: 'Guestbook' });
    await server.create('/api/apps', { uid: 'other', type: 'posts', name: 'Another app' });
    ada = await makeUser(server, { name: 'Ada Lovelace' }, 'ada');
    const bob = await makeUser(server, { name: 'Bob' }, 'bob');
    await server.call('PUT', '/api/apps/guestbook/members/ada', { role: 'moderator' });
    await server.call('PUT', '/api/apps/guestbook/members/bob', { access: 'write' });
    ({ id: trashed } = await makeComment(
      server,
      'guestbook',
      { text: `[Ada](@u${ada.id}), buy this` },
      { as: bob.token },
    ));
    await settledLog(server);
    await server.call('POST', `/api/comments/${trashed}/trash`, undefined, { as: ada.token });
    await settledDelivery(server, webhook, 'delivered');
    for (let number = 1; number <= 60; number += 1)
      await makeComment(server, 'guestbook', { text: `comment ${number}` }, { as: bob.token });
    await settledLog(server);
  });

  after(async () => {
    await browser.close();
    await receiver.close();
    await server.close();
  });

  /** The position of the event that put the comment into the trash. */
  async function positionOfTrash(): Promise<number> {
    const { body } = await server.call('GET', '/api/events?top=100');
    return Number(body.data.find(({ action }) => action === 'comment_trashed')?.position);
  }

  test('has no fault of access in any look, and fits its width', async () => {
    const paths = ['', '?what=deleted', `/${await positionOfTrash()}`, '/99999'];
    const views = paths.map((path) => ({
      path: `/events${path}`,
      picture: `console-events${path.replaceAll(/\W/g, '-')}`,
    }));
    assert.deepEqual(await lookAtViews({ browser, server }, views), []);
  });

  test('tells in three clicks who deleted a comment, and follows it to notifications and deliveries', async () => {
    const { page, faults, close } = await openConsole(browser, server);
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByLabel('Change').selectOption('deleted');
    const row = page.getByRole('row').filter({ hasText: 'comment_trashed' });
    await row.getByText('Ada Lovelace').waitFor();
    await row.getByText('buy this').waitFor();
    await row.getByRole('link', { name: `comment ${trashed}` }).click();
    const actions = () => page.locator('tbody th').allTextContents();
    await page.getByText('comment_created').waitFor();
    assert.deepEqual(await actions(), ['comment_trashed', 'comment_created']);
    await page.getByLabel('Include').selectOption('all');
    await page.getByText('notification_created').waitFor();
    assert.deepEqual((await actions()).slice(0, 3), [
      'comment_trashed',
      'notification_created',
      'comment_created',
    ]);
    await page.getByRole('link', { name: 'comment_trashed' }).click();
    await page.getByText('"action": "comment_trashed"').waitFor();
    await page.getByRole('link', { name: `${receiver.url}/log` }).click();
    await page.getByRole('heading', { name: 'Delivery: comment_trashed' }).waitFor();
    await page.getByRole('link', { name: String(await positionOfTrash()), exact: true }).click();
    await page.getByRole('heading', { name: 'comment_trashed' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('filters by app, person and time, in the address, and reads further as one scrolls', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/events' });
    assert.ok((await page.locator('tbody tr').count()) < 60, 'not all at once');
    await poll('the next pages', async () => {
      await page.keyboard.press('End');
      return (await page.locator('tbody tr').count()) > 60 || undefined;
    });
    await page.getByLabel('App', { exact: true }).fill('other');
    await page.keyboard.press('Enter');
    await page.waitForURL(/app=other/);
    // The page shows what it had until it has the events of the app.
    await poll('one event', async () => (await page.locator('tbody tr').count()) === 1 || undefined);
    await page.getByText('app_created').waitFor();
    await page.goto(`${server.url}/console/events?person=ada&what=deleted`);
    await page.getByText('comment_trashed').waitFor();
    assert.equal(await page.locator('tbody tr').count(), 1);
    const { body } = await server.call('GET', '/api/events?top=3');
    await page.goto(`${server.url}/console/events?until=${body.data[2]?.timestamp}`);
    await page.locator('tbody tr').nth(2).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 3);
    await page.goto(`${server.url}/console/events?action=nothing_of_this_kind`);
    await page.getByText('No matching events.').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('grows, waits while it is paused and while one reads further down, and keeps the place', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/events?about=comments' });
    const say = async (text: string) => await makeComment(server, 'guestbook', { text }, { as: ada.token });
    await say('the first fresh one');
    await page.getByText('the first fresh one').waitFor();
    await page.keyboard.press('p');
    await page.getByText('Paused', { exact: true }).waitFor();
    await say('while it is paused');
    await page.getByRole('button', { name: '1 new event' }).waitFor();
    assert.equal(await page.getByText('while it is paused').count(), 0);
    await keepPicture(page, 'console-events-paused');
    assert.deepEqual(await faultsOfAxe(page), []);
    await page.keyboard.press('p');
    await page.getByText('while it is paused').waitFor();
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: 'comment 45', exact: true }) });
    await row.scrollIntoViewIfNeeded();
    await page.waitForFunction('scrollY > 0');
    const top = async () => Math.round((await row.boundingBox())?.y ?? 0);
    await say('while one reads');
    await page.getByRole('button', { name: '1 new event' }).waitFor();
    const before = await top();
    await page.keyboard.press('n');
    await page.getByText('while one reads').waitFor();
    assert.ok(Math.abs((await top()) - before) <= 2, `the row moved from ${before} to ${await top()}`);
    assert.deepEqual(faults, []);
    await close();
  });

  test('is used with the keyboard: filter, open, follow', async () => {
    const { page, faults, close } = await openConsole(browser, server);
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await tabTo(page, 'Action');
    await page.keyboard.type('comment_trashed');
    await page.keyboard.press('Enter');
    await page.waitForURL(/action=comment_trashed/);
    await page.getByText('buy this').waitFor();
    await tabTo(page, 'comment_trashed');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'comment_trashed' }).waitFor();
    await tabTo(page, `comment ${trashed}`);
    await page.keyboard.press('Enter');
    await page.getByText('comment_created').waitFor();
    await page.getByLabel('Include').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('notification_created').waitFor();
    await tabTo(page, `Only comment:${trashed} ×`);
    await page.keyboard.press('Enter');
    await page.locator('tbody tr').nth(20).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('shows moderators the events that they may see', async () => {
    const { page, faults, close } = await openConsole(browser, server, {
      as: ada.token,
      path: '/events?what=deleted',
    });
    await page.getByText('comment_trashed').waitFor();
    await page.getByRole('link', { name: 'comment_trashed' }).click();
    await page.getByText('"action": "comment_trashed"').waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Deliveries' }).count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });
});
