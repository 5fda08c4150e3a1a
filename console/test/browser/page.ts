import { createSessions } from 'confab-server/src/features/credentials/sessions.ts';
import { type Clock, systemClock } from 'confab-server/src/kernel/clock.ts';
import { type Expected, keepPicture, newContext, watch } from 'confab-testing/browser/browser.ts';
import {
  assertFits,
  desktop,
  type Examined,
  look,
  type Mode,
  setMode,
} from 'confab-testing/browser/looks.ts';
import { poll } from 'confab-testing/poll.ts';
import type { TestServer } from 'confab-testing/server.ts';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const phone = { width: 375, height: 740 };

/** The rules of axe whose verdict depends on the colors, the width, and what is shown at that width. */
const changing = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
  'button-name',
  'link-name',
];

/** In which modes each view of the console is looked at. */
const modes: readonly (readonly [name: string, mode: Mode, examined: Examined])[] = [
  ['desktop-light', { colorScheme: 'light', viewport: desktop }, {}],
  ['phone-dark', { colorScheme: 'dark', viewport: phone }, { rules: changing }],
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

/** A view of the console that is looked at, after `prepare` has opened what is to be seen in it. */
export type LookedAt = {
  readonly path: string;
  /** The name of its picture, without the mode. */
  readonly picture: string;
  readonly prepare?: (page: Page) => Promise<unknown>;
};

/**
 * Opens each view once in English, where it is looked at in each mode, and once from right to left on a dark desktop. There
 * it must fit; its colors are those of the dark phone, except around the views, where the first one shows them.
 * Returns what went wrong meanwhile, one line each.
 */
export async function lookAtViews(
  { browser, server }: { readonly browser: Browser; readonly server: TestServer },
  views: readonly LookedAt[],
  options: { readonly expected?: readonly Expected[] } = {},
): Promise<readonly string[]> {
  const all: string[] = [];
  for (const locale of ['en-US', 'ar']) {
    const { page, faults, close } = await openConsole(browser, server, { locale, ...options });
    for (const { path, picture, prepare } of views) {
      await page.goto(`${server.url}/console${path}`);
      await settled(page);
      await prepare?.(page);
      if (locale === 'en-US')
        for (const [name, mode, examined] of modes) {
          await setMode(page, mode);
          await look(page, `${picture}-${name}`, examined);
        }
      else {
        const name = `${picture}-desktop-rtl-dark`;
        await setMode(page, { colorScheme: 'dark' });
        if (path === views[0]?.path) await look(page, name, { rules: ['color-contrast'] });
        else {
          await keepPicture(page, name);
          await assertFits(page, name);
        }
      }
    }
    all.push(...faults);
    await close();
  }
  return all;
}
