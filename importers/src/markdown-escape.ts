/**
 * Writes text so that Markdown (CommonMark 0.31 with tables and strike-through) shows it unchanged. Only what would be
 * read as markup is escaped, because users edit the result.
 */
import { isLinkAddress } from 'confab-contract/values/canonical-html.ts';

/** One word of running text, without white space. Line starts need `protectLineStarts` as well. */
export function escapeWord(word: string): string {
  return word.replace(escapable, (match, index: number) => {
    const before = word[index - 1];
    const after = word[index + match.length];
    // Between letters an underscore is never markup, and escaping it would split an email address.
    if (match === '_' && isLetter(before) && isLetter(after)) return match;
    // A single tilde is not markup, but one at the edge could meet another from the neighbouring word or style.
    if (match === '~' && before !== undefined && after !== undefined && before !== '~' && after !== '~')
      return match;
    return `\\${match}`;
  });
}
const escapable = /[\\`*[\]<|_~]|&(?=#?[0-9A-Za-z]+;)/g;

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** Escapes what begins a heading, list, quotation, rule or table at the start of any line of `text`. */
export function protectLineStarts(text: string): string {
  return text.replace(/^(?=[-=>#]|\+(?:\s|$)|:-)/gm, '\\').replace(/^([0-9]{1,9})(?=[.)](?:\s|$))/gm, '$1\\');
}

/** Code within a line; white space is collapsed as a browser shows it. */
export function codeSpan(code: string): string {
  const text = code.replace(/\s+/g, ' ').trim();
  const fence = '`'.repeat(longestBackticks(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + pad + text + pad + fence;
}

/** A block of code; `language` is its programming language or empty. */
export function codeBlock(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestBackticks(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function longestBackticks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/**
 * The address of a link, percent-encoded as far as Markdown and the renderer need it. Undefined for an address that the
 * renderer would not link, such as a relative one: of such a link only the text is kept.
 */
export function linkAddress(href: string): string | undefined {
  const trimmed = href.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  // The address is reassembled from host and path below and would lose these.
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  const tail = `${url.pathname}${url.search}${url.hash}`
    .replace(/[^A-Za-z0-9\-._~!$&'*+,;=:@/?#%]/gu, (character) => percentEncoded(character))
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    // `&copy;` in an address would be read as an entity.
    .replace(/&(?=#?[0-9A-Za-z]+;)/g, '%26');
  const isBareHost = tail === '/' && !trimmed.endsWith('/');
  const address =
    url.protocol === 'mailto:' ? `mailto:${tail}` : `${url.protocol}//${url.host}${isBareHost ? '' : tail}`;
  return isLinkAddress(address) ? address : undefined;
}

function percentEncoded(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
