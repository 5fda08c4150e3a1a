import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageUid } from '../../../src/kernel/page-uid.ts';
import { makeApp, makeComment, makeUser, type Person } from '../../support/fixtures.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { launchBrowser } from '../browser.ts';
import { type Host, startHost } from '../host.ts';
import { openElements } from './page.ts';

// Two lines show the comments of a page of any origin, under the strictest content security policy, with nobody signed in.
describe('<confab-comments>', () => {
  let host: Host;
  let server: TestServer;
  let browser: Browser;
  let ada: Person;

  before(async () => {
    [host, browser, server] = await Promise.all([startHost(), launchBrowser(), startTestServer({})]);
    ada = await makeUser(server, { name: 'Ada' });
  });

  after(async () => {
    await browser.close();
    await server.close();
    await host.close();
  });

  /** An app for the page at a path, open to readers. */
  async function appFor(path: string): Promise<number> {
    const uid = pageUid(host.url + path);
    return (await makeApp(server, { uid, access: 'write', visitors: 'read' })).id;
  }

  test('shows a thread, and what is written while somebody reads when they want it', async () => {
    const app = await appFor('/live');
    const root = await makeComment(ada, app, { text: 'The **first** comment' });
    await makeComment(ada, app, { text: 'An answer', reply_to: root.id });
    const { page, faults, context } = await openElements({ browser, host, server }, { path: '/live' });
    await page.locator('h2', { hasText: '2 comments' }).waitFor();
    await page.locator('article', { hasText: 'The first comment' }).waitFor();
    await page.locator('article', { hasText: 'An answer' }).waitFor();

    const late = page.locator('article', { hasText: 'Written later' });
    await makeComment(ada, app, { text: 'Written later' });
    const waiting = page.getByRole('button', { name: '1 new comment' });
    await waiting.waitFor();
    assert.equal(await late.count(), 0);
    await waiting.click();
    await late.waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });
});
