import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { keepPicture, launchBrowser } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { faultsOfAxe } from 'confab-testing/browser/looks.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, Page } from 'playwright-core';
import { coveredBy, type Opening, openElements, signedIn } from '../page.ts';

/** Longer than it is shown that somebody writes, in milliseconds. */
const shownWithinMs = 8000;

const field = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' });
const loaded = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));

// Readers see who is writing, quietly, where the operator wants it; otherwise no page sends or loads anything of it.
describe('who is writing in <confab-comments>', () => {
  let host: Host;
  let browser: Browser;
  let server: TestServer;
  let silent: TestServer;

  before(async () => {
    [host, browser] = await Promise.all([startHost(), launchBrowser()]);
    const settings = { CONFAB_CORS_ORIGINS: host.url, CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' };
    [server, silent] = await Promise.all([
      startTestServer({ ...settings, CONFAB_COMMENTS_TYPING: 'yes' }),
      startTestServer(settings),
    ]);
  });

  after(async () => {
    await browser.close();
    await Promise.all([server.close(), silent.close()]);
    await host.close();
  });

  /** Opens a page whose app has two comments; `name` is that of a user who is signed in. `sent` gets what it says. */
  async function open(of: TestServer, path: string, { name, ...opening }: Opening & { name?: string } = {}) {
    const uid = pageUid(host.url + path);
    const known = await of.call('GET', `/api/apps/${uid}`);
    if (known.status === 404) {
      const app = await makeApp(of, { uid, access: 'write', visitors: 'write' });
      for (const text of ['One', 'Two']) await makeComment(of, app.id, { text });
    }
    const person = name === undefined ? undefined : await makeUser(of, { name });
    const sent: string[] = [];
    const opened = await openElements(
      { browser, host, server: of },
      {
        path,
        ...(person === undefined || name === undefined
          ? {}
          : { storageState: signedIn({ host, server: of }, { ...person, name }) }),
        prepare: async (page) => {
          page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
          await page.addInitScript(`shifts = []; new PerformanceObserver((list) => {
            for (const { value } of list.getEntries()) shifts.push(value);
          }).observe({ type: 'layout-shift', buffered: true });`);
        },
        ...opening,
      },
    );
    await opened.page.locator('article', { hasText: 'Two' }).waitFor();
    return { ...opened, sent };
  }

  test('is shown to a reader for some seconds, moves nothing and interrupts nobody', async () => {
    const reader = await open(server, '/typing');
    const ada = await open(server, '/typing', { name: 'Ada' });
    const bob = await open(server, '/typing', { name: 'Bob' });
    // The part hears the first message when the stream opens.
    for (const { page } of [reader, ada, bob])
      await page.locator('confab-typing').waitFor({ state: 'attached' });
    await field(ada.page).click();
    await ada.page.keyboard.type('I think');
    const shown = reader.page.locator('confab-typing .typing');
    await shown.getByText(/Ada.? is typing/).waitFor();
    await keepPicture(reader.page, 'elements-typing');
    assert.equal(await shown.evaluate(coveredBy), 0);
    assert.deepEqual(await faultsOfAxe(reader.page), []);
    const isLive = await shown.evaluate(
      (it) => it.closest('[aria-live], [role=status], [role=alert]') !== null,
    );
    assert.equal(isLive, false);
    await reader.page.clock.install();
    await field(bob.page).click();
    await poll('both', async () => {
      await bob.page.keyboard.type('no ');
      await ada.page.keyboard.type('yes ');
      return (
        /Ada.*Bob.* are typing|Bob.*Ada.* are typing/.test(
          (await shown.textContent().catch(() => '')) ?? '',
        ) || undefined
      );
    });
    assert.equal(await ada.page.locator('confab-typing .typing', { hasText: 'Ada' }).count(), 0);
    await reader.page.clock.fastForward(shownWithinMs);
    await shown.waitFor({ state: 'detached' });
    assert.deepEqual(await reader.page.evaluate('shifts'), []);
    assert.deepEqual([...reader.faults, ...ada.faults, ...bob.faults], []);
    for (const { context } of [reader, ada, bob]) await context.close();
  });

  test('is said by nobody who has not signed in', async () => {
    const { page, sent, faults, context } = await open(server, '/typing-as-nobody');
    await page.locator('confab-typing').waitFor({ state: 'attached' });
    await field(page).click();
    await page.keyboard.type('Who am I?');
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    assert.deepEqual(sent, []);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('is not said where the server refuses it, more than once', async () => {
    const path = '/typing-refused';
    const { page, sent, context } = await open(server, path, { name: 'Eve' });
    await page.locator('confab-typing').waitFor({ state: 'attached' });
    await field(page).click();
    assert.equal((await server.call('POST', `/api/apps/${pageUid(host.url + path)}/lock`, {})).status, 200);
    const refusal = page.waitForResponse((response) => response.url().endsWith('/comments/typing'));
    await page.keyboard.type('a');
    assert.equal((await refusal).status(), 403);
    await (await refusal).finished();
    // What follows the answer in the page is done.
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    await page.clock.install();
    for (let times = 0; times < 5; times += 1) {
      await page.clock.fastForward(4000);
      await page.keyboard.type('a');
    }
    assert.equal(sent.length, 1);
    await context.close();
  });

  test('is nothing that is sent or loaded where the operator does not want it', async () => {
    const { page, sent, faults, context } = await open(silent, '/silent', { name: 'Ada' });
    const streaming = page.waitForResponse((response) => /\/changes\?/.test(response.url()));
    await page.reload();
    await streaming;
    await field(page).click();
    await page.keyboard.type('A quiet comment');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('article', { hasText: 'A quiet comment' }).waitFor();
    assert.deepEqual(sent, []);
    assert.deepEqual(
      (await loaded(page)).filter((name) => /typing/.test(name)),
      [],
    );
    assert.deepEqual(faults, []);
    await context.close();
  });
});
