import { after } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { type Expected, launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { type AppFields, makeApp } from 'confab-testing/fixtures.ts';
import { startTestServer, type TestServer, use } from 'confab-testing/server.ts';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** A page of another origin with elements in it. `faults` gets what goes wrong in it, one line each. */
export type ElementPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: readonly string[];
};

/** How a page is opened, besides what the browser takes. */
export type Opening = BrowserContextOptions & {
  /** What is in the body of the page besides the script; by default the comments of the page. */
  readonly markup?: string;
  /** What is in its head. */
  readonly head?: string;
  /** The path of the page, from which its app comes. */
  readonly path?: string;
  /** The language of the page and its direction. */
  readonly language?: string;
  readonly fragment?: string;
  readonly expected?: readonly Expected[];
  /** Called before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Origins that the page may also call. */
  readonly calls?: readonly string[];
  /** Origins that the page may also have pictures of. */
  readonly pictures?: readonly string[];
  /** What its policy has besides. */
  readonly policy?: string;
  /** The address of a script that is run before the elements. */
  readonly script?: string;
};

/** A server, which may be another process. */
type Server = Pick<TestServer, 'url'>;

/** The strictest policy under which the elements work. */
function strictPolicy(
  server: Server,
  { calls = [], pictures = [], policy = '', script = '' }: Opening,
): string {
  return [
    "default-src 'none'",
    `script-src ${server.url} ${script}`,
    `connect-src ${[server.url, ...calls].join(' ')}`,
    `img-src ${[server.url, ...pictures].join(' ')}`,
    "style-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types confab lit-html',
    policy,
  ].join('; ');
}

/** Serves a page at the host, under the strict policy, whose elements come from the server. Returns its address. */
export function serveElements(
  { host, server }: { readonly host: Host; readonly server: Server },
  opening: Opening,
): string {
  const {
    markup = '<confab-comments></confab-comments>',
    head = '',
    path = '/page',
    language = 'en',
    fragment = '',
    script,
  } = opening;
  const direction = /^(?:ar|he)/.test(language) ? 'rtl' : 'ltr';
  const first = script === undefined ? '' : `<script src="${script}"></script>`;
  const address = host.serve(path, {
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': strictPolicy(server, opening) },
    body: `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>A page</title><link rel="icon" href="${server.url}/favicon.ico">${first}${head}
<script type="module" src="${server.url}/elements.js"></script>
<body><main><h1>A page</h1>${markup}</main></body></html>`,
  });
  return address + fragment;
}

/** Opens a page of the host, under the strict policy, whose script comes from the server. */
export async function openElements(
  { browser, host, server }: { browser: Browser; host: Host; server: Server },
  opening: Opening = {},
): Promise<ElementPage> {
  const { markup, head, path, language, fragment, expected, calls, policy, script, prepare, ...options } =
    opening;
  const address = serveElements({ host, server }, opening);
  const context = await newContext(browser, { locale: 'en-US', ...options });
  const faults = watch(context, {
    origins: [host.url, server.url],
    ...(expected === undefined ? {} : { expected }),
  });
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto(address);
  return { page, context, faults };
}

/** What the tests of the elements start: a site, a server that knows it, and a browser. */
export type World = {
  readonly host: Host;
  readonly server: TestServer;
  readonly open: (opening?: Opening) => Promise<ElementPage>;
  /** Makes the app of the page at a path, in which users write and visitors read, and returns its id. */
  readonly appFor: (path: string, fields?: AppFields) => Promise<number>;
};

/** How a server signs guests in whom nothing keeps waiting. */
export const guests = { CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' };

/**
 * Starts them for the tests of the file or of the enclosing `describe`, and closes them after these. A server of which the
 * site is not `isListed` does not know its origin.
 */
export function useWorld(
  settings: Record<string, string> = {},
  { isListed = true, ...launching }: { isListed?: boolean } & Parameters<typeof launchBrowser>[0] = {},
): World {
  const host = use(startHost);
  const listed = () => (isListed ? { CONFAB_CORS_ORIGINS: host.url } : {});
  const server = use(() => startTestServer({ ...listed(), ...settings }));
  const started = use(async () => ({ browser: await launchBrowser(launching) }));
  after(async () => {
    await started.browser.close();
    await server.close();
    await host.close();
  });
  return {
    host,
    server,
    open: (opening) => openElements({ browser: started.browser, host, server }, opening),
    async appFor(path, fields = {}) {
      const uid = pageUid(host.url + path);
      return (await makeApp(server, { uid, access: 'write', visitors: 'read', ...fields })).id;
    },
  };
}

/** Gives the page a ground of its own: axe takes the one that a dark browser draws for white. */
export async function drawGround(page: Page): Promise<void> {
  await page.evaluate("document.body.style.background = 'Canvas'");
}

/** Gives the page a theme of the elements, and no other, on a ground that follows the color scheme. */
export async function dress(page: Page, css: string): Promise<void> {
  // The policy of the page permits no style; a page that has a theme permits its own.
  await page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':root { color-scheme: light dark; background: Canvas; color: CanvasText }' + ${JSON.stringify(css)});
    document.adoptedStyleSheets = [sheet];
  }`);
}

/** The storage of a browser in which somebody is signed in on the pages of the host. */
export function signedIn(
  { host, server }: { host: Host; server: Server },
  { token, id, name }: { readonly token: string; readonly id: number; readonly name: string },
): Exclude<BrowserContextOptions['storageState'], string | undefined> {
  const session = {
    access_token: token,
    user: { id, display_name: name },
    issuedAt: Date.now(),
    expires_in: 3600,
  };
  const localStorage = [{ name: `confab ${server.url}/`, value: JSON.stringify(session) }];
  return { cookies: [], origins: [{ origin: host.url, localStorage }] };
}

/** How many things of the elements lie under a line; to be called in the page. */
export function coveredBy(line: any): number {
  const own = line.getBoundingClientRect();
  const things = 'button, select, article, h2, textarea';
  const others: any[] = [...(line.closest('.root')?.querySelectorAll(things) ?? [])];
  return others.filter((each) => {
    const { top, bottom, left, right } = each.getBoundingClientRect();
    return top < own.bottom - 0.5 && bottom > own.top + 0.5 && left < own.right && right > own.left;
  }).length;
}
