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

// Two people talk in the chat of a page with version 32.
describe('a chat in version 32', () => {
  let people: TwoPeople;
  let ada: Page;
  let grace: Page;

  before(async () => {
    people = await meet();
    const markup = '<wy-chat uid="deck" name="On deck"></wy-chat>';
    [ada, grace] = [await people.open('ada', markup), await people.open('grace', markup)];
    for (const page of [ada, grace]) {
      await ready(editor(page));
      await listening(page);
    }
  });

  after(() => people.close());

  const editor = (page: Page) => page.locator('wy-editor-message');
  const message = (page: Page, text: string): Locator => page.locator('wy-message', { hasText: text });
  const content = (page: Page, text: string) => part(message(page, text), 'wy-content');

  test('a message appears for the other user, with its author, its picture and its file', async () => {
    await attach(editor(ada), picture('coast.png'), {
      name: 'log.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('First entry'),
    });
    await write(editor(ada), 'We sail on **Monday**', 'Send');
    for (const page of [ada, grace]) {
      assert.equal(await words(content(page, 'We sail').locator('strong')), 'Monday');
      await drawn(message(page, 'We sail').locator('wy-image-grid img'));
      assert.match(
        await words(part(message(page, 'We sail').locator('wy-attachment-list'), 'wy-item')),
        /log\.txt/,
      );
    }
    assert.match(await words(part(message(grace, 'We sail'), 'wy-message-meta')), /^Ada Lovelace/);
  });

  test('a reaction appears for the other user, and is taken back', async () => {
    await react(message(grace, 'We sail'), '😍');
    const line = message(ada, 'We sail').locator('wy-reactions wy-button[kind=icon-inline]');
    assert.equal(await words(part(line, 'wy-reactions')), '😍');
    await react(message(grace, 'We sail'), '😍');
    assert.equal(await gone(line), 0);
  });

  test('a person is mentioned', async () => {
    await type(editor(ada), 'Ask');
    await mention(editor(ada), 'Grace Hopper');
    await button(editor(ada), 'Send').click();
    assert.match(await words(content(grace, 'Ask')), /^Ask @?Grace Hopper/);
  });

  test('a poll is voted in', async () => {
    await choose(editor(ada).locator('wy-dropdown').first(), 'Poll');
    await poll(editor(ada), ['Tea', 'Coffee']);
    await write(editor(ada), 'What to drink?', 'Send');
    const option = (page: Page, hasText: string) =>
      part(message(page, 'What to drink?'), 'wy-poll-option', { hasText });
    await option(grace, 'Coffee').click();
    assert.match(await words(option(grace, 'Coffee')), /Coffee 100% \(1\)/);
  });

  test('both find the conversation again, under its name', async () => {
    for (const page of [ada, grace]) {
      await page.reload();
      assert.equal(await words(content(page, 'We sail').locator('strong')), 'Monday');
    }
    const app = await people.server.call('GET', '/api/apps/deck');
    assert.equal(app.body.name, 'On deck');
  });

  test('neither page has a fault', async () => {
    await keepPicture(ada, 'newer-chat-ada');
    await keepPicture(grace, 'newer-chat-grace');
    assert.deepEqual(people.faults(), []);
  });
});
