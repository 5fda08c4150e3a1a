import type { Answer } from '../answers/answer.ts';
import type { HttpRequest } from '../request.ts';
import { html, type Markup } from './html.ts';
import { documentTitle, pageAnswer } from './page.ts';

/** The pages that a person may look for, which other pages link to. A server may be without the console or the demo. */
const entrances: readonly { readonly path: string; readonly name: string; readonly what: string }[] = [
  { path: '/console', name: 'Console', what: 'moderation, users, apps and settings of this server.' },
  {
    path: '/docs',
    name: 'Documentation',
    what: 'guides, and every operation with a request and its answer.',
  },
  { path: '/demo', name: 'Demo', what: 'the web components with sample content.' },
];

/** Links to the entrances that this server has. */
export function startLinks(has: (path: string) => boolean): Markup[] {
  return entrances
    .filter(({ path }) => has(path))
    .map(({ path, name, what }) => html`<p><a href="${path}">${name}</a>: ${what}</p>\n`);
}

/**
 * Whether a person has opened an address outside of the API, where every refusal is a problem: a browser that opens a page
 * names HTML first, and its scripts and other programs do not.
 */
export function isOpenedByPerson({ method, url, headers: { accept } }: HttpRequest): boolean {
  const isOfApi = url.startsWith('/api/');
  return (
    !isOfApi && (method === 'GET' || method === 'HEAD') && /^\s*text\/html\s*(?:[,;]|$)/i.test(accept ?? '')
  );
}

/** The page in place of the problem `not_found`, or the way to the page that is meant without a slash at its end. `has` tells whether a page is at a path of this server. */
export function wrongAddressAnswer(path: string, has: (path: string) => boolean): Answer {
  const without = withoutSlashes(path);
  // One slash, not several: a path such as `//host/` would lead to another server.
  if (path === `${without}/` && without !== '' && has(without))
    return { status: 308, headers: { location: without, 'cache-control': 'no-store', vary: 'accept' } };
  const { headers, body } = pageAnswer(
    documentTitle('Page not found'),
    html`<main>
<h1>Page not found</h1>
<p class="lead">This server has no page at <code>${path}</code>.</p>
<p>The address may be mistyped, or what was there is gone or not for everyone to see.</p>
<h2>Where to go</h2>
${startLinks(has)}<p><a href="/">Start page</a></p>
</main>`,
  );
  return { status: 404, headers: { ...headers, 'cache-control': 'no-store', vary: 'accept' }, body };
}

/** A path without the slashes at its end. An expression would look at each slash of a stranger's path again and again. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
