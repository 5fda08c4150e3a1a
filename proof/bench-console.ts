/**
 * How fast the console is beside a large store, in a browser: `npx node proof/bench-console.ts`.
 *
 * Makes a store with two million comments, a million of them in one app, 100,000 users, 100,000 events with as many
 * deliveries of one webhook, 10,000 apps and as many posts, files and 100,000 messages (`bench/large-store.ts`; SQLite).
 * It then opens each view in a browser that has nothing of the console yet, scrolls its list through further pages, and
 * prints for each
 *
 * - `first`: from the start of the navigation until the view shows its list, with the script loaded and the session known;
 * - `next`: from scrolling to the end of the list until the rows of the next page are there, the median and the most;
 * - `server`: what of these the browser waited for the slowest request of the interface;
 * - the requests, kilobytes and rows of the first view, in which nothing may be loaded that is not shown.
 *
 * `--comments N` makes everything smaller, `--store FOLDER` keeps the store and uses it again, `--only TEXT` opens only
 * the views with that text in their names, `--pages N` reads so many further pages, `--repeat N` opens each view so often.
 * It fails when a first view takes a second, a next page 200 ms, or a list reads more than a page ahead.
 */

import { join } from 'node:path';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { type ConfabProcess, startConfab } from 'confab-testing/harness/confab-process.ts';
import { median } from 'confab-testing/harness/figures.ts';
import { readFlags, temporaryFolder } from 'confab-testing/harness/suite.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { wordOfRank } from './bench/comment-texts.ts';
import { type LargeWorld, largeStore } from './bench/large-store.ts';

const flags = readFlags({ comments: 1_000_000, only: '', pages: 5, repeat: 3, store: '' });
/** How long a view is waited for, in milliseconds. */
const waitMsMax = 60_000;
const limits = { firstMs: 1000, nextMs: 200, rows: 50 } as const;

using folder = temporaryFolder('console');
const kept = flags.store === '' ? join(folder.path, 'store') : flags.store;

/** A view and where it is; `rows` selects what its list shows. */
type View = { readonly name: string; readonly path: string; readonly rows: string };

function viewsOf({ big, chat, filesApp, postsApp, webhook }: LargeWorld): readonly View[] {
  // One of the frequent words of the texts.
  const word = wordOfRank(20);
  const list = (name: string, path: string): View => ({ name, path, rows: 'tbody tr, .empty' });
  return [
    { name: 'overview', path: '', rows: '.plot canvas' },
    list('apps', '/apps'),
    list('apps, searched', '/apps?q=size'),
    list('comments of the largest app', `/apps/${big}`),
    list('the same, searched', `/apps/${big}?q=${word}`),
    list('its members', `/apps/${big}/members`),
    list('messages of a chat', `/apps/${chat}`),
    list('posts of an app', `/apps/${postsApp}`),
    list('files of an app', `/apps/${filesApp}`),
    list('all comments', '/content'),
    list('all comments, searched', `/content?q=${word}`),
    list('all messages', '/content?kind=messages'),
    list('people', '/people'),
    list('people, searched', '/people?q=user'),
    list('people by name', '/people?order=name'),
    list('webhooks', '/webhooks'),
    list('deliveries', `/webhooks/${webhook}`),
    list('deliveries that failed', `/webhooks/${webhook}?status=failed`),
    list('events', '/events'),
    list('events, filtered', '/events?about=comment'),
    { name: 'moderation', path: '/moderation', rows: '.queue-list' },
    list('keys', '/system/keys'),
    list('settings', '/system/settings'),
  ];
}

/** Figures of one opening; times in milliseconds. */
type Opening = {
  readonly firstMs: number;
  readonly serverMs: number;
  readonly requests: number;
  readonly kilobytes: number;
  readonly rows: number;
  /** Each further page, and what of it the server took. */
  readonly next: readonly { readonly ms: number; readonly serverMs: number }[];
};

/** What the page knows: the script of the browser has other types than this one. */
const inPage = {
  now: 'performance.now()',
  /** The requests of the interface, without the stream of events, which has no end. */
  requests: `performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/api/') && !name.endsWith('/events/stream'))
    .map(({ startTime, requestStart, responseStart, encodedBodySize }) =>
      ({ startedAt: startTime, serverMs: responseStart - requestStart, bytes: encodedBodySize }))`,
  /** Resolves once nothing was requested for a while. */
  quiet: `(async () => {
    for (let known = -1, now = 0; now !== known; now = performance.getEntriesByType('resource').length) {
      known = now;
      await new Promise((resume) => setTimeout(resume, 400));
    }
  })()`,
  /** Resolves with the time since the navigation began, once there is such an element. */
  shows: (rows: string) => `(async () => {
    while (document.querySelector('${rows}') === null) {
      if (performance.now() > ${waitMsMax}) throw new Error('there is no ${rows}: ' + document.body.innerText);
      await new Promise(requestAnimationFrame);
    }
    return performance.now();
  })()`,
  /** Scrolls to the end of a list; resolves with the time until it has grown, in milliseconds. */
  grow: (rows: string) => `(async () => {
    const count = () => document.querySelectorAll('${rows}').length;
    const before = count();
    const startedAt = performance.now();
    window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
    while (count() === before) await new Promise(requestAnimationFrame);
    return performance.now() - startedAt;
  })()`,
};

type Requested = { readonly startedAt: number; readonly serverMs: number; readonly bytes: number };

/** The slowest request since a time of the page, as the browser waited for it. */
async function slowestSince(page: Page, sinceMs: number): Promise<number> {
  const requested = await page.evaluate<readonly Requested[]>(inPage.requests);
  return Math.max(
    0,
    ...requested.filter(({ startedAt }) => startedAt >= sinceMs).map(({ serverMs }) => serverMs),
  );
}

async function open(page: Page, url: string, { path, rows }: View): Promise<Opening> {
  await page.goto(`${url}/console${path}`, { waitUntil: 'commit' });
  const firstMs = Number(await page.evaluate(inPage.shows(rows)));
  const serverMs = await slowestSince(page, 0);
  await page.evaluate(inPage.quiet);
  const requested = await page.evaluate<readonly Requested[]>(inPage.requests);
  const next: { ms: number; serverMs: number }[] = [];
  const loaded = await page.locator(rows).count();
  while (next.length < flags.pages && (await page.locator('button.more').count()) > 0) {
    const before = Number(await page.evaluate(inPage.now));
    const ms = Number(await page.evaluate(inPage.grow(rows)));
    await page.evaluate(inPage.quiet);
    next.push({ ms, serverMs: await slowestSince(page, before) });
  }
  const kilobytes = requested.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  return { firstMs, serverMs, requests: requested.length, kilobytes, rows: loaded, next };
}

/** Opens a view several times, each in a browser profile of its own that has the cookie of the session and nothing else. */
async function openings(
  browser: Browser,
  { url, session, view }: { url: string; session: Session; view: View },
) {
  const found: Opening[] = [];
  for (let turn = 0; turn < flags.repeat; turn += 1) {
    const context = await browser.newContext({
      storageState: session,
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
    });
    found.push(await open(await context.newPage(), url, view));
    await context.close();
  }
  return found;
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signIn(browser: Browser, { url, key }: ConfabProcess): Promise<Session> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(`${url}/console`);
  await page.locator('input[name=credential]').fill(key);
  await page.locator('form button[type=submit]').click();
  await page.locator('nav a').first().waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}

const columns = [
  'first ms',
  'server',
  'requests',
  'kB',
  'rows',
  'next ms',
  'most',
  'server',
  'most',
] as const;
const nameWidth = 32;

function printRow(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(nameWidth) + cells.map((cell) => cell.padStart(10)).join(''));
}

/** Prints the figures of a view; returns the names of those that are over their limits. */
function report({ name }: View, found: readonly Opening[]): string[] {
  const of = (figure: (opening: Opening) => number) => median(found.map(figure));
  const next = found.flatMap((opening) => opening.next);
  const times = next.map(({ ms }) => ms);
  const served = next.map(({ serverMs }) => serverMs);
  const [firstMs, rows] = [of((opening) => opening.firstMs), of((opening) => opening.rows)];
  const first = [firstMs, of((opening) => opening.serverMs), of((opening) => opening.requests)];
  const pages =
    next.length === 0 ? [] : [median(times), Math.max(...times), median(served), Math.max(...served)];
  printRow(
    name,
    [...first, of((opening) => opening.kilobytes), rows, ...pages].map((figure) => figure.toFixed(0)),
  );
  return [
    ...(firstMs < limits.firstMs ? [] : [`${name}: the first view takes ${firstMs.toFixed(0)} ms`]),
    ...(next.length === 0 || median(times) < limits.nextMs
      ? []
      : [`${name}: the next page takes ${median(times).toFixed(0)} ms`]),
    ...(rows <= limits.rows ? [] : [`${name}: ${rows} rows are loaded at first`]),
  ];
}

async function run(): Promise<void> {
  const world = await largeStore(kept, flags.comments);
  // The deliveries are of the year 2024, and the store is used again.
  const settings = { CONFAB_LOG_LEVEL: 'error', CONFAB_WEBHOOK_DELIVERY_DAYS: '36500' };
  const server = await startConfab({ folder: kept, settings });
  const browser = await launchBrowser();
  try {
    const session = await signIn(browser, server);
    printRow('', columns);
    const over: string[] = [];
    for (const view of viewsOf(world).filter(({ name }) => name.includes(flags.only)))
      over.push(...report(view, await openings(browser, { url: server.url, session, view })));
    for (const line of over) console.log(`OVER ITS LIMIT ${line}`);
    if (over.length > 0) process.exitCode = 1;
  } finally {
    await browser.close();
    await server.stop();
  }
}

await run();
