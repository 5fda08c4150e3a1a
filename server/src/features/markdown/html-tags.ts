/**
 * The tags of HTML that people type into Markdown: those that GitHub and Discourse show, as far as the closed set of
 * `canonical-html.ts` has a place for them (decision 0149). A tag without its other half, or that crosses emphasis, is
 * text, as is any other tag.
 */

import { isLinkAddress } from 'confab-contract/values/canonical-html.ts';
import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';

/** What each pair of tags becomes. */
const elementOf: Readonly<Record<string, string>> = {
  a: 'a',
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  del: 's',
  s: 's',
  strike: 's',
  ins: 'ins',
  kbd: 'kbd',
  mark: 'mark',
  sub: 'sub',
  sup: 'sup',
};
const pairedTag = /<(\/?)(strong|strike|mark|del|ins|kbd|sub|sup|em|a|b|i|s)((?: [^<>]{1,2400})?)>/iy;
// A line end after it ends the same line.
const breakTag = /<br ?\/?>\n?/iy;
const imageTag = /<img( [^<>]{1,2400})>/iy;
const linkTarget = /^ (?:[a-z-]+="[^"]*" )*href="([^"\s]+)"/i;
const imageTarget = / src="([^"\s]+)"/i;
const imageText = / alt="([^"]*)"/i;

/** Lets a parser read tags within text. Their halves are tokens of the type `html_inline`; `pairTags` finds the pairs. */
export function readInlineTags(parser: MarkdownIt): void {
  parser.inline.ruler.at('html_inline', (state, silent) => {
    const end = readPairedTag(state, silent) ?? readBreak(state, silent) ?? readImage(state, silent);
    if (end === undefined) return false;
    state.pos = end;
    return true;
  });
}

/** Reads a start or end tag at the position of a text, and returns where it ends; undefined for none. */
function readPairedTag(state: StateInline, silent: boolean): number | undefined {
  const [tag, slash, name = '', attributes = ''] = matchHere(pairedTag, state) ?? [];
  if (tag === undefined) return undefined;
  const element = elementOf[name.toLowerCase()] ?? '';
  const isLink = element === 'a' && slash === '';
  const address = isLink ? addressIn(linkTarget, attributes, state.md) : undefined;
  // The others have no attributes here, because none of theirs would be kept.
  if (isLink ? address === undefined : attributes !== '') return undefined;
  if (!silent) {
    const token = state.push('html_inline', element, 0);
    token.content = tag;
    token.markup = slash ?? '';
    if (address !== undefined) token.attrs = [['href', address]];
  }
  return state.pos + tag.length;
}

function readBreak(state: StateInline, silent: boolean): number | undefined {
  const [tag] = matchHere(breakTag, state) ?? [];
  if (tag === undefined) return undefined;
  if (!silent) state.push('hardbreak', 'br', 0);
  return state.pos + tag.length;
}

/** A picture is a link to it, as in Markdown. */
function readImage(state: StateInline, silent: boolean): number | undefined {
  const [tag, attributes = ''] = matchHere(imageTag, state) ?? [];
  const address = addressIn(imageTarget, attributes, state.md);
  if (tag === undefined || address === undefined) return undefined;
  if (!silent) pushPicture(state, address, state.md.utils.unescapeAll(imageText.exec(attributes)?.[1] ?? ''));
  return state.pos + tag.length;
}

/** Adds a picture as a link with its text, or as its text alone where a link is around it. */
export function pushPicture(state: StateInline, address: string | undefined, text: string): void {
  const isLink = state.linkLevel === 0 && address !== undefined;
  if (isLink) state.push('link_open', 'a', 1).attrs = [['href', address]];
  if (text !== '') state.push('text', '', 0).content = text.replaceAll('\n', ' ');
  if (isLink) state.push('link_close', 'a', -1);
}

function matchHere(pattern: RegExp, { src, pos }: StateInline): RegExpExecArray | null {
  pattern.lastIndex = pos;
  return src[pos] === '<' ? pattern.exec(src) : null;
}

function addressIn(
  pattern: RegExp,
  attributes: string,
  { utils, normalizeLink }: MarkdownIt,
): string | undefined {
  const written = pattern.exec(attributes)?.[1];
  if (written === undefined) return undefined;
  const address = normalizeLink(utils.unescapeAll(written));
  return isLinkAddress(address) ? address : undefined;
}

/** The tokens of the type `html_inline` that have their other half, and cross no other element. */
export function pairTags(tokens: readonly Token[]): ReadonlySet<Token> {
  const paired = new Set<Token>();
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.type !== 'html_inline') {
      if (token.nesting === 1) open.push(token);
      if (token.nesting === -1) while (open.pop()?.type === 'html_inline');
    } else if (token.markup === '') open.push(token);
    else if (isStartOf(open.at(-1), token)) paired.add(token).add(open.pop() ?? token);
  }
  return paired;
}

/** Whether a tag is the start of what another ends. */
function isStartOf(start: Token | undefined, end: Token): boolean {
  return start?.type === 'html_inline' && start.tag === end.tag;
}

// White space stands in it once before an end: two runs side by side would take time quadratic in their length.
const detailsStart = /^<details(?: open(?:="")?)?>[ \t]*(?:<summary>(.*)<\/summary>[ \t]*)?$/i;
const detailsEnd = /^<\/details>[ \t]*$/i;
// A block of code can begin on the line of the item of a list that it is in.
const fenceStart = /^(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*(?:(`{3,})[^`]*|(~{3,}).*)$/;
const fenceEnd = /^(?:`{3,}|~{3,})[ \t]*$/;
const summaryLine = /^<summary>(.*)<\/summary>[ \t]*$/i;

type Spend = (visits: number) => boolean;

/**
 * Lets a parser read `<details>`, on a line of its own or with its `<summary>`, to the line `</details>`: Markdown that is
 * folded. `spend` is called with the visits to lines that each line costs that is looked at, and returns whether there may
 * be more.
 */
export function readDetails(parser: MarkdownIt, spend: Spend): void {
  parser.block.ruler.before(
    'reference',
    'details',
    (state, startLine, endLine, silent) => {
      const text = lineOf(state, startLine);
      // The visit itself is counted elsewhere.
      if (!text.startsWith('<') || !spend(charactersCost(text))) return false;
      const start = detailsStart.exec(text);
      if (start === null || state.sCount[startLine] !== state.blkIndent) return false;
      const last = lastLineOf(state, { startLine, endLine, spend });
      if (last === undefined) return false;
      if (silent) return true;
      const below = start[1] === undefined ? summaryLine.exec(lineOf(state, startLine + 1))?.[1] : undefined;
      state.push('details_open', 'details', 1);
      pushSummary(state, start[1] ?? below);
      tokenizeLines(state, startLine + (below === undefined ? 1 : 2), last);
      state.push('details_close', 'details', -1);
      state.line = last + 1;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
}

function lineOf({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
}

/** What the characters of a line cost in visits to lines: reading 32 of them takes about as long as one visit. */
function charactersCost(text: string): number {
  return text.length >> 5;
}

/**
 * The line that ends what begins at another; undefined where none does in the same quotation or item, or finding it costs
 * too much.
 */
function lastLineOf(
  state: StateBlock,
  { startLine, endLine, spend }: { startLine: number; endLine: number; spend: Spend },
): number | undefined {
  let depth = 1;
  // The mark of the block of code that a line is in: what stands there is no tag.
  let fence: string | undefined;
  for (let line = startLine + 1; line < endLine; line += 1) {
    const text = lineOf(state, line);
    if (!spend(1 + charactersCost(text))) return undefined;
    if (state.isEmpty(line)) continue;
    if ((state.sCount[line] ?? 0) < state.blkIndent) return undefined;
    if (fence !== undefined) {
      if (text.startsWith(fence) && fenceEnd.test(text)) fence = undefined;
      continue;
    }
    fence = fenceOf(text);
    if (detailsStart.test(text)) depth += 1;
    else if (detailsEnd.test(text)) depth -= 1;
    if (depth === 0) return line;
  }
  return undefined;
}

/** The mark of the block of code that begins on a line. */
function fenceOf(text: string): string | undefined {
  const [, backticks, tildes] = fenceStart.exec(text) ?? [];
  return backticks ?? tildes;
}

function pushSummary(state: StateBlock, text: string | undefined): void {
  if (text === undefined) return;
  state.push('summary_open', 'summary', 1);
  const inline = state.push('inline', '', 0);
  inline.content = text.trim();
  inline.children = [];
  state.push('summary_close', 'summary', -1);
}

function tokenizeLines(state: StateBlock, startLine: number, endLine: number): void {
  const { lineMax, parentType } = state;
  state.lineMax = endLine;
  state.md.block.tokenize(state, startLine, endLine);
  state.lineMax = lineMax;
  state.parentType = parentType;
}
