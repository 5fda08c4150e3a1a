import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepPicture, launchBrowser, newContext } from 'confab-testing/browser/browser.ts';
import { faultsOfAxe, look } from 'confab-testing/browser/looks.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { makeComment } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, Page } from 'playwright-core';
import { linkTo, lookAtViews, openConsole, settled } from '../page.ts';

// Operators and moderators get into the console, see what is theirs, and lose nothing when a session ends.
describe('the console in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let token: string;

  before(async () => {
    server = await startTestServer({});
    browser = await launchBrowser();
    for (let number = 1; number <= 60; number += 1)
      await server.create('/api/apps', {
        uid: `app-${number}`,
        type: 'comments',
        name: `App number ${number}`,
      });
    token = await server.token('ada', { name: 'Ada Lovelace' });
    await server.call('PUT', '/api/apps/app-1/members/ada', { role: 'moderator' });
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  test('has no fault of access in any look, and fits its width', async () => {
    const prepare = (page: Page) => page.locator('.plot svg').nth(3).waitFor();
    assert.deepEqual(
      await lookAtViews({ browser, server }, [
        { path: '', picture: 'console', prepare },
        { path: '/apps', picture: 'console-apps' },
        { path: '/apps/1', picture: 'console-apps-1' },
        { path: '/nothing', picture: 'console-nothing' },
      ]),
      [],
    );
  });

  test('is entered by a link once, and again in the browser that has the session', async () => {
    const first = await openConsole(browser, server);
    const link = await linkTo(server);
    await first.page.goto(link);
    await first.page.waitForURL(/console$/);
    // The address is cleared before the session has begun.
    await first.page.locator('nav a').first().waitFor();
    await first.page.goto('about:blank');
    await first.page.goto(link);
    await first.page.locator('nav a').first().waitFor();
    const other = await newContext(browser, { locale: 'en-US' });
    const page = await other.newPage();
    await page.goto(link);
    await page.locator('.failure', { hasText: 'used already' }).waitFor();
    assert.deepEqual(await faultsOfAxe(page), []);
    await keepPicture(page, 'console-link-used');
    await other.close();
    await first.close();
  });

  test('is entered by an access token, which shows the apps of the user alone and is kept nowhere', async () => {
    const { page, context, faults, close } = await openConsole(browser, server, { as: token, path: '/apps' });
    assert.deepEqual(await page.locator('tbody th').allInnerTexts(), ['App number 1\napp-1']);
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    assert.equal(kept, '[{},{},""]');
    const [cookie] = await context.cookies();
    assert.equal(cookie?.httpOnly, true);
    assert.equal(cookie?.sameSite, 'Strict');
    assert.deepEqual(faults, []);
    await close();
  });

  test('says why a credential is refused, and leaves no session when one signs out', async () => {
    const context = await newContext(browser, { locale: 'en-US' });
    const page = await context.newPage();
    await page.goto(`${server.url}/console`);
    await page.locator('input[name=credential]').fill('wys_wrong');
    await page.keyboard.press('Enter');
    await page.locator('.wrong').waitFor();
    await page.locator('input[name=credential]').fill(server.key);
    await page.keyboard.press('Enter');
    await page.locator('nav a').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('input[name=credential]').waitFor();
    await page.reload();
    await page.locator('input[name=credential]').waitFor();
    assert.deepEqual(await context.cookies(), []);
    await context.close();
  });

  test('waits for the second key of a shortcut as long as it takes, until the page is clicked', async () => {
    const { page, faults, close } = await openConsole(browser, server);
    await page.clock.install();
    await page.keyboard.press('g');
    await page.clock.runFor('01:00');
    await page.keyboard.press('a');
    await page.waitForURL(/apps$/);
    await page.keyboard.press('g');
    await page.locator('h1').click();
    await page.keyboard.press('s');
    assert.equal(await page.evaluate('location.pathname'), '/console/apps');
    assert.deepEqual(faults, []);
    await close();
  });

  test('is used with the keyboard: areas, search, help, further pages, back', async () => {
    const { page, faults, close } = await openConsole(browser, server);
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.waitForURL(/console\/apps$/);
    await page.locator('tbody tr').nth(24).waitFor();
    assert.ok((await page.locator('tbody tr').count()) < 60, 'not all at once');
    await poll('the last page', async () => {
      await page.keyboard.press('End');
      return (await page.locator('tbody tr').count()) === 60 || undefined;
    });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('number 42');
    await page.getByRole('link', { name: 'App number 42' }).waitFor();
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'App number 42' }).press('Enter');
    await page.getByRole('heading', { name: 'App number 42' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement?.tagName'), 'H1');
    await page.goBack();
    await page.getByRole('link', { name: 'App number 42' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('shows on the overview what was written last, with who wrote it, where, and what waits', async () => {
    const metadata = { url: 'https://blog.example/why' };
    await server.call('PATCH', '/api/apps/app-2', { metadata, name: 'Why SQLite', access: 'write' });
    const { id: app } = (await server.call('GET', '/api/apps/app-2')).body;
    const write = async (text: string) => (await makeComment(server, app, { text }, { as: token })).id;
    const [plain, held, reported] = [
      await write('Well said'),
      await write('To be seen'),
      await write('Spam'),
    ];
    await server.call('POST', `/api/comments/${held}/hold`);
    const bob = await server.token('bob', { name: 'Bob' });
    await server.call('POST', `/api/comments/${reported}/reports`, { reason: 'spam' }, { as: bob });
    const { page, faults, close } = await openConsole(browser, server);
    const rows = page.locator('.lines li');
    await rows.nth(2).waitFor();
    await rows.filter({ hasText: 'Why SQLite' }).nth(2).waitFor();
    const words = (await rows.allInnerTexts()).map((each) => each.replaceAll(/\s+/g, ' '));
    assert.match(words[0] ?? '', /^AL Spam Ada Lovelace · .+ · Why SQLite reported/);
    assert.match(words[1] ?? '', /^AL To be seen Ada Lovelace · .+ · Why SQLite on hold/);
    assert.match(words[2] ?? '', /^AL Well said Ada Lovelace · .+ · Why SQLite/);
    const height = await highest(page, '.lines li');
    assert.ok(height >= 48 && height <= 50, `a row is ${height} pixels high`);
    const address = await rows.nth(2).getByRole('link', { name: 'Open the page' }).getAttribute('href');
    assert.equal(address, `https://blog.example/why#comment-${plain}`);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 });
      assert.deepEqual(await faultsOfAxe(page), []);
    }
    await rows.nth(1).getByRole('link').first().click();
    await page.locator('.item', { hasText: 'To be seen' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test('says who has signed in', async () => {
    const said = async (as?: string) => {
      const { page, close } = await openConsole(browser, server, as === undefined ? {} : { as });
      const words = page.locator('.account p');
      await words.filter({ hasNotText: 'an API key' }).waitFor();
      const text = await words.textContent();
      await close();
      return text;
    };
    assert.equal(await said(), 'Signed in as administrator, by link');
    assert.equal(await said(server.key), 'Signed in with API key “first”');
    assert.equal(await said(token), 'Signed in as Ada Lovelace');
  });

  test('shows names, with uids below where they differ, in rows of at most 44 pixels', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/apps' });
    const row = page.locator('tbody tr', { hasText: 'App number 60' });
    assert.equal(await row.locator('th').textContent(), 'App number 60 app-60');
    await server.create('/api/apps', {
      uid: 'just-a-uid',
      type: 'comments',
      metadata: { url: 'javascript:1' },
    });
    const bare = page.locator('tbody tr', { hasText: 'just-a-uid' });
    assert.equal(await bare.locator('th').textContent(), 'just-a-uid ');
    assert.equal(await bare.locator('.page-link').count(), 0, 'a script is no page');
    await server.call('DELETE', '/api/apps/just-a-uid');
    const long = 'A long text. '.repeat(40);
    await makeComment(server, 1, { text: long }, { as: token });
    for (const path of ['/apps', '/content', '/people']) {
      await page.goto(`${server.url}/console${path}`);
      await page.locator('tbody tr').first().waitFor();
      assert.ok((await highest(page, 'tbody tr')) <= 44, path);
    }
    assert.deepEqual(faults, []);
    await close();
  });

  test('shows what others change', async () => {
    const { page, close } = await openConsole(browser, server, { path: '/apps' });
    await server.create('/api/apps', { uid: 'fresh', type: 'posts', name: 'A fresh one' });
    await page.getByRole('link', { name: 'A fresh one' }).waitFor();
    await server.call('DELETE', '/api/apps/fresh');
    await page.getByRole('link', { name: 'A fresh one' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByText('60 pages').count(), 1);
    await close();
  });

  test('draws the charts of a server that has just started, in a browser of any language', async (t) => {
    const fresh = await startTestServer({});
    t.after(() => fresh.close());
    const { page, context, faults, close } = await openConsole(browser, fresh);
    t.after(close);
    // What Chromium says without a language of the system, which is none that Intl knows.
    await context.addInitScript("Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix' })");
    await page.reload();
    await settled(page);
    const charts = page.locator('figure.chart');
    await charts.nth(3).waitFor();
    const present = new Date().toLocaleTimeString('en-US', { timeStyle: 'short' });
    const before = new Date(Date.now() - 60_000).toLocaleTimeString('en-US', { timeStyle: 'short' });
    for (const chart of await charts.all()) {
      const last = (await chart.locator('time').last().textContent())?.replaceAll('\u202f', ' ') ?? '';
      assert.ok([before, present].includes(last), `the present minute is ${last}`);
      assert.match((await chart.locator('.mark').first().textContent()) ?? '', /^0(?: ms)?$/);
    }
    const words = await charts.allTextContents();
    assert.deepEqual(
      words.map((each) => each.includes('No data yet')),
      [false, false, true, true],
      'requests have been answered, comments and deliveries not',
    );
    assert.deepEqual(
      await Promise.all((await charts.all()).map((chart) => chart.locator('svg g').count())),
      [2, 2, 0, 0],
      'there is no line where there is said to be no data',
    );
    assert.match(words[1] ?? '', /p50 [\d.]+ ms\s*p95 [\d.]+ ms/);
    assert.equal(await page.getByText('Nothing needs your attention.').count(), 1);
    await look(page, 'console-new-server');
    await fetch(`${fresh.url}/api/apps/page/comments`, { headers: { origin: 'https://blog.example.com' } });
    await page.reload();
    await page.getByRole('link', { name: 'Pages of https://blog.example.com cannot call' }).click();
    await page.getByLabel('Your site').waitFor();
    await page.goto(`${fresh.url}/console/apps`);
    await page.getByText('There are no apps yet.').waitFor();
    await page.goto(`${fresh.url}/console/apps?q=beans`);
    await page.getByText('No matching apps.').waitFor();
    assert.deepEqual(faults, []);
  });
});

/** How high the highest element of a selector is, in pixels. */
async function highest(page: Page, selector: string): Promise<number> {
  const heights = await page
    .locator(selector)
    .evaluateAll((all: any[]) => all.map((each) => each.getBoundingClientRect().height));
  return Math.max(...heights);
}

/** The words of the axes of a chart, which are none where they are not shown, and those of them that touch one another. */
const wordsOfAxes = `[...document.querySelectorAll('.chart .plot')].map((plot) => {
  const shown = [...plot.querySelectorAll('time, .mark')].filter((each) =>
    each.checkVisibility({ visibilityProperty: true }));
  const boxes = shown.map((each) => ({ text: each.textContent, box: each.getBoundingClientRect() }));
  const touch = boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) =>
    a.box.left < b.box.right + 2 && b.box.left < a.box.right + 2 && a.box.top < b.box.bottom && b.box.top < a.box.bottom,
  ).map((b) => a.text + ' | ' + b.text));
  const box = plot.getBoundingClientRect();
  const now = [...plot.querySelectorAll('time')].at(-1).getBoundingClientRect();
  const astray = [Math.abs((now.left + now.right) / 2 - box.right) > 1 ? 'the last time' : '',
    ...[...plot.querySelectorAll('.mark')].filter((each) => each.getBoundingClientRect().right > box.left).map((each) => each.textContent)];
  return { astray: astray.join(''), times: [...plot.querySelectorAll('time')].filter((each) => shown.includes(each)).length, touch };
})`;

/** The vertical places of a line from left to right, and whether the running minute is joined to it. */
const linesOfCharts = `[...document.querySelectorAll('.chart svg g')].map((line) => {
  const d = (of) => line.querySelector(of).getAttribute('d');
  const last = (text) => /([\\d.]+) ([\\d.]+)(?:h0)?$/.exec(text)?.slice(1).map(Number);
  return { line: last(d('path:not(.now)')), now: last(d('.now')) };
})`;

// A chart that is read at a glance says nothing wrong: the minute that runs is no fall, and no word covers another.
describe('the charts of the console', () => {
  const clock = movableClock();
  let server: TestServer;
  let browser: Browser;

  before(async () => {
    // At the beginning of a minute, so that it runs for the whole test.
    clock.move(60_000 - (clock.now() % 60_000));
    server = await startTestServer({}, { clock });
    browser = await launchBrowser();
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  async function busyMinutes(count: number): Promise<void> {
    for (let minute = 0; minute < count; minute += 1) {
      for (let requests = 0; requests < 5; requests += 1) await server.call('GET', '/api/apps');
      clock.move(60_000);
    }
  }

  test('show the running minute of a server of one minute as a point', async () => {
    await server.call('GET', '/api/apps');
    const { page, faults, close } = await openConsole(browser, server, { clock });
    await page.locator('figure.chart').nth(3).waitFor();
    const [requests]: any = await page.evaluate(linesOfCharts);
    assert.equal(requests.line, undefined, 'no minute is complete');
    assert.equal(requests.now[0], 100);
    assert.deepEqual(faults, []);
    await look(page, 'console-charts-minute');
    await close();
  });

  test('join it to nothing on a server of one hour, whose lines end with what is complete', async () => {
    await busyMinutes(61);
    const { page, faults, close } = await openConsole(browser, server, { clock });
    await page.locator('figure.chart').nth(3).waitFor();
    const [requests, failures]: any = await page.evaluate(linesOfCharts);
    for (const { line, now } of [requests, failures]) {
      assert.ok(line[0] > 97 && line[0] < 100, `the line ends at ${line[0]}`);
      assert.equal(now[0], 100);
    }
    assert.ok(requests.line[1] < 60, 'the last complete minute was busy');
    // What stands beside the name of a line is of a whole minute as well.
    assert.match((await page.locator('figure.chart').first().textContent()) ?? '', /total\s5/);
    assert.deepEqual(faults, []);
    await look(page, 'console-charts-hour');
    await close();
  });

  // Every moment in the language with the longest words; in the others those at which words come near one another.
  for (const [locale, moments] of [
    ['en-US', [0, 1, 7, 8, 14]],
    ['de-DE', [1, 8]],
    ['ar-EG', [1, 8]],
  ] as const)
    test(`have no words that touch, at any width and time, in ${locale}`, async () => {
      const { page, close } = await openConsole(browser, server, { clock, locale });
      for (const minutes of moments) {
        clock.move(((((minutes - Math.floor(clock.now() / 60_000)) % 15) + 15) % 15) * 60_000);
        await page.reload();
        await page.locator('figure.chart').nth(3).waitFor();
        for (const width of [320, 390, 600, 800, 1024, 1280, 1920]) {
          await page.setViewportSize({ width, height: 800 });
          await page.evaluate(
            'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
          );
          const words: any = await page.evaluate(wordsOfAxes);
          for (const { astray, times, touch } of words) {
            assert.equal(astray, '', 'is not beside its line');
            assert.deepEqual(touch, [], `${width} pixels, ${minutes} minutes after the quarter`);
            assert.ok(times >= 2, `${times} times are shown at ${width} pixels`);
          }
        }
      }
      await close();
    });
});
