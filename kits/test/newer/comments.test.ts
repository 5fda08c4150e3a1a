import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drawn } from 'confab-testing/browser/people.ts';
import { picture } from 'confab-testing/browser/picture-file.ts';
import type { Locator, Page } from 'playwright-core';
import {
  attach,
  button,
  choose,
  gone,
  keepPicture,
  listening,
  meet,
  mention,
  part,
  poll,
  react,
  ready,
  type TwoPeople,
  type,
  words,
  write,
} from './two-people.ts';

const markup = '<wy-comments uid="talk"></wy-comments>';

// Two people comment with version 32: each sees at once what the other does.
describe('comments in version 32', () => {
  let people: TwoPeople;
  let ada: Page;
  let grace: Page;

  before(async () => {
    people = await meet();
    [ada, grace] = [await people.open('ada', markup), await people.open('grace', markup)];
    for (const page of [ada, grace]) {
      await ready(editor(page));
      await listening(page);
    }
  });

  after(() => people.close());

  const editor = (page: Page) => page.locator('wy-editor-comment');
  const card = (page: Page, hasText: string): Locator => part(page, 'wy-comment', { hasText });
  const content = (page: Page, text: string) => part(card(page, text), 'wy-content');

  test('a comment appears for the other user, with its author, its picture and its file', async () => {
    await attach(editor(ada), picture('coast.png'), {
      name: 'log.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('First entry'),
    });
    await write(editor(ada), 'We sail on **Monday**', 'Comment');
    for (const page of [ada, grace]) {
      assert.equal(await words(content(page, 'We sail').locator('strong')), 'Monday');
      assert.match(await words(part(card(page, 'We sail'), 'wy-comment-title')), /^Ada Lovelace · /);
      const [width, height] = await drawn(card(page, 'We sail').locator('wy-image-grid img'));
      assert.equal((width / height).toFixed(1), (480 / 270).toFixed(1));
      assert.match(
        await words(part(card(page, 'We sail').locator('wy-attachment-list'), 'wy-item')),
        /log\.txt/,
      );
    }
  });

  test('a comment is edited, which its readers see', async () => {
    await write(editor(grace), 'I bring the charst', 'Comment');
    await card(ada, 'I bring the charst').waitFor();
    await choose(card(grace, 'I bring').locator('wy-dropdown').first(), 'Edit');
    await ready(grace.locator('wy-editor-msg'));
    await grace.locator('wy-editor-msg .cm-content').fill('I bring the charts');
    await button(grace.locator('wy-editor-msg'), 'Update').click();
    assert.equal(await words(content(grace, 'I bring the charts')), 'I bring the charts');
    assert.match(await words(part(card(grace, 'I bring'), 'wy-comment-title')), /edited/);
    // The kit hears nothing of edits; it shows them when it loads the list again.
    await ada.reload();
    assert.equal(await words(content(ada, 'I bring the charts')), 'I bring the charts');
    assert.match(await words(part(card(ada, 'I bring'), 'wy-comment-title')), /edited/);
  });

  test('a comment is put into the trash and taken out of it', async () => {
    await choose(card(grace, 'I bring').locator('wy-dropdown').first(), 'Trash');
    const trashed = card(grace, 'Comment was trashed.');
    assert.equal(await words(part(trashed, 'wy-trashed')), 'Comment was trashed.');
    assert.equal(await gone(card(grace, 'I bring')), 0);
    await button(trashed, 'Undo').click();
    assert.equal(await words(content(grace, 'I bring')), 'I bring the charts');
  });

  test('a reaction appears for the other user, with who reacted', async () => {
    await react(card(grace, 'We sail'), '👍');
    const line = card(ada, 'We sail').locator('wy-reactions wy-button[kind=icon-inline]');
    assert.equal(await words(part(line, 'wy-reactions')), '👍');
    await line.locator('button').click();
    assert.match(await words(ada.locator('wy-reaction-item wy-item').first()), /Grace Hopper/);
    await ada.keyboard.press('Escape');
  });

  test('a person is mentioned', async () => {
    await ready(editor(grace));
    await type(editor(grace), 'Ask');
    await mention(editor(grace), 'Ada Lovelace');
    await button(editor(grace), 'Comment').click();
    assert.match(await words(content(ada, 'Ask')), /^Ask @?Ada Lovelace/);
  });

  test('a poll is opened and voted in', async () => {
    await choose(editor(ada).locator('wy-dropdown'), 'Poll');
    await poll(editor(ada), ['Tea', 'Coffee']);
    await write(editor(ada), 'What to drink?', 'Comment');
    const option = (page: Page, hasText: string) =>
      part(card(page, 'What to drink?'), 'wy-poll-option', { hasText });
    await option(grace, 'Coffee').click();
    assert.match(await words(option(grace, 'Coffee')), /Coffee 100% \(1\)/);
    await ada.reload();
    assert.match(await words(option(ada, 'Coffee')), /Coffee 100% \(1\)/);
    await part(option(ada, 'Coffee'), 'wy-poll-amount').click();
    assert.match(await words(ada.locator('wy-poll-option wy-overlay wy-item').first()), /Grace Hopper/);
    await ada.keyboard.press('Escape');
  });

  test('a link shows what its page is about', async () => {
    await editor(ada).locator('.cm-content').fill(`See ${people.host.url}/article `);
    await part(editor(ada).locator('wy-embed'), 'wy-embed', { hasText: 'On computable numbers' }).waitFor();
    await button(editor(ada), 'Comment').click();
    const seen = part(card(grace, 'See http').locator('wy-embed'), 'wy-embed');
    assert.match(await words(seen), /On computable numbers.*A paper of 1936/);
  });

  test('the card of a person opens, and the person is followed', async () => {
    await part(card(ada, 'I bring'), 'wy-comment-title').locator('button').click();
    const sheet = ada.locator('wy-user-card wy-overlay');
    await button(sheet, 'Follow').click();
    await button(sheet, 'Unfollow').waitFor();
    await ada.keyboard.press('Escape');
    await ada.reload();
    await part(card(ada, 'I bring'), 'wy-comment-title').locator('button').click();
    await button(sheet, 'Unfollow').click();
    await button(sheet, 'Follow').waitFor();
    await ada.keyboard.press('Escape');
    assert.equal(await button(sheet, 'Unfollow').count(), 0);
  });

  test('neither page has a fault', async () => {
    await keepPicture(ada, 'newer-comments-ada');
    await keepPicture(grace, 'newer-comments-grace');
    assert.deepEqual(people.faults(), []);
  });
});
