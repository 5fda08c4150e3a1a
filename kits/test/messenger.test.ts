import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { choose, gone, meet, type People, seenAfter, type, words } from 'confab-testing/browser/people.ts';
import type { Locator, Page } from 'playwright-core';

// Two people talk in private and in a room of the messenger of the unmodified reference client.
describe('the messenger of the reference client', () => {
  let people: People;
  let ada: Page;
  let grace: Page;

  before(async () => {
    people = await meet({
      expected: [
        {
          fault: /^console: .* Error in Subscribe: Error: Duplicate subscribe: /,
          reason: 'the client opens a room again that its user has just left',
        },
        {
          fault: /^answered 404: GET .*\/api\/(?:conversations\/\d+|apps\/\d+\/(?:members|messages\?.*))$/,
          reason: 'and asks for what is in it, which is hidden from then on',
        },
        {
          fault: /^exception: Cannot read properties of undefined \(reading 'filter'\)$/,
          reason: 'and takes that answer for a list of members, if it comes while it still shows messages',
        },
      ],
    });
    await people.server.token('demo-mary', { name: 'Mary Somerville' });
    [ada, grace] = await Promise.all([people.open('ada', 'messenger'), people.open('grace', 'messenger')]);
    for (const page of [ada, grace]) {
      // Wide enough for the list and a conversation beside each other.
      await page.setViewportSize({ width: 1100, height: 800 });
      await page.locator('wy-conversation-new wy-button').waitFor();
    }
    // How many wait to be read, as a product shows it beside the link to its messenger.
    await grace.evaluate(`document.body.insertAdjacentHTML('afterbegin', '<wy-badge></wy-badge>')`);
  });

  after(() => people.close());

  function row(page: Page, words: string): Locator {
    return page.locator('wy-conversation-list-item', { hasText: words });
  }

  function message(page: Page, text: string): Locator {
    return page.locator('wy-message', { hasText: text });
  }

  async function select(page: Page, names: readonly string[], button: string): Promise<void> {
    const search = page.locator('wy-overlay wy-users-search');
    for (const name of names) {
      await search
        .locator('.wy-item', { hasText: name, has: page.locator('wy-icon[name=account-plus]') })
        .locator('wy-button')
        .click();
    }
    await search.getByText(button, { exact: true }).click();
  }

  async function start(page: Page, names: readonly string[]): Promise<void> {
    await page.locator('wy-conversation-new wy-button').first().click();
    await select(page, names, 'Next');
    await page.locator('wy-message-editor .cm-content').waitFor();
  }

  const content = (page: Page, text: string) => message(page, text).locator('.wy-content');
  const badge = () => grace.locator('body > wy-badge .wy-badge');

  async function send(page: Page): Promise<void> {
    await page.locator('wy-message-editor wy-button[title=Send]').click();
  }

  test('a private conversation starts and appears for the other user', async () => {
    await start(ada, ['Grace Hopper']);
    await type(ada.locator('wy-message-editor'), 'Between us');
    const excerpt = row(grace, 'Ada Lovelace').getByText('Between us');
    assert.equal(await seenAfter(excerpt, () => send(ada)), 'Between us');
    await row(grace, 'Ada Lovelace').locator('.wy-unread').waitFor();
    assert.equal(await words(badge()), '1');
  });

  test('the writer sees that the message was delivered and read', async () => {
    await message(ada, 'Between us').locator('[title=Delivered]').waitFor({ state: 'attached' });
    await row(grace, 'Ada Lovelace').click();
    assert.equal(await words(content(grace, 'Between us')), 'Between us');
    // The client marks as read what arrives in an open conversation.
    await type(ada.locator('wy-message-editor'), 'Have you seen it?');
    const mark = message(ada, 'Have you seen it?').locator('wy-avatar[title^="Seen by Grace Hopper"]');
    await send(ada);
    await mark.waitFor({ state: 'attached' });
    assert.match((await mark.getAttribute('title')) ?? '', /^Seen by Grace Hopper at /);
    assert.equal(await gone(row(grace, 'Ada Lovelace').locator('.wy-unread')), 0);
    assert.equal(await gone(badge()), 0);
  });

  test('each user sees that the other types', async () => {
    const typing = ada.locator('wy-conversation header').getByText('is typing');
    const seen = await seenAfter(typing, () => type(grace.locator('wy-message-editor'), 'I am'));
    assert.match(seen, /^Grace Hopper is typing\.+$/);
    await send(grace);
    assert.equal(await words(content(ada, 'I am')), 'I am');
    assert.equal(await gone(typing), 0);
  });

  test('a room is created, named and used', async () => {
    await start(ada, ['Grace Hopper', 'Mary Somerville']);
    await choose(ada.locator('wy-conversation header'), 'Details');
    await ada.locator('wy-overlay input.wy-input').fill('Engines');
    await ada.locator('wy-overlay wy-button', { has: ada.locator('wy-icon[name=check]') }).click();
    await ada.keyboard.press('Escape');
    await ada.locator('wy-conversation header').getByText('Engines').waitFor();
    await type(ada.locator('wy-message-editor'), 'Welcome to the room');
    const excerpt = row(grace, 'Engines').getByText('Welcome to the room');
    assert.equal(await seenAfter(excerpt, () => send(ada)), 'Welcome to the room');
    await row(grace, 'Engines').click();
    assert.equal(await words(content(grace, 'Welcome to the room')), 'Welcome to the room');
    await type(grace.locator('wy-message-editor'), 'Glad to be here');
    const answer = content(ada, 'Glad to be here');
    assert.equal(await seenAfter(answer, () => send(grace)), 'Glad to be here');
  });

  test('a member is added to a room, and a member leaves it', async () => {
    await people.server.token('demo-emmy', { name: 'Emmy Noether' });
    const members = async (page: Page) => {
      await choose(page.locator('wy-conversation header'), 'Details');
      const names = page.locator('wy-overlay .wy-pane-group .wy-item-body');
      await names.first().waitFor();
      const list = (await names.allInnerTexts()).map((name) => name.trim()).sort();
      await page.keyboard.press('Escape');
      await gone(page.locator('wy-overlay'));
      return list;
    };
    await choose(ada.locator('wy-conversation header'), 'Add members');
    await select(ada, ['Emmy Noether'], 'Add');
    await gone(ada.locator('wy-overlay'));
    const all = ['Ada Lovelace', 'Emmy Noether', 'Grace Hopper', 'Mary Somerville'];
    assert.deepEqual(await members(ada), all);
    await choose(grace.locator('wy-conversation header'), 'Leave conversation');
    assert.equal(await gone(row(grace, 'Engines')), 0);
    const room = await people.server.call('GET', '/api/apps?q=Engines');
    const left = await people.server.call('GET', `/api/apps/${room.body.data[0].id}/members?order_by=name`);
    const names = left.body.data.map((member: { display_name: string }) => member.display_name);
    assert.deepEqual(names, ['Ada Lovelace', 'Emmy Noether', 'Mary Somerville']);
  });

  test('a conversation is pinned, starred and marked unread', async () => {
    const mine = row(grace, 'Ada Lovelace').first();
    await choose(mine, 'Pin');
    await mine.locator('.wy-item-actions > wy-button wy-icon[name=pin]').waitFor({ state: 'attached' });
    await choose(mine, 'Star');
    await mine.locator('.wy-item-actions > wy-button wy-icon[name=star]').waitFor({ state: 'attached' });
    await choose(mine, 'Mark as unread');
    await mine.locator('.wy-unread').waitFor();
    assert.equal(await words(badge()), '1');
  });

  test('neither page has a fault', async () => {
    await keepPicture(ada, 'messenger-ada');
    await keepPicture(grace, 'messenger-grace');
    assert.deepEqual(people.faults(), []);
  });
});
