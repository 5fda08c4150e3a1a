import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { assertFits, look, type Mode, setMode } from 'confab-testing/browser/looks.ts';
import { encoded, picture } from 'confab-testing/drawings.ts';
import { makeApp, makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { upload } from 'confab-testing/uploads.ts';
import { signInGuest } from 'confab-testing/visitors.ts';
import type { Page } from 'playwright-core';
import { drawGround, guests, useWorld } from '../page.ts';

const { host, server, open, appFor } = useWorld(guests);
const [ada, bob] = usePeople(server, 'Ada Lovelace', 'Bob');

/** Writes comments "Number 1", "Number 2" and so on. */
async function fill(app: number, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 1; number <= count; number += 1)
    ids.push((await makeComment(ada, app, { text: `Number ${number}` })).id);
  return ids;
}

/** Longer than caches keep an answer, in milliseconds. */
const settledWithinMs = 12_000;

/** What has the focus in the comments. */
const focused = `document.querySelector('confab-comments').shadowRoot.activeElement?.textContent`;

/** The first words of the comments on the page, in order. */
async function textsOn(page: Page): Promise<string[]> {
  return await page.locator('.threads > li > confab-comment > article .text').allInnerTexts();
}

// Two lines show the comments of a page of any origin, under the strictest content security policy, with nobody signed in.
describe('<confab-comments>', { concurrency: 3 }, () => {
  test('shows what people type, below its heading, and so does the page without script', async () => {
    const app = await appFor('/typed');
    const text =
      '# A title\n\n- [ ] buy **milk**\n- [x] bread\n\n强调**标点。**后 <kbd>Ctrl</kbd>\n\n' +
      '<details>\n<summary>More</summary>\n\nUnfolded\n</details>';
    const { id } = await makeComment(ada, app, { text });
    const { page, faults, context } = await open({ path: '/typed' });
    for (const [name, address] of [
      ['elements', undefined],
      ['page', `${server.url}/pages/${pageUid(`${host.url}/typed`)}`],
    ] as const) {
      if (address !== undefined) await page.goto(address);
      await page.getByRole('heading', { level: 3, name: 'A title' }).waitFor();
      assert.equal(await page.getByRole('heading', { level: 2, name: '1 comment' }).count(), 1);
      const todo = page.getByRole('checkbox', { name: 'buy milk' });
      assert.deepEqual([await todo.isChecked(), await todo.isDisabled()], [false, true]);
      assert.equal(await page.getByRole('checkbox', { name: 'bread' }).isChecked(), true);
      assert.equal(await page.locator('strong', { hasText: '标点。' }).count(), 1);
      const folded = page.getByText('Unfolded');
      assert.equal(await folded.isVisible(), false);
      await page.getByText('More', { exact: true }).press('Enter');
      await folded.waitFor();
      await look(page, `typed-${name}`);
    }
    const feed = await (await fetch(`${server.url}/pages/${pageUid(`${host.url}/typed`)}/feed.atom`)).text();
    assert.match(feed, /☐ buy .*☑ bread/s);
    assert.doesNotMatch(feed, /&lt;input/);
    assert.deepEqual(faults, []);
    await context.close();
    await server.call('DELETE', `/api/comments/${id}`);
  });

  test('shows a thread, and what is written while somebody reads when they want it', async () => {
    const app = await appFor('/live');
    const root = await makeComment(ada, app, { text: 'The **first** comment' });
    await makeComment(bob, app, { text: 'An answer', reply_to: root.id });
    const { page, faults, context } = await open({ path: '/live' });
    await page.locator('h2', { hasText: '2 comments' }).waitFor();
    await page.getByRole('article', { name: /^Comment by .Ada Lovelace/ }).waitFor();
    await page.getByRole('article', { name: /^Reply by .Bob/ }).waitFor();

    const late = page.locator('article', { hasText: 'Written later' });
    await makeComment(ada, app, { text: 'Written later' });
    const waiting = page.getByRole('button', { name: '1 new comment' });
    await waiting.waitFor();
    assert.equal(await late.count(), 0);
    await makeComment(ada, app, { text: 'A late answer', reply_to: root.id });
    const answer = page.getByRole('button', { name: '1 new reply' });
    await answer.waitFor();
    // What brings new replies looks like a button, beside words that fold and answer.
    const border = await answer.evaluate(
      (each: any) => each.ownerDocument.defaultView.getComputedStyle(each).borderTopStyle,
    );
    assert.equal(border, 'solid');
    await server.call('PATCH', `/api/comments/${root.id}`, { text: 'The edited comment' });
    await page.locator('article', { hasText: 'The edited comment' }).waitFor();
    await bob.call('POST', `/api/comments/${root.id}/reactions`, { content: '🎉' });
    await page.getByRole('button', { name: '🎉 1' }).waitFor();
    await bob.call('DELETE', `/api/comments/${root.id}/reactions`);
    await page.getByRole('button', { name: '🎉 1' }).waitFor({ state: 'detached' });
    await waiting.click();
    await late.waitFor();
    await answer.click();
    await page.locator('article', { hasText: 'A late answer' }).waitFor();
    await server.call('DELETE', `/api/comments/${root.id}`);
    await page.getByText('This comment has been removed.').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('needs two requests until comments are visible, and moves nothing', async () => {
    const app = await appFor('/steady');
    const image = await encoded(picture(640, 480).png());
    for (let written = 0; written < 25; written += 1) {
      const { id } = await upload(ada, { name: `${written}.png`, bytes: image });
      await makeComment(ada, app, { text: `A picture ${written}`, blobs: [id] });
    }
    const { page, faults, context } = await open({
      path: '/steady',
      markup: '<p>Before</p><confab-comments></confab-comments>',
      prepare: (page) =>
        page.addInitScript(`shifts = []; new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) shifts.push(value);
        }).observe({ type: 'layout-shift', buffered: true });`),
    });
    await page.locator('.attachments img').first().waitFor();
    const before: string[] = await page.evaluate(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => !path.includes('favicon') && !path.includes('/blobs/'))`,
    );
    assert.deepEqual(before.slice(0, 2), [
      '/elements.js',
      `/api/apps/${encodeURIComponent(pageUid(`${host.url}/steady`) ?? '')}/comments`,
    ]);
    await page.locator('.attachments img').last().scrollIntoViewIfNeeded();
    await page.evaluate(
      `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`,
    );
    assert.deepEqual(await page.evaluate('shifts'), []);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('reads page by page to the end, in any order', async () => {
    const app = await appFor('/many');
    const ids = await fill(app, 60);
    for (const reader of [ada, bob])
      await reader.call('POST', `/api/comments/${ids[2]}/reactions`, { content: '👍' });
    const { page, faults, context } = await open({ path: '/many' });
    await page.locator('h2', { hasText: '60 comments' }).waitFor();
    const more = page.getByRole('button', { name: 'More comments' });
    await poll('Tab to lead to the button', async () => {
      await page.keyboard.press('Tab');
      return (await page.evaluate<string | undefined>(focused))?.trim() === 'More comments' || undefined;
    });
    await page.keyboard.press('Enter');
    await page.locator('article', { hasText: /Number 11\b/ }).waitFor();
    await more.click();
    await page.locator('article', { hasText: /Number 1$/m }).waitFor();
    await poll('the end', async () => (await more.count()) === 0 || undefined);
    const newest = Array.from({ length: 60 }, (_, index) => `Number ${60 - index}`);
    assert.deepEqual(await textsOn(page), newest);

    const order = page.getByRole('combobox', { name: 'Sort by' });
    await order.selectOption('oldest');
    await poll('the oldest', async () => (await textsOn(page))[0] === 'Number 1' || undefined);
    assert.deepEqual(await textsOn(page), newest.toReversed().slice(0, 25));
    await order.selectOption('liked');
    await poll('the one with reactions', async () => (await textsOn(page))[0] === 'Number 3' || undefined);
    await page.getByTitle(/👍.: 2 people/).waitFor();
    for (const count of [50, 60]) {
      await more.click();
      await poll('another page', async () => (await textsOn(page)).length === count || undefined);
    }
    assert.equal(new Set(await textsOn(page)).size, 60);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('shows the place that an address names, also far down, and moves the focus there', async () => {
    const app = await appFor('/places');
    const ids = await fill(app, 120);
    const [, , root = 0] = ids;
    let last = root;
    for (let written = 0; written < 6; written += 1)
      last = (await makeComment(bob, app, { text: `Deep ${written}`, reply_to: last })).id;
    const focusedId = (page: Page) =>
      page.evaluate(`document.querySelector('confab-comments').shadowRoot.activeElement?.id`);

    const { page, faults, context } = await open({
      path: '/places',
      fragment: `#comment-${ids[4]}`,
      prepare: (each) => each.clock.install(),
    });
    await poll('the focus', async () => (await focusedId(page)) === `comment-${ids[4]}` || undefined);
    assert.ok(await page.locator(`#comment-${ids[4]}`).isVisible());
    const between = page.getByRole('button', { name: 'More comments' });
    assert.deepEqual((await textsOn(page)).slice(24, 27), ['Number 96', 'Number 5', 'Number 4']);
    for (let pressed = 0; pressed < 4; pressed += 1) {
      const length = (await textsOn(page)).length;
      await between.first().click();
      await poll('another page', async () => (await textsOn(page)).length > length || undefined);
    }
    assert.equal(await between.count(), 0);
    assert.equal((await textsOn(page)).length, 120);

    // An answer, by a link on the same page, whose thread is folded away.
    await page.locator(`confab-comment:has(> #comment-${root}) > article .fold`).click();
    await page.evaluate(`location.hash = '#comment-${last}'`);
    await poll('the answer', async () => (await focusedId(page)) === `comment-${last}` || undefined);
    // Everything is read once more when caches have given up what they kept.
    await page.clock.fastForward(settledWithinMs);
    await page
      .getByRole('link', { name: /^replying to .*Bob/ })
      .first()
      .waitFor();
    assert.deepEqual(faults, []);
    await context.close();

    const gone = await open({
      path: '/places',
      fragment: '#comment-999999',
      expected: [{ fault: /answered 401: .*comments\/999999$/, reason: 'no such comment' }],
    });
    await gone.page.getByText('That comment is no longer available.').waitFor();
    assert.deepEqual(gone.faults, []);
    await gone.context.close();
  });

  test('shows what is inside of it until the comments are there, and says what is wrong', async () => {
    const app = await appFor('/states');
    await fill(app, 1);
    const { page, context } = await open({
      path: '/states',
      markup: '<confab-comments><p>From the server</p></confab-comments>',
      prepare: (each) => each.route('**/comments?**', (route) => route.abort()),
    });
    await page.getByRole('alert').waitFor();
    assert.ok(await page.getByText('From the server').isVisible());
    await page.unroute('**/comments?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('article', { hasText: 'Number 1' }).waitFor();
    assert.ok(await page.getByText('From the server').isHidden());
    await context.close();

    const nobody = await open({ path: '/nobody-has-written' });
    await nobody.page.getByText('No comments yet.').waitFor();
    assert.deepEqual(nobody.faults, []);
    await nobody.context.close();
  });

  test('catches up after a time without a connection', async () => {
    const app = await appFor('/offline');
    await fill(app, 1);
    const { page, context, faults } = await open({
      path: '/offline',
      expected: [
        { fault: /^failed: .*(?:changes|comments|seldom)/, reason: 'there is no connection for a while' },
      ],
    });
    await page.locator('article', { hasText: 'Number 1' }).waitFor();
    await context.setOffline(true);
    await makeComment(bob, app, { text: 'While away' });
    await context.setOffline(false);
    await page.getByRole('button', { name: '1 new comment' }).click();
    await page.locator('article', { hasText: 'While away' }).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('asks again when there is a network, whether the last request ends or not', async () => {
    const app = await appFor('/silent');
    await fill(app, 1);
    const begun = Promise.withResolvers<void>();
    const { page, context, faults } = await open({
      path: '/silent',
      prepare: async (prepared) => {
        let isFirst = true;
        await prepared.route(/\/changes\?/, async (route) => {
          if (!isFirst) return await route.continue();
          // A request that was on its way when the network went has no answer and no end.
          isFirst = false;
          begun.resolve();
        });
      },
    });
    await page.locator('article', { hasText: 'Number 1' }).waitFor();
    await begun.promise;
    await makeComment(bob, app, { text: 'While nobody heard' });
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.getByRole('button', { name: '1 new comment' }).click();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('is one script, however often and by whichever address it is loaded', async () => {
    const app = await appFor('/twice');
    await fill(app, 1);
    const { page, faults, context } = await open({
      path: '/twice',
      head: `<script type="module" src="${server.url}/elements.js?v=1"></script>`,
      markup: '<confab-comments></confab-comments><confab-comments lang="de"></confab-comments>',
    });
    await poll('both', async () => (await page.locator('article').count()) === 2 || undefined);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('closes its connection while the page is left, and catches up when somebody comes back', async () => {
    const app = await appFor('/left');
    await fill(app, 1);
    const { page, faults, context } = await open({ path: '/left' });
    const connecting = page.waitForRequest(/\/changes\?/);
    const connection = await connecting;
    const ended = page.waitForEvent('requestfailed', (request) => request === connection);
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
    await ended;
    await makeComment(bob, app, { text: 'While the page was left' });
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await page.getByRole('button', { name: '1 new comment' }).click();
    await page.locator('article', { hasText: 'While the page was left' }).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('says what the page wants it to say', async () => {
    const app = await appFor('/words');
    await makeComment(ada, app, { text: 'One' });
    const { page, context } = await open({ path: '/words' });
    await page.locator('article').waitFor();
    await page.evaluate(
      `document.querySelector('confab-comments').texts = { comments: { one: '{count} thought', other: '{count} thoughts' } }`,
    );
    await page.getByRole('heading', { name: '1 thought' }).waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Sort by' }).count(), 1);
    await context.close();
  });

  test('shows somebody who has signed in what only they see, also when the token has expired', async () => {
    const uid = pageUid(`${host.url}/mine`);
    const app = await makeApp(server, { uid, access: 'write', visitors: 'write', approval: 'guests' });
    const signedIn = await signInGuest(server, 'Grace Guest');
    const by = server.as(signedIn.access_token);
    const { id } = await by.create(`/api/apps/${app.id}/comments`, { text: 'Mine alone' });
    const kept = (issuedAt: number) =>
      `localStorage.setItem('confab ${server.url}/', ${JSON.stringify(JSON.stringify({ ...signedIn, issuedAt }))})`;
    const renewals: string[] = [];
    const { page, faults, context } = await open({
      path: '/mine',
      fragment: `#comment-${id}`,
      prepare: async (each) => {
        await each.goto(host.serve('/blank', { type: 'text/html', body: '' }));
        // As old as an access token gets.
        await each.evaluate(kept(Date.now() - 3_600_000));
        each.on('request', (request) => {
          if (request.url().endsWith('/api/sign-in/renewal')) renewals.push(request.method());
        });
      },
    });
    await page.locator('article', { hasText: 'Mine alone' }).waitFor();
    await page.getByText('Waiting for approval. Only you and moderators can see this.').waitFor();
    assert.deepEqual(
      renewals.filter((method) => method === 'POST'),
      ['POST'],
    );
    await page.reload();
    await page.locator('article', { hasText: 'Mine alone' }).waitFor();
    assert.equal(renewals.filter((method) => method === 'POST').length, 1);

    // A session that has ended leaves a reader.
    await page.evaluate(kept(Date.now() - 3_600_000));
    await page.reload();
    await page.getByText('That comment is no longer available.').waitFor();
    assert.equal(await page.evaluate(`localStorage.length`), 0);
    assert.deepEqual(
      faults.filter((fault) => !/answered 40[13]: (?:POST .*renewal|GET .*comments\/\d+)$/.test(fault)),
      [],
    );
    await context.close();
  });
});

/** How the comments are looked at, by the language of the page. */
const looks: Readonly<Record<string, Readonly<Record<string, Mode>>>> = {
  en: {
    'desktop-light': { colorScheme: 'light' },
    'desktop-dark': { colorScheme: 'dark' },
    '400-percent': { viewport: { width: 320, height: 256 } },
    'forced-colors': { forcedColors: 'active' },
  },
  ar: { 'phone-dark-arabic': { colorScheme: 'dark', viewport: { width: 360, height: 740 } } },
};

// Everyone reads the comments, whatever they read with. axe finds nothing, and nothing is wider than the window.
describe('the looks of <confab-comments>', () => {
  for (const [language, modes] of Object.entries(looks))
    test(`in ${language} can be read by everyone`, async () => {
      const path = `/look-${language}`;
      const app = await appFor(path);
      const root = await makeComment(ada, app, {
        text: 'A text with **weight**, `code`, a [link](https://example.com) and\n\n> a quotation\n\n- a list\n\n| a | table |\n|-|-|\n| 1 | 2 |\n\n```\nlong code without a place to break it, wider than any telephone is in the hand of a person\n```',
        options: [{ text: 'Yes' }, { text: 'No' }],
      });
      let last = root.id;
      for (const person of [bob, ada, bob, ada, bob])
        last = (await makeComment(person, app, { text: 'An answer, in some words.', reply_to: last })).id;
      const gone = await makeComment(bob, app, { text: 'Gone' });
      await makeComment(bob, app, { text: 'Below', reply_to: gone.id });
      await server.call('DELETE', `/api/comments/${gone.id}`);
      await ada.call('POST', `/api/comments/${root.id}/reactions`, { content: '🎉' });
      const { page, faults, context } = await open({ path, language });
      await drawGround(page);
      await page.locator('.rest').click();
      const option = page.locator('.poll [dir]').first();
      const [words, whole] = [await option.boundingBox(), await option.locator('..').boundingBox()];
      assert.ok(words !== null && whole !== null);
      const [end, wholeEnd] = [words.x + words.width, whole.x + whole.width];
      assert.deepEqual([words.x === whole.x, end === wholeEnd], [language === 'en', language === 'ar']);
      await page.locator('.head a.quiet:not(.time)').first().waitFor();
      await makeComment(bob, app, { text: 'New' });
      await page.locator('.waiting').waitFor();
      for (const [name, mode] of Object.entries(modes)) {
        await setMode(page, mode);
        await look(page, `elements-${name}`);
        // Larger letters change no color and no name, but perhaps the width.
        await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
        await keepPicture(page, `elements-${name}-large`);
        await assertFits(page, `elements-${name}-large`);
        await page.evaluate(`document.documentElement.style.fontSize = ''`);
      }
      assert.deepEqual(faults, []);
      await context.close();
    });
});
