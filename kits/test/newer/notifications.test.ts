import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { button, keepPicture, listening, meet, part, type TwoPeople, words } from './two-people.ts';

// A user is notified in version 32 of what others do: in a list with tabs, in toasts, by a number on a bell.
describe('notifications in version 32', () => {
  let people: TwoPeople;
  let ada: Page;
  let asGrace: { readonly as: string };
  let comment: { readonly id: number };

  before(async () => {
    people = await meet();
    const { server } = people;
    asGrace = { as: await server.token('grace') };
    for (const type of ['comments', 'posts'])
      await server.call('PUT', `/api/apps/${type}`, { type, access: 'write' });
    const asAda = { as: await server.token('ada') };
    comment = await server.create('/api/apps/comments/comments', { text: 'Who sails?' }, asAda);
    await server.call('POST', '/api/apps/comments/subscribe', undefined, asAda);
    ada = await people.open(
      'ada',
      `<header><wy-notification-badge></wy-notification-badge><wy-notification-button></wy-notification-button></header>
<wy-notifications style="flex: 1"></wy-notifications><wy-comments uid="comments" style="display: none"></wy-comments><wy-notification-toasts></wy-notification-toasts>`,
    );
    await ada.getByText('No updates yet.').first().waitFor();
    await listening(ada);
  });

  after(() => people.close());

  const list = () => ada.locator('wy-notifications');
  const items = (within: Locator) => part(within, 'wy-notification');
  const tab = (name: string) => button(list().locator('wy-notification-header'), name);
  const badge = () => part(ada.locator('wy-notification-badge'), 'wy-badge');

  test('a comment, a mention and a reaction appear, each with a toast', async () => {
    const { server } = people;
    const { body: me } = await server.call('GET', '/api/users/ada');
    await server.create('/api/apps/comments/comments', { text: 'I do' }, asGrace);
    const toast = items(ada.locator('wy-notification-toasts')).first();
    assert.match(await words(toast), /Grace Hopper/);
    await keepPicture(ada, 'newer-toast');
    await server.create('/api/apps/comments/comments', { text: `And [Ada](@u${me.id})` }, asGrace);
    await server.call('POST', `/api/comments/${comment.id}/reactions`, { content: '👍' }, asGrace);
    await items(list()).nth(2).waitFor();
    assert.equal(await words(badge()), '3');
  });

  test('each tab has its own', async () => {
    for (const [name, text] of [
      ['Activities', /I do/],
      ['Mentions', /mentioned you/],
      ['Reactions', /👍/],
    ] as const) {
      await tab(name).click();
      await items(list()).nth(1).waitFor({ state: 'detached' });
      assert.match(await words(items(list()).first()), text);
      assert.match(await words(items(list()).first()), /Grace Hopper/);
    }
    await tab('All').click();
    await items(list()).nth(2).waitFor();
    await keepPicture(ada, 'newer-notifications');
  });

  test('a notification is marked as read and unread, and all at once', async () => {
    await list().locator('wy-button[title="Mark as read"] button').first().click();
    await list().locator('wy-button[title="Mark as unread"] button').first().waitFor();
    await badge().getByText('2').waitFor();
    await list().locator('wy-button[title="Mark as unread"] button').first().click();
    await badge().getByText('3').waitFor();
    await list().locator('wy-button[title="Mark all as read"] button').click();
    await badge().waitFor({ state: 'detached' });
    assert.equal(await badge().count(), 0);
  });

  test('a click tells the page where to go', async () => {
    await ada.evaluate(`addEventListener('wy-link', (event) => { globalThis.link = event.detail.link; });`);
    await items(list()).last().click();
    await ada.waitForFunction('globalThis.link !== undefined');
    const link = (await ada.evaluate('globalThis.link')) as {
      type: string;
      app: { id: number; uid: string; type: string };
    };
    assert.equal(link.type, 'comment');
    assert.equal(link.app.uid, 'comments');
    assert.match(link.app.type, /^[0-9a-f-]{36}$/);
  });

  test('the bell has the same list, and that of an app has those of the app', async () => {
    await ada.locator('wy-notification-button button').first().click();
    const overlay = ada.locator('wy-notification-button wy-overlay');
    await items(overlay).nth(2).waitFor();
    await keepPicture(ada, 'newer-bell');
    const page = await people.open(
      'ada',
      '<wy-notification-button uid="posts"></wy-notification-button><wy-notifications uid="comments"></wy-notifications><wy-notification-badge uid="comments"></wy-notification-badge>',
    );
    await items(page.locator('wy-notifications')).nth(2).waitFor();
    await page.locator('wy-notification-button button').first().click();
    const none = page.locator('wy-notification-button wy-overlay');
    await none.getByText('You are not subscribed to updates yet.').waitFor();
    const subscribed = page.waitForResponse(/\/subscribe$/);
    await none.locator('wy-empty').getByText('Subscribe', { exact: true }).last().click();
    await subscribed;
    await people.server.create('/api/apps/posts/posts', { text: 'Land in sight' }, asGrace);
    assert.match(await words(items(none).first()), /Grace Hopper.*Land in sight/);
  });

  test('no page has a fault', () => {
    assert.deepEqual(people.faults(), []);
  });
});
