import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { drawn } from 'confab-testing/browser/people.ts';
import { type ChosenFile, picture } from 'confab-testing/browser/picture-file.ts';
import { poll as until } from 'confab-testing/poll.ts';
import type { Locator, Page } from 'playwright-core';
import { drawnPdf, pdfOfText } from './pdf.ts';
import {
  button,
  choose,
  keepPicture,
  listening,
  meet,
  part,
  type TwoPeople,
  words,
  write,
} from './two-people.ts';

function note(name: string, text: string): ChosenFile {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
}

const list = '<wy-files uid="papers"></wy-files>';

// Two people share files with version 32: uploads, orders, previews, versions, comments, names, the trash.
describe('files in version 32', () => {
  let people: TwoPeople;
  let ada: Page;
  let grace: Page;

  before(async () => {
    people = await meet({
      expected: [
        {
          fault: /^answered 409: POST .*\/api\/apps\/\d+\/files$/,
          reason: 'a name that is taken is answered so, and the kit asks whether to replace the file',
        },
        {
          fault: /^exception: There is a file named "a.txt" in this app\.$/,
          reason: 'the kit throws the detail of that answer after it has put it on the screen',
        },
        {
          fault: /^console: An error occurred while loading the PDF\.[\s\S]*Message: Worker was destroyed$/,
          reason:
            'the kit loads the file beside the one that is shown, and says so when that is closed meanwhile',
        },
      ],
    });
    [ada, grace] = [await people.open('ada', list), await people.open('grace', list)];
    for (const page of [ada, grace]) {
      // Wide enough for all columns.
      await page.setViewportSize({ width: 1100, height: 800 });
      await page.getByText('Add some files to get started!').waitFor();
      await listening(page);
    }
  });

  after(() => people.close());

  const row = (page: Page, hasText: string): Locator => page.locator('wy-files-list tr', { hasText });
  const menu = (page: Page, title: string) => page.locator(`wy-files-header wy-dropdown[title="${title}"]`);
  const fileMenu = (page: Page, name: string) => row(page, name).locator('wy-file-menu');
  const preview = (page: Page) => part(page, 'wy-preview-layout');

  async function add(page: Page, ...files: ChosenFile[]): Promise<void> {
    await page.getByTestId('uploadFile').setInputFiles(files);
  }

  async function close(page: Page): Promise<void> {
    await preview(page).locator('wy-titlebar wy-button[slot=icon] button').first().click();
    await preview(page).waitFor({ state: 'detached' });
  }

  /** The names of the files in the order of the list. */
  async function namesIn(page: Page): Promise<readonly string[]> {
    const cells = page.locator('wy-files-list tbody tr [part~=wy-col-name]');
    return (await cells.allInnerTexts()).map((text) => text.trim());
  }

  const ordered = (page: Page, names: readonly string[]) =>
    until(`the order ${names}`, async () => {
      const own = (await namesIn(page)).filter((name) => names.includes(name));
      return own.join() === names.join() || undefined;
    });

  test('the list has its bar of tools', async () => {
    for (const title of ['Add files', 'Sort items by', 'View options'])
      await menu(ada, title).locator('button').first().waitFor();
    assert.equal(await ada.locator('wy-files-header wy-dropdown[title]').count(), 3);
  });

  test('several uploads at once appear for the other user', async () => {
    await add(ada, note('a.txt', 'First'));
    await row(ada, 'a.txt').waitFor();
    await add(ada, note('z.txt', 'The second of them is longer'), picture('harbour.png', 1024, 512));
    for (const page of [ada, grace])
      for (const name of ['a.txt', 'z.txt', 'harbour.png']) await row(page, name).waitFor();
    assert.deepEqual(await namesIn(grace), ['a.txt', 'harbour.png', 'z.txt']);
  });

  test('files are ordered by the menu', async () => {
    const sort = menu(ada, 'Sort items by');
    for (const by of ['Size', 'Modified', 'Name']) {
      await choose(sort, by);
      await ordered(ada, ['a.txt', 'z.txt']);
      await choose(sort, 'Descending');
      await ordered(ada, ['z.txt', 'a.txt']);
      await choose(sort, 'Ascending');
    }
    assert.equal((await namesIn(ada))[0], 'a.txt');
  });

  test('files are ordered by the heads of the columns', async () => {
    const head = (name: string) => part(ada, 'wy-sort-link', { hasText: name });
    for (const by of ['Size', 'Modified', 'Name']) {
      await head(by).click();
      await ordered(ada, ['a.txt', 'z.txt']);
      await head(by).click();
      await ordered(ada, ['z.txt', 'a.txt']);
    }
    await head('Name').click();
    assert.equal((await namesIn(ada)).at(-1), 'z.txt');
  });

  test('files are shown as a grid of pictures', async () => {
    await choose(menu(grace, 'View options'), 'Grid view');
    assert.deepEqual(await drawn(grace.locator('wy-files-list img').first()), [512, 256]);
    await keepPicture(grace, 'newer-files-grid');
    await choose(menu(grace, 'View options'), 'List view');
    await row(grace, 'harbour.png').waitFor();
  });

  test('a text, a picture and a PDF are shown', async () => {
    await add(grace, pdfOfText('paper.pdf', 'Seen by a viewer'));
    await row(ada, 'a.txt').click();
    await preview(ada).locator('wy-preview-text').getByText('First').first().waitFor();
    await close(ada);
    await row(ada, 'harbour.png').click();
    assert.deepEqual(await drawn(preview(ada).locator('wy-preview-image img').first()), [1024, 512]);
    await close(ada);
    await row(ada, 'paper.pdf').click();
    await drawnPdf(ada, 'dark');
    await keepPicture(ada, 'newer-files-pdf');
    await close(ada);
  });

  test('a file is downloaded', async () => {
    const waits = ada.waitForEvent('download');
    await choose(fileMenu(ada, 'a.txt'), 'Download');
    const download = await waits;
    assert.equal(download.suggestedFilename(), 'a.txt');
    assert.equal(await readFile(await download.path(), 'utf8'), 'First');
  });

  test('a file is commented on, and its count of comments follows', async () => {
    await row(ada, 'harbour.png').click();
    await button(preview(ada), 'Comments').click();
    await write(preview(ada).locator('wy-editor-comment'), 'Where is this?', 'Comment');
    assert.equal(await words(part(preview(ada).locator('wy-comment'), 'wy-content')), 'Where is this?');
    await close(ada);
    for (const page of [ada, grace]) {
      await page.reload();
      await row(page, 'harbour.png').locator('wy-button[title="1 comments"] button').click();
      assert.equal(await words(part(preview(page).locator('wy-comment'), 'wy-content')), 'Where is this?');
      await close(page);
    }
  });

  test('an upload of the same name becomes a version, which is seen, restored and removed', async () => {
    await add(ada, note('a.txt', 'Second'));
    const sheet = ada.locator('wy-files-header wy-overlay');
    await sheet.locator('wy-button[title=Replace] button').click();
    await row(ada, 'a.txt').click();
    await preview(ada).locator('wy-preview-text').getByText('Second').waitFor();
    await choose(preview(ada).locator('wy-file-menu'), 'Versions');
    const versions = part(ada.locator('wy-file-versions'), 'wy-versions').locator('wy-item');
    await versions.nth(1).waitFor();
    assert.equal(await versions.count(), 2);
    await versions.nth(1).click();
    await preview(ada).locator('wy-preview-text').getByText('First').first().waitFor();
    await choose(versions.nth(1).locator('wy-dropdown'), 'Revert');
    await versions.nth(2).waitFor();
    await choose(versions.nth(2).locator('wy-dropdown'), 'Remove');
    await versions.nth(2).waitFor({ state: 'detached' });
    await close(ada);
    await row(grace, 'a.txt').click();
    await preview(grace).locator('wy-preview-text').getByText('First').first().waitFor();
    await close(grace);
  });

  test('a file is renamed, trashed, restored and deleted', async () => {
    await choose(fileMenu(ada, 'a.txt'), 'Rename');
    await ada.locator('wy-files-list input').fill('logbook.txt');
    await ada.locator('wy-files-list input').press('Enter');
    for (const page of [ada, grace]) await row(page, 'logbook.txt').waitFor();
    await choose(fileMenu(ada, 'logbook.txt'), 'Trash');
    for (const page of [ada, grace]) await row(page, 'logbook.txt').waitFor({ state: 'detached' });
    await choose(menu(ada, 'View options'), 'Show trashed');
    await part(ada, 'wy-trashed', { hasText: 'logbook.txt' }).first().waitFor();
    await choose(fileMenu(ada, 'logbook.txt'), 'Restore');
    for (const page of [ada, grace]) await row(page, 'logbook.txt').waitFor();
    await choose(fileMenu(ada, 'logbook.txt'), 'Trash');
    await part(ada, 'wy-trashed', { hasText: 'logbook.txt' }).first().waitFor();
    await choose(fileMenu(ada, 'logbook.txt'), 'Delete');
    await row(ada, 'logbook.txt').waitFor({ state: 'detached' });
    await choose(menu(ada, 'View options'), 'Hide trashed');
    assert.equal((await namesIn(grace)).includes('logbook.txt'), false);
  });

  test('a file and the whole list are subscribed to', async () => {
    await choose(fileMenu(grace, 'z.txt'), 'Subscribe');
    await choose(fileMenu(grace, 'z.txt'), 'Unsubscribe');
    const own = grace.locator('wy-files-header wy-dropdown').last();
    await choose(own, 'Subscribe');
    await choose(own, 'Unsubscribe');
    assert.equal(await row(grace, 'z.txt').count(), 1);
  });

  test('neither page has a fault', async () => {
    await keepPicture(ada, 'newer-files-ada');
    assert.deepEqual(people.faults(), []);
  });
});
