import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { assertFits, faultsOfAxe, setMode } from 'confab-testing/browser/looks.ts';
import { encoded, picture } from 'confab-testing/drawings.ts';
import { makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { upload } from 'confab-testing/uploads.ts';
import type { Locator } from 'playwright-core';
import { dress, guests, signedIn, useWorld } from '../page.ts';

const { host, server, open, appFor } = useWorld(guests);
const [ada, bob, carl] = usePeople(server, 'Ada Lovelace', 'Bob', 'Carl');

// What is read says no more than what is known, and stands where a reader looks for it.
describe('reading', { concurrency: 3 }, () => {
  test('counts all replies below a comment, or does not count them while some are not loaded', async () => {
    const app = await appFor('/replies');
    let last = (await makeComment(ada, app, { text: 'The first' })).id;
    for (let written = 1; written <= 8; written += 1)
      last = (await makeComment(bob, app, { text: `Level ${written}`, reply_to: last })).id;
    const { page, faults, context } = await open({ path: '/replies' });
    const folds = page.locator('.fold');
    await folds.first().waitFor();
    assert.deepEqual(await folds.allInnerTexts(), ['8 replies', 'Replies', 'Replies']);
    // Neither a minus nor a plus, which a number follows.
    const marks = await folds.evaluateAll((all: any[]) =>
      all.map((each) => each.ownerDocument.defaultView.getComputedStyle(each, '::before').content),
    );
    for (const mark of marks) assert.doesNotMatch(mark, /[-−+\d]/);
    await page.getByRole('button', { name: 'Show 5 more replies' }).click();
    await page.locator('article', { hasText: 'Level 8' }).waitFor();
    assert.deepEqual(await folds.allInnerTexts(), ['8 replies', '7 replies', '6 replies']);
    await folds.nth(1).click();
    assert.equal(await page.locator('article', { hasText: 'Level 2' }).isVisible(), false);
    await keepPicture(page, 'elements-folded');
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('shows pictures in a grid with a gap, and one alone large', async () => {
    const app = await appFor('/pictures');
    const { page, faults, context } = await openPictures(app, '/pictures');
    const boxes = await boxesOf(page.locator('.pictures').first().locator('img'));
    assert.equal(boxes.length, 3);
    const [first, second, third] = boxes as [Box, Box, Box];
    for (const each of boxes)
      assert.deepEqual([each.y, each.width, each.height], [first.y, first.width, first.height]);
    assert.ok(second.x - first.x - first.width >= 4 && third.x - second.x - second.width >= 4, 'a gap');
    const [alone] = await boxesOf(page.locator('.one img'));
    assert.ok(alone !== undefined && alone.width > 500, `${alone?.width} pixels`);
    await page.setViewportSize({ width: 320, height: 640 });
    const [narrow] = await boxesOf(page.locator('.one img'));
    assert.ok(narrow !== undefined && Math.abs(narrow.width / narrow.height - 1.6) < 0.02, 'its shape');
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('says of a file what it is and how large', async () => {
    const app = await appFor('/files');
    const blob = await upload(ada, { name: 'report.pdf', bytes: `%PDF-1.4 ${'x'.repeat(249_991)}` });
    await makeComment(ada, app, { text: 'A file', blobs: [blob.id] });
    for (const [language, size] of [
      ['en', '250 kB'],
      ['fr', '250 ko'],
    ] as const) {
      const { page, context } = await open({ path: '/files', language });
      const file = page.locator('.document');
      await file.waitFor();
      assert.deepEqual(
        (await file.allInnerTexts()).map((each) => each.replace(/\s+/g, ' ')),
        [`report.pdf ${size}`],
      );
      assert.equal(await file.locator('svg').count(), 1);
      await context.close();
    }
  });

  test('enlarges a picture, goes on with the arrow keys, and comes back to where it was', async () => {
    const app = await appFor('/enlarged');
    for (const [language, next] of [
      ['en', 'ArrowRight'],
      ['ar', 'ArrowLeft'],
    ] as const) {
      const { page, faults, context } = await openPictures(app, '/enlarged', language);
      const loaded = await page.evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/enlarged-'))`,
      );
      assert.deepEqual(loaded, [], 'loaded before it is used');
      const dialog = page.locator('dialog.enlarged');
      await page.locator('.pictures').first().locator('a').nth(1).press('Enter');
      await dialog.locator('img[alt="1.png"]').waitFor();
      await page.keyboard.press(next);
      await dialog.locator('img[alt="2.png"]').waitFor();
      await page.keyboard.press(next);
      assert.match(String(await dialog.getByRole('status').allInnerTexts()).replaceAll('٣', '3'), /3.*3/);
      await page.keyboard.press(next === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft');
      await dialog.locator('img[alt="1.png"]').waitFor();
      await page.setViewportSize({ width: 320, height: 640 });
      await assertFits(page, `elements-enlarged-${language}`);
      const close = await dialog.getByRole('button').last().boundingBox();
      assert.ok(close !== null && close.x >= 0 && close.x + close.width <= 320, 'the button that closes');
      await keepPicture(page, `elements-enlarged-${language}`);
      assert.deepEqual(await faultsOfAxe(page, { part: ['confab-comments', 'dialog'] }), []);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.locator('.pictures a:focus img[alt="1.png"]').waitFor();
      assert.equal(context.pages().length, 1);
      assert.deepEqual(faults, []);
      await context.close();
    }
  });

  test('has options of one width in a poll, with parts of all votes, and says which is mine', async () => {
    const app = await appFor('/poll');
    const asked = await makeComment(ada, app, {
      text: 'Which?',
      options: [{ text: 'One' }, { text: 'Two, in more words' }],
    });
    const { options } = await ada.read(`/api/comments/${asked.id}`);
    for (const person of [ada, bob]) await person.call('POST', `/api/options/${options[0].id}/vote`);
    await carl.call('POST', `/api/options/${options[1].id}/vote`);
    const storageState = signedIn({ host, server }, { ...ada, name: 'Ada Lovelace' });
    const { page, faults, context } = await open({ path: '/poll', storageState });
    const buttons = page.locator('.poll button');
    await buttons.first().waitFor();
    const [one, two] = (await boxesOf(buttons)) as [Box, Box];
    assert.equal(one.width, two.width);
    for (const each of await buttons.all()) {
      const [box, count] = await Promise.all([each.boundingBox(), each.locator('.quiet').boundingBox()]);
      assert.ok(box !== null && count !== null);
      const off = box.y + box.height / 2 - count.y - count.height / 2;
      assert.ok(Math.abs(off) <= 1, `${off} pixels from the middle`);
    }
    assert.deepEqual(await buttons.locator('.quiet').allInnerTexts(), ['✓ 67% · 2 votes', '33% · 1 vote']);
    await page.locator('.poll p', { hasText: '3 votes' }).waitFor();
    await page.getByRole('button', { name: /One.*Your vote/s, pressed: true }).waitFor();
    await buttons.nth(1).click();
    await page.getByRole('button', { name: /Two.*Your vote/s, pressed: true }).waitFor();
    assert.equal(await page.getByRole('img', { name: 'Your vote' }).count(), 1);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('shows twenty lines of a long text, and the rest when somebody asks for it or goes there', async () => {
    const app = await appFor('/long');
    const lines = Array.from({ length: 60 }, (_, number) => `Line ${number} of a text`);
    await makeComment(ada, app, { text: `${lines.join('\n\n')}\n\n[The end](https://example.com)` });
    await makeComment(bob, app, { text: `${'A text of one line on a desk. '.repeat(24)}` });
    const { page, faults, context } = await open({
      path: '/long',
      prepare: (each) =>
        each.addInitScript(`shifts = []; new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) shifts.push(value);
        }).observe({ type: 'layout-shift', buffered: true });`),
    });
    const long = page.locator('article', { hasText: 'Line 0' }).locator('.text');
    const more = page.getByRole('button', { name: 'Show more' });
    await more.waitFor();
    assert.equal(await more.count(), 1);
    await page.evaluate(
      `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`,
    );
    assert.deepEqual(await page.evaluate('shifts'), []);
    const height = async () => (await long.boundingBox())?.height ?? 0;
    assert.ok((await height()) < 520, `${await height()} pixels`);
    await more.click();
    assert.ok((await height()) > 1500);
    await page.getByRole('button', { name: 'Show less' }).click();
    await poll('what is folded', async () => (await height()) < 520 || undefined);
    await page.getByRole('link', { name: 'The end' }).focus();
    await poll('the rest', async () => (await height()) > 1500 || undefined);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('has every row below the text of its comment, and its header in one row', async () => {
    const storageState = signedIn({ host, server }, { ...ada, name: 'Ada Lovelace' });
    for (const [language, text] of [
      ['en', 'A text'],
      ['ar', 'نص قصير'],
    ] as const) {
      await makeComment(ada, await appFor(`/rows-${language}`), { text });
      const { page, faults, context } = await open({
        path: `/rows-${language}`,
        language,
        storageState,
        viewport: { width: 390, height: 800 },
        hasTouch: true,
        isMobile: true,
      });
      await page.locator('.foot').first().waitFor();
      const starts = await page.evaluate<number[]>(wordsBelow);
      assert.ok(Math.max(...starts) - Math.min(...starts) <= 1.5, `${language}: ${starts}`);
      const [heading, list] = await Promise.all(
        ['h2', '.top select'].map((each) => page.locator(each).boundingBox()),
      );
      assert.ok(heading && list);
      assert.ok(Math.abs(heading.y + heading.height / 2 - list.y - list.height / 2) < 12, 'one row');
      assert.deepEqual(faults, []);
      await context.close();
    }
  });

  test('has a colour of its own that can be read on the ground of any page', async () => {
    const app = await appFor('/accent');
    await makeComment(ada, app, { text: 'A [link](https://example.com)' });
    const storageState = signedIn({ host, server }, { ...ada, name: 'Ada Lovelace' });
    const { page, faults, context } = await open({ path: '/accent', storageState });
    await page.locator('.composer textarea').focus();
    await page.locator('.primary').waitFor();
    const grounds = [
      'background: #fff; color: #000',
      'background: #f4f1ea; color: #333',
      // Dark, without saying so to the browser.
      'background: #000; color: #fff',
      'background: #222; color: #ddd',
      'color-scheme: dark',
    ];
    for (const ground of grounds) {
      await dress(page, `:root:root { color-scheme: light; ${ground} }`);
      await setMode(page, { colorScheme: 'light' });
      const [link = 0, primary = 0] = await page.evaluate<number[]>(contrasts);
      assert.ok(link >= 4.5, `a link has ${link} on ${ground}`);
      assert.ok(primary >= 4.5, `the button has ${primary} on ${ground}`);
      await keepPicture(page, `elements-accent-${grounds.indexOf(ground)}`);
    }
    // Where the system has its own few colours, the words of the button are not those of its ground.
    await dress(page, '');
    await setMode(page, { forcedColors: 'active' });
    const [, forced = 0] = await page.evaluate<number[]>(contrasts);
    assert.ok(forced >= 4.5, `the button has ${forced} in forced colours`);
    await setMode(page, {});
    // It is a colour, not that of the text, until the page chooses another.
    const colourOf = (selector: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('confab-comments').shadowRoot.querySelector('${selector}')).color`,
      );
    assert.notEqual(await colourOf('.text a'), await colourOf('.text'));
    await dress(page, 'confab-comments { --confab-accent-color: rgb(120, 0, 60) }');
    assert.equal(await colourOf('.text a'), 'rgb(120, 0, 60)');
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('fades in what appears, where motion is wanted, and moves nothing by that', async () => {
    const app = await appFor('/motion');
    await makeComment(ada, app, { text: 'The first' });
    const storageState = signedIn({ host, server }, { ...ada, name: 'Ada Lovelace' });
    for (const [reducedMotion, expected] of [
      ['no-preference', 'appear 0.12s'],
      ['reduce', 'none 0s'],
    ] as const) {
      const { page, faults, context } = await open({ path: '/motion', storageState, reducedMotion });
      await page.locator('article').first().waitFor();
      const motionOf = (selector: string) =>
        page.evaluate<string>(
          `(({ animationName, animationDuration }) => animationName + ' ' + animationDuration)(
            getComputedStyle(document.querySelector('confab-comments').shadowRoot.querySelector('${selector}')))`,
        );
      // What the page begins with is simply there.
      assert.equal(await motionOf('.threads > li'), 'none 0s');
      await page.getByRole('button', { name: 'More', exact: true }).first().click();
      await page.locator('.popover').waitFor();
      assert.equal(await motionOf('.popover'), expected);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Account/ }).click();
      assert.equal(await motionOf('.menu'), expected);
      await page.getByRole('menuitem', { name: 'Your account' }).click();
      await page.getByRole('dialog').waitFor();
      assert.equal(await motionOf('dialog'), expected);
      await page.keyboard.press('Escape');
      await makeComment(bob, app, { text: `While somebody reads, ${reducedMotion}` });
      await page.getByRole('button', { name: '1 new comment' }).click();
      await page.locator('article', { hasText: reducedMotion }).waitFor();
      assert.equal(await motionOf('.threads > li'), expected);
      assert.deepEqual(faults, []);
      await context.close();
    }
  });
});

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Where elements are, rounded to pixels. */
async function boxesOf(elements: Locator): Promise<Box[]> {
  const all = await Promise.all((await elements.all()).map((each) => each.boundingBox()));
  return all.flatMap((box) =>
    box === null
      ? []
      : [
          {
            x: Math.round(box.x),
            y: Math.round(box.y),
            width: Math.round(box.width),
            height: Math.round(box.height),
          },
        ],
  );
}

/** Opens a page with a comment that has three pictures, and one that has one. */
async function openPictures(app: number, path: string, language = 'en') {
  const blobs: number[] = [];
  for (const [number, [width, height]] of (
    [
      [1600, 1000],
      [600, 1200],
      [900, 900],
    ] as const
  ).entries()) {
    const bytes = await encoded(picture(width, height).png());
    blobs.push((await upload(ada, { name: `${number}.png`, bytes })).id);
  }
  const alone = await upload(bob, { name: 'alone.png', bytes: await encoded(picture(1600, 1000).png()) });
  await makeComment(bob, app, { text: 'One', blobs: [alone.id] });
  await makeComment(ada, app, { text: 'Three', blobs });
  const opened = await open({ path, language });
  await opened.page.locator('.one img').last().waitFor();
  return opened;
}

/** Where the words begin that are in a column: the text, the row below it, and the buttons of a thread. */
const wordsBelow = `(() => {
  const root = document.querySelector('confab-comments').shadowRoot;
  const startOf = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { left, right } = range.getBoundingClientRect();
    return document.dir === 'rtl' ? innerWidth - right : left;
  };
  const comment = root.querySelector('.threads > li > confab-comment > article');
  return [comment.querySelector('.text p'), comment.querySelector('.foot > .act'), comment.querySelector('.name')].map(startOf);
})()`;

/** The contrast of a link on the page, and of the words of the main button on the button (WCAG 2.2, relative luminance). */
const contrasts = `(() => {
  const root = document.querySelector('confab-comments').shadowRoot;
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = (...colours) => {
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data]
      .map((each) => each / 255)
      .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const ground = getComputedStyle(document.documentElement).backgroundColor;
  const link = getComputedStyle(root.querySelector('.text a'));
  const button = getComputedStyle(root.querySelector('.primary'));
  return [
    contrast(luminance(ground), luminance(ground, link.color)),
    contrast(luminance(ground, button.backgroundColor), luminance(ground, button.backgroundColor, button.color)),
  ];
})()`;
