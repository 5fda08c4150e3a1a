import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { makeApp, makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Locator, Page } from 'playwright-core';
import { guests, signedIn, useWorld } from '../page.ts';

/** How many controls somebody sees below a comment before a menu is open. */
const controlsMax = 3;
/** How much of a page a comment of one line takes, in pixels, with the type of 16 pixels. */
const heightMax = 105;
/** How wide the longest word of a cell is at least, in pixels. */
const wordWidthMin = 40;

const wideTable = `| ${'Name of the column | '.repeat(9)}\n|${' --- |'.repeat(9)}\n| ${'Value of the cell | '.repeat(9)}`;

// What can be done with a comment is behind three controls, and lies over the page.
describe('the menu of a comment', () => {
  const world = useWorld(guests);
  const { host, server } = world;
  const [ada, mina] = usePeople(server, 'Ada', 'Mina');

  async function openAs(person: typeof ada, path: string, width = 900) {
    return await world.open({
      path,
      viewport: { width, height: 800 },
      storageState: signedIn({ host, server }, { ...person, name: 'Mina' }),
    });
  }

  async function appFor(path: string): Promise<number> {
    const uid = pageUid(host.url + path);
    return (await makeApp(server, { uid, access: 'write', visitors: 'write' })).id;
  }

  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
  const heightOf = (comment: Locator) =>
    comment.evaluate((each: any) => each.closest('li').getBoundingClientRect().height as number);
  const focusOf = (page: Page): Promise<string | undefined> =>
    page.evaluate(`document.querySelector('confab-comments').shadowRoot.activeElement?.textContent.trim()`);

  test('has what a moderator can do, and closes with Escape and with a click elsewhere', async () => {
    const app = await appFor('/menu');
    const { id } = await makeComment(ada, app, { text: 'One line' });
    await server.call('PATCH', `/api/users/${mina.uid}`, { role: 'moderator' });
    const { page, faults, context } = await openAs(mina, '/menu');
    const comment = page.locator(`#comment-${id}`);
    await button(page, 'To review').waitFor();
    assert.equal(await comment.locator('.foot button').count(), controlsMax);
    const height = await heightOf(comment);
    assert.ok(height <= heightMax, `${height} pixels`);

    const menu = page.locator('.popover');
    await button(comment, 'More').press('Enter');
    for (const name of ['Report', 'Hide until reviewed', 'Move to trash', 'Ban author'])
      await button(menu, name).waitFor();
    await keepPicture(page, 'elements-menu');
    const after = await heightOf(comment);
    assert.equal(after, height, 'nothing moves');
    await button(menu, 'Report').focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await focusOf(page), 'Hide until reviewed');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await comment.locator('[data-act=more]:focus').waitFor();

    await button(comment, 'React').click();
    await menu
      .getByRole('button', { name: /^React with/ })
      .first()
      .waitFor();
    await button(comment, 'More').click();
    await button(menu, 'Report').waitFor();
    assert.equal(await menu.count(), 1);
    await page.mouse.click(5, 5);
    await menu.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('reports, and everybody sees that it was', async () => {
    const app = await appFor('/report');
    const { id } = await makeComment(ada, app, { text: 'Doubtful' });
    const { page, faults, context } = await openAs(mina, '/report');
    const comment = page.locator(`#comment-${id}`);
    await button(comment, 'More').click();
    await button(page.locator('.popover'), 'Report').click();
    await page.locator('.report .primary').click();
    const toast = page.locator('.toast');
    await toast.waitFor();
    assert.ok(((await toast.boundingBox())?.width ?? 0) > 100);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('edits from the end of the text, with no other controls until then', async () => {
    const app = await appFor('/edit');
    const { id } = await makeComment(mina, app, { text: 'Once' });
    const { page, faults, context } = await openAs(mina, '/edit');
    const comment = page.locator(`#comment-${id}`);
    await button(comment, 'More').click();
    await button(page, 'Edit').click();
    await comment.locator('textarea').waitFor();
    await page.keyboard.type(' upon');
    assert.equal(await comment.locator('textarea').inputValue(), 'Once upon');
    assert.equal(await comment.locator('.foot button').count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('leaves words of a table whole, on a narrow screen as well', async () => {
    const app = await appFor('/table');
    const { id } = await makeComment(mina, app, { text: wideTable });
    const { page, context } = await openAs(mina, '/table', 360);
    const cell = page.locator(`#comment-${id} td`).first();
    await poll('a whole word', async () => {
      const box = await cell.boundingBox();
      return (box?.width ?? 0) > wordWidthMin || undefined;
    });
    const [table, whole] = await cell.evaluate((each: any) => [
      each.closest('table').getBoundingClientRect().right as number,
      each.ownerDocument.documentElement.scrollWidth as number,
    ]);
    assert.ok((table ?? 0) <= 360 && (whole ?? 0) <= 360, 'the table scrolls, not the page');
    await context.close();
  });

  test('has its field in the direction of the page while it is empty', async () => {
    await appFor('/rtl');
    const { page, context } = await openAs(mina, '/rtl');
    await page.evaluate(`Object.assign(document.documentElement, { lang: 'ar', dir: 'rtl' })`);
    const field = page.locator('.composer textarea').first();
    await field.waitFor();
    const direction = () =>
      field.evaluate(
        (each: any) => each.ownerDocument.defaultView.getComputedStyle(each).direction as string,
      );
    assert.equal(await direction(), 'rtl');
    await field.fill('English');
    assert.equal(await direction(), 'ltr');
    await context.close();
  });

  test('is not there where comments are closed, which everybody is told', async () => {
    const uid = pageUid(`${host.url}/closed`);
    const { id } = await makeApp(server, { uid, access: 'write', visitors: 'write' });
    await server.call('POST', `/api/apps/${id}/lock`);
    const { page, context } = await world.open({ path: '/closed' });
    await page.getByText('Comments are closed.', { exact: true }).waitFor();
    assert.equal(await page.locator('textarea').count(), 0);
    await context.close();
  });
});
