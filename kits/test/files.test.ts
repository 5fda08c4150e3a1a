import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import {
  choose,
  drawn,
  gone,
  meet,
  type People,
  seenAfter,
  type,
  words,
} from 'confab-testing/browser/people.ts';
import { type ChosenFile, picture } from 'confab-testing/browser/picture-file.ts';
import type { Locator, Page } from 'playwright-core';

function note(name: string, text: string): ChosenFile {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
}

// Two people share files with the unmodified reference client: uploads, versions, comments, names, the trash.
describe('files in the reference client', () => {
  let people: People;
  let ada: Page;
  let grace: Page;

  before(async () => {
    people = await meet({
      expected: [
        {
          fault: /^answered 409: POST .*\/api\/apps\/\d+\/files$/,
          reason: 'a name that is taken is answered so, and the client asks whether to replace the file',
        },
        {
          fault: /^exception: There is a file named "log.txt" in this app\.$/,
          reason: 'the client throws the detail of that answer after it has put it on the screen',
        },
        {
          fault: /^exception: .* 'this\.fileVersionsQuery\.result' as it is undefined\.$/,
          reason: 'the client renders the list of versions once before it has asked for them',
        },
      ],
    });
    [ada, grace] = await Promise.all([people.open('ada', 'files'), people.open('grace', 'files')]);
    for (const page of [ada, grace]) await page.getByText('Add some files to get started!').waitFor();
  });

  after(() => people.close());

  function row(page: Page, name: string): Locator {
    return page.locator('wy-files-list tr', { hasText: name });
  }

  async function close(page: Page): Promise<void> {
    await page.locator('wy-overlay header wy-button').first().click();
    await page.locator('wy-overlay').waitFor({ state: 'detached' });
  }

  async function add(page: Page, ...files: ChosenFile[]): Promise<void> {
    await page.locator('wy-files-appbar input[type=file]').setInputFiles(files);
  }

  test('an upload appears for the other user', async () => {
    await add(ada, picture('harbour.png', 1024, 512), note('log.txt', 'First entry'));
    await row(ada, 'log.txt').waitFor();
    assert.match(await seenAfter(row(grace, 'log.txt'), () => row(ada, 'harbour.png').waitFor()), /log\.txt/);
    assert.match(await words(row(grace, 'harbour.png')), /harbour\.png/);
  });

  test('pictures are shown as thumbnails', async () => {
    const view = async (words: string) => {
      await grace.locator('wy-dropdown[title="View options"] wy-button').click();
      await grace.locator('wy-dropdown-option', { hasText: words }).click();
    };
    await view('Grid view');
    assert.deepEqual(await drawn(grace.locator('wy-files-list img').first()), [512, 256]);
    await view('List view');
    assert.match(await words(row(grace, 'harbour.png')), /harbour\.png/);
  });

  test('a file is opened: a picture as a picture, a text as text', async () => {
    await row(grace, 'harbour.png').click();
    assert.deepEqual(await drawn(grace.locator('wy-preview-image img').first()), [1024, 512]);
    await close(grace);
    await row(grace, 'log.txt').click();
    assert.equal(await words(grace.locator('wy-preview-text').getByText('First entry')), 'First entry');
    await close(grace);
  });

  test('a file is commented on', async () => {
    await row(ada, 'harbour.png').click();
    await ada.locator('wy-overlay wy-button[title=Comments]').click();
    const editor = ada.locator('wy-overlay wy-comment-editor');
    await type(editor, 'Where is this?');
    await editor.locator('wy-button[title="Comment"]').click();
    assert.equal(await words(ada.locator('wy-overlay wy-comment .wy-content')), 'Where is this?');
    await close(ada);
    await row(grace, 'harbour.png').click();
    await grace.locator('wy-overlay wy-button[title=Comments]').click();
    assert.equal(await words(grace.locator('wy-overlay wy-comment .wy-content')), 'Where is this?');
    await close(grace);
  });

  test('an upload with the same name becomes a version, which can be reverted', async () => {
    await add(ada, note('log.txt', 'Second entry'));
    await ada.locator('wy-button[title="File conflict"]').click();
    await ada.locator('wy-sheet wy-button[title=Replace]').click();
    await ada.locator('wy-sheet header wy-button').last().click();
    await row(ada, 'log.txt').click();
    await ada.locator('wy-preview-text').getByText('Second entry').waitFor();
    await choose(ada.locator('wy-overlay header'), 'Versions');
    const versions = ada.locator('wy-file-versions .wy-item');
    await versions.nth(1).waitFor();
    assert.equal(await versions.count(), 2);
    await choose(versions.nth(1), 'Revert');
    await ada.locator('wy-preview-text').getByText('First entry').first().waitFor();
    await close(ada);
  });

  test('a file is renamed, trashed and restored', async () => {
    await choose(row(ada, 'log.txt'), 'Rename');
    await ada.locator('wy-files-list input').fill('logbook.txt');
    const renamed = row(grace, 'logbook.txt');
    assert.match(
      await seenAfter(renamed, () => ada.locator('wy-files-list input').press('Enter')),
      /logbook\.txt/,
    );
    await choose(row(ada, 'logbook.txt'), 'Trash');
    for (const page of [ada, grace]) assert.equal(await gone(row(page, 'logbook.txt')), 0);
    await ada.locator('wy-dropdown[title="View options"] wy-button').click();
    await ada.locator('wy-dropdown-option', { hasText: 'Show trashed' }).click();
    const restored = await seenAfter(renamed, () => choose(row(ada, 'logbook.txt'), 'Restore'));
    assert.match(restored, /logbook\.txt/);
  });

  test('neither page has a fault', async () => {
    await keepPicture(ada, 'files-ada');
    await keepPicture(grace, 'files-grace');
    assert.deepEqual(people.faults(), []);
  });
});
