import { readFileSync } from 'node:fs';
import { html, type Markup } from './html.ts';
import type { TextAnswer } from './once.ts';

/** The one style sheet of all pages. */
export const stylePath = '/pages.css';
const style = readFileSync(new URL('./pages.css', import.meta.url), 'utf8');

/** Pages contain no script and load only the style sheet of this server. */
const pageHeaders = {
  'cache-control': 'public, max-age=300',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

/** Serves the style sheet. */
export function styleAnswer(): TextAnswer {
  return { status: 200, headers: { ...pageHeaders, 'content-type': 'text/css; charset=utf-8' }, body: style };
}

/** Serves a page: its content below the shared header. */
export function pageAnswer(title: string, content: Markup): TextAnswer {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<header class="site"><a class="brand" href="/">Confab</a><nav aria-label="Pages"><a href="/docs">Reference</a><a href="/problems">Problems</a><a href="/openapi.json">OpenAPI</a></nav></header>
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
