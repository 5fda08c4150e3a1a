import { readFileSync } from 'node:fs';
import { notFound, Problem } from 'confab-contract/problem.ts';
import type { Json } from '../../kernel/json.ts';
import type { Answer } from '../answers/answer.ts';
import { readDocsFile } from '../docs/guides.ts';
import type { Kit } from '../kit/installed.ts';
import { html } from '../pages/html.ts';
import { serveCached } from '../pages/once.ts';
import { isFromOwnPage } from '../pages/own-page.ts';
import type { HttpRequest } from '../request.ts';
import type { Http } from '../server.ts';

/**
 * The demo: a page with two users side by side. Each has a frame that is signed in as that user, and shows our own elements
 * or the unmodified reference client. Another page has knobs for the looks of the elements. This server serves everything.
 */

/** The parameters of the demo. */
export type DemoOptions = {
  /** The versions of the reference client that this server has; the demo does not start without. */
  readonly kits: readonly Kit[];
  /** Whether to refuse requests whose Host header is not this machine. */
  readonly isLocal: boolean;
  /** The public address of this server, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string;
  /** An access token of a user, as `{access_token, expires_in}`; throws `not_found` for an unknown user. */
  readonly token: (person: string) => Promise<Json>;
};

/** The users with a frame, and their names. */
const people = { ada: 'Ada Lovelace', grace: 'Grace Hopper' } as const;

/** The views of a frame by whose components they show, with the labels of their tabs. */
const sights = {
  'Our own elements': { elements: 'Comments' },
  'Weavy components': {
    comments: 'Comments (Weavy)',
    posts: 'Posts',
    files: 'Files',
    chat: 'Chat',
    messenger: 'Messenger',
  },
} as const;

/** The versions of the Weavy components that frames can show, by their first number; frames show the first of them. */
const versions = ['32', '21'] as const;

/** The files of the pages by the last part of their address, read once. */
const files: { readonly [name: string]: string } = {
  'demo.css': 'text/css; charset=utf-8',
  'shell.js': 'text/javascript; charset=utf-8',
  'person.js': 'text/javascript; charset=utf-8',
  'knobs.css': 'text/css; charset=utf-8',
  'knobs.js': 'text/javascript; charset=utf-8',
};

/**
 * The Host header of a request to this machine, compared as text, because a URL parser would normalise unusual ones. It
 * keeps tokens from a page whose name an attacker resolves to this machine (DNS rebinding).
 */
const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** Serves the demo. Throws an Error when the reference client is not installed. */
export function bindDemo(http: Http, options: DemoOptions): void {
  if (options.kits.length === 0)
    throw new Error(
      'the demo needs the development dependency @weavy/uikit-web: run npm ci without --omit=dev',
    );
  http.page('/demo', async () => pageOf(options, shell()));
  http.page('/demo/people/:person', async ({ person = '' }) => {
    if (!Object.hasOwn(people, person)) throw notFound('person');
    return pageOf(options, frame(people[person as keyof typeof people], options.kits));
  });
  http.page('/demo/knobs', async () => ({
    ...pageOf(options, shell()),
    body: readDocsFile('elements-knobs.html').toString(),
  }));
  // A POST, because it creates a token: a picture or link on another page must not be able to trigger it.
  http.page(
    '/demo/people/:person/token',
    async ({ person = '' }, raw) => {
      if (options.isLocal) assertLocal(raw);
      assertOwnPage(raw, options.publicUrl());
      return {
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'cross-origin-resource-policy': 'same-origin',
        },
        body: await options.token(person),
      };
    },
    'POST',
  );
  for (const [name, type] of Object.entries(files)) {
    const body = readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
    const answer = serveCached(() => ({ status: 200, headers: fileHeaders(type), body }));
    http.page(`/demo/${name}`, async (_params, raw) => answer(raw));
  }
}

function fileHeaders(type: string): { readonly [name: string]: string } {
  return {
    'content-type': type,
    'cache-control': 'private, max-age=300',
    'cross-origin-resource-policy': 'same-origin',
  };
}

function assertLocal({ headers }: HttpRequest): void {
  if (!localHost.test(headers.host ?? ''))
    throw new Problem('not_found', 'The demo is open to this machine alone, by the name localhost.');
}

/** Refuses a request from a page of another origin. */
function assertOwnPage(request: HttpRequest, publicUrl: string): void {
  if (!isFromOwnPage(request, publicUrl))
    throw new Problem('not_found', 'The demo gives its access tokens to its own pages alone.');
}

/**
 * The content security policy of the demo: pages may run this server's scripts, call it and show its content. The
 * reference client also needs style attributes, pictures that are still being uploaded (`blob:`) and its own icons
 * (`data:`). Addresses of files begin with the public address, which may differ from the name in the address bar.
 */
function policy(publicUrl: string): string {
  const server = `'self' ${new URL(publicUrl).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src ${server} blob: data:`,
    `media-src ${server} blob:`,
    `connect-src ${server}`,
    `frame-src ${server}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

function pageOf(options: DemoOptions, page: ReturnType<typeof html>): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(options.publicUrl()),
    },
    body: page.text,
  };
}

function head(title: string, script: string) {
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/demo/demo.css">
<script type="module" src="/demo/${script}"></script>`;
}

function shell() {
  const tabs = Object.entries(sights).map(
    ([whose, views]) =>
      html`<span class="group" role="group" aria-label="${whose}">${Object.entries(views).map(
        ([sight, words]) => html`<a href="#${sight}" data-sight="${sight}">${words}</a>`,
      )}</span>`,
  );
  const choices = versions.map(
    (version) => html`<a href="#comments-${version}" data-version="${version}">${version}</a>`,
  );
  const frames = Object.entries(people).map(
    ([
      person,
      name,
    ]) => html`<section><h2><span>${name}</span><a class="alone" data-person="${person}" href="/demo/people/${person}" target="_blank">Open in a new window</a></h2>
<iframe title="What ${name} sees" data-person="${person}"></iframe></section>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
${head('Confab demo', 'shell.js')}
</head>
<body class="shell">
<header><a class="brand" href="/">Confab</a><nav aria-label="What both users see">${tabs}<span class="group" role="group" aria-label="Version of the Weavy components"><span>Version</span>${choices}</span></nav><a class="knobs" href="/demo/knobs">Theme</a></header>
<main>${frames}</main>
</body>
</html>
`;
}

function frame(name: string, kits: readonly Kit[]) {
  const folders = kits.map(({ version }) => [version.split('.')[0], `/uikit-web/${version}/`]);
  return html`<!doctype html>
<html lang="en">
<head>
${head(`${name} · Confab demo`, 'person.js')}
</head>
<body class="person" data-kits="${JSON.stringify(Object.fromEntries(folders))}">
<main></main>
</body>
</html>
`;
}
