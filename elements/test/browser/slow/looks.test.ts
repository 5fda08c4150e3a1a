import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { assertFits, look, type Mode, setMode } from 'confab-testing/browser/looks.ts';
import { addMembers, makeApp, makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { before } from 'confab-testing/server.ts';
import type { Page } from 'playwright-core';
import { dress, signedIn, useWorld } from '../page.ts';

const themes = new URL('../../../themes/', import.meta.url);

/** The themes that come with the elements, and none, each with its sheet. */
const sheets = ['', ...readdirSync(themes)].map((file) => ({
  theme: file.replace('.css', '') || 'moderator',
  css: file === '' ? '' : readFileSync(new URL(file, themes), 'utf8'),
}));

/** How a theme is looked at: by day and in few colors, small, and at night from the right on a telephone. */
const modes: Readonly<Record<string, Readonly<Record<string, Mode>>>> = {
  en: {
    light: { colorScheme: 'light' },
    'forced-colors': { forcedColors: 'active' },
    '400-percent': { viewport: { width: 320, height: 256 } },
  },
  ar: { 'dark-arabic': { colorScheme: 'dark', viewport: { width: 360, height: 740 } } },
};

// Whatever a page makes of the comments with a ready theme, everybody can read and use them, moderators as well.
describe('the looks of what moderators see, in each theme', () => {
  const world = useWorld();
  const { host, server } = world;
  const [ada, mina] = usePeople(server, 'Ada Lovelace', 'Mina');
  let read: number;
  /** What is decided about on the page in each language. */
  const decidedOn = new Map<string, number>();

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
    read = root.id;
    await makeComment(mina, app.id, { text: 'An answer, in some words.', reply_to: root.id });
    for (const language of Object.keys(modes))
      decidedOn.set(language, (await makeComment(ada, app.id, { text: `Decide about ${language}.` })).id);
    const reported = await makeComment(ada, app.id, { text: 'Buy this, and this, and this.' });
    await mina.call('POST', `/api/comments/${reported.id}/reports`, { reason: 'spam', text: 'Again' });
    const held = await makeComment(ada, app.id, { text: 'This one waits.' });
    await mina.call('POST', `/api/comments/${held.id}/hold`);
  });

  for (const [language, looks] of Object.entries(modes))
    test(`of a page in ${language} can be read by everyone`, async () => {
      const storageState = signedIn({ host, server }, { ...mina, name: 'Mina' });
      const { page, faults, context } = await world.open({ language, storageState });
      await page.locator('.desk button').first().click();
      await page.locator('.review li').first().waitFor();
      // All that there is, at once: what has been done, what waits, and what can be decided.
      const decided = page.locator(`#comment-${decidedOn.get(language)}`);
      await decided.locator('[data-act=more]').click();
      await decided.locator('.popover button').nth(1).click();
      await page.locator('.done').waitFor();
      await page.locator(`#comment-${read} [data-act=more]`).click();
      await page.locator(`#comment-${read} .popover button`).nth(1).waitFor();
      for (const { theme, css } of sheets)
        for (const [name, mode] of Object.entries(looks)) {
          await dress(page, css);
          await setMode(page, mode);
          await look(page, `elements-${theme}-${name}`);
          // Larger letters change no color and no name, but perhaps the width.
          await enlarge(page, '200%');
          await keepPicture(page, `elements-${theme}-${name}-large`);
          await assertFits(page, `elements-${theme}-${name}-large`);
          await enlarge(page, '');
        }
      await page.locator('.done button').first().click();
      await page.locator('.done').waitFor({ state: 'detached' });
      assert.deepEqual(faults, []);
      await context.close();
    });
});

const enlarge = (page: Page, size: string) =>
  page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
