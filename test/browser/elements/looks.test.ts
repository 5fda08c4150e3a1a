import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { pageUid } from '../../../src/kernel/page-uid.ts';
import { addMembers, makeApp, makeComment, makeUser, type Person } from '../../support/fixtures.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { launchBrowser } from '../browser.ts';
import { look } from '../console/page.ts';
import { type Host, startHost } from '../host.ts';
import { openElements } from './page.ts';

const themes = new URL('../../../elements/themes/', import.meta.url);

/** How a theme is looked at: by day and night, on a telephone from the right, in few colours, and enlarged. */
const looks = [
  ['light', { colorScheme: 'light' }],
  ['dark-arabic', { colorScheme: 'dark', viewport: { width: 360, height: 740 }, language: 'ar' }],
  ['forced-colors', { forcedColors: 'active' }],
  ['400-percent', { viewport: { width: 320, height: 256 } }],
] as const;

// Whatever a page makes of the comments with a ready theme, everybody can read and use them, moderators as well.
describe('the looks of what moderators see, in each theme', () => {
  let host: Host;
  let server: TestServer;
  let browser: Browser;
  let ada: Person;
  let mina: Person;

  before(async () => {
    host = await startHost();
    const settings = { CONFAB_CORS_ORIGINS: host.url };
    [browser, server] = await Promise.all([launchBrowser(), startTestServer(settings)]);
    [ada, mina] = [
      await makeUser(server, { name: 'Ada Lovelace' }),
      await makeUser(server, { name: 'Mina' }),
    ];
    const uid = pageUid(`${host.url}/page`);
    const app = await makeApp(server, { uid, access: 'write', visitors: 'read' });
    await addMembers(server, app.id, { moderator: [mina] });
    const root = await makeComment(ada, app.id, {
      text: 'A text with **weight**, a [link](https://example.com) and\n\n> a quotation',
    });
    await makeComment(mina, app.id, { text: 'An answer, in some words.', reply_to: root.id });
    const reported = await makeComment(ada, app.id, { text: 'Buy this, and this, and this.' });
    await mina.call('POST', `/api/comments/${reported.id}/reports`, { reason: 'spam', text: 'Again' });
    const held = await makeComment(ada, app.id, { text: 'This one waits.' });
    await mina.call('POST', `/api/comments/${held.id}/hold`);
  });

  after(async () => {
    await browser.close();
    await server.close();
    await host.close();
  });

  for (const file of ['', ...readdirSync(themes)])
    for (const [name, options] of looks)
      test(`${file || 'no theme'}, ${name}`, async () => {
        const kept = {
          access_token: mina.token,
          user: { id: mina.id, display_name: 'Mina' },
          issuedAt: Date.now(),
          expires_in: 3600,
        };
        const { page, faults, context } = await openElements(
          { browser, host, server },
          {
            ...options,
            prepare: (page) =>
              page.addInitScript(
                `localStorage.setItem(${JSON.stringify(`confab ${server.url}/`)}, ${JSON.stringify(JSON.stringify(kept))})`,
              ),
          },
        );
        const css = file === '' ? '' : readFileSync(new URL(file, themes), 'utf8');
        // The policy of the page permits no style; a page that has a theme permits its own.
        await page.evaluate(`{
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(':root { color-scheme: light dark; background: Canvas; color: CanvasText }' + ${JSON.stringify(css)});
          document.adoptedStyleSheets.push(sheet);
        }`);
        await page.locator('.desk button').first().click();
        await page.locator('.review li').first().waitFor();
        await page.locator('confab-moderation button').first().click();
        const picture = `elements-${file.replace('.css', '') || 'moderator'}-${name}`;
        await look(page, picture);
        await page.locator('confab-moderation button').nth(1).click();
        await page.locator('.done').waitFor();
        await look(page, `${picture}-done`);
        await page.locator('.done button').first().click();
        await page.locator('.done').waitFor({ state: 'detached' });
        await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
        await look(page, `${picture}-large`);
        assert.deepEqual(faults, []);
        await context.close();
      });
});
