import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import {
  addMembers,
  makeApp,
  makeComment,
  makeUser,
  type Person,
  usePeople,
} from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshName } from 'confab-testing/visitors.ts';
import type { Locator, Page } from 'playwright-core';
import { type ElementPage, guests, signedIn, useWorld } from '../page.ts';

// Moderators decide where they read, and take back what was wrong; nobody else loads anything of it.
describe('moderating in <confab-comments>', () => {
  const world = useWorld({ ...guests, CONFAB_TRUSTED_PROXIES: '127.0.0.1' });
  const { host, server } = world;
  const [ada, mina] = usePeople(server, 'Ada', 'Mina');

  async function openAs(person: Person, path: string): Promise<ElementPage> {
    const opened = await world.open({ path });
    const kept = {
      access_token: person.token,
      user: { id: person.id, display_name: 'Mina' },
      issuedAt: Date.now(),
      expires_in: 3600,
    };
    await opened.page.evaluate(([name, text]) => localStorage.setItem(name, text), [
      `confab ${server.url}/`,
      JSON.stringify(kept),
    ] as const);
    await opened.page.reload();
    return opened;
  }

  /** An app for the page at a path, which Mina moderates. */
  async function appFor(path: string): Promise<number> {
    const uid = pageUid(host.url + path);
    const app = await makeApp(server, { uid, access: 'write', visitors: 'read' });
    await addMembers(server, app.id, { moderator: [mina] });
    return app.id;
  }

  const state = async (id: number) => {
    const { body } = await server.call('GET', `/api/comments/${id}?trashed=true`);
    return body.is_trashed ? 'trashed' : body.is_held ? 'held' : 'shown';
  };
  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

  test('holds, approves and trashes a comment by keyboard, and takes each back', async () => {
    const app = await appFor('/decide');
    const { id } = await makeComment(ada, app, { text: 'A doubtful comment' });
    await makeComment(mina, app, { text: 'My own' });
    const { page, faults, context } = await openAs(mina, '/decide');
    const comment = page.locator(`#comment-${id}`);
    await button(page.locator('article', { hasText: 'My own' }), 'More').press('Enter');
    await button(page, 'Edit').waitFor();
    assert.equal(await button(page, 'Hide until reviewed').count(), 0);
    await button(comment, 'More').press('Enter');
    await button(page, 'Edit').waitFor({ state: 'detached' });
    await button(comment, 'Hide until reviewed').press('Enter');
    await page.locator('.done', { hasText: /.Ada.'s comment is hidden\./ }).waitFor();
    assert.equal(await state(id), 'held');
    await page.locator('confab-desk', { hasText: '1 to review' }).waitFor();
    assert.equal(await focused(page), 'Undo');
    await page.keyboard.press('Enter');
    await page.locator(`#comment-${id}:focus`).waitFor();
    assert.equal(await state(id), 'shown');

    await button(comment, 'More').press('Enter');
    await button(comment, 'Move to trash').press('Enter');
    await page.locator('.done', { hasText: 'comment to trash' }).waitFor();
    assert.equal(await state(id), 'trashed');
    await page.keyboard.press('Enter');
    await page.locator('article', { hasText: 'A doubtful comment' }).waitFor();
    assert.equal(await state(id), 'shown');
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('shows what waits, and decides there', async () => {
    const app = await appFor('/queue');
    await server.call('PATCH', `/api/apps/${app}`, { approval: 'everything' });
    const held = await makeComment(ada, app, { text: 'Waits' });
    const { page, faults, context } = await openAs(mina, '/queue');
    await button(page, '1 to review').click();
    const review = page.getByRole('region', { name: 'To review' });
    await review.getByText('Waits', { exact: true }).waitFor();
    await button(review, 'Show comment').click();
    await page.locator(`#comment-${held.id}`, { hasText: 'Waiting for approval.' }).waitFor();
    await poll('the focus', async () => (await focused(page)) === `comment-${held.id}` || undefined);
    await keepPicture(page, 'elements-moderate');
    await button(review, 'Approve').click();
    await review.getByText('There is nothing to review.').waitFor();
    assert.equal(await state(held.id), 'shown');
    await button(page, 'Undo').click();
    await button(page, '1 to review').waitFor();
    assert.equal(await state(held.id), 'held');

    await button(page, 'Close comments').click();
    await page.locator('.notice', { hasText: 'Comments are closed.' }).waitFor();
    const refused = await ada.call('POST', `/api/apps/${app}/comments`, { text: 'Too late' });
    assert.equal(refused.status, 403);
    assert.equal(await page.locator('.done').count(), 0, 'it is said once');
    await button(page, 'Open comments').click();
    await button(page, 'Close comments').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('trusts and bans an author, for those who moderate everything', async () => {
    const uid = pageUid(`${host.url}/people`);
    const app = await makeApp(server, { uid, access: 'write', visitors: 'write' });
    await server.call('PATCH', `/api/apps/${app.id}`, { approval: 'guests' });
    // The server keeps no address of a client on its own machine.
    const { body: guest } = await server.call(
      'POST',
      '/api/sign-in/guest',
      { name: freshName() },
      { as: null, headers: { 'x-forwarded-for': '198.51.100.30' } },
    );
    const path = `/api/apps/${app.id}/comments`;
    const write = async () =>
      (await server.call('POST', path, { text: 'By a guest' }, { as: guest.access_token })).body;
    const held = await write();
    assert.equal(held.is_held, true);
    const eve = await makeUser(server, { name: 'Eve' });
    const { id } = await makeComment(eve, app.id, { text: 'By a user' });
    const boss = await makeUser(server, { name: 'Mina' });
    await server.call('PATCH', `/api/users/${boss.uid}`, { role: 'moderator' });
    const { page, faults, context } = await world.open({
      path: '/people',
      storageState: signedIn({ host, server }, { ...boss, name: 'Mina' }),
      expected: [
        { fault: /answered 422/, reason: 'a user of the product has no address that could be banned' },
      ],
    });
    await button(page, '1 to review').click();
    const review = page.getByRole('region', { name: 'To review' });
    await button(review, 'Trust author').click();
    await page.locator('.done', { hasText: 'need no approval' }).waitFor();
    assert.equal((await write()).is_held, undefined);
    await button(review, 'Ban author').click();
    await page.locator('.done', { hasText: 'is banned, and their address for a week' }).waitFor();
    await keepPicture(page, 'elements-moderate-people');
    assert.equal((await server.call('GET', '/api/user', undefined, { as: guest.access_token })).status, 401);
    assert.equal((await server.read('/api/bans')).data.length, 1);
    await button(page, 'Undo').click();
    await poll('no ban', async () => (await server.read('/api/bans')).data.length === 0 || undefined);

    const comment = page.locator(`#comment-${id}`);
    await button(comment, 'More').press('Enter');
    await button(comment, 'Ban author').press('Enter');
    await page.locator('.done', { hasText: /Eve. is banned\./ }).waitFor();
    assert.equal((await server.read(`/api/users/${eve.uid}`)).is_suspended, true);
    await button(page, 'Undo').press('Enter');
    await poll('Eve', async () => !(await server.read(`/api/users/${eve.uid}`)).is_suspended || undefined);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('decides about nobody for those who moderate one app', async () => {
    const app = await appFor('/no-people');
    const { id } = await makeComment(ada, app, { text: 'A comment' });
    const { page, context } = await openAs(mina, '/no-people');
    const comment = page.locator(`#comment-${id}`);
    await button(comment, 'More').press('Enter');
    await button(comment, 'Hide until reviewed').waitFor();
    assert.equal(await button(comment, 'Ban author').count(), 0);
    await context.close();
  });

  test('says what the server says where a decision is refused, and changes nothing', async () => {
    const app = await appFor('/refused');
    const { id } = await makeComment(ada, app, { text: 'A comment' });
    const { page, context } = await openAs(mina, '/refused');
    const comment = page.locator(`#comment-${id}`);
    await button(comment, 'More').click();
    await server.call('PUT', `/api/apps/${app}/members/${mina.uid}`, { role: null });
    await button(page, 'Move to trash').click();
    await page.locator('.toast').waitFor();
    assert.equal(await page.locator('.done').count(), 0);
    assert.equal(await state(id), 'shown');
    await context.close();
  });

  test('is nothing that others load', async () => {
    const app = await appFor('/others');
    await makeComment(mina, app, { text: 'A comment' });
    const { page, faults, context } = await openAs(ada, '/others');
    await page.locator('article', { hasText: 'A comment' }).waitFor();
    await page.waitForLoadState('load');
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    assert.ok(!loaded.some((name) => name.includes('moderate')), loaded.join('\n'));
    assert.equal(await page.locator('confab-desk').count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });
});

/** What has the focus: the id of a comment, or else the text of a button. */
async function focused(page: Page): Promise<string> {
  return await page
    .locator('article:focus, button:focus')
    .evaluate(({ id, textContent }) => id || textContent.trim());
}
