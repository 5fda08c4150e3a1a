import { readFileSync } from 'node:fs';
import { html, type Markup } from './html.ts';
import type { WholeAnswer } from './once.ts';

/** The one style sheet of all pages. */
export const stylePath = '/pages.css';
const style = ['pages.css', 'script.css', 'sign-in.css']
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('\n');

/** The one script of all pages, which work without it: search, copying, and trying operations. */
export const scriptPath = '/pages.js';
const script = readFileSync(new URL('./pages.js', import.meta.url), 'utf8');

/** The one icon of all pages, which is that of the console. */
export const iconPath = '/favicon.svg';
const icon = readFileSync(new URL('../console/icon.svg', import.meta.url), 'utf8');

/** Pages load only the style sheet, the script and the pictures of this server, and the script calls only this server. */
const pageHeaders = {
  'cache-control': 'public, max-age=300',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

/** Serves the style sheet. */
export function styleAnswer(): WholeAnswer {
  return { status: 200, headers: { ...pageHeaders, 'content-type': 'text/css; charset=utf-8' }, body: style };
}

/** Serves the script. */
export function scriptAnswer(): WholeAnswer {
  return {
    status: 200,
    headers: { ...pageHeaders, 'content-type': 'text/javascript; charset=utf-8' },
    body: script,
  };
}

/** Serves the icon. Browsers keep it for a day, because its address stays when it changes. */
export function sitePictureAnswer(): WholeAnswer {
  const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' };
  return { status: 200, headers, body: icon };
}

/** The title of a page as browsers show it. */
export function documentTitle(title: string): string {
  return `${title} · Confab`;
}

/** Serves a page: its content below the shared header. */
export function pageAnswer(title: string, content: Markup): WholeAnswer {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${iconPath}" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
<script src="${scriptPath}" type="module"></script>
</head>
<body>
<header class="site"><a class="brand" href="/">Confab</a><nav aria-label="Pages"><a href="/docs">Documentation</a><a href="/problems">Problems</a></nav></header>
${content}
</body>
</html>
`;
  return {
    status: 200,
    headers: { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' },
    body: page.text,
  };
}
