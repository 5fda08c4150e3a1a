import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { createSessions } from '../../../src/features/credentials/sessions.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import { poll } from '../../support/poll.ts';
import type { TestServer } from '../../support/server.ts';
import { type Expected, keepPicture, newContext, watch } from '../browser.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const phone = { width: 375, height: 740 };
const desktop = { width: 1280, height: 900 };

/** How the console is looked at: each view in each of them. */
export const looks: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['desktop-light', { colorScheme: 'light' }],
  ['phone-dark', { colorScheme: 'dark', viewport: phone }],
  ['desktop-rtl-dark', { locale: 'ar', colorScheme: 'dark' }],
];

/** The console in a browser of its own. `faults` gets what goes wrong in it, one line each. */
export type Console = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: readonly string[];
  readonly close: () => Promise<void>;
};

/** The address of a new link to the console of a server that runs by this clock. */
export async function linkTo(server: TestServer, clock = systemClock): Promise<string> {
  const { secret } = await createSessions({ db: server.running.db, clock }).link();
  return `${server.url}/console#link=${secret}`;
}

/**
 * Opens a path of the console, such as `/apps/1`: with all rights by a link, or with those of `as`, an API key or an access
 * token that is pasted.
 */
export async function openConsole(
  browser: Browser,
  server: TestServer,
  {
    path = '',
    as,
    expected,
    clock,
    ...options
  }: BrowserContextOptions & {
    path?: string;
    as?: string;
    expected?: readonly Expected[];
    clock?: Clock;
  } = {},
): Promise<Console> {
  const context = await newContext(browser, { viewport: desktop, locale: 'en-US', ...options });
  const faults = watch(context, { origins: [server.url], ...(expected === undefined ? {} : { expected }) });
  const page = await context.newPage();
  await page.goto(as === undefined ? await linkTo(server, clock) : `${server.url}/console`);
  if (as !== undefined) {
    await page.locator('input[name=credential]').fill(as);
    await page.locator('form button[type=submit]').click();
  }
  await page.locator('nav a').first().waitFor();
  if (path !== '') await page.goto(`${server.url}/console${path}`);
  await settled(page);
  return { page, context, faults, close: () => context.close() };
}

/** Waits until a view shows what it has read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  const waiting = page.locator('.waiting');
  while ((await waiting.count()) > 0) await waiting.first().waitFor({ state: 'detached' });
}

const namesOfFocused = `(({ activeElement: element }) => [
  element?.getAttribute('aria-label'),
  ...[...(element?.labels ?? [])].map((label) => label.textContent),
  element?.textContent,
])(document)`;

/** Presses Tab, or `key`, until the focus is on what has this name, as a user of the keyboard does. */
export async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  await poll(`${key} to lead to ${name}`, async () => {
    await page.keyboard.press(key);
    // In one step: what has the focus may be drawn again at any time.
    const names: (string | null)[] = await page.evaluate(namesOfFocused);
    return names.some((each) => each?.trim() === name) || undefined;
  });
}

/** Every fault of access that axe finds, whatever its impact, one line each. */
export async function faultsOfAxe(page: Page): Promise<string[]> {
  // The policy of the page permits no script of the test, so it comes through the debugger.
  await page.evaluate(axe);
  const { violations }: any = await page.evaluate(`axe.run({ resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, nodes }: any) =>
    nodes.map(({ html }: any) => `${id}: ${html.slice(0, 200)}`),
  );
}

/** Keeps a picture of a page under a name, and checks that nothing on it is hard to reach or wider than the window. */
export async function look(page: Page, picture: string): Promise<void> {
  await keepPicture(page, picture);
  assert.deepEqual(await faultsOfAxe(page), [], picture);
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  assert.ok(width <= (page.viewportSize()?.width ?? 0), `${picture} is ${width} wide`);
}
