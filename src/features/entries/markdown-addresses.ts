/**
 * Bare addresses in text: where one starts and ends. The patterns that linkify-it brings look for bracket pairs by
 * backtracking and take seconds for a hostile text of 64 KiB; these take time linear in the address.
 */
import type { MarkdownIt } from 'markdown-it';

type AddressFinder = MarkdownIt['linkify'];

/** A bare address longer than this stays text. It bounds the work where many addresses overlap. */
const bareAddressCharactersMax = 2048;

/** How far linkify-it shows the text after a scheme: enough to tell that an address is too long. */
const searchCharactersMax = bareAddressCharactersMax + 8;

const start = /:\/\/|mailto:|www\./i;
const hostName = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._-]{0,252}[\p{L}\p{N}\p{M}])?|\[[0-9a-f:.]{2,45}\]/iuy;
const port = /:[0-9]{1,5}/y;
const userInformation = /[:@]/y;
// White space, invisible characters, delimiters and the punctuation of other scripts (`。`, `”`) end an address.
const path = /[\/?#](?:[[[^\p{Z}\p{C}\p{P}][!-~]]--[<>"`\\\|^｜]])*/vy;
const trailingPunctuation = /[?!.,:;'*_~]+$/;
const mailAddress = /[A-Za-z0-9.!#$&'*+/=?^_~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?/y;
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/** Whether a text may hold a bare address. A text of which this is false holds none. */
export function mayHoldBareAddress(text: string): boolean {
  return start.test(text);
}

/**
 * Makes linkify-it find `http://`, `https://`, `mailto:` and `www.` addresses, and nothing else. Punctuation at the end
 * belongs to the sentence, as does a bracket without its partner. An address with a user name stays text: it would show
 * a link to the name in place of the host.
 */
export function findOnlyBareAddresses(linkify: AddressFinder): void {
  // The rule asks `test` of each block and each run of text before it asks `match`; only the last needs the search.
  const findAll = linkify.match.bind(linkify);
  linkify.test = mayHoldBareAddress;
  linkify.match = (text) => findAll(text) ?? [];
  const web = { validate: (text: string, position: number) => lengthOfWebAddress(text, position) };
  linkify
    .set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false, maxLength: searchCharactersMax })
    .add('ftp:', null)
    .add('//', null)
    .add('http:', web)
    .add('https:', web)
    .add('mailto:', { validate: (text, position) => matchAt(mailAddress, text, position).length })
    .add('www.', {
      validate: (text, position) => lengthOfHostAndPath(text, position, { needsDot: true }),
      normalize(match) {
        match.url = `https://${match.url}`;
      },
    });
}

function lengthOfWebAddress(text: string, position: number): number {
  if (!text.startsWith('//', position)) return 0;
  const length = lengthOfHostAndPath(text, position + 2, { needsDot: false });
  return length === 0 ? 0 : length + 2;
}

function lengthOfHostAndPath(text: string, position: number, { needsDot }: { needsDot: boolean }): number {
  const host = matchAt(hostName, text, position);
  if (host === '' || (needsDot && !host.includes('.'))) return 0;
  const pathStart = position + host.length + matchAt(port, text, position + host.length).length;
  if (matchAt(userInformation, text, pathStart) !== '' && !isSentenceEnd(text, pathStart)) return 0;
  const run = matchAt(path, text, pathStart);
  if (pathStart - position + run.length > bareAddressCharactersMax) return 0;
  return pathStart - position + balanced(run).replace(trailingPunctuation, '').length;
}

/** Whether the character at the position is a colon that ends a clause, not one before a password. */
function isSentenceEnd(text: string, position: number): boolean {
  return text[position] === ':' && /^\s?$/.test(text.charAt(position + 1));
}

/** The start of a path up to the first bracket without a partner. */
function balanced(run: string): string {
  const expected: { bracket: string; at: number }[] = [];
  for (let at = 0; at < run.length; at++) {
    const character = run.charAt(at);
    const partner = closing[character];
    if (partner !== undefined) expected.push({ bracket: partner, at });
    else if (character === ')' || character === ']') {
      if (expected.at(-1)?.bracket !== character) return run.slice(0, expected[0]?.at ?? at);
      expected.pop();
    }
  }
  return run.slice(0, expected[0]?.at);
}

function matchAt(pattern: RegExp, text: string, position: number): string {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? '';
}
