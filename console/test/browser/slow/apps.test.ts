import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { makeApp, makeComment, makeFile, makePost } from 'confab-testing/fixtures.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, Page } from 'playwright-core';
import { lookAtViews, openConsole } from '../page.ts';

// Apps and what is in them: everything that an operator or a moderator does with them is done in the console.
describe('apps and content in the console', () => {
  let server: TestServer;
  let browser: Browser;
  let bob: string;
  let edited: number;
  let post: number;
  let files: number;

  before(async () => {
    server = await startTestServer({});
    browser = await launchBrowser();
    await server.create('/api/apps', {
      uid: 'talk',
      type: 'comments',
      name: 'Talk of the town',
      access: 'write',
    });
    const ada = await server.token('ada', { name: 'Ada Lovelace' });
    bob = await server.token('bob', { name: 'Bob Builder' });
    await server.token('layla', { name: 'ليلى حداد' });
    await server.call('PUT', '/api/apps/talk/members/ada', { role: 'manager' });
    edited = (await makeComment(server, 'talk', { text: 'The bridge opens in May' }, { as: ada })).id;
    await server.call(
      'PATCH',
      `/api/comments/${edited}`,
      { text: 'The **bridge** opens in June' },
      { as: ada },
    );
    for (const text of [
      'مرحبا بالجميع',
      'Buy cheap watches',
      'Cheap watches again',
      'A kind word',
      '<b>bold</b>',
    ])
      await makeComment(server, 'talk', { text }, { as: bob });
    await server.create('/api/apps', { uid: 'news', type: 'posts', name: 'News', access: 'write' });
    post = await makePost(server, 'news', { as: ada });
    await server.create(`/api/posts/${post}/comments`, { text: 'First!' }, { as: bob });
    files = (await server.create('/api/apps', { uid: 'plans', type: 'files', access: 'read' })).id;
    await makeFile(server, 'plans');
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  test('say what waits in an app, which its list leaves out', async () => {
    const { id } = await makeApp(server, { name: 'Waiting room', access: 'write', approval: 'everything' });
    await makeComment(server, id, { text: 'Let me in' }, { as: bob });
    const { page, faults, close } = await openConsole(browser, server, { path: `/apps/${id}` });
    await page.getByRole('link', { name: '1 item waits for a decision.' }).click();
    await page.getByRole('link', { name: 'Let me in' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('has no fault of access in any look, and fits its width', async () => {
    const paths = {
      members: '/apps/1/members',
      access: '/apps/1/access?user=ada',
      content: '/content',
      comment: `/content/comments/${edited}`,
      post: `/content/posts/${post}`,
      app: '/apps/1',
    };
    const views = Object.entries(paths).map(([name, path]) => ({ path, picture: `console-${name}` }));
    const prepare = (page: Page) => page.locator('.actions button').first().click();
    assert.deepEqual(
      await lookAtViews({ browser, server }, [
        ...views,
        { path: '/apps/1', picture: 'console-app-edit', prepare },
      ]),
      [],
    );
  });

  test('creates an app, edits, locks, unlocks, trashes, restores and deletes it', async () => {
    const fault = /^answered 404: GET .*\/api\/apps\/(?:garden|\d+)\?trashed=true$/;
    const expected = [{ fault, reason: 'the view follows the log, and reads the app while it is deleted' }];
    const { page, faults, close } = await openConsole(browser, server, { path: '/apps', expected });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('New app').click();
    await page.getByRole('dialog').getByLabel('Type').selectOption('posts');
    await page.getByLabel('UID', { exact: true }).fill('garden');
    await page.getByLabel('Name', { exact: true }).fill('The garden');
    await page.getByLabel('Access for non-members').selectOption('read');
    await button('Create').click();
    await page.getByRole('heading', { name: 'The garden' }).waitFor();
    await button('Edit').click();
    await page.getByLabel('Name', { exact: true }).fill('The new garden');
    await page.getByLabel('Description').fill('About plants');
    await button('Save').click();
    await page.getByRole('heading', { name: 'The new garden' }).waitFor();
    await page.getByText('About plants').waitFor();
    await button('Lock').click();
    await page.getByLabel('At a later date').check();
    await page.getByLabel('Lock on').fill('2099-01-01T10:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click();
    await page.getByText('lock scheduled').waitFor();
    await button('Unlock').click();
    await page.getByText('lock scheduled').waitFor({ state: 'detached' });
    const { body } = await server.call('GET', '/api/apps/garden');
    assert.deepEqual([body.access, body.locked_at], ['read', undefined]);
    await button('Move app to trash').click();
    await button('Restore app').waitFor();
    await button('Undo').last().click();
    await button('Edit').waitFor();
    await button('Move app to trash').click();
    await button('Delete permanently').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByText('App deleted.').waitFor();
    assert.equal((await server.call('GET', '/api/apps/garden?trashed=true')).status, 404);
    assert.deepEqual(faults, []);
    await close();
  });

  test('opens an app to people without an account, and closes it', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/apps/1' });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const about = page.getByRole('region', { name: 'Details' });
    const set = async (level: string) => {
      await button('Edit').click();
      await page.getByLabel('Visitors').selectOption(level);
      await button('Save').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await set('read');
    await about.getByText('can read', { exact: true }).waitFor();
    const reading = () => server.call('GET', '/api/apps/talk/comments', undefined, { as: null });
    assert.equal((await reading()).status, 200);
    await set('');
    await about.getByText('Visitors').waitFor({ state: 'detached' });
    assert.equal((await reading()).status, 401);
    assert.deepEqual(faults, []);
    await close();
  });

  test('says what the server refuses at the field, and keeps what was typed', async () => {
    const expected = [{ fault: /answered 422/, reason: 'the uid is taken' }];
    const { page, faults, close } = await openConsole(browser, server, { path: '/apps', expected });
    await page.keyboard.press('n');
    await page.getByLabel('UID', { exact: true }).fill('talk');
    await page.keyboard.press('Enter');
    await page.locator('dialog .failure, dialog .wrong').first().waitFor();
    assert.equal(await page.getByLabel('UID', { exact: true }).inputValue(), 'talk');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await close();
  });

  test('adds a member by keyboard, changes the role, and takes both back', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/apps/2/members' });
    await page.getByLabel('Add member').focus();
    await page.keyboard.type('layl');
    await page.getByRole('button', { name: 'Add ليلى حداد' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const role = page.getByLabel('Role of ليلى حداد');
    await role.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('The permissions of ليلى حداد were changed.').waitFor();
    const roleNow = async () =>
      (await server.call('GET', '/api/apps/news/members?q=ليلى')).body.data?.[0]?.role;
    assert.equal(await roleNow(), 'moderator');
    await page.getByRole('button', { name: 'Undo' }).last().press('Enter');
    await page.getByText('Change undone.').waitFor();
    assert.equal(await roleNow(), undefined);
    await page.getByRole('button', { name: 'Remove ليلى حداد' }).press('Enter');
    await role.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await close();
  });

  test('explains what a person may do, and shows what they see', async () => {
    await server.call('PUT', '/api/apps/plans/members/bob', { access: 'none' });
    const { page, faults, close } = await openConsole(browser, server, { path: `/apps/${files}/access` });
    await page.getByLabel('User').fill('bob');
    await page.getByRole('link', { name: 'Explain access' }).click();
    await page.getByText('access of a member overrides').first().waitFor();
    assert.equal(await page.getByRole('heading', { name: 'What this user sees' }).count(), 0);
    await page.getByLabel('User').fill('ada');
    await page.getByRole('link', { name: 'Explain access' }).click();
    await page.getByRole('heading', { name: 'What this user sees' }).waitFor();
    await page.locator('tbody th', { hasText: 'note' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('finds comments by words, changes several at once with the keyboard, and takes it back', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/apps/1' });
    const texts = () => page.locator('tbody th a').allInnerTexts();
    await page.keyboard.press('/');
    await page.keyboard.type('cheap wat');
    await page.getByText('2 comments', { exact: true }).waitFor();
    assert.deepEqual(await texts(), ['Cheap watches again', 'Buy cheap watches']);
    await page.getByLabel('Select all').focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Move to trash' }).press('Enter');
    await page.getByText('2 items moved to the trash.').waitFor();
    await page.getByText('No results.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.locator('tbody tr').nth(1).waitFor();
    await page.getByLabel('Select Buy cheap watches').check();
    await page.getByRole('button', { name: 'Put on hold', exact: true }).click();
    await page.getByText('1 item put on hold.').waitFor();
    await page.getByLabel('Search the text').fill('');
    await page.locator('tbody tr').nth(1).waitFor();
    await page.getByLabel('Status').selectOption('held');
    await page.getByText('1 comment', { exact: true }).waitFor();
    assert.deepEqual(await texts(), ['Buy cheap watches']);
    await page.getByLabel('Select all').check();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('No results.').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('says how many a search finds, and does not keep the first of them waiting for it', async () => {
    const { id } = await makeApp(server, { uid: 'many' });
    for (let comment = 0; comment < 30; comment += 1) await makeComment(server, id, { text: 'plenty of it' });
    const { page, faults, close } = await openConsole(browser, server);
    const asked: URLSearchParams[] = [];
    const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>();
    await page.route(/\/api\/comments\?.*q=plenty/, async (route, request) => {
      const { searchParams } = new URL(request.url());
      asked.push(searchParams);
      if (searchParams.has('count_only')) await isSeen;
      await route.continue();
    });
    await page.goto(`${server.url}/console/content?q=plenty`);
    await page.getByText('first 25', { exact: true }).waitFor();
    seen();
    await page.getByText('30 comments', { exact: true }).waitFor();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await page.locator('tbody tr').nth(29).waitFor();
    const pages = asked.filter((query) => !query.has('count_only'));
    assert.deepEqual(
      pages.map((query) => query.get('count')),
      ['false', 'false'],
    );
    assert.deepEqual(faults, []);
    await close();
  });

  test('shows what an edit changed, and moves a comment to the trash and back', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: `/content?q=bridge` });
    await page.locator('tbody a', { hasText: 'Talk of the town' }).waitFor();
    await page.getByRole('link', { name: 'The bridge opens in June' }).click();
    await page.locator('.difference').waitFor();
    assert.deepEqual(await page.locator('.difference del').allInnerTexts(), ['May']);
    assert.deepEqual((await page.locator('.difference ins').allInnerTexts()).at(-1), 'June');
    await page.locator('.content strong', { hasText: 'bridge' }).waitFor();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByText('in the trash', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('in the trash', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await close();
  });

  test('shows a post with its comments, and locks it', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: `/content/posts/${post}` });
    await page.getByRole('link', { name: 'First!' }).waitFor();
    await page.getByRole('button', { name: 'Lock' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click();
    await page.getByText('locked', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('locked', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await close();
  });

  test('tells a user what is refused, and keeps it chosen', async () => {
    const expected = [{ fault: /answered 403/, reason: 'Bob may not hold what others wrote' }];
    const { page, faults, close } = await openConsole(browser, server, {
      as: bob,
      path: '/apps/1',
      expected,
    });
    await page.getByLabel('Select The bridge opens in June').check();
    await page.getByRole('button', { name: 'Put on hold', exact: true }).click();
    await page.getByText('1 item could not be changed').waitFor();
    assert.ok(await page.getByLabel('Select The bridge opens in June').isChecked());
    assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });
});
