import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { makeApp, makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { before } from 'confab-testing/server.ts';
import { useWorld } from './page.ts';

// The comments speak the language of the page around them, whichever the browser has, and never one for a moment only.
describe('the language of <confab-comments>', () => {
  const world = useWorld({}, { isListed: false });
  const { host, server } = world;
  const [ada] = usePeople(server, 'Ada');

  before(async () => {
    const uid = pageUid(`${host.url}/page`);
    const app = await makeApp(server, { uid, access: 'write', visitors: 'read' });
    for (const text of ['one', 'two', 'three']) await makeComment(ada, app.id, { text });
  });

  test('is that of the page, with its plurals, its times and its direction', async () => {
    const { page, faults, context } = await world.open({ language: 'ar' });
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
    const { page, faults, context } = await world.open(opening);
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
    const { page, faults, context } = await world.open({
      markup: '<confab-comments lang="en"></confab-comments>',
      language: 'de',
      expected: [{ fault: /^failed: .*\/texts\/de\.js/, reason: 'the test blocks this file' }],
    });
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
