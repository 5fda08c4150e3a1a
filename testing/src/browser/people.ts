import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import { poll } from '../poll.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { type Expected, launchBrowser, newContext, watch } from './browser.ts';
import type { ChosenFile } from './picture-file.ts';

/** The people of the demo. */
export type Person = 'ada' | 'grace';

/** What a page of the demo shows. */
export type Sight = 'comments' | 'posts' | 'files' | 'chat' | 'messenger';

/** Two people with a browser profile each, in front of the demo of a server of their own. */
export type People = {
  readonly server: TestServer;
  readonly browser: Browser;
  readonly contexts: Readonly<Record<Person, BrowserContext>>;
  /** Opens a page of the person on a part of the demo. */
  open(person: Person, sight: Sight): Promise<Page>;
  /** Everything that went wrong in any page so far, a line each. */
  faults(): readonly string[];
  close(): Promise<void>;
};

/** Starts a server with the demo and a browser with two people. */
export async function meet(
  options: { readonly settings?: Record<string, string>; readonly expected?: readonly Expected[] } = {},
): Promise<People> {
  // The browser first: where none starts, no server is left running that would keep the test from ending.
  const browser = await launchBrowser();
  const server = await startTestServer({ CONFAB_DEMO: 'here', ...options.settings });
  async function arrive() {
    const context = await newContext(browser, { viewport: { width: 760, height: 900 }, locale: 'en-GB' });
    followChanges(context);
    const seen = watch(context, {
      origins: [server.url, server.url.replace('http', 'ws')],
      ...(options.expected === undefined ? {} : { expected: options.expected }),
    });
    return { context, seen };
  }
  const [ada, grace] = [await arrive(), await arrive()];
  const contexts = { ada: ada.context, grace: grace.context };
  return {
    server,
    browser,
    contexts,
    async open(person, sight) {
      const page = await contexts[person].newPage();
      await page.goto(`${server.url}/demo/people/${person}?show=${sight}&version=21`);
      return page;
    },
    faults: () => [...ada.seen, ...grace.seen],
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Types into an editor of the reference client, as a person does, key by key. */
export async function type(editor: Locator, text: string): Promise<void> {
  const field = editor.locator('.cm-content');
  await field.click();
  await field.press('Control+End');
  await field.pressSequentially(text);
}

/** Attaches a file in an editor of the reference client, and waits for its upload as a person does: earlier, it sends no file. */
export async function attach(editor: Locator, file: ChosenFile): Promise<void> {
  const uploaded = editor.page().waitForResponse(/\/api\/blobs$/);
  await editor.locator('input[type=file]').setInputFiles(file);
  await uploaded;
  await editor.locator('wy-file-item').waitFor();
}

/** The changes that each page has sent and that were not answered yet. */
const unanswered = new WeakMap<Page, Set<Request>>();

/** Follows the changes that the pages of a context send, so that `choose` and `react` can wait for their answers. */
export function followChanges(context: BrowserContext): void {
  context.on('page', (page) => {
    const waiting = new Set<Request>();
    unanswered.set(page, waiting);
    page.on('request', (request) => void (request.method() !== 'GET' && waiting.add(request)));
    // A request whose body the page does not read is never told to be finished.
    page.on('response', (response) => void waiting.delete(response.request()));
    page.on('requestfailed', (request) => void waiting.delete(request));
    // A page that is left hears of no answer.
    page.on('framenavigated', (frame) => void (frame === page.mainFrame() && waiting.clear()));
  });
}

/**
 * Waits until every change that a page has sent is answered. The reference client shows what it sends at once and draws it again when the answer
 * comes, which closes a menu that a person would not have been quick enough to open.
 */
async function answered(page: Page): Promise<void> {
  await poll('the answers', () => (unanswered.get(page)?.size ?? 0) === 0 || undefined);
}

/** Opens the menu of a card and takes one of its entries. */
export async function choose(card: Locator, words: string): Promise<void> {
  await card.waitFor();
  await answered(card.page());
  await card.locator('wy-dropdown').first().locator('wy-button').first().click();
  await card.locator('wy-dropdown-item', { hasText: words }).first().click();
}

/** Reacts to a card, or takes the reaction back when it is the same. */
export async function react(card: Locator, emoji: string): Promise<void> {
  await answered(card.page());
  await card.locator('wy-reactions wy-button[title=React]').click();
  await card.locator('.wy-reaction-picker wy-button', { hasText: emoji }).click();
}

/** The width and height in pixels of a picture of a page, as soon as it has them. */
export async function drawn(image: Locator): Promise<readonly [number, number]> {
  await image.waitFor();
  return await poll('the pixels', async () => {
    type Image = { complete: boolean; naturalWidth: number; naturalHeight: number };
    const [width, height] = await image.evaluate<[number, number], Image>(
      ({ complete, naturalWidth, naturalHeight }) => (complete ? [naturalWidth, naturalHeight] : [0, 0]),
    );
    return width > 0 ? ([width, height] as const) : undefined;
  });
}

/** The words of something, as soon as it is seen. */
export async function words(seen: Locator): Promise<string> {
  await seen.waitFor({ state: 'visible' });
  return ((await seen.textContent()) ?? '').replace(/\s+/g, ' ').trim();
}

/** Does something and answers the words of what is seen elsewhere, without a reload of the page. */
export async function seenAfter(seen: Locator, act: () => Promise<void>): Promise<string> {
  await act();
  return await words(seen);
}

/** Waits until something has gone away, and answers how many of it there are. */
export async function gone(seen: Locator): Promise<number> {
  await seen.first().waitFor({ state: 'detached' });
  return await seen.count();
}
