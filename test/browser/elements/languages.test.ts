import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageUid } from '../../../src/kernel/page-uid.ts';
import { makeApp, makeComment, makeUser, type Person } from '../../support/fixtures.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { launchBrowser } from '../browser.ts';
import { type Host, startHost } from '../host.ts';
import { openElements } from './page.ts';

// The comments speak the language of the page around them, whichever the browser has, and never one for a moment only.
describe('the language of <confab-comments>', () => {
  let host: Host;
  let server: TestServer;
  let browser: Browser;
  let ada: Person;

  before(async () => {
    [host, browser, server] = await Promise.all([startHost(), launchBrowser(), startTestServer({})]);
    ada = await makeUser(server, { name: 'Ada' });
    const uid = pageUid(`${host.url}/page`);
    const app = await makeApp(server, { uid, access: 'write', visitors: 'read' });
    for (const text of ['one', 'two', 'three']) await makeComment(ada, app.id, { text });
  });

  after(async () => {
    await browser.close();
    await server.close();
    await host.close();
  });

  test('is that of the page, with its plurals, its times and its direction', async () => {
    const { page, faults, context } = await openElements({ browser, host, server }, { language: 'ar' });
    await page.locator('h2', { hasText: 'تعليقات' }).waitFor();
    assert.match((await page.locator('h2').textContent()) ?? '', /^[3٣] تعليقات$/);
    assert.equal((await page.locator('time').first().textContent())?.trim(), 'الآن');
    await page.locator('confab-comments').evaluate((element) => {
      element.setAttribute('lang', 'pl-PL');
    });
    await page.locator('h2', { hasText: '3 komentarze' }).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('is that of the browser where the page has none, and English where nobody has translated it', async () => {
    const opening = { language: '', locale: 'ja-JP' };
    const { page, faults, context } = await openElements({ browser, host, server }, opening);
    await page.locator('h2', { hasText: 'コメント 3 件' }).waitFor();
    for (const [language, heading] of [
      ['sv', '3 comments'],
      ['de_AT', '3 Kommentare'],
      ['not a language', 'コメント 3 件'],
    ] as const) {
      await page.locator('confab-comments').evaluate((element, lang) => {
        element.setAttribute('lang', lang);
      }, language);
      await page.locator('h2', { hasText: heading }).waitFor();
    }
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('is English where its texts cannot be loaded, and any text is what the page says instead', async () => {
    const { page, faults, context } = await openElements(
      { browser, host, server },
      {
        markup: '<confab-comments lang="en"></confab-comments>',
        language: 'de',
        expected: [{ fault: /^failed: .*\/texts\/de\.js/, reason: 'the test blocks this file' }],
      },
    );
    await context.route(/\/texts\/de\.js/, (route) => route.abort());
    await page.locator('confab-comments').evaluate((element) => {
      Object.assign(element, { texts: { newest: 'Fresh first' }, lang: 'de' });
    });
    await page.locator('select option', { hasText: 'Fresh first' }).waitFor({ state: 'attached' });
    await page.locator('h2', { hasText: '3 comments' }).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });
});
