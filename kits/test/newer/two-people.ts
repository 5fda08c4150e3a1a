import { type Expected, launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { followChanges, gone, seenAfter, type, words } from 'confab-testing/browser/people.ts';
import type { ChosenFile } from 'confab-testing/browser/picture-file.ts';
import { poll as until } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { BrowserContext, Locator, Page } from 'playwright-core';

export { gone, seenAfter, type, words };

/** The people of these tests. */
export type Person = 'ada' | 'grace';

const names = { ada: 'Ada Lovelace', grace: 'Grace Hopper' } as const;

/** The version of the kit that these tests are about; the server carries it. */
export const kitVersion = '32.2.0';

/** Two people with a browser profile each, on the pages of a product that uses version 32 of the kit. */
export type TwoPeople = {
  readonly server: TestServer;
  readonly host: Host;
  readonly contexts: Readonly<Record<Person, BrowserContext>>;
  /** Opens a page of the product with this markup in which the person is signed in. */
  open(person: Person, markup: string): Promise<Page>;
  /** Everything that went wrong in any page so far, a line each: errors on the console, answers of 400 and above, refusals. */
  faults(): readonly string[];
  close(): Promise<void>;
};

/** A page of a product that brings the kit in without a bundler. `version` is one that the server carries. */
function pageOf(
  server: string,
  { person, markup, version }: { person: string; markup: string; version: string },
) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Product</title><link rel="icon" href="data:,">
<style>html, body { height: 100%; margin: 0 } body { display: flex; flex-direction: column } body > * { min-height: 0 }</style>
${markup}
<script type="module">
import { Weavy } from '${server}/uikit-web/${version}/weavy.esm.js';
globalThis.weavy = new Weavy({ url: '${server}', tokenUrl: '/token-${person}' });
</script>`;
}

/** Starts a server, a product on another origin, and a browser with two people. */
export async function meet({
  settings = {},
  expected = [],
}: {
  readonly settings?: Record<string, string>;
  readonly expected?: readonly Expected[];
} = {}): Promise<TwoPeople> {
  // The browser first: where none starts, no server is left running that would keep the test from ending.
  const browser = await launchBrowser();
  const host = await startHost();
  const server = await startTestServer({ CONFAB_CORS_ORIGINS: host.url, ...settings });
  async function arrive(person: Person) {
    const body = JSON.stringify({ access_token: await server.token(person, { name: names[person] }) });
    host.serve(`/token-${person}`, { type: 'application/json', body });
    const context = await newContext(browser, { viewport: { width: 760, height: 900 }, locale: 'en-GB' });
    followChanges(context);
    followSubscriptions(context);
    const origins = [host.url, server.url, server.url.replace('http', 'ws')];
    return { context, seen: watch(context, { origins, expected }) };
  }
  const [ada, grace] = [await arrive('ada'), await arrive('grace')];
  const contexts = { ada: ada.context, grace: grace.context };
  let pages = 0;
  return {
    server,
    host,
    contexts,
    async open(person, markup) {
      pages += 1;
      const page = await contexts[person].newPage();
      const body = pageOf(server.url, { person, markup, version: kitVersion });
      await page.goto(host.serve(`/${person}-${pages}`, { type: 'text/html; charset=utf-8', body }));
      return page;
    },
    faults: () => [...ada.seen, ...grace.seen],
    async close() {
      await browser.close();
      await server.close();
      await host.close();
    },
  };
}

/**
 * The elements of the kit have no box of their own, which Playwright takes for invisible: so tests look for what is in
 * their shadow roots, by its part.
 */
export function part(
  within: Page | Locator,
  name: string,
  options: { readonly hasText?: string } = {},
): Locator {
  return within.locator(`[part~=${name}]`, options);
}

/** A button by its title, or by what it says. */
export function button(within: Page | Locator, name: string): Locator {
  return within
    .locator(`wy-button[title="${name}"] button`)
    .or(within.locator('wy-button', { hasText: name }).locator('button'))
    .first();
}

/** Opens a menu and takes one of its entries. */
export async function choose(menu: Locator, entry: string): Promise<void> {
  await menu.locator('[part~=wy-dropdown-button-container] button').first().click();
  await menu
    .locator('wy-dropdown-item, wy-dropdown-option', { hasText: entry })
    .locator('[part~=wy-dropdown-item]')
    .first()
    .click();
}

/** The channels that each page has asked for, and whether the server has answered. */
const subscriptions = new WeakMap<Page, Map<string, { readonly channel: string; isAnswered: boolean }>>();

/** Follows what the pages of a context say and hear on their live connections. */
function followSubscriptions(context: BrowserContext): void {
  context.on('page', (page) => {
    const calls = new Map<string, { readonly channel: string; isAnswered: boolean }>();
    subscriptions.set(page, calls);
    page.on('websocket', (socket) => {
      // A message of the protocol is JSON and ends with the character 0x1E; 1 is a call, 3 its result.
      const messagesIn = (payload: string | Buffer, type: number) =>
        String(payload)
          .split('\x1e')
          .filter((message) => message !== '')
          .map((message) => JSON.parse(message))
          .filter((message) => message.type === type && message.invocationId !== undefined);
      socket.on('framesent', ({ payload }) => {
        for (const { invocationId, arguments: values } of messagesIn(payload, 1))
          calls.set(invocationId, { channel: String(values?.[0]), isAnswered: false });
      });
      socket.on('framereceived', ({ payload }) => {
        for (const { invocationId } of messagesIn(payload, 3)) {
          const call = calls.get(invocationId);
          if (call !== undefined) call.isAnswered = true;
        }
      });
      socket.on('close', () => calls.clear());
    });
  });
}

/** Waits until a page hears of what others do: of all that it has asked for, and of so many apps' `action`. */
export async function listening(
  page: Page,
  { action = '', apps = 0 }: { readonly action?: string; readonly apps?: number } = {},
): Promise<void> {
  await until('subscriptions', () => {
    const calls = [...(subscriptions.get(page)?.values() ?? [])];
    const heard = new Set(calls.map(({ channel }) => channel).filter((name) => name.endsWith(`:${action}`)));
    return (
      (calls.length > 0 && calls.every(({ isAnswered }) => isAnswered) && heard.size >= apps) || undefined
    );
  });
}

/** Waits until an editor takes words, which it does once the kit knows that the user may write. */
export async function ready(editor: Locator): Promise<void> {
  await editor.locator('.cm-content[contenteditable=true]').first().waitFor();
}

/** Types into an editor and sends it. */
export async function write(editor: Locator, text: string, send: string): Promise<void> {
  await ready(editor);
  await type(editor, text);
  await button(editor, send).click();
}

/** Attaches files in an editor, and waits for their uploads as a person does: earlier, it sends none. */
export async function attach(editor: Locator, ...files: readonly ChosenFile[]): Promise<void> {
  await ready(editor);
  await editor
    .locator('input[type=file]')
    .first()
    .setInputFiles([...files]);
  for (const { name } of files) {
    const item = editor.locator('wy-file-item', { hasText: name });
    await item.waitFor({ state: 'attached' });
    await item.locator('wy-progress-circular').waitFor({ state: 'detached' });
  }
}

/** Reacts to a card, or takes the reaction back when it is the same. */
export async function react(card: Locator, emoji: string): Promise<void> {
  const reactions = card.locator('wy-reactions').first();
  await button(reactions, 'React').click();
  await part(reactions, 'wy-reaction-picker')
    .locator('wy-button', { hasText: emoji })
    .locator('button')
    .click();
}

/** Writes the beginning of a name after `@`, and takes the person that the editor offers. */
export async function mention(editor: Locator, name: string): Promise<void> {
  await type(editor, ` @${name.slice(0, 3)}`);
  await editor.locator('.cm-tooltip-autocomplete li', { hasText: name }).first().click();
}

/** Adds a poll with these options in an editor. */
export async function poll(editor: Locator, options: readonly string[]): Promise<void> {
  for (const [index, option] of options.entries()) {
    const input = part(editor, 'wy-poll-form').locator('input').nth(index);
    await input.fill(option);
    await input.press('Tab');
  }
}

export { keepPicture } from 'confab-testing/browser/browser.ts';
