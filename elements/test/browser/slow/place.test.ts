import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Page } from 'playwright-core';
import { signedIn, useWorld } from '../page.ts';

/** How many threads there are, and which of them is read. */
const threads = 16;
const readAt = 8;
/** How far below the top of the window the one that is read begins, so that only the end of the thread above it is seen. */
const topPx = 80;
/** A place that has moved by less than this in one frame, in pixels, has not moved: browsers scroll by whole pixels. */
const tolerance = 1;
/** How far it may be from where it was after all that happens, in pixels. */
const driftMax = 4;

const long = 'Words that say something. '.repeat(12).trim();
const shadow = `document.querySelector('confab-comments').shadowRoot`;

// What others do never moves what somebody reads, also where it happens on the screen, above what is read.
describe('<confab-comments> while others write above what is read', { concurrency: true }, () => {
  const { host, server, open, appFor } = useWorld();
  const [ada, bob] = usePeople(server, 'Ada', 'Bob');

  /** Opens a page in which a thread is read, whose place is measured in each frame. */
  async function readIn(path: string, { language = 'en', width = 900, isInside = false } = {}) {
    const app = await appFor(path);
    const ids: number[] = [];
    for (let number = 0; number < threads; number += 1) {
      const { id } = await makeComment(bob, app, { text: `Thread ${number}` });
      ids.push(id);
    }
    const [read = 0, above = 0, before = 0] = ids.slice(readAt, readAt + 3);
    for (const each of [above, before]) await makeComment(bob, app, { text: 'An answer', reply_to: each });
    const list = '<confab-comments></confab-comments>';
    const { page, faults, context } = await open({
      path,
      language,
      viewport: { width, height: 700 },
      storageState: signedIn({ host, server }, { ...ada, name: 'Ada' }),
      markup: isInside ? `<div id="inside">${list}</div>` : list,
    });
    await page.locator(`#comment-${read} .act`).first().waitFor();
    await page.evaluate(`{
      const inside = document.getElementById('inside');
      if (inside !== null) Object.assign(inside.style, { blockSize: '600px', overflowY: 'auto' });
      const article = ${shadow}.getElementById('comment-${read}');
      (inside ?? window).scrollBy(0, article.getBoundingClientRect().top - ${topPx});
      globalThis.places = [];
      const look = () => {
        places.push(article.getBoundingClientRect().top);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }`);
    await poll('the place', async () => (await page.evaluate('places.length')) || undefined);
    return { app, page, faults, context, read, above, before };
  }

  /** Fails where the place was another one in any frame since it was last asked. */
  async function keepsItsPlace(page: Page, what: string): Promise<void> {
    const count = Number(await page.evaluate('places.length'));
    await poll(
      'two more frames',
      async () => Number(await page.evaluate('places.length')) > count + 2 || undefined,
    );
    const places: number[] = await page.evaluate('places.splice(0, places.length - 1)');
    const moves = places.filter((place, at) => !(Math.abs(place - (places[at - 1] ?? place)) <= tolerance));
    assert.ok(Math.abs((places.at(-1) ?? Number.NaN) - topPx) <= driftMax, `${what}: at ${places.at(-1)}`);
    assert.deepEqual(moves.slice(0, 3), [], `${what}: ${places.length} frames`);
  }

  /** Does everything that others do to the threads above, one after the other. */
  async function disturb({ app, page, above, before }: Awaited<ReturnType<typeof readIn>>): Promise<void> {
    const says = (id: number, text: string) =>
      page.locator(`confab-comment:has(> #comment-${id})`, { hasText: text }).waitFor({ state: 'attached' });
    const change = (id: number, text: string) => bob.call('PATCH', `/api/comments/${id}`, { text });
    await keepsItsPlace(page, 'nothing');

    await change(above, long);
    await says(above, long);
    await keepsItsPlace(page, 'an edit that is longer, and says so');
    await change(above, 'Short again');
    await says(above, 'Short again');
    await keepsItsPlace(page, 'an edit that is shorter');

    for (const [number, content] of ['👍', '🎉', '❤️', '😀'].entries())
      await (number % 2 === 0 ? bob : ada).call('POST', `/api/comments/${above}/reactions`, { content });
    await says(above, '😀');
    await keepsItsPlace(page, 'reactions');

    await makeComment(bob, app, { text: 'Another answer', reply_to: above });
    await page.locator(`confab-comment:has(> #comment-${above}) .rest`).waitFor({ state: 'attached' });
    await keepsItsPlace(page, 'a new answer');

    await makeComment(bob, app, { text: 'A new thread' });
    await page.locator('.waiting').waitFor();
    await keepsItsPlace(page, 'the button with new comments');

    await bob.call('POST', `/api/comments/${above}/trash`);
    await page.locator(`#comment-${above} .removed`).waitFor();
    await keepsItsPlace(page, 'a comment that is removed');
    await bob.call('POST', `/api/comments/${above}/restore`);
    await page.locator(`#comment-${above} .body`).waitFor();
    await keepsItsPlace(page, 'a comment that comes back');
    await bob.call('POST', `/api/comments/${before}/trash`);
    await page.locator(`#comment-${before} .removed`).waitFor();
    await keepsItsPlace(page, 'a comment further above that is removed');
  }

  test('keeps the place of what is read in each frame', async () => {
    const scene = await readIn('/place');
    await disturb(scene);
    assert.deepEqual(scene.faults, []);
    await scene.context.close();
  });

  test('keeps it at a narrow width', async () => {
    const scene = await readIn('/place-narrow', { width: 340 });
    await disturb(scene);
    assert.deepEqual(scene.faults, []);
    await scene.context.close();
  });

  test('keeps it from right to left', async () => {
    const scene = await readIn('/place-rtl', { language: 'he' });
    assert.equal(await scene.page.evaluate('document.dir'), 'rtl');
    await disturb(scene);
    await scene.context.close();
  });

  test('keeps it where not the window is scrolled', async () => {
    const scene = await readIn('/place-inside', { isInside: true });
    await disturb(scene);
    assert.deepEqual(scene.faults, []);
    await scene.context.close();
  });
});
