import { operationList } from 'confab-contract/index.ts';
import { type ProblemCode, problems } from 'confab-contract/problem.ts';
import type { Answer } from '../answers/answer.ts';
import { html, type Markup } from '../pages/html.ts';
import type { WholeAnswer } from '../pages/once.ts';
import { documentTitle, pageAnswer } from '../pages/page.ts';
import type { HttpRequest } from '../request.ts';
import { createDocsSearch, type DocsEntry, type DocsSearch } from './docs-search.ts';
import { type GuideGroup, guideGroups, guideSources, picturesIn, readDocsFile } from './guides.ts';
import { type Page, renderPages } from './markdown.ts';
import { objectsPath, referencePaths, referenceSources } from './reference.ts';

/** The pages that are the same for every client, and the search. */
export type DocsPages = {
  readonly pages: { readonly [path: string]: () => WholeAnswer };
  /** Serves the results for the parameter `q` as JSON, empty without one. */
  readonly search: (request: HttpRequest) => Promise<Answer>;
};

/** The pages of the documentation in their order, rendered once. */
type Docs = { readonly guides: readonly Page[]; readonly reference: readonly Page[] };

const vectorsPath = '/docs/webhook-vectors.json';

/**
 * The documentation by path: the start page at `/docs`, guides and reference each as a page and as Markdown (`.md`), the
 * pictures of the guides, and `/llms.txt`, which lists the Markdown for programs. Throws when a guide is missing.
 */
export function docsPages(publicUrl: () => string): DocsPages {
  const guides = guideSources();
  const pictures = picturesIn(guides);
  let builtDocs: Docs | undefined;
  // The reference contains the address of the server, which is known once it listens.
  const docs = (): Docs => {
    if (builtDocs === undefined) {
      const reference = referenceSources(operationList, publicUrl());
      const pages = renderPages(
        [...guides, ...reference],
        [vectorsPath, ...problemPaths, ...pictures.map(pictureAddress)],
      );
      builtDocs = { guides: pages.slice(0, guides.length), reference: pages.slice(guides.length) };
    }
    return builtDocs;
  };
  const paths = [...guides.map(({ path }) => path), ...referencePaths(operationList)];
  const pages = paths.flatMap((path): [string, () => WholeAnswer][] => [
    [path, () => docsAnswer(docs(), pageAt(docs(), path))],
    [`${path}.md`, () => text('text/markdown', pageAt(docs(), path).markdown)],
  ]);
  // The first question builds the index, and questions that arrive meanwhile wait for it.
  let search: Promise<DocsSearch> | undefined;
  return {
    pages: {
      '/docs': () => pageAnswer(documentTitle('Documentation'), start(docs())),
      ...Object.fromEntries(pages),
      ...Object.fromEntries(pictures.map((name) => [pictureAddress(name), () => pictureAnswer(name)])),
      [vectorsPath]: () => text('application/json', readDocsFile('webhook-vectors.json').toString()),
      '/llms.txt': () => text('text/plain', overview(docs(), publicUrl())),
    },
    search: async ({ url }) => {
      const question = new URL(url, 'http://localhost').searchParams.get('q') ?? '';
      search ??= createDocsSearch(docsEntries(docs()));
      return text('application/json', JSON.stringify((await search).find(question)));
    },
  };
}

const pictureAddress = (name: string): string => `/docs/${name}`;

const problemPaths = ['/problems', ...Object.keys(problems).map((code) => `/problems/${code}`)];

function pageAt({ guides, reference }: Docs, path: string): Page {
  const page = [...guides, ...reference].find((each) => each.path === path);
  if (page === undefined) throw new Error(`there is no page ${path}`);
  return page;
}

function pictureAnswer(name: string): WholeAnswer {
  const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=300' };
  return { status: 200, headers, body: readDocsFile(name) };
}

function text(type: string, body: string): WholeAnswer {
  return {
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=300' },
    body,
  };
}

function titleOf(page: Page): string {
  return page.sections[0].title;
}

const guideSentences = new Map(
  guideGroups.flatMap(({ guides }) => guides.map(({ name, about }) => [`/docs/${name}`, about])),
);

/** The summary of a page: the sentence that a guide declares for lists, or the first sentence of a reference page. */
function aboutOf(page: Page): string {
  return guideSentences.get(page.path) ?? page.sections[0].summary.split(/(?<=\.) /)[0] ?? '';
}

/** The guides of a group among all guides. */
function pagesOf({ guides }: GuideGroup, pages: readonly Page[]): Page[] {
  return guides.flatMap(({ name }) => pages.filter(({ path }) => path === `/docs/${name}`));
}

function docsAnswer(docs: Docs, page: Page): WholeAnswer {
  const content = html`<div class="docs">
${contents(docs, page)}
<main>
${page.content}
<p class="soft"><a href="${page.path}.md">This page as Markdown</a></p>
</main>
</div>`;
  return pageAnswer(documentTitle(titleOf(page)), content);
}

/** All pages, and the sections of the one that is shown. */
function contents({ guides, reference }: Docs, current: Page): Markup {
  const item = (page: Page) =>
    page === current
      ? html`<li><a href="${page.path}" aria-current="page">${titleOf(page)}</a><ul>${page.sections
          .filter(({ level }) => level === 2)
          .map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></li>`
      : html`<li><a href="${page.path}">${titleOf(page)}</a></li>`;
  return html`<details class="contents" open><summary>Contents</summary><nav aria-label="Contents">
${guideGroups.map((group) => html`<h2>${group.title}</h2><ul>${pagesOf(group, guides).map(item)}</ul>`)}
<h2>Reference</h2><ul>${reference.map(item)}</ul>
</nav></details>`;
}

/** Every section of the reference has its id here as well, because the reference once was a single page at `/docs`. */
function start({ guides, reference }: Docs): Markup {
  const groups = reference.map(
    (page) => html`<section><h3><a href="${page.path}">${titleOf(page)}</a></h3>
<p class="soft">${aboutOf(page)}</p>
<ul>${page.sections
      .filter(({ level }) => level === 2)
      .map(
        ({ id, title }) => html`<li id="${id}"><a href="${page.path}#${id}">${title}</a></li>`,
      )}</ul></section>`,
  );
  const tasks = guideGroups.map(
    (group) => html`<section><h3>${group.title}</h3>
<p class="soft">${group.about}</p>
<dl>${pagesOf(group, guides).map((page) => html`<dt><a href="${page.path}">${titleOf(page)}</a></dt><dd>${aboutOf(page)}</dd>`)}</dl></section>`,
  );
  return html`<main class="start">
<h1>Documentation</h1>
<p class="lead">Guides for the common tasks, and the reference of every operation of this server.</p>
<h2 id="guides">Guides</h2>
<div class="tasks">${tasks}</div>
<h2 id="reference">Reference</h2>
<div class="groups">${groups}</div>
<h2 id="programs">For programs</h2>
<dl><dt><a href="/openapi.json">OpenAPI document</a></dt><dd>The reference as OpenAPI 3.1, from which clients can be generated.</dd>
<dt><a href="/openapi-second-form.json">OpenAPI document of the second form</a></dt><dd>What is answered to version 23 and later of the reference client.</dd>
<dt><a href="/llms.txt">llms.txt</a></dt><dd>All of these pages as Markdown.</dd>
<dt><a href="/problems">Problems</a></dt><dd>What each error code means and what to do about it.</dd></dl>
</main>`;
}

const calls = new Map(operationList.map(({ id, method, path }) => [id, `${method} ${path}`]));

/** Every section, operation, object and problem for the search. */
function docsEntries({ guides, reference }: Docs): DocsEntry[] {
  const entries = [...guides, ...reference].flatMap((page) =>
    page.sections.map(({ id, level, title, summary, blocks }): DocsEntry => {
      const call = calls.get(id);
      const isGuide = guides.includes(page);
      return {
        kind: isGuide ? 'guide' : page.path === objectsPath ? 'object' : 'operation',
        title,
        page: titleOf(page),
        about: level === 1 ? aboutOf(page) : '',
        href: level === 1 ? page.path : `${page.path}#${id}`,
        name: isGuide || call === undefined ? '' : id,
        // The tables of the reference repeat the same words for hundreds of operations.
        blocks: isGuide ? blocks : [summary, ...(call === undefined ? [] : [call])],
      };
    }),
  );
  const codes = (Object.keys(problems) as ProblemCode[]).map((code): DocsEntry => {
    const { title, status } = problems[code];
    return {
      kind: 'problem',
      title,
      page: 'Problems',
      about: '',
      href: `/problems/${code}`,
      name: code,
      blocks: [`${code} · ${status}`],
    };
  });
  return [...entries, ...codes];
}

/** The list of all pages for language models (https://llmstxt.org). */
function overview({ guides, reference }: Docs, url: string): string {
  const item = (page: Page) => `- [${titleOf(page)}](${url}${page.path}.md): ${aboutOf(page)}`;
  return `${[
    '# Confab',
    '',
    '> An open-source, self-hosted collaboration server: comments, posts, files, chat and reliable webhooks over HTTP.',
    '',
    '## Guides',
    '',
    ...guides.map(item),
    '',
    '## Reference',
    '',
    ...reference.map(item),
    `- [OpenAPI](${url}/openapi.json): The same as OpenAPI 3.1.`,
    `- [OpenAPI, second form](${url}/openapi-second-form.json): What is answered to newer reference clients.`,
  ].join('\n')}\n`;
}
