import assert from 'node:assert/strict';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { newContext, watch } from 'confab-testing/browser/browser.ts';
import type { LocalServer } from 'confab-testing/harness/local-server.ts';
import { freshName } from 'confab-testing/visitors.ts';
import type { Browser, Page } from 'playwright-core';
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
  /** Builds the pages again, where they are not drawn for each reader. */
  readonly draw: () => Promise<unknown>;
};

/** What a browser is sent to a site with. */
export type Visit = { readonly browser: Browser; readonly server: LocalServer; readonly site: Site };

/** What a guest writes on each page. */
const written = { first: 'Written on the first page', second: 'Written on the second page' } as const;

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

/** Opens a page without script, where comments, or those behind the link, must be there. */
async function read(
  { browser, server, site }: Visit,
  path: string,
  comments: readonly string[],
): Promise<void> {
  const context = await newContext(browser, { javaScriptEnabled: false });
  const expected = [{ fault: /\.js(?:\?\S*)? csp$/, reason: 'a browser without script loads none' }];
  const faults = watch(context, { origins: [site.url, server.url], expected });
  const page = await context.newPage();
  await page.goto(site.url + path);
  if (site.without === 'link') await page.getByRole('link', { name: 'Comments', exact: true }).click();
  for (const text of comments) await page.getByText(text).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
}

/** Opens the first page without script. */
export async function readWithoutScript(visit: Visit): Promise<string> {
  await read(visit, visit.site.first, Object.values(texts));
  return visit.site.without;
}

/** Draws the pages again after comments were written, which readers without script then have as well. */
export async function readLater(visit: Visit): Promise<string> {
  const { draw, first, second, without } = visit.site;
  await draw();
  await read(visit, first, [...Object.values(texts), written.first]);
  await read(visit, second, [written.second]);
  return without;
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
  const [words, heading] = await Promise.all(
    [page.getByText('Words.', { exact: true }), page.getByRole('heading', { name: /comments$/ })].map(
      (each) => each.boundingBox(),
    ),
  );
  assert.equal(heading?.x, words?.x, 'the comments begin where the text does');
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
  const faults = watch(context, { origins: [site.url, server.url] });
  const page = await context.newPage();
  await page.goto(site.url + site.first);
  await send(page, written.first);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your name').fill(freshName());
  await dialog.getByRole('button', { name: 'Continue as a guest' }).click();
  await page.locator('article[id^=comment]', { hasText: written.first }).waitFor();
  await page.goto(site.url + site.second);
  await send(page, written.second);
  await page.locator('article[id^=comment]', { hasText: written.second }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: '1 comment', exact: true }).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
  const [first, second] = [site.url + site.first, site.url + site.second];
  assert.deepEqual(await readComments(server, first), [...Object.values(texts), written.first]);
  assert.deepEqual(await readComments(server, second), [written.second]);
  return `2, of which 1 opened ${pageUid(second)?.replace(/^[^~]*/, '')}`;
}

/** Goes from the second page to the first by a link, which the browser follows without loading the page anew. */
export async function followLink({ browser, server, site }: Visit): Promise<string> {
  const context = await newContext(browser, { locale: 'en-US' });
  const faults = watch(context, { origins: [site.url, server.url] });
  const page = await context.newPage();
  await page.goto(site.url + site.second);
  await page.getByRole('heading', { name: '1 comment', exact: true }).waitFor();
  await page.evaluate('globalThis.isSame = true');
  await page.getByRole('link', { name: 'The first post' }).click();
  await page.getByRole('heading', { name: `${textsCount + 1} comments`, exact: true }).waitFor();
  assert.equal(await page.evaluate('isSame'), true);
  assert.equal(await page.getByText(written.second).count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
  return `${textsCount + 1} comments in the same page`;
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Write a comment' }).click();
  await page.keyboard.type(text);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
}
