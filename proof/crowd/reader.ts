import type { Page } from 'playwright-core';

/** What the page of the reader tells about itself. */

/** A task of the page that took long. `at` is in milliseconds since the page began. */
export type LongTask = { readonly at: number; readonly ms: number };

/** Notes each task of more than 50 ms in the page, which are all that a browser tells of. */
export const watchTasks = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ at: startTime, ms: duration });
  }).observe({ type: 'longtask', buffered: true });`;

const shadow = `document.querySelector('confab-comments').shadowRoot`;

/** The tasks of more than 50 ms until now. */
export async function longTasks(page: Page): Promise<readonly LongTask[]> {
  return await page.evaluate('longTasks');
}

/** How far a comment is below the top of the window, in pixels. */
export async function placeOf(page: Page, id: number): Promise<number> {
  return await page.evaluate(`${shadow}.getElementById('comment-${id}')?.getBoundingClientRect().top ?? NaN`);
}

/**
 * Follows the place of a comment frame by frame, and the sizes of what is on the screen or close above it. Each frame in which
 * the place is another one is noted: by how much, by how much the page was scrolled, and what had another height.
 */
export const watchPlaces = `
  globalThis.jumps = [];
  globalThis.watchPlace = (id) => {
    globalThis.watched = (globalThis.watched ?? 0) + 1;
    const watch = watched;
    // Going there was a jump for the watch before.
    jumps.length = 0;
    const root = ${shadow};
    const rows = (article) => {
      const row = article.closest('.threads > li');
      return [row.previousElementSibling?.previousElementSibling, row.previousElementSibling, row].filter(Boolean);
    };
    const parts = (article) => [
      ...root.querySelectorAll('.top, .composer, .waiting'),
      ...rows(article).flatMap((row) => [...row.querySelectorAll('.head, .body, .removed, .foot, .rest, .attachments, .composer')]),
    ];
    const named = (part) => part.className + ' of ' + (part.closest('confab-comment')?.querySelector('article')?.id ?? 'the list');
    let before;
    const look = () => {
      if (watch !== watched) return;
      const article = root.getElementById('comment-' + id);
      if (article === null) return;
      const { top } = article.getBoundingClientRect();
      const heights = new Map();
      for (const part of parts(article)) {
        const box = part.getBoundingClientRect();
        heights.set(part, { name: named(part), height: box.height, top: box.top, says: part.textContent.trim().slice(0, 40) });
      }
      const frame = { top, scrolled: scrollY, heights };
      if (before !== undefined && Math.abs(before.top - top) > 1) {
        const all = new Set([...before.heights.keys(), ...heights.keys()]);
        const changes = [...all].flatMap((part) => {
          const was = before.heights.get(part);
          const is = heights.get(part);
          if (was?.height === is?.height) return [];
          const { name, says } = is ?? was;
          return [name + ' at ' + Math.round((was ?? is).top) + ' from ' + (was?.height ?? 'nothing') + ' to ' + (is?.height ?? 'nothing') + ' high ("' + says + '")'];
        });
        jumps.push('in one frame from ' + before.top + ' to ' + top + ', scrolled by ' + (scrollY - before.scrolled) + ': ' + (changes.join('; ') || 'nothing near it had another height'));
      }
      before = frame;
      requestAnimationFrame(look);
    };
    look();
  };`;

/** Begins to follow the place of a comment. */
export async function watchPlace(page: Page, id: number): Promise<void> {
  await page.evaluate(`watchPlace(${id})`);
}

/** The frames in which the place was another one, since it was last asked. */
export async function jumpsOf(page: Page): Promise<readonly string[]> {
  return await page.evaluate('jumps.splice(0)');
}

/** The comments that are shown, with their texts, in the order of the page. Those that are removed have no text. */
export async function shownComments(
  page: Page,
): Promise<readonly { readonly id: number; readonly text: string | undefined }[]> {
  return await page.evaluate(`[...${shadow}.querySelectorAll('article[id^=comment-]')].map((each) => ({
    id: Number(each.id.slice('comment-'.length)),
    text: each.querySelector('.text')?.textContent.trim(),
  }))`);
}

/** The text of a comment; undefined where it is removed. */
export async function textOf(page: Page, id: number): Promise<string | undefined> {
  return (await shownComments(page)).find((each) => each.id === id)?.text;
}

/** How many comments are shown. */
async function shownCount(page: Page): Promise<number> {
  return await page.evaluate(`${shadow}.querySelectorAll('article[id^=comment-]').length`);
}

/** Puts a comment at the top of the window. A comment that changes on the screen moves those below it on the screen. */
export async function goTo(page: Page, id: number): Promise<void> {
  await page.evaluate(`${shadow}.getElementById('comment-${id}')?.scrollIntoView({ block: 'start' })`);
}

/** How long the reader looks at each screen on the way, in milliseconds. */
const lookMs = 200;

/** Looks at everything from the top to the bottom, screen by screen. */
export async function lookThrough(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo(0, top);
      await new Promise((resolve) => setTimeout(resolve, ${lookMs}));
    }
  })()`);
}

/** A press of a button that shows more: what is on it, and how many comments were shown before. */
export type Press = { readonly name: string; readonly before: number };

/** Presses the first button that shows more. Resolves to undefined where there is none. */
export async function pressMore(page: Page): Promise<Press | undefined> {
  return await page.evaluate(`{
    const button = ${shadow}.querySelector('.waiting, .more, .rest');
    const before = ${shadow}.querySelectorAll('article[id^=comment-]').length;
    const press = button === null ? undefined : { name: button.textContent.trim(), before };
    globalThis.pressed = button;
    button?.click();
    press;
  }`);
}

/**
 * Whether a press has shown more, or has found that there is nothing more: what a button counts may be removed while its thread
 * is far from the screen.
 */
export async function isAnswered(page: Page, { name, before }: Press): Promise<boolean> {
  const isGone = `!pressed.isConnected || pressed.textContent.trim() !== ${JSON.stringify(name)}`;
  return (await shownCount(page)) > before || Boolean(await page.evaluate(isGone));
}
