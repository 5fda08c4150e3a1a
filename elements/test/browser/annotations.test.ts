import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { faultsOfAxe, type Mode, setMode } from 'confab-testing/browser/looks.ts';
import { makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Page } from 'playwright-core';
import { annotationTasks, marked, pageFor, type Readers, threadAbout, words } from './annotation-tasks.ts';
import { handsOf } from './hands.ts';
import { drawGround, guests, useWorld } from './page.ts';
import { type Manner, manners } from './task-list.ts';

// A reader comments on places of a page, and finds the threads there again.
describe('<confab-annotations>', () => {
  const world = useWorld(guests);
  const [ada, mina, bea] = usePeople(world.server, 'Ada', 'Mina', 'Bea');
  const found: string[] = [];

  const readersIn = (manner: Manner): Readers => ({
    ...world,
    ...{ ada, mina, bea, manner },
    async open(opening) {
      const { page, faults, context } = await world.open(opening);
      const leave = async () => {
        found.push(...faults);
        await context.close();
      };
      return { page, hands: handsOf(page, manner.way), leave };
    },
  });

  for (const manner of manners)
    describe(`by ${manner.way} on a ${manner.screen} in ${manner.language}`, () => {
      for (const [name, task] of Object.entries(annotationTasks))
        test(name, async () => {
          await task(readersIn(manner));
          assert.deepEqual(found.splice(0), []);
        });
    });

  const opener = (page: Page) => page.locator('.opener');
  const panel = (page: Page) => page.locator('.panel');
  const atDesk = readersIn({ way: 'mouse', screen: 'desktop', language: 'en' });

  /** Opens a page with a thread about some words, as Ada. */
  async function commented(name: string, readers = atDesk, options: Parameters<typeof world.open>[0] = {}) {
    const { app, opening } = await pageFor(readers, name);
    const { first, quote } = words[readers.manner.language];
    await threadAbout(readers, app, first, quote);
    return { app, ...(await world.open({ ...opening, ...options })) };
  }

  const isMarked = (page: Page, text: string, kind?: string) =>
    poll(`the mark of "${text}"`, async () => (await marked(page, kind)) === text || undefined);

  test('opens what is clicked on in the text, and leads on by keys', async () => {
    const { page, faults, context } = await commented('clicked');
    await isMarked(page, words.en.quote);
    const box = await page.evaluate(`{
      const [range] = CSS.highlights.get('confab-open');
      const { left, top, width, height } = range.getBoundingClientRect();
      ({ x: left + width / 2, y: top + height / 2 });
    }`);
    const { x, y } = box as { x: number; y: number };
    await page.mouse.click(x, y);
    await panel(page).locator('article', { hasText: 'Which door?' }).waitFor();
    await keepPicture(page, 'elements-annotations-thread');
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Alt+N');
    await isMarked(page, words.en.quote, 'current');
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('comments on what is dragged over', async () => {
    const { page, faults, context } = await commented('dragged');
    await isMarked(page, words.en.quote);
    const text = page.locator('#content p').last();
    const { x, y, height } = (await text.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    await page.mouse.move(x + 1, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 120, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await page.locator('.annotate').click();
    await panel(page).locator('blockquote', { hasText: 'Now far' }).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('draws boxes above the words where the browser has no highlights', async () => {
    const { page, faults, context } = await commented('boxes', atDesk, {
      prepare: (each) => each.addInitScript('delete CSS.highlights; delete globalThis.Highlight'),
    });
    const box = page.locator('.layer i.open');
    await box.waitFor();
    await page.evaluate('scrollTo(0, 1)');
    await page.setViewportSize({ width: 800, height: 600 });
    await poll('the box at the words', async () => {
      const drawn = await box.boundingBox();
      const words = (await page.evaluate(`{
        const [text] = document.querySelector('#content p').childNodes;
        const range = document.createRange();
        const at = text.data.indexOf('down from the door');
        range.setStart(text, at);
        range.setEnd(text, at + 18);
        range.getBoundingClientRect().toJSON();
      }`)) as { x: number; y: number; width: number };
      const isAt = (key: 'x' | 'y' | 'width') => Math.abs((drawn?.[key] ?? 0) - words[key]) < 1;
      return (isAt('x') && isAt('y') && isAt('width')) || undefined;
    });
    await keepPicture(page, 'elements-annotations-boxes');
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('finds content, and elements with keys, that the page draws later', async () => {
    const { app, page, faults, context } = await commented('later');
    await isMarked(page, words.en.quote);
    await makeComment(mina, app, { text: 'Of a row', anchor: { key: 'row-9' } });
    await page.evaluate(`{
      const content = document.querySelector('#content');
      const again = content.cloneNode(true);
      again.querySelector('td').dataset.confabAnchor = 'row-9';
      content.replaceWith(again);
    }`);
    await page.locator('button.pin:not(.add)').waitFor();
    await isMarked(page, words.en.quote);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('has nothing for axe to object to, light and dark, on phone and desktop, in both directions', async () => {
    const phone = { width: 360, height: 640 };
    const desktop = { width: 1200, height: 800 };
    const modes: Mode[] = [
      { colorScheme: 'dark', viewport: phone },
      { colorScheme: 'light', viewport: phone },
      { colorScheme: 'dark', viewport: desktop },
      { colorScheme: 'light', viewport: desktop },
    ];
    for (const language of ['en', 'ar'] as const) {
      const readers = readersIn({ way: 'mouse', screen: 'desktop', language });
      const { page, context } = await commented('axe', readers);
      const look = async (what: string) => {
        for (const mode of modes) {
          await setMode(page, mode);
          const { colorScheme, viewport } = mode;
          await keepPicture(
            page,
            `elements-annotations-${what}-${colorScheme}-${viewport?.width}-${language}`,
          );
          assert.deepEqual(await faultsOfAxe(page), []);
        }
      };
      await drawGround(page);
      await opener(page).click();
      const item = panel(page).locator('.item');
      await item.waitFor();
      await look('list');
      await item.click();
      await panel(page).getByRole('article').waitFor();
      await look('thread');
      await context.close();
    }
  });
});
