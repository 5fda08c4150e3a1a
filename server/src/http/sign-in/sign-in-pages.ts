import { readFileSync } from 'node:fs';
import { notFound } from 'confab-contract/problem.ts';
import { providerName } from 'confab-contract/values/provider-name.ts';
import { addressWithin, siteOf } from '../../kernel/web-address.ts';
import type { Answer } from '../answers/answer.ts';
import { html, type Markup } from '../pages/html.ts';
import { serveCached } from '../pages/once.ts';
import { documentTitle, stylePath } from '../pages/page.ts';
import type { HttpRequest } from '../request.ts';
import type { Http } from '../server.ts';

/**
 * The window in which a visitor signs in. It belongs to Confab's own origin and cannot be framed, and what it ends with, a
 * code, goes to pages of the listed origin alone: to the page that opened it, by a message that the browser gives to no
 * other origin, or by going back to a page, which other sites can redirect. So that only happens where a page of the origin
 * has begun in this browser, and so has the verifier that the code needs (decision 0153). Such a page sends a form, because
 * of a form the browser says from which origin it comes, and of a link that somebody has written it does not.
 */

const scriptPath = '/sign-in.js';
const script = readFileSync(new URL('./sign-in.js', import.meta.url), 'utf8');

// Nothing of the address leaves the page, the page cannot be framed, and its opener stays reachable for the code.
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'unsafe-none',
  'x-frame-options': 'DENY',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
} as const;

/** What a window is opened with: the page that wants to know, and how it gets the answer. */
export type WindowQuery = {
  readonly origin: string;
  readonly challenge: string;
  readonly returnTo: string | undefined;
};

/** A page of signing in. `data` is what its script gets, as attributes of `main`. */
export function signInPage(
  title: string,
  content: Markup,
  {
    status = 200,
    data = {},
  }: { readonly status?: number; readonly data?: { readonly [name: string]: string | undefined } } = {},
): Answer {
  const attributes = Object.entries(data).flatMap(([name, value]) =>
    value === undefined ? [] : [html` data-${name}="${value}"`],
  );
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${documentTitle(title)}</title>
<link rel="stylesheet" href="${stylePath}">
<script src="${scriptPath}" type="module"></script>
</head>
<body>
<main class="sign-in"${attributes}>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return { status, headers, body: page.text };
}

/** What a window is asked for; undefined for a page that may not ask, or that does not say how it is answered. */
export function windowQueryOf(query: URLSearchParams, origins: readonly string[]): WindowQuery | undefined {
  const [origin, challenge, returnText] = [query.get('origin'), query.get('challenge'), query.get('return')];
  if (origin === null || !origins.includes(origin) || !/^[\w-]{43}$/.test(challenge ?? '')) return undefined;
  if (returnText === null) return { origin, challenge: challenge ?? '', returnTo: undefined };
  const returnTo = addressWithin(returnText, origin);
  return returnTo === undefined ? undefined : { origin, challenge: challenge ?? '', returnTo };
}

/** The refusal of a window that no listed page has opened. */
export function refusedWindow(): Answer {
  return signInPage(
    'Signing in is not possible here',
    html`<p>The page that opened this window may not ask who you are. Its operator has to list its address in <code>CONFAB_CORS_ORIGINS</code>.</p>`,
    { status: 403 },
  );
}

/** The page that gives a code to the page that opened the window. */
export function codePage(code: string, { origin, challenge, returnTo }: WindowQuery): Answer {
  const site = siteOf(origin);
  return signInPage(
    `Signed in at ${site}`,
    html`<p role="status">You can close this window and go on at <a href="${origin}">${site}</a>.</p>`,
    { data: { step: 'code', code, origin, challenge, return: returnTo } },
  );
}

const nameField = html`<p class="name" hidden><label>Your name, as others see it<input name="name" autocomplete="nickname" maxlength="60"></label></p>`;

/** The address of this server that leads to a provider. */
function providerPath(way: string, { origin, challenge, returnTo }: WindowQuery): string {
  const back = returnTo === undefined ? {} : { return: returnTo };
  return `/sign-in/with/${way}?${new URLSearchParams({ origin, challenge, ...back }).toString()}`;
}

const emailForms = html`<form class="email"><p><label>Email address<input name="email" type="email" autocomplete="email" maxlength="254" required autofocus></label></p><p><button>Continue</button></p></form>
<form class="code" hidden><p>Check your inbox for a six-digit code.</p><p><label>The code<input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required></label></p>${nameField}<p><button>Sign in</button></p></form>
<p class="problem" role="alert"></p>`;

function isProvider(way: string): boolean {
  return way !== 'guest' && way !== 'email';
}

/** The ways, the one that was chosen on the page first. */
function windowContent(
  query: WindowQuery,
  { ways, chosen }: { readonly ways: readonly string[]; readonly chosen: string },
): Markup {
  const providers = ways.filter(isProvider).map((way) => {
    const href = providerPath(way, query);
    return html`<p><a class="button" href="${href}">Continue with ${providerName(way)}</a></p>`;
  });
  const email = ways.includes('email') ? emailForms : undefined;
  const or = email !== undefined && providers.length > 0 ? html`<p class="or">or</p>` : undefined;
  return html`${chosen === 'email' ? html`${email}${or}${providers}` : html`${providers}${or}${email}`}
<noscript><p>Signing in needs JavaScript.</p></noscript>`;
}

/** Binds the pages of signing in. */
export function bindSignInPages(
  http: Http,
  site: () => { readonly origins: readonly string[]; readonly sign_in: readonly string[] },
): void {
  const answerScript = serveCached(() => ({
    status: 200,
    headers: { 'cache-control': 'public, max-age=300', 'content-type': 'text/javascript; charset=utf-8' },
    body: script,
  }));
  /** Binds a page that is there while visitors can sign in. */
  const page = (
    path: string,
    answer: (request: HttpRequest) => Answer | Promise<Answer>,
    method: 'GET' | 'POST' = 'GET',
  ) =>
    http.page(
      path,
      async (_params, request) => {
        if (site().sign_in.length === 0) throw notFound('page');
        return await answer(request);
      },
      method,
    );
  page(scriptPath, answerScript);
  /** The window that a page asks for. A browser says of a form from which origin it comes, or `null`. */
  const windowPage = ({ url }: HttpRequest, sender = 'null'): Answer => {
    const { origins, sign_in: ways } = site();
    const { searchParams } = new URL(url, 'http://localhost');
    const query = windowQueryOf(searchParams, origins);
    if (query === undefined || (sender !== 'null' && sender !== query.origin)) return refusedWindow();
    const { origin, challenge, returnTo } = query;
    const way = searchParams.get('way') ?? '';
    const next = ways.includes(way) && isProvider(way) ? providerPath(way, query) : undefined;
    const content =
      next === undefined
        ? windowContent(query, { ways, chosen: way })
        : html`<p><a class="button" href="${next}">Continue</a></p>`;
    const begun = sender === query.origin ? 'yes' : undefined;
    return signInPage(`Comment on ${siteOf(origin)}`, content, {
      data: { step: 'window', origin, challenge, return: returnTo, next, begun },
    });
  };
  page('/sign-in', (raw) => windowPage(raw));
  page('/sign-in', (raw) => windowPage(raw, raw.headers.origin), 'POST');
  page('/sign-in/link', () =>
    signInPage(
      'Sign in',
      html`<form class="link"><p>This link signs you in at the site that sent you this email, in this browser.</p>${nameField}<p><button>Sign in</button></p></form><p class="problem" role="alert"></p>`,
      { data: { step: 'link' } },
    ),
  );
  page('/sign-in/refuse', () =>
    signInPage(
      'No more of these emails',
      html`<p>For a week, nobody can have a code sent to your mailbox. You cannot sign in with your email yourself then.</p>
<form class="refuse"><p><button>Stop these emails</button></p></form><p class="problem" role="alert"></p>`,
      { data: { step: 'refuse' } },
    ),
  );
}
