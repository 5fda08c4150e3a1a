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

  test('members see who types and who has read, where the page asks for it', async () => {
    const { server } = people;
    const { body: app } = await server.call('PUT', '/api/apps/hold', { type: 'chat', access: 'none' });
    for (const uid of ['ada', 'grace']) {
      const { body: user } = await server.call('GET', `/api/users/${uid}`);
      await server.call('PUT', `/api/apps/${app.id}/members/${user.id}`, { access: 'write' });
    }
    await server.create('/api/apps/hold/messages', { text: 'Welcome aboard' });
    const chat = '<wy-chat uid="hold" features="typing receipts"></wy-chat>';
    const [one, other] = [await people.open('ada', chat), await people.open('grace', chat)];
    for (const page of [one, other]) {
      await ready(editor(page));
      await content(page, 'Welcome').waitFor();
      await listening(page);
    }
    await type(editor(other), 'I am');
    await part(one.locator('wy-message-typing'), 'wy-bouncer').waitFor();
    await button(editor(other), 'Send').click();
    assert.equal(await words(content(one, 'I am')), 'I am');
    assert.equal(await gone(part(one.locator('wy-message-typing'), 'wy-bouncer')), 0);
    const seen = message(other, 'I am').locator('wy-avatar[title^="Seen by Ada Lovelace at "]');
    await seen.waitFor({ state: 'attached' });
    assert.equal(await seen.count(), 1);
  });

  test('neither page has a fault', async () => {
    await keepPicture(ada, 'newer-chat-ada');
    await keepPicture(grace, 'newer-chat-grace');
    assert.deepEqual(people.faults(), []);
  });
});
