import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { keepPicture } from './browser.ts';
import { gone, meet, type People, seenAfter, type, words } from './people.ts';

// A newcomer opens one page and sees two people talk.
describe('the demo page', () => {
  let people: People;
  let page: Page;

  before(async () => {
    people = await meet();
    page = await people.contexts.ada.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${people.server.url}/demo`);
  });

  after(() => people.close());

  const side = (name: string) => page.frameLocator(`iframe[title="What ${name} sees"]`);

  test('shows on one side at once what is written on the other', async () => {
    const [ada, grace] = [side('Ada Lovelace'), side('Grace Hopper')];
    await grace.locator('wy-comment-editor .cm-content').waitFor();
    await type(ada.locator('wy-comment-editor'), 'Can you see this, Grace?');
    const question = grace.locator('wy-comment .wy-content', { hasText: 'Can you see' });
    const send = 'wy-comment-editor wy-button[title="Comment"]';
    assert.equal(await seenAfter(question, () => ada.locator(send).click()), 'Can you see this, Grace?');
    await type(grace.locator('wy-comment-editor'), '**Yes**, as soon as it is written.');
    const answer = ada.locator('wy-comment .wy-content', { hasText: 'Yes' });
    assert.equal(
      await seenAfter(answer, () => grace.locator(send).click()),
      'Yes, as soon as it is written.',
    );
  });

  test('keeps the two users separate', async () => {
    await side('Ada Lovelace')
      .locator('wy-comment', { hasText: 'Can you see' })
      .locator('wy-dropdown')
      .waitFor();
    const others = side('Grace Hopper').locator('wy-comment', { hasText: 'Can you see' });
    assert.equal(await gone(others.locator('wy-dropdown')), 0);
    assert.equal(await words(others.locator('.wy-content')), 'Can you see this, Grace?');
    await keepPicture(page, 'demo-comments');
  });

  test('leads to the other parts', async () => {
    for (const [words, element] of [
      ['Posts', 'wy-posts wy-editor .cm-content'],
      ['Files', 'wy-files wy-files-appbar'],
      ['Chat', 'wy-chat wy-message-editor .cm-content'],
      ['Messenger', 'wy-messenger wy-conversation-new wy-button'],
    ] as const) {
      await page.getByRole('navigation').getByText(words).click();
      for (const name of ['Ada Lovelace', 'Grace Hopper']) await side(name).locator(element).waitFor();
    }
    assert.deepEqual(people.faults(), []);
  });
});
