import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import {
  attach,
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

// Two people chat in a place of the host product with the unmodified reference client.
describe('a chat in the reference client', () => {
  let people: People;
  let ada: Page;
  let grace: Page;

  before(async () => {
    people = await meet();
    [ada, grace] = await Promise.all([people.open('ada', 'chat'), people.open('grace', 'chat')]);
    for (const page of [ada, grace]) await page.locator('wy-message-editor .cm-content').waitFor();
  });

  after(() => people.close());

  function message(page: Page, text: string): Locator {
    return page.locator('wy-message', { hasText: text });
  }

  async function send(page: Page): Promise<void> {
    await page.locator('wy-message-editor wy-button[title=Send]').click();
  }

  /** Puts who types above a chat. The client has an element for it, and leaves the place to the page. */
  async function showTyping(page: Page, uid: string): Promise<Locator> {
    const app = await people.server.call('GET', '/api/apps/demo-chat');
    const user = await people.server.call('GET', `/api/users/${uid}`);
    await page.evaluate(
      `document.body.insertAdjacentHTML('afterbegin', '<wy-typing appid="${app.body.id}" userid="${user.body.id}">')`,
    );
    return page.locator('body > wy-typing');
  }

  test('each user sees that the other types, and the message', async () => {
    const typing = await showTyping(grace, 'demo-grace');
    await type(ada.locator('wy-message-editor'), 'Are you there?');
    assert.match(await words(typing.getByText('typing')), /^Ada Lovelace is typing\.+$/);
    assert.equal(
      await seenAfter(message(grace, 'Are you there?').locator('.wy-content'), () => send(ada)),
      'Are you there?',
    );
    assert.equal(await gone(typing.getByText('typing')), 0);
    await type(grace.locator('wy-message-editor'), 'Yes, **always**');
    assert.equal(await seenAfter(message(ada, 'Yes, always').locator('strong'), () => send(grace)), 'always');
  });

  test('a message has a picture and gets a reaction', async () => {
    await attach(ada.locator('wy-message-editor'), picture('moon.png'));
    await type(ada.locator('wy-message-editor'), 'Look up');
    const said = message(grace, 'Look up').locator('.wy-content');
    assert.equal(await seenAfter(said, () => send(ada)), 'Look up');
    assert.ok((await drawn(message(grace, 'Look up').locator('wy-image-grid img')))[0] > 0);
    const seen = message(ada, 'Look up').locator('.wy-reaction-lineup');
    assert.equal(await seenAfter(seen.getByText('😍'), () => react(message(grace, 'Look up'), '😍')), '😍');
  });

  test('neither page has a fault', async () => {
    await keepPicture(ada, 'chat-ada');
    await keepPicture(grace, 'chat-grace');
    assert.deepEqual(people.faults(), []);
  });
});
