import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { pageUid } from '../../src/kernel/page-uid.ts';
import { newContext, watch } from '../../test/browser/browser.ts';
import type { LocalServer } from '../harness/local-server.ts';
import { readComments, texts, textsCount } from './world.ts';

/** A site that the guide was followed for, with two pages that have comments below them. */
export type Site = {
  readonly url: string;
  /** The path of a page with the comments of `texts`. */
  readonly first: string;
  /** The path of a page that has no app. */
  readonly second: string;
  /** What readers without script get: the comments, or a link to the page of the server. */
  readonly without: 'comments' | 'link';
};

/** What a browser is sent to a site with. */
export type Visit = { readonly browser: Browser; readonly server: LocalServer; readonly site: Site };

/**
 * Notes what each frame shows of the comments, those in the page and those of the element, and sums up layout shifts. A
 * page whose server has drawn no comments has a link in their place.
 */
const watchFrames = `
  globalThis.seen = { frames: [], shifts: 0, moved: [] };
  const shown = (root, what) => [...(root?.querySelectorAll(what) ?? [])].filter((each) => each.checkVisibility()).length;
  requestAnimationFrame(function look() {
    const element = document.querySelector('confab-comments');
    const inside = shown(element, 'article') || shown(element, 'a') * ${textsCount};
    seen.frames.push([inside, shown(element?.shadowRoot, 'article')]);
    requestAnimationFrame(look);
  });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      seen.shifts += value;
      seen.moved.push(...sources.map(({ node }) => node?.nodeName + '.' + (node?.className ?? '')));
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

type Seen = {
  readonly frames: readonly (readonly [inPage: number, inElement: number])[];
  readonly shifts: number;
  readonly moved: readonly string[];
};

/** Opens a page without script, where the comments, or those behind the link, must be there. */
export async function readWithoutScript({ browser, server, site }: Visit): Promise<string> {
  const context = await newContext(browser, { javaScriptEnabled: false });
  const faults = watch(context, { origins: [site.url, server.url] });
  const page = await context.newPage();
  await page.goto(site.url + site.first);
  if (site.without === 'link') await page.getByRole('link', { name: 'Comments', exact: true }).click();
  for (const text of Object.values(texts)) await page.getByText(text).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
  return site.without;
}

/** Opens a page with script: the element takes over what is in the page, with nothing missing or twice in any frame. */
export async function takeOver({ browser, server, site }: Visit): Promise<string> {
  const context = await newContext(browser, { locale: 'en-US', viewport: { width: 1280, height: 900 } });
  const faults = watch(context, { origins: [site.url, server.url] });
  const page = await context.newPage();
  await page.addInitScript(watchFrames);
  await page.goto(site.url + site.first);
  await page.getByRole('heading', { name: `${textsCount} comments`, exact: true }).waitFor();
  for (const text of Object.values(texts))
    await page.locator('article[id^=comment]', { hasText: text }).last().waitFor();
  const { frames, shifts, moved } = await page.evaluate<Seen>('seen');
  const begun = frames.slice(frames.findIndex(([inPage]) => inPage > 0));
  const wrong = begun.filter(([inPage, inElement]) => inPage + inElement !== textsCount);
  assert.deepEqual([frames.length > 0, begun.at(-1)], [true, [0, textsCount]]);
  assert.deepEqual(wrong, []);
  assert.deepEqual([shifts, moved], [0, []]);
  assert.deepEqual(faults, []);
  await context.close();
  return `${begun.length} frames, layout shift ${shifts}`;
}

/** Writes a comment as a guest on each page, of which the second has no app before. */
export async function write({ browser, server, site }: Visit): Promise<string> {
  const context = await newContext(browser, { locale: 'en-US' });
  const expected = [
    { fault: /answered 40[14]: .*\/api\/apps\//, reason: 'nobody has opened the second page' },
  ];
  const faults = watch(context, { origins: [site.url, server.url], expected });
  const page = await context.newPage();
  await page.goto(site.url + site.first);
  await send(page, 'Written on the first page');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your name').fill('Lin');
  await dialog.getByRole('button', { name: 'Continue as a guest' }).click();
  await page.locator('article[id^=comment]', { hasText: 'Written on the first page' }).waitFor();
  await page.goto(site.url + site.second);
  await send(page, 'Written on the second page');
  await page.locator('article[id^=comment]', { hasText: 'Written on the second page' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: '1 comment', exact: true }).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
  const [first, second] = [site.url + site.first, site.url + site.second];
  assert.deepEqual(await readComments(server, first), [...Object.values(texts), 'Written on the first page']);
  assert.deepEqual(await readComments(server, second), ['Written on the second page']);
  return `2, of which 1 opened ${pageUid(second)?.replace(/^[^~]*/, '')}`;
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Write a comment' }).click();
  await page.keyboard.type(text);
  await page.getByRole('button', { name: 'Send' }).click();
}
