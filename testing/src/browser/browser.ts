import { accessSync, constants, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rootUrl } from 'confab-tools/places.ts';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { patienceMs } from '../poll.ts';
import { unpackBrowser } from './packaged-browser.ts';

/** Where a Chromium of this machine is found, most likely first. */
const places: readonly string[] = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Stands for the browser that npm brings. */
const packaged = 'packaged';

/** The folder for the screenshots of a run with `TEST_PICTURES=yes`; it is not part of the repository. */
const picturesFolder = fileURLToPath(new URL('artifacts/browser', rootUrl));

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

/** A Chromium: the one that `TEST_BROWSER` names, one of this machine, or the one that npm installs. */
export type FoundBrowser = {
  readonly found: string;
  readonly executablePath: string;
  readonly env: { readonly [name: string]: string };
};

/** Finds a Chromium. The name `packaged` stands for the one of npm. */
export async function findBrowser(): Promise<FoundBrowser> {
  const chosen = process.env.TEST_BROWSER === '' ? undefined : process.env.TEST_BROWSER;
  const found = chosen ?? places.find(isRunnable) ?? packaged;
  return { found, ...(found === packaged ? await unpackBrowser() : { executablePath: found, env: {} }) };
}

/** Pages of this machine need no sandbox, which root and most containers cannot have. */
export const browserFlags = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];

/**
 * Starts a Chromium (`findBrowser`). With `keepsPages`, the browser keeps a page that the user leaves in its back/forward
 * cache, as it does outside of tests. If none starts, throws an Error that says what to do.
 */
export async function launchBrowser({ keepsPages = false } = {}): Promise<Browser> {
  try {
    const { found, executablePath, env } = await findBrowser();
    const browser = await chromium.launch({
      executablePath,
      args: browserFlags,
      ...(keepsPages ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}),
      env: { ...process.env, ...env },
      // A signal to the test run is for the test runner, which closes the browser in its hooks.
      handleSIGINT: false,
      handleSIGTERM: false,
    });
    console.log(`browser: Chromium ${browser.version()} (${found})`);
    return browser;
  } catch (error) {
    const advice = 'install Chromium or set TEST_BROWSER to the path of one';
    throw new Error(`no browser could be started: ${advice}`, { cause: error });
  }
}

/** Opens a browser profile, which waits for pages and what they show as long as tests wait for anything. */
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patienceMs);
  return context;
}

/** An expected error line, and the reason why it is no fault. */
export type Expected = { readonly fault: RegExp; readonly reason: string };

/** The error lines that are no fault in any page. */
const harmless: readonly Expected[] = [
  {
    fault: /^console: Failed to load resource: /,
    reason: 'the browser repeats on the console what is told as a request already',
  },
  { fault: /^failed: .* net::ERR_ABORTED$/, reason: 'a page that is left breaks off what it is loading' },
];

/**
 * Watches every page of a context for console errors, uncaught exceptions, failed requests, responses of 400
 * and above, and requests to origins other than `origins`. Returns the list to which it adds these, one line
 * each.
 */
export function watch(
  context: BrowserContext,
  options: { readonly origins: readonly string[]; readonly expected?: readonly Expected[] },
): readonly string[] {
  const faults: string[] = [];
  const expected = [...harmless, ...(options.expected ?? [])];
  const tell = (fault: string) => {
    if (!expected.some((each) => each.fault.test(fault))) faults.push(fault);
  };
  context.on('console', (message) => {
    if (message.type() === 'error') tell(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => tell(`exception: ${error.error().message}`));
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^(?:http|ws)s?:$/.test(protocol) && !options.origins.includes(origin))
      tell(`left the server: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    tell(`failed: ${request.method()} ${request.url()} ${request.failure()?.errorText}`);
  });
  context.on('response', (response) => {
    const { status, url } = { status: response.status(), url: response.url() };
    if (status >= 400) tell(`answered ${status}: ${response.request().method()} ${url}`);
  });
  return faults;
}

/**
 * With `TEST_PICTURES=yes`, saves a screenshot of a page, to be looked at after the run. Other runs save the
 * time: taking a screenshot takes as long as loading a page.
 */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env.TEST_PICTURES !== 'yes') return;
  mkdirSync(picturesFolder, { recursive: true });
  await page.screenshot({ path: `${picturesFolder}/${name}.png` });
}
