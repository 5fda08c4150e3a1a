import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { look, type Mode, setMode } from 'confab-testing/browser/looks.ts';
import { makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { watchApp } from 'confab-testing/network/app-watch.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Page } from 'playwright-core';
import { coveredBy, dress, guests, type Opening, signedIn, useWorld } from '../page.ts';

const themes = new URL('../../../themes/', import.meta.url);
const line = (page: Page) => page.locator('confab-comments .presence');
const loaded = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));

/** Notes what moves on a page. */
const prepare = (page: Page) =>
  page.addInitScript(`shifts = []; new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shifts.push(value);
  }).observe({ type: 'layout-shift', buffered: true });`);

/** How far what is shown of the line is from the field below it, in pixels. */
const spaceBelow = (page: Page): Promise<number> =>
  line(page).evaluate((it: any) => {
    const shown = [...it.children].find((each) => each.getClientRects().length > 0);
    const field = it.closest('.root').querySelector('.composer');
    return field.getBoundingClientRect().top - shown.getBoundingClientRect().bottom;
  });

/** How the line is looked at, by the language of the page. */
const looks: Readonly<Record<string, Readonly<Record<string, Mode>>>> = {
  en: { light: { colorScheme: 'light' } },
  ar: { 'dark-arabic': { colorScheme: 'dark', viewport: { width: 360, height: 740 } } },
  hi: { 'forced-colors': { forcedColors: 'active' } },
  de: { '400-percent': { viewport: { width: 320, height: 256 } } },
};

// Readers see how many have the comments on the screen, quietly, where the operator wants it.
describe('how many people are at <confab-comments>', () => {
  const world = useWorld({ ...guests, CONFAB_COMMENTS_PRESENCE: 'yes' });
  const { host, server, appFor } = world;

  async function open(path: string, opening: Opening = {}) {
    const opened = await world.open({ path, prepare, ...opening });
    await opened.page.locator('article').first().waitFor();
    return opened;
  }

  test('comes and goes with them, moves nothing and interrupts nobody', async () => {
    const app = await appFor('/two');
    for (const text of ['One', 'Two']) await makeComment(server, app, { text });
    const first = await open('/two');
    // The part hears the first message, in which there is nobody else.
    await poll(
      'the part',
      async () => (await loaded(first.page)).some((name) => /presence/.test(name)) || undefined,
    );
    assert.equal(await line(first.page).count(), 0);
    const ada = await makeUser(server, { name: 'Ada' });
    const storageState = signedIn({ host, server }, { ...ada, name: 'Ada' });
    const second = await open('/two', { storageState });
    const again = await open('/two', { storageState });
    for (const { page } of [first, second, again])
      await line(page).getByText('2 people are here', { exact: true }).waitFor();
    assert.equal(
      await line(first.page).evaluate(
        (it) => it.closest('[aria-live], [role=status], [role=alert]') !== null,
      ),
      false,
    );
    await again.context.close();
    await second.context.close();
    await line(first.page).waitFor({ state: 'detached' });
    assert.deepEqual(await first.page.evaluate('shifts'), []);
    assert.deepEqual([...first.faults, ...second.faults, ...again.faults], []);
    await first.context.close();
  });

  test('is gone while the page is left, and for good with the right to read', async () => {
    const path = '/left';
    const app = await appFor(path);
    await makeComment(server, app, { text: 'One' });
    const other = await watchApp(server, app, { as: server.key });
    const reader = await watchApp(server, app, { query: '?present=true' });
    const { page, context } = await open(path, {
      expected: [{ fault: /401: GET .*\/changes/, reason: 'the app is closed' }],
    });
    await line(page).waitFor();
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
    await line(page).waitFor({ state: 'detached' });
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await line(page).waitFor();
    await page.evaluate(`document.querySelector('confab-comments').lang = 'fr'`);
    await line(page).getByText('2 personnes sont ici').waitFor();
    await server.call('PATCH', `/api/apps/${app}`, { visitors: null });
    await reader.ended();
    await line(page).waitFor({ state: 'detached' });
    assert.deepEqual(other.counts, []);
    await context.close();
  });

  test('counts the reader of a page once, whose reactions are shown as well', async () => {
    const app = await appFor('/reactions');
    const { id } = await makeComment(server, app, { text: 'One' });
    const { token } = await makeUser(server);
    await server.call('POST', `/api/comments/${id}/reactions`, { content: '👍' }, { as: token });
    const reader = await watchApp(server, app, { query: '?present=true' });
    const streams: string[] = [];
    const { page, context } = await open('/reactions', {
      markup: `<confab-reactions comment="${id}"></confab-reactions><confab-comments></confab-comments>`,
      prepare: async (opened) => opened.on('response', (response) => streams.push(response.url())),
    });
    await poll(
      'both streams',
      () => streams.filter((url) => /\/changes\b/.test(url)).length === 2 || undefined,
    );
    await line(page).getByText('2 people are here').waitFor();
    await poll('the number', () => (reader.counts.at(-1) ?? 0) > 1 || undefined);
    assert.deepEqual(reader.counts, [1, 2]);
    await context.close();
  });

  for (const [language, modes] of Object.entries(looks))
    test(`is for everybody, in ${language}`, async () => {
      const path = `/looks-${language}`;
      const app = await appFor(path, { visitors: 'write' });
      for (const text of ['One', 'Two']) await makeComment(server, app, { text });
      const reader = await watchApp(server, app, { query: '?present=true' });
      const { page, faults, context } = await open(path, { language });
      await line(page).waitFor();
      for (const file of ['', ...readdirSync(themes)])
        for (const [name, mode] of Object.entries(modes)) {
          const picture = `elements-presence-${file.replace('.css', '') || 'plain'}-${name}`;
          await dress(page, file === '' ? '' : readFileSync(new URL(file, themes), 'utf8'));
          await setMode(page, mode);
          await look(page, picture, { part: ['confab-comments', '.presence'] });
          assert.equal(await line(page).evaluate(coveredBy), 0, picture);
          assert.ok((await spaceBelow(page)) >= 8, `${picture}: it sticks to the field`);
        }
      assert.deepEqual(faults, []);
      await reader.close();
      await context.close();
    });
});

// Otherwise no page loads or shows anything of it.
describe('how many people are there, where it is not shown,', () => {
  const { server, open, appFor } = useWorld();

  test('is neither loaded nor shown', async () => {
    const app = await appFor('/silent');
    await makeComment(server, app, { text: 'One' });
    const readers = [await watchApp(server, app, { query: '?present=true' })];
    const { page, faults, context } = await open({ path: '/silent' });
    await page.locator('article').waitFor();
    await page.evaluate('addEventListener("pageshow", () => undefined)');
    await makeComment(server, app, { text: 'Two' });
    await page.getByRole('button', { name: '1 new comment' }).waitFor();
    assert.equal(await line(page).count(), 0);
    assert.deepEqual(
      (await loaded(page)).filter((name) => /presence|typing/.test(name)),
      [],
    );
    assert.deepEqual(readers[0]?.counts, []);
    assert.deepEqual(faults, []);
    await context.close();
  });
});
