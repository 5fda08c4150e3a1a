import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keepPicture, launchBrowser } from 'confab-testing/browser/browser.ts';
import { startHost } from 'confab-testing/browser/host.ts';
import { makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { useFolders } from 'confab-testing/folders.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer } from 'confab-testing/server.ts';
import type { Page, Request } from 'playwright-core';
import { openElements, signedIn, useWorld } from '../page.ts';

/** How many elements are on one page. */
const many = 20;
/** The most connections that a page keeps open. */
const streamsMax = 3;

const article = (page: Page, text: string) => page.locator('article[id^=comment]', { hasText: text });
const field = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' });

// What happens around an element, to the page and to the server, costs nobody a word.
describe('<confab-comments> in a page that does not stand still', () => {
  const { host, server, open, appFor } = useWorld();
  const [ada, bob] = usePeople(server, 'Ada', 'Bob');

  const asAda = () => signedIn({ host, server }, { ...ada, name: 'Ada' });

  async function textsOf(app: number): Promise<(string | undefined)[]> {
    const { data } = await server.read(`/api/apps/${app}/comments?top=100`);
    return data.map(({ text }: { text?: string }) => text);
  }

  test('twenty of them on a page are all there and all follow what changes', async () => {
    const numbers = Array.from({ length: many }, (_, index) => index);
    const apps: number[] = [];
    for (const number of numbers) {
      apps.push(await appFor(`/twenty-${number}`));
      await makeComment(ada, apps[number] ?? 0, { text: `Of page ${number}.` });
    }
    const uids = await Promise.all(apps.map(async (app) => (await server.read(`/api/apps/${app}`)).uid));
    let now = 0;
    let most = 0;
    const { page, faults, context } = await open({
      path: '/twenty',
      viewport: { width: 900, height: 8000 },
      markup: uids.map((uid) => `<confab-comments uid="${uid}"></confab-comments>`).join(''),
      prepare: async (opened) => {
        const isStream = (url: string) => /\/changes\?/.test(url);
        opened.on('request', (request) => {
          if (!isStream(request.url())) return;
          now += 1;
          most = Math.max(most, now);
        });
        const ended = (request: Request) => {
          if (isStream(request.url())) now -= 1;
        };
        opened.on('requestfailed', ended);
        opened.on('requestfinished', ended);
      },
    });
    for (const number of numbers) await article(page, `Of page ${number}.`).waitFor();
    for (const app of apps) await makeComment(bob, app, { text: 'Later' });
    await poll('what is new in all of them', async () => {
      const count = await page.getByRole('button', { name: '1 new comment' }).count();
      return count === many || undefined;
    });
    assert.ok(most > 0 && most <= streamsMax, `${most} connections`);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('moved in the page, it keeps what is written and goes on', async () => {
    const app = await appFor('/moved');
    const { id } = await makeComment(bob, app, { text: 'A question' });
    const { page, faults, context } = await open({ path: '/moved', storageState: asAda() });
    const move = () =>
      page.evaluate(`{
        const place = document.createElement('div');
        document.body.append(place);
        place.append(document.querySelector('confab-comments'));
      }`);
    await field(page).fill('Half a');
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    await page.locator(`#comment-${id} [data-act=answer]`).click();
    const answer = page.getByRole('textbox', { name: 'Your reply' });
    await answer.fill('Half an');
    await move();
    assert.equal(await field(page).inputValue(), 'Half a');
    assert.equal(await answer.inputValue(), 'Half an');
    await answer.focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' answer');
    // It is sent while the element is nowhere.
    await page.evaluate(`globalThis.apart = document.querySelector('confab-comments')`);
    await page.keyboard.press('Control+Enter');
    await page.evaluate('apart.remove()');
    await poll('the answer', async () => (await textsOf(app)).includes('Half an answer') || undefined);
    await makeComment(bob, app, { text: 'Written while it was nowhere' });
    await page.evaluate('document.body.append(apart)');
    await article(page, 'Half an answer').last().waitFor();
    await page.getByRole('button', { name: '1 new comment' }).click();
    await article(page, 'Written while it was nowhere').waitFor();
    await field(page).focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' thought');
    await page.keyboard.press('Control+Enter');
    await article(page, 'Half a thought').waitFor();
    await move();
    await makeComment(bob, app, { text: 'Last' });
    await page.getByRole('button', { name: '1 new comment' }).waitFor();
    assert.deepEqual((await textsOf(app)).toSorted(), [
      'A question',
      'Half a thought',
      'Half an answer',
      'Last',
      'Written while it was nowhere',
    ]);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('moved while the server is away, it asks again', async () => {
    await makeComment(ada, await appFor('/moved-early'), { text: 'Words' });
    const { page, context } = await open({
      path: '/moved-early',
      prepare: (opened) => opened.route('**/comments?**', (route) => route.abort()),
    });
    await page.getByRole('alert').waitFor();
    await page.unroute('**/comments?**');
    await page.evaluate(`document.body.append(document.querySelector('confab-comments'))`);
    await article(page, 'Words').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await context.close();
  });

  test('another order that cannot be read is read when somebody tries again', async () => {
    const app = await appFor('/order');
    for (const text of ['First', 'Second']) await makeComment(ada, app, { text });
    const { page, context } = await open({ path: '/order' });
    await article(page, 'First').waitFor();
    await page.route('**/comments?**', (route) => route.abort());
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('oldest');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/comments?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    const first = page.locator('article .text').first();
    await poll('the oldest', async () => (await first.textContent())?.includes('First') || undefined);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('combobox', { name: 'Sort by' }).inputValue(), 'oldest');
    await context.close();
  });

  test('what changes far from the screen is shown when it is looked at', async () => {
    const app = await appFor('/far');
    const { id } = await makeComment(ada, app, { text: 'Before the change' });
    for (let written = 0; written < 24; written += 1)
      await makeComment(bob, app, { text: `Much to read. ${'Words and words. '.repeat(60)}` });
    const { page, faults, context } = await open({ path: '/far' });
    await page.locator('article').first().waitFor();
    await ada.call('PATCH', `/api/comments/${id}`, { text: 'After the change' });
    await makeComment(bob, app, { text: 'New' });
    await page.getByRole('button', { name: '1 new comment' }).waitFor();
    await page.locator(`#comment-${id}`).scrollIntoViewIfNeeded();
    await article(page, 'After the change').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('among many readers, it reads at a random time within that which the server names', async () => {
    const app = await appFor('/among-many');
    await makeComment(ada, app, { text: 'Read by many' });
    const withinMs = 4000;
    const message = `event: changed\ndata: {"within_ms":${withinMs}}\n\n`;
    let toldAt = Number.NaN;
    const { page, faults, context } = await open({
      path: '/among-many',
      prepare: async (prepared) => {
        await prepared.addInitScript('Math.random = () => 0.5');
        await prepared.route(/\/changes\?/, async (route) => {
          // The connection that follows stays without an answer.
          if (!Number.isNaN(toldAt)) return;
          await article(prepared, 'Read by many').waitFor();
          await makeComment(bob, app, { text: 'Of a busy page' });
          toldAt = performance.now();
          // Several messages have one read.
          await route.fulfill({ contentType: 'text/event-stream', body: message.repeat(3) });
        });
      },
    });
    await page.getByRole('button', { name: '1 new comment' }).waitFor();
    const waitedMs = performance.now() - toldAt;
    assert.ok(waitedMs >= withinMs / 2 - 50, `${waitedMs} ms`);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('printed, it has all comments and nothing to press', async () => {
    const app = await appFor('/print');
    await makeComment(bob, app, { text: 'On the next page' });
    const { id } = await makeComment(bob, app, { text: 'A long **comment**. '.repeat(20) });
    for (let written = 0; written < 24; written += 1)
      await makeComment(ada, app, { text: `Number ${written}` });
    await makeComment(ada, app, { text: 'An answer', reply_to: id });
    for (const storageState of [undefined, asAda()]) {
      const { page, faults, context } = await open({
        path: '/print',
        ...(storageState === undefined ? {} : { storageState }),
      });
      await article(page, 'An answer').last().waitFor();
      if (storageState !== undefined) {
        await field(page).fill('What I am writing');
        await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
      }
      await page.emulateMedia({ media: 'print' });
      await keepPicture(page, `elements-print${storageState === undefined ? '' : '-writing'}`);
      const articles = page.locator('article[id^=comment]');
      assert.equal(await articles.count(), 26);
      assert.equal(await page.getByRole('button', { name: 'More comments', includeHidden: true }).count(), 1);
      for (const each of await articles.all()) assert.ok(await each.isVisible());
      const controls = page.locator('button, select, textarea, input, [role=menu], [role=toolbar]');
      const shown = await Promise.all((await controls.all()).map((each) => each.isVisible()));
      assert.equal(shown.filter(Boolean).length, 0);
      assert.ok((await page.pdf()).length > 1000);
      assert.deepEqual(faults, []);
      await context.close();
    }
  });
});

/** Why a browser without windows keeps no page, whatever is in it. */
const ofBrowser = ['BrowsingInstanceNotSwapped', 'BackForwardCacheDisabledForDelegate'];

// A page that somebody goes back to is kept by a browser that keeps pages: nothing of the elements prevents it.
describe('<confab-comments> in the back/forward cache', () => {
  const { host, server, open, appFor } = useWorld({}, { keepsPages: true });
  const [ada, bob] = usePeople(server, 'Ada', 'Bob');

  test('prevents nothing, and has what is new when somebody comes back', async () => {
    const app = await appFor('/kept');
    await makeComment(bob, app, { text: 'Before' });
    const { page, faults, context } = await open({
      path: '/kept',
      storageState: signedIn({ host, server }, { ...ada, name: 'Ada' }),
    });
    const reasons: string[] = [];
    const session = await context.newCDPSession(page);
    await session.send('Page.enable');
    session.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => {
      for (const { reason } of notRestoredExplanations) reasons.push(reason);
    });
    await article(page, 'Before').waitFor();
    await field(page).click();
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    await page.keyboard.type('A draft');
    const other = host.serve('/other', { type: 'text/html', body: '<title>Other</title>' });
    await page.evaluate(`addEventListener('pageshow', ({ persisted }) => { window.wasKept = persisted; });
      setTimeout(() => { location.href = ${JSON.stringify(other)}; })`);
    await page.waitForURL('**/other');
    await makeComment(bob, app, { text: 'Meanwhile' });
    await page.evaluate('setTimeout(() => history.back())');
    // A page that was kept is shown without being loaded.
    await page.waitForURL('**/kept', { waitUntil: 'commit' });
    await poll('the draft', async () => (await field(page).inputValue()) === 'A draft' || undefined);
    const late = article(page, 'Meanwhile');
    const waiting = page.getByRole('button', { name: '1 new comment' });
    await late.or(waiting).first().waitFor();
    if ((await waiting.count()) > 0) await waiting.click();
    await late.waitFor();
    await field(page).focus();
    await page.keyboard.press('Control+Enter');
    await article(page, 'A draft').waitFor();
    assert.deepEqual(
      reasons.filter((reason) => !ofBrowser.includes(reason)),
      [],
    );
    assert.equal(await page.evaluate('window.wasKept === true'), reasons.length === 0);
    assert.deepEqual(faults, []);
    await context.close();
  });
});

// Nobody notices a server that is restarted.
describe('<confab-comments> while its server restarts', () => {
  const freshFolder = useFolders();

  test('sends what was written meanwhile once, and has what others wrote', async () => {
    const [host, browser, port] = await Promise.all([startHost(), launchBrowser(), freePort()]);
    const folder = freshFolder();
    const start = () =>
      startTestServer({ CONFAB_PORT: String(port), CONFAB_CORS_ORIGINS: host.url }, { folder });
    let server = await start();
    const { id, uid } = await server.create('/api/apps', {
      uid: 'restarted',
      type: 'comments',
      access: 'write',
      visitors: 'read',
    });
    const token = await server.token('ada', { name: 'Ada' });
    const user = await server.read('/api/users/ada');
    await makeComment(server.as(token), id, { text: 'Before' });
    const { page, context } = await openElements(
      { browser, host, server },
      {
        markup: `<confab-comments uid="${uid}"></confab-comments>`,
        storageState: signedIn({ host, server }, { token, id: user.id, name: 'Ada' }),
      },
    );
    await article(page, 'Before').waitFor();
    await field(page).click();
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    await page.keyboard.type('Written while it was down');
    await server.close();
    await page.keyboard.press('Control+Enter');
    await page.locator('.unsent').getByText("The server can't be reached.").waitFor();
    await field(page).fill('A draft');
    server = await start();
    await article(page, 'Written while it was down').waitFor();
    await makeComment(server.as(token), id, { text: 'After' });
    await page.getByRole('button', { name: '1 new comment' }).click();
    await article(page, 'After').waitFor();
    assert.equal(await field(page).inputValue(), 'A draft');
    const { data } = await server.read(`/api/apps/${id}/comments`);
    const texts = data.map((each: { text?: string }) => each.text);
    assert.deepEqual(texts, ['Before', 'Written while it was down', 'After']);
    await context.close();
    await browser.close();
    await server.close();
    await host.close();
  });
});
