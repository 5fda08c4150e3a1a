import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { look, setMode } from 'confab-testing/browser/looks.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshName, signInGuest } from 'confab-testing/visitors.ts';
import type { Page } from 'playwright-core';
import { drawGround, guests, type Opening, useWorld } from '../page.ts';

// Who is signed in sees it in the header of `<confab-comments>`, with what the server has of them.
describe('who is signed in at <confab-comments>', () => {
  const world = useWorld(guests);
  const { host, server } = world;

  const accountOf = (page: Page) => page.getByRole('button', { name: /^Account/ });

  async function appFor(path: string): Promise<number> {
    const uid = pageUid(host.url + path);
    return (await makeApp(server, { uid, access: 'write', visitors: 'write' })).id;
  }

  /** Opens a page at which a guest is signed in who has written a comment. */
  async function visit(path: string, opening: Opening = {}) {
    const app = await appFor(path);
    const guest = await signInGuest(server);
    await makeComment(server.as(guest.access_token), app, { text: 'Words of a guest' });
    const opened = await world.open({ path, ...opening });
    const { page } = opened;
    await page.evaluate(
      ([name, kept]) => {
        const { localStorage, Date: Clock } = globalThis as any;
        localStorage.setItem(name, JSON.stringify({ ...(kept as object), issuedAt: Clock.now() }));
      },
      [`confab ${server.url}/`, guest],
    );
    await page.reload();
    await accountOf(page).waitFor();
    return { ...opened, app, name: guest.user.display_name as string, id: guest.user.id as number };
  }

  async function openMyData(page: Page) {
    await accountOf(page).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your account' });
    await dialog.waitFor();
    return dialog;
  }

  /** Whether the button of the account has the focus. */
  async function isAtAccount(page: Page): Promise<true | undefined> {
    return (await accountOf(page).evaluate((button: any) => button.matches(':focus'))) || undefined;
  }

  test('has a menu for the keyboard', async () => {
    const { page, faults, context } = await visit('/menu');
    await accountOf(page).focus();
    await page.keyboard.press('ArrowDown');
    const focused = () => page.getByRole('menuitem').and(page.locator(':focus')).textContent();
    assert.equal(await focused(), 'Your account');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Sign out');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Your account');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await poll('the focus to be back', () => isAtAccount(page));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Your account' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await poll('the focus to be back', () => isAtAccount(page));
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('changes their name, and hears what is wrong with it', async () => {
    const { body: other } = await server.call(
      'POST',
      '/api/sign-in/guest',
      { name: freshName() },
      { as: null },
    );
    const { page, context, name } = await visit('/name', {
      expected: [{ fault: /answered 422/, reason: 'the name is that of somebody else' }],
    });
    const dialog = await openMyData(page);
    const field = dialog.getByLabel('Your name', { exact: true });
    assert.equal(await field.inputValue(), name);
    await field.fill(other.user.display_name);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('is too close to someone').waitFor();
    const better = freshName();
    await field.fill(better);
    await page.keyboard.press('Enter');
    await dialog.getByText('Saved.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await accountOf(page).filter({ hasText: better }).waitFor();
    await page.reload();
    await accountOf(page).filter({ hasText: better }).waitFor();
    await context.close();
  });

  test('downloads what the server has of them', async () => {
    const { page, faults, context, name } = await visit('/download');
    const dialog = await openMyData(page);
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download my data' }).click();
    const file = await downloading;
    assert.equal(file.suggestedFilename(), 'my-data.tar');
    const archive = readFileSync(await file.path(), 'utf8');
    for (const text of ['export.json', name, 'Words of a guest']) assert.ok(archive.includes(text), text);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('erases themselves after typing their name', async () => {
    const { page, faults, context, name, id } = await visit('/erase', { expected: [ending] });
    const comment = page.locator('article', { hasText: 'Words of a guest' });
    await comment.waitFor();
    const dialog = await openMyData(page);
    await dialog.getByRole('button', { name: 'Erase my account' }).click();
    const field = dialog.getByLabel('Enter your name to confirm');
    await field.fill('Somebody');
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await dialog.getByText('Enter the name as it is shown above.').waitFor();
    assert.equal((await server.call('GET', `/api/users/${id}`)).status, 200);
    await field.fill(` ${name} `);
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await comment.waitFor({ state: 'detached' });
    assert.equal((await server.call('GET', `/api/users/${id}`)).status, 404);
    assert.equal(await page.evaluate('localStorage.length'), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('signs out in all tabs of the site, as a guest after a warning', async () => {
    const { page, faults, context } = await visit('/out', { expected: [ending] });
    const tab = await context.newPage();
    await tab.goto(page.url());
    await accountOf(tab).waitFor();
    await accountOf(page).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your account' });
    await dialog.getByText('once you sign out, you cannot come back').waitFor();
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    for (const each of [page, tab])
      await each.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await poll('the focus not to be lost', () =>
      page
        .getByRole('button', { name: 'Sign in', exact: true })
        .evaluate((button: any) => button.matches(':focus') || undefined),
    );
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('is shown so that nothing is hard to reach', async () => {
    const { page, faults, context } = await visit('/looks');
    await drawGround(page);
    const lookAt = async (picture: string) => {
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [360, 1200]) {
          await setMode(page, { colorScheme, viewport: { width, height: 900 } });
          await look(page, `elements-my-data-${colorScheme}-${width}${picture}`);
        }
    };
    await accountOf(page).click();
    await page.getByRole('menu').waitFor();
    await lookAt('-menu');
    await page.keyboard.press('Escape');
    const dialog = await openMyData(page);
    // It has all that was there before, and more.
    await dialog.getByRole('button', { name: 'Erase my account' }).click();
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await lookAt('-erase');
    assert.deepEqual(faults, []);
    await context.close();
  });

  describe('by tokens of the site', () => {
    const markup = (attributes: string) => `<confab-comments ${attributes}></confab-comments>`;

    test('is asked for at token-url, and again when a token is refused', async () => {
      const ada = await makeUser(server, { name: 'Ada of the site' });
      await makeApp(server, { uid: pageUid(`${host.url}/site`), access: 'write' });
      const answer = (token: string) =>
        host.serve('/token', { type: 'application/json', body: JSON.stringify({ access_token: token }) });
      answer(ada.token);
      const { page, context } = await world.open({
        path: '/site',
        markup: markup('token-url="/token"'),
        calls: [host.url],
        expected: [{ fault: /answered 401/, reason: 'the token is revoked' }],
      });
      await accountOf(page).filter({ hasText: 'Ada of the site' }).waitFor();
      assert.equal(await page.evaluate('localStorage.length'), 0, 'nothing is kept of it');
      await accountOf(page).click();
      assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Your account']);
      await page.keyboard.press('Escape');
      const dialog = await openMyData(page);
      await dialog.getByText('You are signed in by this site.').waitFor();
      // While the site does not answer, its user stays signed in.
      const asked = page.waitForRequest(/\/token\?refresh=true$/);
      host.serve('/token', { status: 503, type: 'text/plain', body: '' });
      assert.equal((await server.call('DELETE', `/api/users/${ada.uid}/tokens`)).status, 200);
      await asked;
      answer(await server.token(ada.uid));
      const downloading = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Download my data' }).click();
      await downloading;
      await context.close();
    });

    test('is nobody where the site says so', async () => {
      await appFor('/nobody');
      host.serve('/no-token', { status: 401, type: 'application/json', body: '{}' });
      const { page, context } = await world.open({
        path: '/nobody',
        markup: markup('token-url="/no-token"'),
        calls: [host.url],
        expected: [{ fault: /answered 401/, reason: 'nobody is signed in' }],
      });
      await page.locator('h2').first().waitFor();
      assert.equal(await accountOf(page).count(), 0);
      await context.close();
    });

    test('is given by a function of the page', async () => {
      const bea = await makeUser(server, { name: 'Bea of the site' });
      await makeApp(server, { uid: pageUid(`${host.url}/function`), access: 'write' });
      const { page, faults, context } = await world.open({ path: '/function', markup: '<p>Wait</p>' });
      await page.evaluate((token) => {
        const { document } = globalThis as any;
        const comments = document.createElement('confab-comments');
        comments.getToken = async () => token;
        document.querySelector('main').append(comments);
      }, bea.token);
      await accountOf(page).filter({ hasText: 'Bea of the site' }).waitFor();
      assert.deepEqual(faults, []);
      await context.close();
    });
  });
});

const ending = {
  fault: /answered 40[13]: (?:GET|POST) .*\/(?:comments|changes|renewal)\b/,
  reason: 'what is open as somebody ends with their session',
};
