import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { pageUid } from '../../../src/kernel/page-uid.ts';
import { addMembers, makeApp, makeComment, usePeople } from '../../support/fixtures.ts';
import { before } from '../../support/server.ts';
import { look } from '../console/page.ts';
import { useWorld } from './page.ts';

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
  const world = useWorld();
  const { host, server } = world;
  const [ada, mina] = usePeople(server, 'Ada Lovelace', 'Mina');

  before(async () => {
    const uid = pageUid(`${host.url}/page`);
    const app = await makeApp(server, { uid, access: 'write', visitors: 'read' });
    await addMembers(server, app.id, { moderator: [mina] });
    const root = await makeComment(ada, app.id, {
      text:
        '# A heading\n\nA text with **weight**, a [link](https://example.com), <kbd>Ctrl</kbd>, H<sub>2</sub>O and ' +
        '<mark>a mark</mark>\n\n> a quotation\n\n- [ ] a task\n- [x] another\n\n' +
        '<details>\n<summary>What is folded</summary>\n\n- an item\n</details>',
    });
    await makeComment(mina, app.id, { text: 'An answer, in some words.', reply_to: root.id });
    const reported = await makeComment(ada, app.id, { text: 'Buy this, and this, and this.' });
    await mina.call('POST', `/api/comments/${reported.id}/reports`, { reason: 'spam', text: 'Again' });
    const held = await makeComment(ada, app.id, { text: 'This one waits.' });
    await mina.call('POST', `/api/comments/${held.id}/hold`);
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
        const { page, faults, context } = await world.open({
          ...options,
          prepare: (page) =>
            page.addInitScript(
              `localStorage.setItem(${JSON.stringify(`confab ${server.url}/`)}, ${JSON.stringify(JSON.stringify(kept))})`,
            ),
        });
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
