/**
 * Renders the Markdown of an entry as html and plain text. It is pure; the caller keeps the original text.
 *
 * There are three paths. In prose without any markup, only line breaks become tags. All other text is parsed by
 * markdown-it and written from its tokens, because the library's own renderer can write more than the closed set of
 * html that an entry may contain. Text that nests deeper, expands to more html or takes more work than the limits below
 * is shown as typed, so nothing is lost.
 */

import {
  escapeText,
  isCanonical,
  isLanguageClass,
  isLinkAddress,
  linkTag,
  mentionTag,
  nestingMax,
  parseUserId,
  taskBox,
  taskTag,
} from 'confab-contract/values/canonical-html.ts';
import MarkdownParser, {
  type MarkdownIt,
  type StateBlock,
  type StateCore,
  type StateInline,
  type Token,
} from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { visibleText } from '../../kernel/unseen.ts';
import { findOnlyBareAddresses, mayHoldBareAddress } from './addresses.ts';
import { pairTags, pushPicture, readDetails, readInlineTags } from './html-tags.ts';

/** A rendered text, for display, search and notifications. */
export interface RenderedText {
  /** Safe to insert with innerHTML: only the closed set of `canonical-html.ts`. Empty for a text without content. */
  readonly html: string;
  /** The text without markup, not escaped: each block and line on its own line, table cells after a tab. */
  readonly plain: string;
}

/** The most characters of html: 64 KiB of short links or empty table cells would expand to 800 KiB. */
const htmlCharactersMax = 512 * 1024;

/**
 * The most visits to lines that the parser may make for one text, at about 0.1 µs each. It visits a line a few times
 * for each quote or list around it, so even a long real text stays far below.
 */
const lineVisitsMax = 400_000;

/** The most block tokens that the parser may make for one text. A table of 64 KiB with cells of two digits has some 50,000. */
const blockTokensMax = 60_000;

/**
 * The most characters that may begin inline markup, over all blocks except code. Each can become a token, at about 3
 * µs. A list of links of 64 KiB has about 5000 of them, a table with code in each cell about 11,000.
 */
const inlineMarksMax = 12_000;

/**
 * Matches text that may contain markup: a character of Markdown or html anywhere, the start of a bare address, a line
 * that begins like a heading, list, rule or underline, or white space at either end of a line.
 */
const markup = /[\\`*_~[<>&|\t\r\0]|:\/\/|mailto:|www\.|^[ #+=-]|^[0-9]{1,9}[.)]| $/im;
const blankLines = /\n{2,}/g;
const mentionAddress = /^@u([0-9]+)$/;

/**
 * Renders Markdown: CommonMark with tables, strikethrough, task lists and some tags of HTML (`html-tags.ts`); every line
 * break counts, and headings begin with `h3`, below that of the list of comments. Emphasis beside Chinese, Japanese and
 * Korean needs no space (github.com/tats-u/markdown-cjk-friendly). Any other HTML and footnotes are text. A bare `http://`,
 * `https://`, `mailto:` or `www.` address becomes a link, the last with `https`; a bare host name or email address
 * stays text, because `readme.md` and `me@home` are more often words than links. An image becomes a link with its
 * alternative text: a picture loaded from elsewhere would reveal to its host who reads the entry and when. A link to
 * `@u` and a user id is a mention.
 *
 * Any text of 64 KiB takes less than 70 ms on a busy processor (decision 0036).
 */
export function renderMarkdown(text: string): RenderedText {
  return markup.test(text) ? renderMarkup(text) : renderProse(text);
}

/** As `renderMarkdown`, but without the short cut for prose. The results are identical byte for byte. */
export function renderMarkup(text: string): RenderedText {
  const tokens = mayHoldBareAddress(text) ? parseWithBareAddresses(text) : parse(text);
  const draft: Draft = { html: '', plain: '', gap: '' };
  const isShown =
    tokens !== undefined && writeBlocks(tokens, draft) && draft.html.length <= htmlCharactersMax;
  // Html outside the set would be a bug of the writer: then the text is shown as typed, which is harmless.
  if (!isShown || !isCanonical(draft.html)) return renderVerbatim(text);
  return { html: withDirection(draft.html), plain: draft.plain };
}

/** Renders text in which only line breaks have a meaning and no character needs escaping. */
function renderProse(text: string): RenderedText {
  if (!text.includes('\n')) return { html: text && withDirection(`<p>${text}</p>`), plain: text };
  const lines = trimLineBreaks(text);
  const html = lines && `<p>${lines.replace(blankLines, '</p><p>').replaceAll('\n', '<br />')}</p>`;
  return { html: withDirection(html), plain: lines.replace(blankLines, '\n') };
}

// Hebrew, Arabic, Syriac, Thaana, N'Ko and the other scripts from right to left.
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Lets each block of a text with letters from right to left find its own direction. All other html stays as it is. */
function withDirection(html: string): string {
  return rightToLeft.test(html)
    ? html.replace(/<(p|h[1-6]|li|summary)( class="[a-z-]+")?>/g, '<$1$2 dir="auto">')
    : html;
}

/** Renders any text as it was typed, with its Markdown visible. */
function renderVerbatim(text: string): RenderedText {
  const normal = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');
  const { html } = renderProse(escapeText(normal));
  return { html, plain: renderProse(normal).plain };
}

function trimLineBreaks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === '\n') start++;
  while (end > start && text[end - 1] === '\n') end--;
  return text.slice(start, end);
}

interface Draft {
  html: string;
  plain: string;
  /** The separator between the plain text so far and the next piece. */
  gap: '' | '\n' | '\t';
}

/** Writes blocks to the draft; false, with the draft unfinished, if they nest too deep. */
function writeBlocks(tokens: readonly Token[], draft: Draft): boolean {
  for (const [index, token] of tokens.entries()) {
    // A code block opens two elements, hence the distance of two. Below the last level the parser drops content.
    if (token.level + 2 > nestingMax) return false;
    switch (token.type) {
      case 'inline':
        if (!(isTask(tokens, index) ? writeTask : writeInline)(token, draft)) return false;
        break;
      case 'heading_open':
      case 'heading_close':
        draft.html += token.nesting === 1 ? `<${headingOf(token)}>` : `</${headingOf(token)}>`;
        draft.gap = '\n';
        break;
      case 'fence':
      case 'code_block':
        writeCodeBlock(token, draft);
        break;
      case 'hr':
        draft.html += '<hr />';
        draft.gap = '\n';
        break;
      case 'th_open':
      case 'td_open':
        draft.html += cellTag(token);
        if (draft.gap === '') draft.gap = '\t';
        break;
      case 'th_close':
      case 'td_close':
        draft.html += `</${token.tag}>`;
        break;
      case 'list_item_open':
        draft.html += isTask(tokens, index + 2) ? taskTag : '<li>';
        draft.gap = '\n';
        break;
      case 'ordered_list_open':
        draft.html += listTag(token);
        draft.gap = '\n';
        break;
      default:
        if (!token.hidden) draft.html += token.nesting === 1 ? `<${token.tag}>` : `</${token.tag}>`;
        draft.gap = '\n';
    }
  }
  return true;
}

/** The levels of headings begin below the heading of the list of comments, which is an `h2` in the elements. */
function headingOf({ tag }: Token): string {
  return `h${Math.min(6, Number(tag.slice(1)) + 2)}`;
}

/** Whether a token is the text of a task: the beginning of a list item with a box in front (GFM, section 5.3). */
function isTask(tokens: readonly Token[], index: number): boolean {
  return (
    tokens[index - 1]?.type === 'paragraph_open' &&
    tokens[index - 2]?.type === 'list_item_open' &&
    tokens[index]?.children?.[0]?.type === 'text' &&
    /^\[[ xX]\]\s/.test(tokens[index].content)
  );
}

/** Writes a task as a box that cannot be pressed, with its text as its label. */
function writeTask(block: Token, draft: Draft): boolean {
  const [first] = block.children ?? [];
  const isDone = block.content[1] !== ' ';
  if (first !== undefined) first.content = first.content.slice('[ ]'.length);
  draft.html += `<label>${taskBox(isDone)}`;
  say(draft, isDone ? '☑' : '☐');
  const isWritten = writeInline(block, draft);
  draft.html += '</label>';
  return isWritten;
}

/** Writes the content of a paragraph, heading or table cell; false if it nests too deep. */
function writeInline(block: Token, draft: Draft): boolean {
  const tokens = block.children ?? [];
  const paired = pairTags(tokens);
  const linkEnds: string[] = [];
  const links = { tokens, paired, linkEnds, draft };
  for (const [index, token] of tokens.entries()) {
    if (block.level + token.level + 2 > nestingMax) return false;
    switch (token.type) {
      case 'text':
        draft.html += escapeText(token.content);
        say(draft, token.content);
        break;
      case 'softbreak':
      case 'hardbreak':
        draft.html += '<br />';
        say(draft, '\n');
        break;
      case 'code_inline':
        draft.html += `<code>${escapeText(token.content)}</code>`;
        say(draft, token.content);
        break;
      case 'link_open':
        openLink(index, links);
        break;
      case 'link_close':
        draft.html += linkEnds.pop() ?? '';
        break;
      case 'html_inline':
        if (paired.has(token) && token.tag === 'a' && token.markup === '') openLink(index, links);
        else if (paired.has(token) && token.tag === 'a') draft.html += linkEnds.pop() ?? '';
        else if (paired.has(token)) draft.html += `<${token.markup}${token.tag}>`;
        else {
          draft.html += escapeText(token.content);
          say(draft, token.content);
        }
        break;
      default:
        draft.html += token.nesting === 1 ? `<${token.tag}>` : `</${token.tag}>`;
    }
  }
  return true;
}

/** The tokens of a block, those of them that are halves of a pair of tags, and the end tags of the links that are open. */
interface Links {
  readonly tokens: readonly Token[];
  readonly paired: ReadonlySet<Token>;
  readonly linkEnds: string[];
  readonly draft: Draft;
}

/** Writes the start of the link that begins at a token. */
function openLink(index: number, { tokens, paired, linkEnds, draft }: Links): void {
  const token = tokens[index];
  // An address in angle brackets inside the text of a link would be a link of its own; the outer one counts.
  if (token === undefined || linkEnds.length > 0) linkEnds.push('');
  else linkEnds.push(writeLinkStart(token, { draft, isEmpty: !isLabelled(tokens, index, paired) }));
}

/** Whether people see anything of the text of the link that begins at a token. */
function isLabelled(tokens: readonly Token[], start: number, paired: ReadonlySet<Token>): boolean {
  let depth = 0;
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index];
    const { type = '', tag = '', content = '' } = token ?? {};
    const isPaired = token !== undefined && paired.has(token);
    if (type === 'link_open' || (isPaired && tag === 'a' && token.markup === '')) depth += 1;
    else if (type === 'link_close' || (isPaired && tag === 'a')) depth -= 1;
    else if (!isPaired && visibleText(content) !== null) return true;
    if (depth === 0) return false;
  }
  return false;
}

/**
 * Writes the start tag of a link or mention and returns its end tag; both are empty for a link without a valid address.
 */
function writeLinkStart(token: Token, { draft, isEmpty }: { draft: Draft; isEmpty: boolean }): string {
  const address = String(token.attrGet('href') ?? '');
  const userId = mentionedUser(address);
  if (userId !== undefined) {
    draft.html += mentionTag(userId);
    return '</span>';
  }
  if (address === '') return '';
  draft.html += linkTag(address);
  if (isEmpty) {
    // A link without a text that is seen could not be followed, and its address could say what only programs read.
    draft.html += escapeText(address);
    say(draft, address);
  }
  return '</a>';
}

function writeCodeBlock(token: Token, draft: Draft): void {
  const language = `language-${languageName.exec(token.info)?.[1]?.toLowerCase() ?? ''}`;
  const start = isLanguageClass(language) ? `<pre><code class="${language}">` : '<pre><code>';
  draft.html += `${start}${escapeText(token.content)}</code></pre>`;
  draft.gap = '\n';
  say(draft, token.content.replace(/\n$/, ''));
  draft.gap = '\n';
}
const languageName = /^\s*(\S+)/;

function cellTag(token: Token): string {
  const alignment = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
  return alignment === undefined ? `<${token.tag}>` : `<${token.tag} align="${alignment}">`;
}

function listTag(token: Token): string {
  const start = token.attrGet('start');
  return start === null ? '<ol>' : `<ol start="${start}">`;
}

/** Appends plain text. */
function say(draft: Draft, text: string): void {
  if (text === '') return;
  draft.plain += draft.plain === '' ? text : draft.gap + text;
  draft.gap = '';
}

function mentionedUser(address: string): number | undefined {
  return parseUserId(mentionAddress.exec(address)?.[1] ?? '');
}

/**
 * Creates a function that parses a text to tokens. It returns undefined for a text that needs more visits to lines than
 * `lineVisitsMax`, expands to more block tokens than `blockTokensMax`, or has more marks in blocks than
 * `inlineMarksMax`.
 */
function createParser({ linkify }: { linkify: boolean }): (text: string) => Token[] | undefined {
  const parser = new MarkdownParser({ html: false, linkify, breaks: true, maxNesting: nestingMax });
  parser.use(cjkFriendly);
  allowOnlyLinkAddresses(parser);
  findOnlyBareAddresses(parser.linkify);
  parser.inline.ruler.at('image', imageAsLink);
  readInlineTags(parser);
  readDetails(parser, (visits) => {
    visitsLeft -= visits;
    return visitsLeft >= 0;
  });
  keepFootnotes(parser);
  parser.core.ruler.at('inline', parseInline);
  let visitsLeft = 0;
  // A quote whose lines continue without `>` is scanned to its end each time one of its blocks ends, so a text of 64
  // KiB can take twenty seconds. This rule matches nothing. The parser calls it wherever it visits a line, and it
  // counts; once there were too many visits, it consumes the rest of the text. It also sees each row of a table, the
  // one block that expands beyond its text: a short row stands for as many empty cells as the head has columns.
  parser.block.ruler.before(
    'table',
    'line_visits',
    (state, startLine, endLine, silent) => {
      visitsLeft -= silent ? 1 : linesToSearch(state, { startLine, endLine, most: visitsLeft + 1 });
      if (state.tokens.length > blockTokensMax) visitsLeft = -1;
      if (visitsLeft >= 0) return false;
      if (!silent) state.line = endLine;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
  return (text) => {
    visitsLeft = lineVisitsMax;
    const work: Work = { inlineMarks: 0 };
    const tokens = parser.parse(text, work);
    return visitsLeft >= 0 && work.inlineMarks <= inlineMarksMax ? tokens : undefined;
  };
}

/**
 * The lines that the rule of a block beginning here visits without calling other rules: for a quote, all lines to its
 * end.
 */
function linesToSearch(
  state: StateBlock,
  { startLine, endLine, most }: { startLine: number; endLine: number; most: number },
): number {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (state.src[start] !== '>') return 1;
  let line = startLine;
  while (line < endLine && line - startLine < most && !state.isEmpty(line)) line++;
  return line - startLine;
}

/** Lets notes such as `[^1]: https://example.com` stay paragraphs; they would be definitions of links, which nobody sees. */
function keepFootnotes(parser: MarkdownIt): void {
  const paragraph = parser.block.ruler.getRules('').at(-1);
  parser.block.ruler.before('reference', 'footnotes', (state, startLine, endLine, silent) => {
    const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
    return state.src.startsWith('[^', start) && paragraph?.(state, startLine, endLine, silent) === true;
  });
}

function allowOnlyLinkAddresses(parser: MarkdownIt): void {
  const percentEncode = parser.normalizeLink.bind(parser);
  parser.normalizeLink = (address) => {
    const lowered = address.replace(/^(?:https?|mailto):/i, (scheme) => scheme.toLowerCase());
    return isLinkAddress(lowered) ? lowered : percentEncode(lowered);
  };
  parser.validateLink = (address) => isLinkAddress(address) || mentionedUser(address) !== undefined;
  // The address is shown as its author typed it. Decoding it would turn `xn--` names into look-alikes.
  parser.normalizeLinkText = (address) => address;
}

/** The counts of the parser for one text. */
type Work = { inlineMarks: number };

/** How many characters of a block may begin inline markup; counting stops beyond the limit. */
function marksIn(content: string): number {
  let count = 0;
  inlineMark.lastIndex = 0;
  while (count <= inlineMarksMax && inlineMark.test(content)) count++;
  return count;
}
const inlineMark = /[\\`*_~[\]<&!]/g;

/**
 * The rule that parses the text of blocks, with a short cut for text without inline markup, such as most list items and
 * table cells: setting up the parser for each would take most of the time.
 */
function parseInline(state: StateCore): void {
  const work = state.env as Work;
  for (const { type, content } of state.tokens) {
    if (type === 'inline') work.inlineMarks += marksIn(content);
    if (work.inlineMarks > inlineMarksMax) return;
  }
  for (const { type, content, children } of state.tokens) {
    if (type !== 'inline' || children === null || content === '') continue;
    if (inlineMarkup.test(content)) {
      state.md.inline.parse(content, state.md, state.env, children);
    } else {
      const text = new state.Token('text', '', 0);
      text.content = content;
      children.push(text);
    }
  }
}
const inlineMarkup = /[\n\\`~*_[<&:]/;

/**
 * The rule for `![text](address "title")`: a link with the alternative text as typed. Parsing that text as Markdown, as
 * the rule it replaces does, would take quadratic time for nested images.
 */
function imageAsLink(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('![', state.pos)) return false;
  const { parseLinkLabel, parseLinkDestination, parseLinkTitle } = state.md.helpers;
  const labelStart = state.pos + 2;
  const labelEnd = parseLinkLabel(state, state.pos + 1, false);
  if (labelEnd < 0 || state.src[labelEnd + 1] !== '(') return false;
  const destination = parseLinkDestination(state.src, skipSpace(state.src, labelEnd + 2), state.posMax);
  if (!destination.ok) return false;
  const address = state.md.normalizeLink(destination.str);
  if (!state.md.validateLink(address)) return false;
  let end = skipSpace(state.src, destination.pos);
  const title = parseLinkTitle(state.src, end, state.posMax);
  if (title.ok && end > destination.pos) end = skipSpace(state.src, title.pos);
  if (end >= state.posMax || state.src[end] !== ')') return false;
  if (!silent) {
    const label = state.md.utils.unescapeAll(state.src.slice(labelStart, labelEnd));
    pushPicture(state, mentionedUser(address) === undefined ? address : undefined, label);
  }
  state.pos = end + 1;
  return true;
}

function skipSpace(text: string, position: number): number {
  while (' \t\n'.includes(text[position] ?? '.')) position++;
  return position;
}

const parseWithBareAddresses = createParser({ linkify: true });
/** Skips the search in text without the start of a bare address, where it would find nothing. */
const parse = createParser({ linkify: false });
