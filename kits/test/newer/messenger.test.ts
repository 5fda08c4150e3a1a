import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drawn } from 'confab-testing/browser/people.ts';
import { picture } from 'confab-testing/browser/picture-file.ts';
import type { Locator, Page } from 'playwright-core';
import {
  button,
  choose,
  gone,
  keepPicture,
  listening,
  meet,
  part,
  ready,
  type TwoPeople,
  type,
  words,
  write,
} from './two-people.ts';

// Two people talk in private and in a room of the messenger of version 32.
describe('the messenger of version 32', () => {
  let people: TwoPeople;
  let ada: Page;
  let grace: Page;

  before(async () => {
    people = await meet();
    await people.server.token('mary', { name: 'Mary Somerville' });
    await people.server.token('emmy', { name: 'Emmy Noether' });
    const markup = '<wy-messenger style="flex: 1"></wy-messenger>';
    // How many wait to be read, as a product shows it beside the link to its messenger.
    const badges = '<header><wy-messenger-badge></wy-messenger-badge></header>';
    [ada, grace] = [await people.open('ada', markup), await people.open('grace', badges + markup)];
    for (const page of [ada, grace]) {
      // Wide enough for the list and a conversation beside each other.
      await page.setViewportSize({ width: 1100, height: 800 });
      await page.locator('wy-conversation-new button').first().waitFor();
      await listening(page);
    }
  });

  after(() => people.close());

  const row = (page: Page, words: string): Locator =>
    page.locator('wy-item[part~=wy-conversation-item]', { hasText: words });
  const editor = (page: Page) => page.locator('wy-editor-message');
  const message = (page: Page, text: string): Locator => page.locator('wy-message', { hasText: text });
  const content = (page: Page, text: string) => part(message(page, text), 'wy-content');
  const badge = () => part(grace.locator('wy-messenger-badge'), 'wy-badge');
  const header = (page: Page) => part(page, 'wy-conversation-titlebar');
  const details = (page: Page) => part(page, 'wy-conversation-details');

  /** Waits until the conversation that is open has a title. */
  const titled = (page: Page, hasText: RegExp) =>
    page.locator('wy-conversation-header wy-titlebar-text', { hasText }).waitFor({ state: 'attached' });

  async function close(page: Page): Promise<void> {
    await details(page).locator('wy-titlebar wy-button[slot=icon] button').last().click();
    await details(page).locator('wy-avatar-header').waitFor({ state: 'detached' });
  }

  async function select(page: Page, names: readonly string[], label: string): Promise<void> {
    const search = page.locator('wy-users-search');
    for (const name of names) await part(search, 'wy-item', { hasText: name }).click();
    await button(search.locator('[part~=wy-footerbar]'), label).click();
  }

  async function start(page: Page, names: readonly string[]): Promise<void> {
    await page.locator('wy-conversation-new').locator('button').first().click();
    await select(page, names, 'Create');
    await ready(editor(page));
  }

  test('whom to talk to is found by name, and the user is not among them', async () => {
    await ada.locator('wy-conversation-new').locator('button').first().click();
    const search = ada.locator('wy-users-search');
    await ada.getByText('New conversation').waitFor();
    assert.equal(await search.locator('input').getAttribute('placeholder'), 'Search...');
    await search.locator('wy-icon[name=magnify]').waitFor({ state: 'attached' });
    const found = part(search, 'wy-item');
    await found.nth(2).waitFor();
    assert.equal(await found.count(), 3);
    await found.filter({ hasText: 'Mary' }).click();
    const chosen = found.filter({ has: ada.locator('wy-icon[name=checkbox-marked]') });
    assert.match(await words(chosen), /Mary Somerville/);
    await search.locator('input').fill('Emmy');
    await found.nth(2).waitFor({ state: 'detached' });
    assert.deepEqual(await Promise.all([words(found.first()), words(found.last())]), [
      'Mary Somerville',
      'Emmy Noether',
    ]);
    assert.match(await words(chosen), /Mary Somerville/, 'who is chosen stays');
    await search.locator('input').fill('odefinierad');
    await ada.getByText('Your search did not match any people.').waitFor();
    await search.locator('wy-button[type=reset] button').click();
    await found.nth(2).waitFor();
    await part(ada, 'wy-conversation-new-dialog')
      .locator('wy-titlebar wy-button[slot=icon] button')
      .last()
      .click();
    await found.first().waitFor({ state: 'detached' });
  });

  test('a private conversation starts and appears for the other user', async () => {
    await start(ada, ['Grace Hopper']);
    await write(editor(ada), 'Between us', 'Send');
    assert.match(await words(row(grace, 'Between us')), /Ada Lovelace.*Between us/);
    await grace.locator('wy-item[status=unread]').waitFor();
    assert.equal(await words(badge()), '1');
    await titled(ada, /Grace Hopper/);
  });

  test('the writer sees that the message was read', async () => {
    await row(grace, 'Ada Lovelace').click();
    assert.equal(await words(content(grace, 'Between us')), 'Between us');
    const mark = message(ada, 'Between us').locator('wy-avatar[title^="Seen by Grace Hopper at "]');
    await mark.waitFor({ state: 'attached' });
    await grace.locator('wy-item[status=unread]').waitFor({ state: 'detached' });
    assert.equal(await gone(badge()), 0);
  });

  test('each user sees that the other types, and is there', async () => {
    await type(editor(grace), 'I am');
    await part(ada.locator('wy-message-typing'), 'wy-bouncer').waitFor();
    await row(ada, 'Grace Hopper').getByText('typing').first().waitFor();
    await button(editor(grace), 'Send').click();
    assert.equal(await words(content(ada, 'I am')), 'I am');
    await part(row(ada, 'Grace Hopper').locator('wy-presence'), 'wy-presence-active').waitFor();
  });

  test('a private conversation with the same person is the same one', async () => {
    await start(ada, ['Grace Hopper']);
    assert.equal(await words(content(ada, 'I am')), 'I am');
    assert.equal(await row(ada, 'Grace Hopper').count(), 1);
  });

  test('a room is created, named and used', async () => {
    await start(ada, ['Grace Hopper', 'Mary Somerville']);
    await titled(ada, /Grace Hopper.*Mary Somerville|Mary Somerville.*Grace Hopper/);
    await button(header(ada), 'Details').click();
    await details(ada).locator('#roomName').fill('Engines');
    await details(ada).locator('#roomName').press('Enter');
    await close(ada);
    await titled(ada, /Engines/);
    await write(editor(ada), 'Welcome to the room', 'Send');
    assert.match(await words(row(grace, 'Engines')), /Engines.*Welcome to the room/);
    await row(grace, 'Engines').click();
    assert.equal(await words(content(grace, 'Welcome')), 'Welcome to the room');
    await write(editor(grace), 'Glad to be here', 'Send');
    assert.equal(await words(content(ada, 'Glad')), 'Glad to be here');
    assert.match(await words(part(message(ada, 'Glad'), 'wy-message-meta')), /^Grace Hopper/);
  });

  const names = async (page: Page) => {
    const list = part(details(page).locator('wy-item-list'), 'wy-item');
    await list.first().waitFor();
    return (await list.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
  };

  test('a member is added, made an administrator, and removed', async () => {
    await button(header(ada), 'Details').click();
    await button(details(ada), 'Add members').click();
    const found = part(ada.locator('wy-users-search'), 'wy-item');
    await found.first().waitFor();
    assert.match(await words(found.first()), /Emmy Noether/);
    assert.equal(await found.count(), 1, 'only who is no member');
    await select(ada, ['Emmy Noether'], 'Add members');
    const member = (name: string) => part(details(ada).locator('wy-item-list'), 'wy-item', { hasText: name });
    await member('Emmy Noether').waitFor();
    assert.equal((await names(ada)).length, 4);
    await choose(member('Grace Hopper').locator('wy-dropdown'), 'Make admin');
    await member('Grace Hopper').locator('wy-icon[title=Admin]').waitFor({ state: 'attached' });
    await choose(member('Grace Hopper').locator('wy-dropdown'), 'Remove as admin');
    await member('Grace Hopper').locator('wy-icon[title=Admin]').waitFor({ state: 'detached' });
    await choose(member('Mary Somerville').locator('wy-dropdown'), 'Remove member');
    await member('Mary Somerville').waitFor({ state: 'detached' });
    await close(ada);
  });

  test('a member leaves a room', async () => {
    await choose(row(grace, 'Engines').locator('wy-dropdown'), 'Leave');
    await row(grace, 'Engines').waitFor({ state: 'detached' });
    const room = await people.server.call('GET', '/api/apps?q=Engines');
    const left = await people.server.call('GET', `/api/apps/${room.body.data[0].id}/members?order_by=name`);
    const who = left.body.data.map((member: { display_name: string }) => member.display_name);
    assert.deepEqual(who, ['Ada Lovelace', 'Emmy Noether']);
  });

  test('a conversation is pinned, starred, marked unread, searched and deleted', async () => {
    const mine = row(grace, 'Ada Lovelace');
    await choose(mine.locator('wy-dropdown'), 'Pin');
    await mine.locator('wy-icon[name=pin]').first().waitFor({ state: 'attached' });
    await choose(mine.locator('wy-dropdown'), 'Star');
    await mine.locator('wy-icon[name=star]').first().waitFor({ state: 'attached' });
    await choose(mine.locator('wy-dropdown'), 'Mark as unread');
    await grace.locator('wy-item[status=unread]').first().waitFor();
    assert.equal(await words(badge()), '1');
    await grace.locator('wy-conversation-list wy-search input').fill('nobody');
    await mine.waitFor({ state: 'detached' });
    await grace.locator('wy-conversation-list wy-search input').fill('');
    await mine.waitFor();
    await keepPicture(grace, 'newer-messenger-grace');
    await choose(mine.locator('wy-dropdown'), 'Delete');
    await mine.waitFor({ state: 'detached' });
    // It is there again, with what was said, when one of the two opens it again.
    await start(grace, ['Ada Lovelace']);
    assert.equal(await words(content(grace, 'Between us')), 'Between us');
  });

  test('the parts of the messenger alone do the same', async () => {
    await grace.close();
    await row(ada, 'I am').click();
    await titled(ada, /^\s*Grace Hopper\s*$/);
    await write(editor(ada), 'Still there?', 'Send');
    await content(ada, 'Still there?').waitFor();
    const page = await people.open(
      'grace',
      '<wy-messenger-button></wy-messenger-button><wy-messenger-new></wy-messenger-new><wy-messenger-conversations></wy-messenger-conversations>',
    );
    const item = 'wy-item[part~=wy-conversation-item]';
    const listed = page.locator(`wy-messenger-conversations ${item}`, {
      hasText: 'Still there?',
    });
    await listed.waitFor();
    assert.equal(await words(part(page.locator('wy-messenger-button wy-button').first(), 'wy-badge')), '1');
    await page.locator('wy-messenger-button button').first().click();
    const inside = page.locator('wy-messenger-button wy-overlay');
    await inside.locator(item, { hasText: 'Still there?' }).click();
    assert.equal(
      await words(part(inside.locator('wy-message', { hasText: 'Between us' }), 'wy-content')),
      'Between us',
    );
    await keepPicture(page, 'newer-messenger-button');
  });

  test('a room gets a picture, which is taken away again', async () => {
    await row(ada, 'Engines').click();
    await button(header(ada), 'Details').click();
    await details(ada).locator('input[type=file]').setInputFiles(picture('engine.png'));
    await drawn(details(ada).locator('wy-upload wy-avatar img'));
    await drawn(row(ada, 'Engines').locator('wy-avatar img').first());
    await button(details(ada), 'Remove picture').click();
    await details(ada).locator('wy-upload wy-avatar-group').waitFor({ state: 'attached' });
    assert.equal(await details(ada).locator('wy-upload wy-avatar img').count(), 0);
    await close(ada);
  });

  test('no page has a fault', async () => {
    await keepPicture(ada, 'newer-messenger-ada');
    assert.deepEqual(people.faults(), []);
  });
});
