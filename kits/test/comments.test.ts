import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import {
  attach,
  choose,
  drawn,
  gone,
  meet,
  type People,
  react,
  seenAfter,
  type,
  words,
} from 'confab-testing/browser/people.ts';
import { picture } from 'confab-testing/browser/picture-file.ts';
import type { Locator, Page } from 'playwright-core';

// Two people comment with the unmodified reference client, and each sees at once what the other does.
describe('comments in the reference client', () => {
  let people: People;
  let host: Host;
  let ada: Page;
  let grace: Page;

  before(async () => {
    host = await startHost();
    people = await meet();
    [ada, grace] = await Promise.all([people.open('ada', 'comments'), people.open('grace', 'comments')]);
    for (const page of [ada, grace]) await page.locator('wy-comment-editor .cm-content').waitFor();
  });

  after(async () => {
    await people.close();
    await host.close();
  });

  function card(page: Page, text: string): Locator {
    return page.locator('wy-comment', { hasText: text });
  }

  async function send(page: Page): Promise<void> {
    await page.locator('wy-comment-editor wy-button[title="Comment"]').click();
  }

  async function write(page: Page, text: string): Promise<Locator> {
    await type(page.locator('wy-comment-editor'), text);
    await send(page);
    return card(page, text).locator('wy-comment-view');
  }

  test('a comment appears for the other user', async () => {
    await type(ada.locator('wy-comment-editor'), 'Ready for **review**');
    const bold = (page: Page) => card(page, 'Ready for review').locator('strong');
    assert.equal(await seenAfter(bold(grace), () => send(ada)), 'review');
    assert.equal(await words(bold(ada)), 'review');
  });

  test('a user is mentioned from the list of names', async () => {
    await type(ada.locator('wy-comment-editor'), 'Have a look @Gra');
    await ada.locator('.cm-tooltip-autocomplete li', { hasText: 'Grace Hopper' }).click();
    await type(ada.locator('wy-comment-editor'), ' please');
    const seen = card(grace, 'Have a look').locator('.wy-content');
    assert.equal(await seenAfter(seen, () => send(ada)), 'Have a look Grace Hopper please');
  });

  test('a picture is shown to both as a thumbnail', async () => {
    await attach(ada.locator('wy-comment-editor'), picture('sunset.png', 2400, 600));
    await write(ada, 'How it looks');
    for (const page of [ada, grace]) {
      const size = await drawn(card(page, 'How it looks').locator('wy-image-grid img'));
      assert.deepEqual(size, [2048, 512]);
    }
  });

  test('a poll is created and voted on', async () => {
    const editor = ada.locator('wy-comment-editor');
    await choose(editor, 'Poll');
    await editor.locator('.wy-poll-form input').first().fill('Red');
    await editor.locator('.wy-poll-form input').nth(1).fill('Green');
    await write(ada, 'Which colour?');
    const poll = card(grace, 'Which colour?').locator('wy-poll');
    await poll.locator('wy-poll-option', { hasText: 'Green' }).click();
    await poll.locator('wy-poll-option', { hasText: 'Green' }).getByText('100%').click();
    const voters = grace.locator('wy-sheet', { hasText: 'Votes on Green' });
    assert.equal(await words(voters.locator('.wy-item-body')), 'Grace Hopper');
    await grace.locator('wy-sheet wy-button').first().click();
    await poll.locator('wy-poll-option', { hasText: 'Red' }).click();
    await poll.locator('wy-poll-option', { hasText: 'Red' }).getByText('100%').waitFor();
    assert.equal(await gone(poll.locator('wy-poll-option', { hasText: 'Green' }).getByText('100%')), 0);
  });

  test('a link is shown with its preview', async () => {
    await type(ada.locator('wy-comment-editor'), `${host.url}/article `);
    const preview = ada.locator('wy-comment-editor wy-embed');
    await preview.getByText('On computable numbers').waitFor();
    const seen = grace.locator('wy-comment wy-embed', { hasText: 'On computable numbers' });
    assert.match(await seenAfter(seen, () => send(ada)), /A paper of 1936/);
  });

  test('a reaction is added, changed and removed', async () => {
    const mine = card(grace, 'Ready for review').locator('wy-comment-view');
    const seen = card(ada, 'Ready for review').locator('.wy-reaction-lineup');
    assert.equal(await seenAfter(seen.getByText('👍'), () => react(mine, '👍')), '👍');
    assert.equal(await seenAfter(seen.getByText('😍'), () => react(mine, '😍')), '😍');
    await react(mine, '😍');
    assert.equal(await gone(seen), 0);
    assert.equal(await gone(mine.locator('.wy-reaction-lineup')), 0);
  });

  test('a comment is edited, trashed and restored', async () => {
    await choose(await write(ada, 'With a misteak'), 'Edit');
    const editor = ada.locator('wy-comment-edit .cm-content');
    await editor.waitFor();
    await editor.fill('With a mistake');
    await ada.locator('wy-comment-edit wy-button[title=Update]').click();
    await card(ada, 'With a mistake').locator('time', { hasText: 'edited' }).waitFor();
    await choose(card(ada, 'With a mistake'), 'Trash');
    await ada.locator('wy-comment-trashed').getByText('Undo').click();
    assert.equal(await words(card(ada, 'With a mistake').locator('.wy-content')), 'With a mistake');
    assert.equal(await gone(ada.locator('wy-comment-trashed')), 0);
  });

  test('neither page has a fault', async () => {
    await keepPicture(ada, 'comments-ada');
    await keepPicture(grace, 'comments-grace');
    assert.deepEqual(people.faults(), []);
  });
});
