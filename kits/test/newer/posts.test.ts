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
  part,
  poll,
  react,
  ready,
  type TwoPeople,
  words,
  write,
} from './two-people.ts';

// Two people post with version 32: in a feed, in lists of posts of one app and of several, and with an editor alone.
describe('posts in version 32', () => {
  let people: TwoPeople;
  let ada: Page;
  let grace: Page;

  before(async () => {
    people = await meet();
    const feed = '<wy-feed uid="news" name="News"></wy-feed>';
    [ada, grace] = [await people.open('ada', feed), await people.open('grace', feed)];
    for (const page of [ada, grace]) {
      await ready(form(page));
      await listening(page);
    }
  });

  after(() => people.close());

  const form = (page: Page) => page.locator('wy-post-form wy-editor-msg');
  const card = (page: Page, hasText: string): Locator =>
    page.locator('wy-post div[part~=wy-post]', { hasText });
  const content = (page: Page, text: string) => part(card(page, text), 'wy-post-content');
  const menu = (page: Page, text: string) => card(page, text).locator('wy-item wy-dropdown').first();

  test('the editor says what it is for, and has its buttons', async () => {
    assert.equal(await words(form(ada).locator('.cm-placeholder')), 'Create a post...');
    for (const title of ['From device', 'From cloud', 'Poll', 'Post'])
      await button(form(ada), title).waitFor();
  });

  test('a post shows its author, its picture and its file', async () => {
    await attach(form(ada), picture('coast.png'), {
      name: 'log.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('First entry'),
    });
    await write(form(ada), 'We sail on **Monday**', 'Post');
    assert.equal(await words(content(ada, 'We sail').locator('strong')), 'Monday');
    // The kit asks every ten seconds whether there are newer posts, and shows them at a click.
    await part(grace, 'wy-banner', { hasText: 'New posts' }).and(part(grace, 'wy-show')).click();
    for (const page of [ada, grace]) {
      assert.equal(await words(content(page, 'We sail').locator('strong')), 'Monday');
      assert.match(await words(part(card(page, 'We sail'), 'wy-post-header').first()), /^Ada Lovelace/);
      const [width, height] = await drawn(card(page, 'We sail').locator('wy-image-grid img'));
      assert.equal((width / height).toFixed(1), (480 / 270).toFixed(1));
      assert.match(
        await words(part(card(page, 'We sail').locator('wy-attachment-list'), 'wy-item')),
        /log\.txt/,
      );
    }
  });

  test('a post is commented on, and its count of comments follows', async () => {
    const mine = card(grace, 'We sail');
    await button(mine, '0 comments').click();
    await write(mine.locator('wy-editor-comment'), 'I bring the charts', 'Comment');
    assert.equal(await words(part(mine.locator('wy-comment'), 'wy-content')), 'I bring the charts');
    for (const page of [ada, grace]) await button(card(page, 'We sail'), '1 comment').waitFor();
    await button(card(ada, 'We sail'), '1 comment').click();
    assert.equal(
      await words(part(card(ada, 'We sail').locator('wy-comment'), 'wy-content')),
      'I bring the charts',
    );
  });

  test('a post is reacted to, which shows who', async () => {
    await react(part(card(grace, 'We sail'), 'wy-post-footer').first(), '😍');
    const line = part(card(ada, 'We sail'), 'wy-post-footer').first().locator('wy-button[kind=icon-inline]');
    assert.equal(await words(part(line, 'wy-reactions')), '😍');
    await line.locator('button').click();
    assert.match(await words(part(ada.locator('wy-reaction-item'), 'wy-item')), /Grace Hopper/);
    await ada.keyboard.press('Escape');
  });

  test('a post is edited', async () => {
    await choose(menu(ada, 'We sail'), 'Edit');
    const editor = ada.locator('wy-post-edit wy-editor-msg');
    await ready(editor);
    await editor.locator('.cm-content').fill('We sail on Tuesday');
    await button(editor, 'Update').click();
    assert.equal(await words(content(ada, 'We sail')), 'We sail on Tuesday');
    await card(ada, 'We sail').getByText('edited').waitFor();
  });

  test('a post is put into the trash and taken out of it', async () => {
    await choose(menu(ada, 'We sail'), 'Trash');
    const trashed = ada.locator('div[part~=wy-post-trashed]');
    assert.match(await words(trashed), /Post was trashed\./);
    await button(trashed, 'Undo').click();
    assert.equal(await words(content(ada, 'We sail')), 'We sail on Tuesday');
    assert.equal(await gone(trashed), 0);
  });

  test('a poll of a post is voted in', async () => {
    await button(form(ada), 'Poll').click();
    await poll(form(ada), ['Tea', 'Coffee']);
    await write(form(ada), 'What to drink?', 'Post');
    const option = (page: Page, hasText: string) =>
      part(card(page, 'What to drink?'), 'wy-poll-option', { hasText });
    await option(ada, 'Coffee').click();
    assert.match(await words(option(ada, 'Coffee')), /Coffee 100% \(1\)/);
    await grace.reload();
    await option(grace, 'Tea').click();
    assert.match(await words(option(grace, 'Tea')), /Tea 50% \(1\)/);
  });

  test('a post is subscribed to and no longer', async () => {
    await choose(menu(grace, 'What to drink?'), 'Subscribe');
    await choose(menu(grace, 'What to drink?'), 'Unsubscribe');
    assert.equal(await card(grace, 'What to drink?').count(), 1);
  });

  test('an editor alone posts to the app that is chosen, and a list of several apps shows the posts of all', async () => {
    await people.server.call('PUT', '/api/apps/alerts', { type: 'posts', access: 'write', name: 'Alerts' });
    const page = await people.open(
      'ada',
      '<wy-post-editor uid="news alerts"></wy-post-editor><wy-posts uid="news alerts" search></wy-posts>',
    );
    await ready(form(page));
    await choose(form(page).locator('wy-dropdown', { hasText: 'Alerts' }), 'Alerts');
    await write(form(page), 'High water', 'Post');
    await content(page, 'High water').waitFor();
    await content(page, 'We sail').waitFor();
    await page.locator('wy-posts wy-search input').fill('water');
    await card(page, 'We sail').waitFor({ state: 'detached' });
    assert.equal(await words(content(page, 'High water')), 'High water');
    const alone = await people.open('grace', '<wy-posts uid="alerts"></wy-posts>');
    assert.equal(await words(content(alone, 'High water')), 'High water');
    assert.equal(await card(alone, 'We sail').count(), 0);
    await keepPicture(page, 'newer-posts-of-two-apps');
  });

  test('a feed shows the posts of the people whom its reader follows', async () => {
    await write(form(grace), 'From the compiler', 'Post');
    await content(grace, 'From the compiler').waitFor();
    const page = await people.open('ada', '<wy-posts uid="news" following></wy-posts>');
    await page.getByText('No posts to show yet.').waitFor();
    assert.equal(await card(page, 'From the compiler').count(), 0);
    await ada.reload();
    await part(card(ada, 'From the compiler'), 'wy-post-header')
      .locator('wy-button[kind=link] button')
      .first()
      .click();
    const sheet = ada.locator('wy-user-card wy-overlay');
    await button(sheet, 'Follow').click();
    await button(sheet, 'Unfollow').waitFor();
    await page.reload();
    assert.equal(await words(content(page, 'From the compiler')), 'From the compiler');
  });

  test('no page has a fault', async () => {
    await keepPicture(ada, 'newer-feed-ada');
    await keepPicture(grace, 'newer-feed-grace');
    assert.deepEqual(people.faults(), []);
  });
});
