import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
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

// Two people post, comment on posts and react with the unmodified reference client.
describe('posts in the reference client', () => {
  let people: People;
  let ada: Page;
  let grace: Page;

  before(async () => {
    people = await meet();
    [ada, grace] = await Promise.all([people.open('ada', 'posts'), people.open('grace', 'posts')]);
    for (const page of [ada, grace]) await page.locator('wy-editor .cm-content').waitFor();
  });

  after(() => people.close());

  function card(page: Page, text: string): Locator {
    return page.locator('wy-post', { hasText: text });
  }

  const editor = (page: Page) =>
    page.locator('wy-posts > .wy-posts > .wy-post > wy-editor, wy-editor').first();

  async function post(page: Page): Promise<void> {
    await editor(page).locator('wy-button[title=Post]').click();
  }

  test('a post appears for the other user, with its picture', async () => {
    await attach(editor(ada), picture('coast.png'));
    await type(editor(ada), 'We sail on **Monday**');
    const bold = card(grace, 'We sail on Monday').locator('strong');
    assert.equal(await seenAfter(bold, () => post(ada)), 'Monday');
    for (const page of [ada, grace]) {
      const [width, height] = await drawn(card(page, 'We sail on Monday').locator('wy-image-grid img'));
      assert.equal((width / height).toFixed(1), (480 / 270).toFixed(1));
    }
  });

  test('a post is commented on, and its count of comments follows', async () => {
    const mine = card(grace, 'We sail on Monday');
    await mine.getByText('0 comments').click();
    const comments = mine.locator('wy-comment-editor');
    await type(comments, 'I bring the charts');
    const count = card(ada, 'We sail on Monday').getByText('1 comment');
    const counted = await seenAfter(count, () => comments.locator('wy-button[title="Comment"]').click());
    assert.equal(counted, '1 comment');
    await count.click();
    const comment = card(ada, 'We sail on Monday').locator('wy-comment .wy-content');
    assert.equal(await words(comment), 'I bring the charts');
  });

  test('a post is reacted to', async () => {
    const seen = card(ada, 'We sail on Monday').locator('.wy-post-footer .wy-reaction-lineup').first();
    const mine = card(grace, 'We sail on Monday').locator('.wy-post-footer');
    assert.equal(await seenAfter(seen.getByText('😎'), () => react(mine, '😎')), '😎');
    await react(mine, '😎');
    assert.equal(await gone(seen), 0);
  });

  test('a poll in a post is voted on', async () => {
    await editor(ada)
      .locator('wy-button', { has: ada.locator('wy-icon[name=poll]') })
      .click();
    await editor(ada).locator('.wy-poll-form input').first().fill('North');
    await editor(ada).locator('.wy-poll-form input').nth(1).fill('South');
    await type(editor(ada), 'Which way?');
    const poll = card(grace, 'Which way?').locator('wy-poll');
    assert.equal(await seenAfter(poll.getByText('South'), () => post(ada)), 'South');
    const south = poll.locator('wy-poll-option', { hasText: 'South' });
    await south.click();
    assert.equal(await words(south.getByText('100%')), '100%');
  });

  test('a post is subscribed to, edited, trashed and restored', async () => {
    const mine = card(ada, 'Which way?');
    await choose(card(grace, 'Which way?'), 'Subscribe');
    await card(grace, 'Which way?').locator('wy-dropdown-item', { hasText: 'Unsubscribe' }).waitFor({
      state: 'attached',
    });
    await choose(mine, 'Edit');
    const field = ada.locator('wy-post-edit .cm-content');
    await field.waitFor();
    await field.fill('Which way now?');
    await ada.locator('wy-post-edit wy-button[title=Update]').click();
    await card(ada, 'Which way now?').locator('time', { hasText: 'edited' }).waitFor();
    await choose(card(ada, 'Which way now?'), 'Trash');
    await ada.locator('wy-post-trashed').getByText('Undo').click();
    assert.equal(await words(card(ada, 'Which way now?').locator('.wy-content')), 'Which way now?');
    assert.equal(await gone(ada.locator('wy-post-trashed')), 0);
  });

  test('neither page has a fault', async () => {
    await keepPicture(ada, 'posts-ada');
    await keepPicture(grace, 'posts-grace');
    assert.deepEqual(people.faults(), []);
  });
});
