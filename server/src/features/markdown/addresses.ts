/**
 * Bare addresses in text: where one starts and ends. The patterns of linkify-it match bracket pairs by backtracking and
 * take seconds for a hostile text of 64 KiB; here no character is read twice.
 */
import type { MarkdownIt } from 'markdown-it';

const start = /:\/\/|mailto:|www\./i;
const hostName = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._-]{0,252}[\p{L}\p{N}\p{M}])?|\[[0-9a-f:.]{2,45}\]/iuy;
const port = /:[0-9]{1,5}/y;
const userInformation = /(?::[^\s/?#@]{0,255})?@/y;
const pathStart = /[/?#]/y;
// White space, delimiters, controls and Latin signs end an address, and so do the blocks of punctuation and invisible
// characters: Arabic and Indic stops, general, CJK, vertical and full-width. Written as ranges because a class of Unicode
// properties takes ten times as long.
const pathRun =
  /[^\s<>"`\\|^()[\]\0-\x20\x7f-\xbf\u060c\u061b\u061f\u0964\u0965\u2000-\u206f\u3000-\u303f\ufe10-\ufe6f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]*/y;
const sentencePunctuation = "?!.,:;'*_~([";
const mailAddress = /[A-Za-z0-9.!#$&'*+/=?^_~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?/y;

/** Whether a text may contain a bare address; if false, it contains none. */
export function mayHoldBareAddress(text: string): boolean {
  return start.test(text);
}

/**
 * Makes linkify-it find `http://`, `https://`, `mailto:` and `www.` addresses, and nothing else. Punctuation at the end
 * belongs to the sentence, as does a closing bracket that the address did not open. An address with a user name stays
 * text, because the name could pass for the host.
 */
export function findOnlyBareAddresses(linkify: MarkdownIt['linkify']): void {
  // The rule calls `test` for each block and each run of text before it calls `match`; only `match` needs the search.
  const findAll = linkify.match.bind(linkify);
  linkify.test = mayHoldBareAddress;
  linkify.match = (text) => findAll(text) ?? [];
  const web = { validate: lengthOfWebAddress };
  linkify
    .set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false, maxLength: Number.MAX_SAFE_INTEGER })
    .add('ftp:', null)
    .add('//', null)
    .add('http:', web)
    .add('https:', web)
    .add('mailto:', { validate: (text, position) => lengthAt(mailAddress, text, position) })
    .add('www.', {
      validate: lengthOfWwwAddress,
      normalize(match) {
        match.url = `https://${match.url}`;
      },
    });
}

/**
 * The number of characters from the position after the scheme to the end of the address; 0 without an address. The same
 * holds for the functions below.
 */
function lengthOfWebAddress(text: string, position: number): number {
  if (!text.startsWith('//', position)) return 0;
  const hostLength = lengthAt(hostName, text, position + 2);
  return hostLength === 0 ? 0 : lengthWithRest(text, position, position + 2 + hostLength);
}

function lengthOfWwwAddress(text: string, position: number): number {
  const hostEnd = position + lengthAt(hostName, text, position);
  return text.slice(position, hostEnd).includes('.') ? lengthWithRest(text, position, hostEnd) : 0;
}

function lengthWithRest(text: string, position: number, hostEnd: number): number {
  if (lengthAt(userInformation, text, hostEnd) > 0) return 0;
  const end = hostEnd + lengthAt(port, text, hostEnd);
  return end - position + lengthOfPath(text, end);
}

function lengthOfPath(text: string, position: number): number {
  if (lengthAt(pathStart, text, position) === 0) return 0;
  const brackets: string[] = [];
  let end = position;
  for (;;) {
    end += lengthAt(pathRun, text, end);
    const next = text[end];
    if (next === '(' || next === '[') brackets.push(next === '(' ? ')' : ']');
    else if (next === undefined || next !== brackets.pop()) break;
    end++;
  }
  while (sentencePunctuation.includes(text.charAt(end - 1))) end--;
  return Math.max(0, end - position);
}

function lengthAt(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex - position : 0;
}
