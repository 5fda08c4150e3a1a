import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepPicture, launchBrowser } from 'confab-testing/browser/browser.ts';
import { faultsOfAxe } from 'confab-testing/browser/looks.ts';
import { makeApp, makeComment, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, Page } from 'playwright-core';
import { lookAtViews, openConsole, settled } from '../page.ts';

type Person = Awaited<ReturnType<typeof makeUser>>;

const rules = [
  { name: 'words of spam', action: 'hold', words: ['viagra', 'online casino'] },
  { name: 'elsewhere', action: 'report', pattern: '\\bt\\.me/', newcomer_hours: 72, only_open_apps: true },
  { name: 'flood', action: 'refuse', rate: { count: 100, seconds: 60 } },
];

// Moderators work through what was reported and held, with the keyboard alone if they like, and say what the rules hold.
describe('moderation in the console', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Person;
  let bob: Person;
  let mia: Person;
  let app: number;

  before(async () => {
    [server, browser] = await Promise.all([startTestServer({}), launchBrowser()]);
    ada = await makeUser(server, { name: 'Ada Lovelace' }, 'ada');
    bob = await makeUser(server, { name: 'Bob' }, 'bob');
    mia = await makeUser(server, { name: 'Mia' }, 'mia');
    app = (await makeApp(server, { uid: 'plans', name: 'Plans', access: 'write' })).id;
    await server.call('PUT', `/api/apps/${app}/members/mia`, { role: 'moderator' });
    await server.call('PUT', '/api/moderation/rules', { version: 0, rules });
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  /** A comment by Ada that Bob has reported. */
  async function reported(text: string, fields: object = {}): Promise<number> {
    const { id } = await makeComment(server, app, { text }, { as: ada.token });
    const body = { reason: 'spam', text: `Not nice: ${text}`, ...fields };
    assert.equal(
      (await server.call('POST', `/api/comments/${id}/reports`, body, { as: bob.token })).status,
      200,
    );
    return id;
  }

  const stateOf = async (id: number) => {
    const { body } = await server.call('GET', `/api/comments/${id}?trashed=true`);
    return body.is_held === true ? 'held' : body.is_trashed ? 'trashed' : 'shown';
  };

  /** Opens the queue at an item. */
  const choose = async (page: Page, text: string) => {
    await page.locator('.queue-list a', { hasText: text }).click();
    await page.locator('.item', { hasText: text }).waitFor();
    await page.locator('.queue-choices').waitFor();
  };
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });

  test('has no fault of access in any look, and fits its width', async () => {
    const posts = await makeApp(server, { uid: 'news', name: 'News', type: 'posts', access: 'write' });
    const post = await makePost(server, posts.id, { as: bob.token });
    const comment = await server.create(
      `/api/posts/${post}/comments`,
      { text: 'On a **post**' },
      { as: ada.token },
    );
    await server.call(
      'PATCH',
      `/api/comments/${comment.id}`,
      { text: 'On a **post**, edited' },
      { as: ada.token },
    );
    await server.call(
      'POST',
      `/api/comments/${comment.id}/reports`,
      { reason: 'abuse', text: 'Rude' },
      { as: mia.token },
    );
    await makeComment(server, app, { text: 'The best online casino of the web' }, { as: ada.token });
    const { body } = await server.call('GET', '/api/reports?order_by=id');
    const [report] = body.data;
    const prepare = async (page: Page) => {
      // Also what is shown on a phone alone.
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      await settled(page);
    };
    const paths = ['/moderation', `/moderation?report=${report.id}`, '/moderation/rules'];
    const pictureOf = (path: string) => `console${path.replaceAll(/\W/g, '-')}`;
    const views = paths.map((path) => ({ path, picture: pictureOf(path), prepare }));
    assert.deepEqual(await lookAtViews({ browser, server }, views), []);
  });

  test('mails each new comment to a moderator who ticks it, and asks nothing of an API key', async () => {
    const { id: userId, token } = await makeUser(server, { name: 'Max', email: 'max@example.com' }, 'max');
    await server.call('PUT', `/api/apps/${app}/members/max`, { role: 'moderator' });
    const settings = async () => (await server.read('/api/user/mail', { as: token })).new_comments;
    const { page, faults, close } = await openConsole(browser, server, { path: '/moderation', as: token });
    const box = page.getByRole('checkbox', { name: 'Email me each new comment' });
    await box.waitFor();
    assert.match((await page.locator('.queue-mail').textContent()) ?? '', /max@example\.com/);
    assert.equal(await box.isChecked(), false);
    await box.focus();
    await page.keyboard.press('Space');
    await poll('the choice', async () => ((await settings()) ? true : undefined));
    await page.reload();
    await box.waitFor();
    assert.equal(await box.isChecked(), true);
    assert.deepEqual(await faultsOfAxe(page), []);
    await keepPicture(page, 'console-moderation-mail');
    await box.uncheck();
    await poll('the choice', async () => ((await settings()) ? undefined : true));

    await server.call('PATCH', `/api/users/${userId}`, { email: null });
    await page.reload();
    await page.getByText('You have no email address.').waitFor();
    assert.equal(await box.isDisabled(), true);
    await close();
    const ofKey = await openConsole(browser, server, { path: '/moderation' });
    await ofKey.page.locator('.queue-list').waitFor();
    await settled(ofKey.page);
    assert.equal(await ofKey.page.locator('.queue-mail').count(), 0);
    await ofKey.close();
    assert.deepEqual([...faults, ...ofKey.faults], []);
  });

  test('shows an item as users see it, with its context, its earlier texts and what was said about it', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/moderation' });
    await choose(page, 'On a post');
    const detail = page.locator('.queue-detail');
    assert.equal(await detail.locator('.item strong').textContent(), 'post');
    await detail.locator('blockquote', { hasText: 'a post' }).waitFor();
    await detail.locator('q', { hasText: 'Rude' }).waitFor();
    await detail.getByText('Edited. Earlier').click();
    await detail.locator('.difference ins', { hasText: 'edited' }).waitFor();
    await detail.getByText('Latest in the same conversation').click();
    await detail.locator('.texts li[aria-current]', { hasText: 'edited' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('decides by mouse: holds and trashes with undo, and asks before what cannot be taken back', async () => {
    const ids = {
      held: await reported('one'),
      trashed: await reported('two'),
      kept: await reported('three'),
    };
    const { page, faults, close } = await openConsole(browser, server, { path: '/moderation' });
    await choose(page, 'one');
    await page.getByRole('button', { name: 'Put on hold' }).click();
    await toast(page, 'Put on hold.').waitFor();
    assert.equal(await stateOf(ids.held), 'held');
    await toast(page, 'Put on hold.').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Change undone.').waitFor();
    assert.equal(await stateOf(ids.held), 'shown');
    await choose(page, 'two');
    await page.getByPlaceholder('Note for other moderators').fill('Advertising');
    await page.getByRole('button', { name: 'Move to trash', exact: true }).click();
    await toast(page, 'Moved to the trash.').waitFor();
    assert.equal(await stateOf(ids.trashed), 'trashed');
    await choose(page, 'three');
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    await toast(page, 'Kept.').waitFor();
    assert.equal(await stateOf(ids.kept), 'shown');
    await page.getByLabel('Status').selectOption('resolved');
    await choose(page, 'two');
    await page.locator('.queue-detail q', { hasText: 'Advertising' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await toast(page, 'Restored.').waitFor();
    assert.equal(await stateOf(ids.trashed), 'shown');
    assert.deepEqual(faults, []);
    await close();
  });

  test('is worked through with the keyboard alone', async () => {
    const { body } = await server.call('GET', '/api/reports?state=open&top=100');
    for (const { id } of body.data)
      await server.call('POST', `/api/reports/${id}/resolve`, { action: 'keep' });
    const ids = {
      third: await reported('gamma'),
      second: await reported('beta'),
      first: await reported('alpha'),
    };
    const { id: held } = await makeComment(server, app, { text: 'Cheap viagra' }, { as: ada.token });
    const { page, faults, close } = await openConsole(browser, server);
    const press = (keys: string) => page.keyboard.press(keys);
    const at = (text: string) =>
      page.locator('.queue-choices').and(page.locator('article', { hasText: text }).locator('footer'));
    await press('g');
    await press('m');
    await page.locator('.queue-list a').first().waitFor();
    await press('j');
    await at('Cheap').waitFor();
    await page.locator('.queue-detail', { hasText: 'put on hold by rules: words of spam' }).waitFor();
    await press('j');
    await at('alpha').waitFor();
    await press('k');
    await at('Cheap').waitFor();
    await press('a');
    await toast(page, 'Approved.').waitFor();
    assert.equal(await stateOf(held), 'shown');
    await at('alpha').waitFor();
    await press('h');
    await toast(page, 'Put on hold.').waitFor();
    await at('beta').waitFor();
    await press('a');
    await page.getByRole('dialog').waitFor();
    await press('Enter');
    await toast(page, 'Kept.').waitFor();
    await at('gamma').waitFor();
    await press('s');
    await page.getByRole('dialog', { name: 'Move to trash and suspend' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press('t');
    await toast(page, 'Moved to the trash.').waitFor();
    await page.getByText('There is nothing to review.').waitFor();
    assert.deepEqual(await Promise.all([ids.first, ids.second, ids.third].map(stateOf)), [
      'held',
      'shown',
      'trashed',
    ]);
    assert.deepEqual(faults, []);
    await close();
  });

  test('on a phone: the text first, then the author, and the decisions below both', async () => {
    const long = 'A sentence about the plans of this year. '.repeat(60);
    await reported(long, { text: 'Too long' });
    const short = await reported('short on a phone');
    const { page, faults, close } = await openConsole(browser, server, {
      path: '/moderation',
      viewport: { width: 360, height: 740 },
    });
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
    const bottom = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    // One line of filters, which opens.
    assert.equal(await page.getByLabel('Status').isVisible(), false);
    assert.ok((await bottom('.fold')) - (await top('.fold')) < 60);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Status').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    for (const row of await page.locator('.queue-list li').all()) {
      const height = (await row.boundingBox())?.height ?? 0;
      assert.ok(height >= 48 && height <= 50, `the row is ${height} pixels high`);
    }
    // Why an item is here is not cut where the rest of the line is.
    await page.setViewportSize({ width: 240, height: 740 });
    const lacking = await page.locator('.queue-list .badge', { hasText: 'Spam' }).evaluateAll((all: any[]) =>
      all.map((badge) => {
        const words = badge.ownerDocument.createRange();
        words.selectNodeContents(badge);
        const paddings = 16;
        return words.getBoundingClientRect().width + paddings - badge.getBoundingClientRect().width;
      }),
    );
    assert.ok(lacking.length > 0);
    for (const width of lacking) assert.ok(width < 0.01, `${width} pixels of a badge are cut`);
    await page.setViewportSize({ width: 360, height: 740 });
    await choose(page, 'short on a phone');
    assert.equal(await page.locator('.fold').isVisible(), false);
    assert.ok((await bottom('.item .content')) <= (await top('.by')));
    assert.ok((await bottom('.by')) <= (await top('.queue-choices')));
    assert.ok((await bottom('.queue-choices')) <= 740, 'the decisions are on the screen');
    await page.getByRole('button', { name: 'Back to the queue' }).click();
    await choose(page, 'A sentence about');
    // The text has more of the screen than what is decided about it, and all of it can be read above that.
    const bar = (await bottom('.queue-choices')) - (await top('.queue-choices'));
    assert.ok(bar <= 130, `the bar is ${bar} pixels high`);
    assert.ok((await bottom('.queue-choices')) <= 740);
    assert.ok((await top('.item .content')) < 300);
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    assert.ok((await bottom('.item .content')) <= (await top('.queue-choices')));
    await page.getByRole('button', { name: 'Note' }).click();
    await page.getByLabel('Common reasons').selectOption('Posted before');
    await page.getByRole('button', { name: 'Move to trash', exact: true }).click();
    await toast(page, 'Moved to the trash.').waitFor();
    const { body } = await server.call('GET', '/api/reports?state=resolved&top=1');
    assert.equal(body.data[0].note, 'Posted before');
    assert.ok((await bottom('.toast')) <= (await top('.queue-choices')), 'the message hides no decision');
    // The next item opens by itself.
    await page.locator('.item', { hasText: 'short on a phone' }).waitFor();
    await page.getByRole('button', { name: 'Move to trash', exact: true }).click();
    await toast(page, 'Moved to the trash.').nth(1).waitFor();
    assert.equal(await page.locator('.toast:visible').count(), 1);
    assert.equal(await stateOf(short), 'trashed');
    assert.deepEqual(faults, []);
    await close();
  });

  test('decides about several items at once, and leaves what was not marked', async () => {
    const ids = [await reported('watches 1'), await reported('watches 2'), await reported('watches 3')];
    const { page, faults, close } = await openConsole(browser, server, { path: '/moderation' });
    await page.getByLabel('Select watches 1').press('Space');
    await page.getByLabel('Select watches 3').check();
    const decisions = page.getByRole('group', { name: 'Decisions on the selected items' });
    await decisions.getByText('2 selected').waitFor();
    assert.deepEqual(await faultsOfAxe(page), []);
    await decisions.getByRole('button', { name: 'Move to trash' }).press('Enter');
    await page.getByRole('dialog').getByText('Move 2 comments to the trash? You find them').waitFor();
    await page.keyboard.press('Enter');
    await toast(page, '2 comments moved to the trash.').waitFor();
    assert.deepEqual(await Promise.all(ids.map(stateOf)), ['trashed', 'shown', 'trashed']);
    await page.locator('.queue-list a', { hasText: 'watches 1' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone').waitFor();
    assert.deepEqual(await Promise.all(ids.map(stateOf)), ['shown', 'shown', 'shown']);
    await choose(page, 'watches 2');
    await page.getByRole('button', { name: 'Move to trash', exact: true }).click();
    await toast(page, 'Moved to the trash.').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('on a phone: marks items without moving them, and offers what does something to them', async () => {
    const ids: number[] = [];
    for (const n of [1, 2, 3]) {
      const { id } = await makeComment(server, app, { text: `casino ${n}` }, { as: ada.token });
      await server.call('POST', `/api/comments/${id}/hold`);
      ids.push(id);
    }
    const states = async () => await Promise.all(ids.map(stateOf));
    const { page, faults, close } = await openConsole(browser, server, {
      path: '/moderation?held=true&app=plans',
      viewport: { width: 360, height: 740 },
    });
    const box = (n: number) => page.getByLabel(`Select casino ${n}`);
    const topOf = async (n: number) => (await box(n).boundingBox())?.y;
    await box(3).waitFor();
    const before = [await topOf(1), await topOf(2), await topOf(3)];
    await box(1).check();
    const bar = page.locator('.bulk-bar');
    await bar.waitFor();
    assert.deepEqual([await topOf(1), await topOf(2), await topOf(3)], before);
    await box(2).check();
    const targets = [...(await page.locator('.mark').all()), ...(await bar.locator('button').all())];
    for (const target of targets) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
      assert.ok(width >= 44 && height >= 43, `a target of ${width} × ${height} pixels`);
    }
    assert.deepEqual(await bar.locator('button').allTextContents(), ['Approve', 'Move to trash']);
    assert.deepEqual(await faultsOfAxe(page), []);
    await keepPicture(page, 'console-moderation-marked-phone');
    await bar.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approve 2 comments? You find them under Status: Resolved.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await toast(page, '2 comments approved.').waitFor();
    assert.deepEqual(await states(), ['shown', 'shown', 'held']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone').waitFor();
    assert.deepEqual(await states(), ['held', 'held', 'held']);
    for (const n of [1, 2, 3]) await box(n).check();
    await bar.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByText('Restoring those on hold would show them to everyone.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click();
    await toast(page, '3 comments moved to the trash.').waitFor();
    assert.equal(await toast(page, '3 comments').getByRole('button', { name: 'Undo' }).count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });

  test('suspends an author, once that was confirmed', async () => {
    const eve = await makeUser(server, { name: 'Eve' }, 'eve');
    const { id } = await makeComment(server, app, { text: 'Buy followers' }, { as: eve.token });
    await server.call('POST', `/api/comments/${id}/reports`, { reason: 'spam' }, { as: bob.token });
    const { page, close } = await openConsole(browser, server, { path: '/moderation' });
    await choose(page, 'Buy followers');
    await page.getByRole('button', { name: 'Move to trash and suspend' }).click();
    await page.getByRole('dialog').getByText('Eve can no longer do anything').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash and suspend' }).click();
    await toast(page, 'the author is suspended').waitFor();
    const { body } = await server.call('GET', '/api/users/eve');
    assert.deepEqual([body.is_suspended, await stateOf(id)], [true, 'trashed']);
    await close();
  });

  test('shows a moderator the items of their apps alone, without rules and suspension', async () => {
    const other = await makeApp(server, { uid: 'secret', name: 'Secret', access: 'write' });
    const { id } = await makeComment(server, other.id, { text: 'elsewhere' }, { as: ada.token });
    await server.call('POST', `/api/comments/${id}/reports`, { reason: 'spam' }, { as: bob.token });
    await reported('of the plans');
    const { page, faults, close } = await openConsole(browser, server, {
      as: mia.token,
      path: '/moderation',
    });
    // The only item opens by itself beside the list, and on a phone when it is chosen.
    await page.locator('.item', { hasText: 'of the plans' }).waitFor();
    const size = page.viewportSize() ?? { width: 1280, height: 800 };
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('.queue-mail').waitFor();
    await choose(page, 'of the plans');
    assert.equal(await page.locator('.queue-mail').isVisible(), false);
    await page.setViewportSize(size);
    assert.equal(await page.locator('.queue-list a').count(), 1);
    assert.equal(await page.getByRole('link', { name: 'Rules' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'suspend' }).count(), 0);
    await page.getByRole('button', { name: 'Put on hold' }).click();
    await toast(page, 'Put on hold.').waitFor();
    await page.getByText('There is nothing to review.').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('filters by reason, kind and app, keeps that in the address, and shows what is reported meanwhile', async () => {
    const { page, faults, close } = await openConsole(browser, server, {
      path: '/moderation?reason=illegal',
      expected: [{ fault: /^answered 404: .*\/apps\/pla\?/, reason: 'no app has what is typed so far' }],
    });
    await page.getByText('There is nothing to review.').waitFor();
    await reported('a crime', { reason: 'illegal' });
    await page.locator('.queue-list a', { hasText: 'a crime' }).waitFor();
    await page.getByLabel('Type').selectOption('true');
    await page.getByText('There is nothing to review.').waitFor();
    await page.getByLabel('Type').selectOption('');
    await page.getByLabel('App').fill('pla');
    await page.locator('datalist option[value=plans]').waitFor({ state: 'attached' });
    await page.getByLabel('App').fill('plans');
    await page.waitForURL(/reason=illegal&app=plans$/);
    await page.locator('.queue-list a', { hasText: 'a crime' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  const refused = [{ fault: /422: PUT/, reason: 'the server refuses the rule' }];

  test('edits rules, says what is wrong with a field at that field, takes a change back, and tries a text', async () => {
    const { page, faults, close } = await openConsole(browser, server, {
      path: '/moderation/rules',
      expected: refused,
    });
    await page.locator('.rules li', { hasText: 'words of spam' }).getByText('put on hold 2').waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('shouting');
    await dialog.getByLabel('Action').selectOption('refuse');
    await dialog.getByLabel('Condition').selectOption('pattern');
    await dialog.getByLabel('Pattern').fill('(');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.wrong', { hasText: 'is no regular expression' }).waitFor();
    assert.deepEqual(await faultsOfAxe(page), []);
    await keepPicture(page, 'console-moderation-rule');
    await dialog.getByLabel('Pattern').fill('!{3,}');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.rules li', { hasText: 'shouting' }).waitFor();
    await page.getByRole('textbox', { name: 'Text' }).fill('Viagra!!!');
    await page.getByLabel('App', { exact: true }).fill('plans');
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('would be rejected').waitFor();
    await page.locator('section.card li', { hasText: 'words of spam' }).waitFor();
    await page.getByRole('button', { name: 'Remove "words of spam"' }).click();
    await page.locator('.rules li', { hasText: 'words of spam' }).waitFor({ state: 'detached' });
    await toast(page, 'Rules saved.').last().getByRole('button', { name: 'Undo' }).click();
    await page.locator('.rules li', { hasText: 'words of spam' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('overwrites no rules that somebody else has changed since, and keeps what was typed', async () => {
    const expected = [{ fault: /41[02]|422: PUT/, reason: 'the server refuses the change of older rules' }];
    const { page, faults, close } = await openConsole(browser, server, {
      path: '/moderation/rules',
      expected,
    });
    await page.getByRole('button', { name: 'Edit "flood"' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('many');
    const { body } = await server.call('GET', '/api/moderation/rules');
    const others = { version: body.version, rules: body.rules.slice(1) };
    assert.equal((await server.call('PUT', '/api/moderation/rules', others)).status, 200);
    await page.locator('.rules li', { hasText: 'words of spam' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.failure').waitFor();
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'many');
    const { body: after } = await server.call('GET', '/api/moderation/rules');
    assert.deepEqual(after.rules, others.rules);
    assert.deepEqual(faults, []);
    await close();
  });
});
