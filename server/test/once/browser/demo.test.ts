import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { look } from 'confab-testing/browser/looks.ts';
import { gone, meet, type People, seenAfter, type, words } from 'confab-testing/browser/people.ts';
import type { FrameLocator, Page } from 'playwright-core';

// A newcomer opens one page and sees two people talk, and how the comments would look on a page of theirs.
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

  test('shows our own elements first', async () => {
    for (const name of ['Ada Lovelace', 'Grace Hopper'])
      await side(name).locator('confab-comments h2', { hasText: 'comments' }).waitFor();
    assert.equal(await words(page.locator('nav a[aria-current]')), 'Comments');
    await keepPicture(page, 'demo-elements');
    await page.getByRole('link', { name: 'Comments (Weavy)' }).click();
  });

  const side = (name: string) => page.frameLocator(`iframe[title="What ${name} sees"]`);

  test('shows on one side at once what is written on the other', async () => {
    const [ada, grace] = [side('Ada Lovelace'), side('Grace Hopper')];
    const editor = (frame: FrameLocator) => frame.locator('wy-editor-comment');
    const content = (frame: FrameLocator, text: string) =>
      frame.locator('wy-comment [part~=wy-content]', { hasText: text });
    for (const frame of [ada, grace]) await editor(frame).locator('[contenteditable=true]').waitFor();
    await type(editor(ada), 'Can you see this, Grace?');
    const send = (frame: FrameLocator) => editor(frame).locator('wy-button[title="Comment"] button').click();
    const question = await seenAfter(content(grace, 'Can you see'), () => send(ada));
    assert.equal(question, 'Can you see this, Grace?');
    await type(editor(grace), '**Yes**, as soon as it is written.');
    const answer = await seenAfter(content(ada, 'Yes'), () => send(grace));
    assert.equal(answer, 'Yes, as soon as it is written.');
  });

  test('keeps the two users separate', async () => {
    const comment = (name: string) => side(name).locator('wy-comment', { hasText: 'Can you see' });
    await comment('Ada Lovelace').locator('wy-dropdown button').first().waitFor();
    assert.equal(await gone(comment('Grace Hopper').locator('wy-dropdown')), 0);
    await keepPicture(page, 'demo-comments');
  });

  test('leads to the other parts, in both versions', async () => {
    for (const [version, parts] of [
      [
        '32',
        [
          ['Posts', 'wy-feed [contenteditable=true]'],
          ['Files', 'wy-files-header button'],
          ['Chat', 'wy-chat [contenteditable=true]'],
          ['Messenger', 'wy-conversation-new button'],
        ],
      ],
      [
        '21',
        [
          ['Comments (Weavy)', 'wy-comments wy-comment-editor .cm-content'],
          ['Posts', 'wy-posts wy-editor .cm-content'],
          ['Files', 'wy-files wy-files-appbar'],
          ['Chat', 'wy-chat wy-message-editor .cm-content'],
          ['Messenger', 'wy-messenger wy-conversation-new wy-button'],
        ],
      ],
    ] as const) {
      await page.getByRole('navigation').getByText(version, { exact: true }).click();
      for (const [words, element] of parts) {
        await page.getByRole('navigation').getByText(words).click();
        for (const name of ['Ada Lovelace', 'Grace Hopper'])
          await side(name).locator(element).first().waitFor();
      }
    }
    assert.deepEqual(people.faults(), []);
  });

  test('writes the CSS of what the knobs are turned to', async () => {
    // Grace's browser has kept nothing of the comments yet.
    const knobs = await people.contexts.grace.newPage();
    await knobs.setViewportSize({ width: 1280, height: 800 });
    await knobs.goto(`${people.server.url}/demo/knobs`);
    const comments = knobs.locator('confab-comments');
    await comments.locator('article').first().waitFor();
    const code = knobs.locator('#written code');
    assert.match(await words(code), /Nothing to write/);
    await knobs.getByLabel('Avatar size').fill('4');
    assert.match(await words(code), /^confab-comments \{\s+--confab-avatar-size: 4em;\s+\}$/);
    const size = await comments.locator('.avatar').first().boundingBox();
    assert.equal(size?.width, 64);
    const accent = knobs.getByLabel('Links and accents');
    assert.equal(await accent.inputValue(), '#1642a6', 'the blue that suits the text of the page');
    await accent.fill('#aa0033');
    assert.equal(await knobs.getByLabel('Focus').inputValue(), '#aa0033', 'it follows the accent');
    await knobs.getByLabel('Theme').selectOption('compact');
    await knobs.locator('#written code', { hasText: 'Many comments on little space' }).waitFor();
    assert.match(await words(code), /--confab-accent-color: #aa0033;/);
    for (const colorScheme of ['light', 'dark'] as const) {
      await knobs.emulateMedia({ colorScheme });
      await look(knobs, `elements-knobs-${colorScheme}`);
    }
    await knobs.getByRole('button', { name: 'Reset' }).click();
    assert.match(await words(code), /Nothing to write/);
    assert.deepEqual(people.faults(), []);
  });
});
