import { browserFlags, findBrowser } from 'confab-testing/browser/browser.ts';
import { findProgram } from 'confab-testing/harness/programs.ts';
import { poll } from 'confab-testing/poll.ts';
import { type Browser, type KeyInput, launch, type Page } from 'puppeteer-core';
import type { Driver, Size, Tab } from './driver.ts';

/** Chromium and Firefox, both by WebDriver BiDi. */

/** Starts the Chromium of the other tests. */
export async function startChromium(): Promise<Driver> {
  const { executablePath, env } = await findBrowser();
  const browser = await launch({
    browser: 'chrome',
    protocol: 'webDriverBiDi',
    executablePath,
    env: { ...process.env, ...env },
    args: browserFlags,
  });
  return driverOf('Chromium', browser);
}

/** Starts the Firefox of this machine. */
export async function startFirefox(): Promise<Driver> {
  return driverOf(
    'Firefox',
    await launch({ browser: 'firefox', executablePath: findProgram('firefox-esr') ?? '' }),
  );
}

async function driverOf(name: string, browser: Browser): Promise<Driver> {
  const version = /[\d.]+/.exec(await browser.version())?.[0] ?? '';
  return {
    name,
    version,
    openTab: (size) => openTab(browser, size),
    close: () => browser.close(),
  };
}

/** What is said of a page that is left for another one at that moment. */
const isGone = /cannot find context|context was destroyed|no such frame|discarded/i;

async function openTab(browser: Browser, size: Size): Promise<Tab> {
  const context = await browser.createBrowserContext();
  const page: Page = await context.newPage();
  await page.setViewport(size);
  return {
    goTo: async (url) => void (await page.goto(url)),
    evaluate: (expression) =>
      poll('the page', async () => {
        try {
          return [await page.evaluate(expression)];
        } catch (error) {
          if (isGone.test((error as Error).message)) return undefined;
          throw error;
        }
      }).then(([value]) => value),
    click: (x, y) => page.mouse.click(x, y),
    tap: (x, y) => page.touchscreen.tap(x, y),
    async press(keys) {
      for (const key of keys) await page.keyboard.down(key as KeyInput);
      for (const key of keys.toReversed()) await page.keyboard.up(key as KeyInput);
    },
    type: (text) => page.keyboard.type(text),
    close: () => context.close(),
  };
}
