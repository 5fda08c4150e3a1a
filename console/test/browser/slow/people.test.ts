import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { keepPicture, launchBrowser } from 'confab-testing/browser/browser.ts';
import { faultsOfAxe } from 'confab-testing/browser/looks.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, Page } from 'playwright-core';
import { lookAtViews, openConsole } from '../page.ts';

type Person = Awaited<ReturnType<typeof makeUser>>;

// Operators find a person, see and change what the server has of them, explain what they may do, and erase them.
describe('people in the console', () => {
  let server: TestServer;
  let browser: Browser;
  let mia: Person;
  let app: number;

  before(async () => {
    [server, browser] = await Promise.all([
      startTestServer({
        CONFAB_SIGN_IN: 'guest',
        CONFAB_SIGN_IN_PUZZLE: 'no',
        CONFAB_TRUSTED_PROXIES: '127.0.0.1',
      }),
      launchBrowser(),
    ]);
    for (let number = 1; number <= 30; number += 1)
      await server.create('/api/users', {
        uid: `user-${number}`,
        name: `Somebody ${number}`,
        directory: 'acme',
      });
    await makeUser(server, { name: 'Ada Lovelace', email: 'ada@example.com', tags: ['vip'] }, 'ada');
    mia = await makeUser(server, { name: 'Mia' }, 'mia');
    app = (await makeApp(server, { uid: 'plans', name: 'Plans', access: 'read' })).id;
    await server.call('PUT', `/api/apps/${app}/members/mia`, { role: 'moderator' });
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  const userOf = async (uid: string) => (await server.call('GET', `/api/users/${uid}?trashed=true`)).body;
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });
  const open = async (path: string, options: object = {}) =>
    await openConsole(browser, server, { path, ...options });

  test('has no fault of access in any look, and fits its width', async () => {
    const eve = await makeUser(server, { name: 'Eve' }, 'eve');
    await makeComment(server, app, { text: 'x' });
    const { body } = await server.call('DELETE', `/api/users/${eve.id}`);
    const paths = ['/people', '/people/ada?app=plans', `/people/erasures/${body.id}`];
    const views = paths.map((path) => ({ path, picture: `console${path.replaceAll(/\W/g, '-')}` }));
    assert.deepEqual(await lookAtViews({ browser, server }, views), []);
  });

  test('are found and opened with the keyboard alone', async () => {
    const { page, faults, close } = await open('');
    for (const key of ['g', 'p']) await page.keyboard.press(key);
    await page.locator('tbody tr').nth(24).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('lovel');
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Ada Lovelace' }).press('Enter');
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.getByText('ada@example.com').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('are filtered by directory and by state', async () => {
    await server.create('/api/users', { uid: 'gone', name: 'Gone', is_suspended: true });
    const { page, faults, close } = await open('/people?order=name');
    await page.getByLabel('Directory').selectOption({ label: 'acme' });
    await page.getByText('30 users').waitFor();
    await page.getByLabel('Directory').selectOption('');
    await page.getByLabel('Status').selectOption('suspended');
    await page.getByText('1 user').waitFor();
    await page.getByRole('link', { name: 'Gone' }).waitFor();
    await server.call('PATCH', '/api/users/gone', { is_suspended: false });
    await page.getByText('No matching users.').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  const refused = [{ fault: /422: PATCH/, reason: 'the server refuses the profile' }];

  test('are changed in what differs alone, with what is wrong at its field, and taken back', async () => {
    const { page, faults, close } = await open('/people/ada', { expected: refused });
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nickname').fill('x'.repeat(33));
    await dialog.getByLabel('Directory').fill('engines');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.wrong').waitFor();
    assert.equal(await dialog.getByLabel('Nickname').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await faultsOfAxe(page), []);
    await keepPicture(page, 'console-people-edit');
    await dialog.getByLabel('Nickname').fill('Countess');
    await page.keyboard.press('Enter');
    await toast(page, 'Profile saved.').waitFor();
    await page.getByText('Countess').waitFor();
    const changed = await userOf('ada');
    assert.deepEqual(
      [changed.nickname, changed.directory.name, changed.tags],
      ['Countess', 'engines', ['vip']],
    );
    await toast(page, 'Profile saved.').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Countess').waitFor({ state: 'detached' });
    assert.equal((await userOf('ada')).directory, undefined);
    assert.deepEqual(faults, []);
    await close();
  });

  test('are suspended and put in the trash with undo', async () => {
    const { page, faults, close } = await open('/people/user-3');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.locator('.badge', { hasText: 'suspended' }).waitFor();
    assert.equal((await userOf('user-3')).is_suspended, true);
    await page.getByRole('button', { name: 'Unsuspend' }).click();
    await page.locator('.badge', { hasText: 'suspended' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.locator('.badge', { hasText: 'in the trash' }).waitFor();
    await toast(page, 'User moved to the trash.').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.badge', { hasText: 'in the trash' }).waitFor({ state: 'detached' });
    const { is_suspended, is_trashed } = await userOf('user-3');
    assert.deepEqual([is_suspended, is_trashed], [false, false]);
    assert.deepEqual(faults, []);
    await close();
  });

  test('get an access token that is shown once, and lose all of them', async () => {
    const { page, faults, close } = await open('/people/user-4');
    await page.getByLabel('Valid for').selectOption('604800');
    await page.getByRole('button', { name: 'Issue token' }).click();
    const token = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    const whoAmI = async () => (await server.call('GET', '/api/user', undefined, { as: token })).status;
    assert.equal(await whoAmI(), 200);
    await page.getByRole('dialog').getByRole('button', { name: 'Copy token' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await page.content()).includes(token), false);
    await page.getByRole('button', { name: 'Revoke all tokens' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke all tokens' }).click();
    await toast(page, 'All tokens revoked.').waitFor();
    assert.equal(await whoAmI(), 401);
    assert.deepEqual(faults, []);
    await close();
  });

  test('are told why they may or may not do something in an app', async () => {
    const { page, faults, close } = await open('/people/ada');
    await page.getByRole('combobox', { name: 'App' }).fill('plans');
    await page.keyboard.press('Enter');
    const writes = page.locator('.decisions > div', { hasText: 'Can write' });
    await writes.getByText('The user is not a member').waitFor();
    assert.equal(await writes.locator('.badge').textContent(), 'no');
    await server.call('PUT', `/api/apps/${app}/members/ada`, { access: 'write' });
    await writes.getByText('The user is a member').waitFor();
    assert.equal(await writes.locator('.badge').textContent(), 'yes');
    assert.match(page.url(), /\?app=plans$/);
    assert.deepEqual(faults, []);
    await close();
  });

  test('are judged by what they wrote, what was reported of it, and how that was decided', async () => {
    const vic = await makeUser(server, { name: 'Vic' }, 'vic');
    const write = async (as: string, text: string) => {
      await server.call('PUT', `/api/apps/${app}/members/vic`, { access: 'write' });
      return (await makeComment(server, app, { text }, { as })).id;
    };
    await write(vic.token, 'Good morning');
    const spam = await write(vic.token, 'Watches, cheap');
    const open = await write(vic.token, 'Watches again');
    await makeComment(server, app, { text: 'by someone else' });
    for (const id of [spam, open])
      await server.call('POST', `/api/comments/${id}/reports`, { reason: 'spam' }, { as: mia.token });
    const { body } = await server.call('GET', '/api/reports?order_by=id');
    const decided = { action: 'trash', note: 'Advertising' };
    await server.call('POST', `/api/reports/${body.data.at(-2)?.id}/resolve`, decided);
    for (const as of [undefined, mia.token]) {
      const { page, faults, close } = await openConsole(browser, server, {
        path: `/moderation?report=${body.data.at(-1)?.id}`,
        ...(as === undefined ? {} : { as }),
      });
      await page.locator('.by').getByRole('link', { name: 'Vic' }).click();
      const rows = page.locator('tbody tr');
      await rows.filter({ hasText: 'Watches again' }).getByText('open').waitFor();
      await rows.filter({ hasText: 'Watches, cheap' }).locator('q', { hasText: 'Advertising' }).waitFor();
      assert.equal(await rows.count(), 2);
      const texts = await page.locator('.lines .line-text').allTextContents();
      assert.deepEqual(texts, ['Watches again', 'Good morning']);
      await page.getByText('2 comments').waitFor();
      assert.deepEqual(await faultsOfAxe(page), []);
      await page.getByRole('link', { name: 'All comments by this user' }).click();
      const listed = page.locator('tbody tr').locator('th a');
      await page.getByText('2 comments').waitFor();
      assert.deepEqual(await listed.allTextContents(), ['Watches again', 'Good morning']);
      assert.deepEqual(await faultsOfAxe(page), []);
      const author = page.getByRole('textbox', { name: 'Author (user ID)' });
      assert.equal(await author.inputValue(), 'vic');
      const kinds = await page.getByLabel('Type').locator('option').allTextContents();
      assert.deepEqual(kinds, ['Comments', 'Posts', 'Messages']);
      await author.fill('');
      await author.press('Enter');
      await listed.filter({ hasText: 'by someone else' }).waitFor();
      await author.fill('nobody-has-this');
      // The operation that finds a user answers a key with 404, which the browser reports.
      if (as !== undefined) {
        await author.press('Enter');
        await page.getByText('nobody-has-this').waitFor();
      }
      assert.deepEqual(faults, []);
      await close();
    }
  });

  test('who are visitors are shown apart, trusted, and banned by address', async () => {
    const from = { headers: { 'x-forwarded-for': '203.0.113.7' }, as: null };
    const { body: guest } = await server.call('POST', '/api/sign-in/guest', { name: 'Vera' }, from);
    const { page, faults, close } = await open('/people');
    await page.getByLabel('Signs in').selectOption({ label: 'All visitors' });
    await page.getByText('1 user').waitFor();
    await page.locator('.badge', { hasText: 'guest' }).waitFor();
    assert.deepEqual(await faultsOfAxe(page), []);
    await page.getByRole('link', { name: 'Vera' }).press('Enter');
    await page.getByText('guest, not verified').waitFor();
    await page.getByText('203.0.113.7/32').waitFor();
    await page.getByRole('button', { name: 'Trust', exact: true }).press('Enter');
    await page.locator('.badge', { hasText: 'trusted' }).waitFor();
    assert.equal((await userOf(guest.user.uid)).is_trusted, true);
    await page.getByRole('button', { name: 'Stop trusting' }).click();
    await page.locator('.badge', { hasText: 'trusted' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Ban an address' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Ban an address' });
    assert.equal(await dialog.getByLabel('Address').inputValue(), '203.0.113.7/32');
    await dialog.getByLabel('Reason').fill('spam');
    assert.deepEqual(await faultsOfAxe(page), []);
    await page.keyboard.press('Enter');
    await toast(page, 'Address banned.').waitFor();
    const refused = await server.call('POST', '/api/sign-in/guest', { name: 'Wanda' }, from);
    assert.equal(refused.body.code, 'address_banned');
    await page.goto(`${server.url}/console/moderation/bans`);
    await page.locator('tr', { hasText: '203.0.113.7/32' }).getByText('spam').waitFor();
    assert.deepEqual(await faultsOfAxe(page), []);
    await page.getByRole('button', { name: 'End ban of 203.0.113.7/32' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'End ban' }).press('Enter');
    await page.getByText('No addresses are banned.').waitFor();
    assert.equal((await server.call('POST', '/api/sign-in/guest', { name: 'Wanda' }, from)).status, 200);
    assert.deepEqual(faults, []);
    await close();
  });

  test('are shown to a moderator as users see them, without anything to change', async () => {
    const { page, faults, close } = await open('/people/ada?app=plans', { as: mia.token });
    await page.locator('.decisions').waitFor();
    assert.equal(await page.getByText('ada@example.com').count(), 0);
    assert.deepEqual(await page.locator('main button').allTextContents(), ['Explain access']);
    assert.deepEqual(faults, []);
    await close();
  });

  test('are exported, and erased once their uid was typed, with progress and the receipt', async () => {
    const bob = await makeUser(server, { name: 'Bob' }, 'bob');
    await server.call('PUT', `/api/apps/${app}/members/bob`, { access: 'write' });
    const { id: comment } = await makeComment(server, app, { text: 'I was here' }, { as: bob.token });
    const { page, faults, close } = await open('/people/bob');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export' }).click(),
    ]);
    assert.match(readFileSync(await download.path(), 'latin1'), /I was here[\s\S]*export\.json/);
    await page.getByRole('button', { name: 'Erase' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase Bob' });
    await dialog.getByLabel('Keep them without their author').check();
    assert.equal(await dialog.getByRole('button', { name: 'Erase' }).isDisabled(), true);
    assert.deepEqual(await faultsOfAxe(page), []);
    await keepPicture(page, 'console-people-erase');
    await dialog.getByLabel('Type "bob" to confirm').fill('bob');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/people\/erasures\/\d+$/);
    await page.locator('.badge', { hasText: 'completed' }).waitFor();
    await page.locator('tr', { hasText: 'Comments' }).locator('td', { hasText: '1' }).waitFor();
    await page.getByText('Signed receipt').waitFor();
    const { body } = await server.call('GET', `/api/comments/${comment}`);
    assert.deepEqual([body.plain, body.created_by.display_name], ['I was here', 'Deleted user']);
    assert.deepEqual(faults, []);
    await close();
  });
});
