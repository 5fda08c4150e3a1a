import MarkdownParser, { type Token } from 'markdown-it';
import { Markup } from '../pages/html.ts';

/** A heading of a page and what is said right below it. */
export type Section = {
  readonly id: string;
  /** 1 for the title of the page, to 3. */
  readonly level: number;
  readonly title: string;
  /** The first paragraph, without markup; empty if there is none. */
  readonly summary: string;
  /** Everything below the heading before the next one: paragraphs, items, rows of tables and code, without markup. */
  readonly blocks: readonly string[];
};

/** A page of the documentation, in both of its forms. */
export type Page = {
  /** Where it is served, such as `/docs/webhooks`; its Markdown is at the same path with `.md`. */
  readonly path: string;
  readonly markdown: string;
  readonly content: Markup;
  /** Every heading but those of the fourth level and below; the first is the title. */
  readonly sections: readonly [Section, ...Section[]];
};

/** A page before it is rendered. */
export type Source = { readonly path: string; readonly markdown: string };

const parser = new MarkdownParser({ html: false });
const ownOrigin = 'http://docs.invalid';

parser.renderer.rules.heading_close = (tokens, index) => {
  const { id, title } = (tokens[index]?.meta ?? {}) as { id?: string; title?: string };
  const anchor =
    id === undefined
      ? ''
      : ` <a class="anchor" href="#${id}" aria-label="Link to ${escaped(title ?? '')}">#</a>`;
  return `${anchor}</${tokens[index]?.tag}>\n`;
};
// Elements that scroll sideways can be reached with the keyboard.
parser.renderer.rules.table_open = () =>
  '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n';
parser.renderer.rules.table_close = () => '</table></div>\n';
parser.renderer.rules.fence = (tokens, index) => {
  const { info = '', content = '' } = tokens[index] ?? {};
  const language = /^\w*/.exec(info)?.[0] ?? '';
  const [method = '', path = ''] = content.trim().split(' ');
  if (language === 'http')
    return `<p class="call"><span class="method ${method.toLowerCase()}">${escaped(method)}</span> <span>${escaped(path)}</span></p>\n`;
  const kind = language === '' ? '' : ` class="language-${language}"`;
  return `<div class="code"><pre tabindex="0"><code${kind}>${escaped(content)}</code></pre></div>\n`;
};

function escaped(text: string): string {
  return parser.utils.escapeHtml(text);
}

/**
 * Renders the pages. Relative links between their Markdown files become links between the pages. Links to files that
 * are not served, neither as one of the pages nor at one of `files`, become text. A heading takes its id from `{#id}` at
 * its end, or as GitHub does, from its words.
 */
export function renderPages(sources: readonly Source[], files: readonly string[]): Page[] {
  const titles = new Map(
    sources.map(({ path, markdown }) => [`${path}.md`, /^# (.*)$/m.exec(markdown)?.[1] ?? '']),
  );
  const isServed = (address: string) => titles.has(address) || files.some((file) => address === file);
  return sources.map((source) => {
    const markdown = withServedLinks(source, { isServed, titles });
    return { path: source.path, markdown, ...rendered({ path: source.path, markdown }, titles) };
  });
}

/** Replaces links to files that are not served by their text, and gives links named for a file the title of its page. */
function withServedLinks(
  { path, markdown }: Source,
  known: { isServed: (address: string) => boolean; titles: ReadonlyMap<string, string> },
): string {
  return outsideCode(markdown.replace(/^<!--.*?-->\s*/s, ''), (text) =>
    text.replace(/\[((?:`[^`]*`|[^\][`])*)\]\(([^)\s]+)\)/g, (link, label: string, href: string) => {
      const { origin, pathname } = new URL(href, `${ownOrigin}${path}.md`);
      if (origin !== ownOrigin) return link;
      if (!known.isServed(pathname)) return label;
      const title = known.titles.get(pathname);
      return title !== undefined && label.endsWith('.md') ? `[${title}](${href})` : link;
    }),
  );
}

function outsideCode(markdown: string, change: (text: string) => string): string {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

function rendered(
  { path, markdown }: Source,
  titles: ReadonlyMap<string, string>,
): Pick<Page, 'content' | 'sections'> {
  const tokens = parser.parse(markdown, {});
  const sections = nameHeadings(tokens);
  for (const link of tokens.flatMap(({ children }) => children ?? []))
    if (link.type === 'link_open')
      link.attrSet('href', pageAddress(String(link.attrGet('href')), path, titles));
  // Markdown aligns cells with inline styles, which the policy of the pages does not permit.
  for (const cell of tokens.filter((token) => token.attrGet('style') !== null))
    cell.attrs = [['class', cell.attrGet('style') === 'text-align:right' ? 'number' : '']];
  const [title, ...rest] = sections;
  if (title === undefined) throw new Error(`${path}.md has no heading`);
  return {
    content: new Markup(parser.renderer.render(tokens, parser.options, {})),
    sections: [title, ...rest],
  };
}

function pageAddress(href: string, path: string, titles: ReadonlyMap<string, string>): string {
  const { origin, pathname, hash } = new URL(href, `${ownOrigin}${path}.md`);
  if (origin !== ownOrigin) return href;
  return (titles.has(pathname) ? pathname.slice(0, -'.md'.length) : pathname) + hash;
}

/** Gives headings their ids, and returns them with the text below. */
function nameHeadings(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  const seen = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    const level = Number(/^h([1-3])$/.exec(token.tag)?.[1]);
    const inline = tokens[index + 1];
    if (token.type !== 'heading_open' || Number.isNaN(level) || inline === undefined) continue;
    const own = takeId(inline);
    const title = plainText(inline);
    const slug =
      own ??
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-');
    const earlier = seen.get(slug) ?? 0;
    seen.set(slug, earlier + 1);
    const id = earlier === 0 ? slug : `${slug}-${earlier}`;
    token.attrSet('id', id);
    const close = tokens[index + 2];
    if (close !== undefined && level > 1) close.meta = { id, title };
    sections.push({
      id,
      level,
      title,
      summary: summaryAt(tokens, index + 3),
      blocks: blocksAt(tokens, index + 3),
    });
  }
  return sections;
}

/** Removes `{#id}` from the end of a heading, and returns the id. */
function takeId(inline: Token): string | undefined {
  const last = inline.children?.at(-1);
  const match = / *\{#([\w-]+)\}$/.exec(last?.content ?? '');
  if (last === undefined || match === null) return undefined;
  last.content = last.content.slice(0, match.index);
  return match[1];
}

/** The first paragraph before the next heading; the call of an operation may stand before it. */
function summaryAt(tokens: readonly Token[], from: number): string {
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index];
    const inline = tokens[index + 1];
    if (token === undefined || token.type === 'heading_open') return '';
    if (token.type === 'paragraph_open' && inline !== undefined) return plainText(inline);
  }
  return '';
}

/** The texts before the next heading of the first three levels. */
function blocksAt(tokens: readonly Token[], from: number): string[] {
  const blocks: string[] = [];
  let row: string[] | undefined;
  for (const token of tokens.slice(from)) {
    if (token.type === 'heading_open' && /^h[1-3]$/.test(token.tag)) break;
    if (token.type === 'tr_open') row = [];
    else if (token.type === 'inline') (row ?? blocks).push(plainText(token));
    else if (token.type === 'fence') blocks.push(token.content.trim());
    else if (token.type === 'tr_close') {
      if (row !== undefined) blocks.push(row.filter(Boolean).join(' · '));
      row = undefined;
    }
  }
  return blocks;
}

function plainText({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')
    .trim();
}
