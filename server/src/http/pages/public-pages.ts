import { readFileSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { docsPages } from '../docs/docs.ts';
import type { Http } from '../server.ts';
import { bindClientVersion } from './client-version.ts';
import { html, type Markup } from './html.ts';
import { serveCached, type WholeAnswer } from './once.ts';
import {
  iconPath,
  pageAnswer,
  scriptAnswer,
  scriptPath,
  sitePictureAnswer,
  styleAnswer,
  stylePath,
} from './page.ts';
import { bindProblemPages } from './problem-pages.ts';
import { bindSecurityContact } from './security-contact.ts';
import { startLinks } from './wrong-address.ts';

/** The facts about this server that the pages show. */
export type About = {
  readonly version: string;
  /** The version of the interface that existing clients compare with their own. */
  readonly clientVersion: string;
  /** Where to report a vulnerability of this server. */
  readonly securityContact: string | undefined;
  readonly clock: Clock;
  /** The public address of this server, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string;
};

/** Serves the documentation for humans and programs; it needs no other server, so it works offline. */
export function bindPages(http: Http, about: About): void {
  const docs = docsPages(about.publicUrl);
  const pages: { readonly [path: string]: () => WholeAnswer } = {
    '/': () => pageAnswer('Confab', landing(about, http)),
    [iconPath]: sitePictureAnswer,
    // Where browsers look for the icon of a page that names none.
    '/favicon.ico': sitePictureAnswer,
    [stylePath]: styleAnswer,
    [scriptPath]: scriptAnswer,
    ...docs.pages,
    '/openapi.json': () => documentAnswer(about, 'openapi.json'),
    '/openapi-second-form.json': () => documentAnswer(about, 'openapi-second-form.json'),
  };
  for (const [path, make] of Object.entries(pages)) {
    const answer = serveCached(make);
    http.page(path, async (_params, raw) => answer(raw));
  }
  http.page('/docs/search.json', async (_params, raw) => docs.search(raw));
  // Existing clients expect this path. The address is relative, because a proxy may serve everything below a prefix.
  http.page('/api/openapi.json', async () => ({ status: 301, headers: { location: '../openapi.json' } }));
  bindClientVersion(http, about);
  bindProblemPages(http);
  const { securityContact: contact } = about;
  if (contact !== undefined) bindSecurityContact(http, { ...about, contact });
}

/** Where the generated OpenAPI documents are: beside `server/src/` in a checkout and beside `dist/` in the package. */
const documents = new URL('../../../', import.meta.url);

/** A generated document with the address of this server: to make it here would hold up all other requests. */
function documentAnswer({ publicUrl }: About, name: string): WholeAnswer {
  const text = readFileSync(new URL(name, documents), 'utf8');
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' },
    body: text.replace(/(?<="url": ?)"\/"/, () => JSON.stringify(publicUrl())),
  };
}

function landing(about: About, http: Http): Markup {
  return html`<main>
<h1>Confab</h1>
<p class="lead">A collaboration server: comments, posts, files, chat, and webhooks for every change.</p>
<p>This server runs version ${about.version}. Call it over HTTP with an API key or an access token:</p>
<pre tabindex="0"><code>curl ${about.publicUrl()}/api/apps -H "Authorization: Bearer $KEY"</code></pre>
<h2>Where to go</h2>
${startLinks(http.hasPage)}<p><a href="/docs/comments">Comments on your page</a>: the way from a page without comments to one with them.</p>
<p><a href="/openapi.json">OpenAPI document</a>: the reference for programs.</p>
<p><a href="/problems">Problems</a>: what each error code means and what to do about it.</p>
<p><a href="/readyz">State</a>: whether the server is ready; with an API key, what keeps it from serving.</p>
</main>`;
}
