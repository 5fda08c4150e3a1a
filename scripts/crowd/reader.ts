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
export async function shownCount(page: Page): Promise<number> {
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
    button?.click();
    press;
  }`);
}
