/**
 * Splits texts into words for search, both for the index and for queries. Engines only compare words and
 * split no texts, so every engine returns the same results.
 */

import { isAscii } from 'confab-contract/values/characters.ts';
import { fold, foldedCharacters } from './fold.ts';

const { letters: letter, marks, unspaced: unspacedLetter, symbols: anySymbol } = foldedCharacters;

// Scripts written without spaces: each character is a word, and a run of them in a query is a phrase.
const unspaced = new RegExp(`[${unspacedLetter}]`, 'u');
const mark = new RegExp(`[${marks}]`, 'u');
const letters = `[${letter}]+`;
// Emoji and other symbols: a flag, a keycap, or a symbol with all that is joined to it. Folding creates only one symbol, the
// slash of fractions: ½ becomes 1 and 2, like 1/2.
const symbols = String.raw`[\u{1F1E6}-\u{1F1FF}]{2}|[#*]\u20E3|(?!\u2044)[${anySymbol}](?:\u200D[${anySymbol}]|[\u{E0020}-\u{E007F}])*`;
const wordOrSymbol = new RegExp(`${letters}|${symbols}`, 'gu');
const word = new RegExp(letters, 'gu');
// The same for folded ASCII text, in a third of the time. Most texts in Latin letters are ASCII after
// folding.
const asciiWord = /[a-z0-9]+/g;
const asciiWordOrSymbol = /[a-z0-9]+|[$+<=>^`|~]/g;
const beginsWord = new RegExp(`^${letters}`, 'u');
const symbol = new RegExp(String.raw`[${anySymbol}]|\u20E3`, 'u');
// A quick test: most texts in Latin letters have no symbol, and it takes a tenth of the time.
const possibleSymbol = /[$+<=>^`|~\u00A2-\u00B8\u00D7\u00F7]|[^\0-\u02C1]/;
/**
 * The most characters of an indexed word: PostgreSQL keeps 2046 bytes of a word, and no query is that long.
 */
export const wordCharactersMax = 400;

/**
 * The version of the search words. Raise it when `searchWords` returns other words for a text than before, so
 * that every store renews its words (`features/renewal`).
 */
export const wordsVersion = 2;

/** The most words of a query. */
export const searchWordsMax = 32;

function words(text: string): string[] {
  const folded = fold(text);
  const isPlain = isAscii(folded);
  const hasSymbols = possibleSymbol.test(folded) && symbol.test(folded);
  const isSpaced = isPlain || !unspaced.test(folded);
  if (!hasSymbols) return spelt(folded.match(isPlain ? asciiWord : word) ?? [], isSpaced);
  const words: string[] = [];
  // Users draw lines with symbols, so each symbol of a run counts once.
  const together = new Set<string>();
  for (const part of folded.match(isPlain ? asciiWordOrSymbol : wordOrSymbol) ?? []) {
    const sign = asciiSigns.get(part) ?? (isPlain || beginsWord.test(part) ? undefined : symbolWord(part));
    if (sign === undefined) {
      together.clear();
      if (isSpaced) words.push(shortened(part));
      else words.push(...spelt([part], isSpaced));
    } else if (!together.has(sign)) {
      together.add(sign);
      words.push(sign);
    }
  }
  return words;
}

function spelt(parts: readonly string[], isSpaced: boolean): string[] {
  if (isSpaced) return parts.map(shortened);
  return parts.flatMap((part) => (unspaced.test(part) ? splitUnspaced(part) : [part])).map(shortened);
}

const symbolMark = '\uE001';

/**
 * The word for a symbol: U+E001, which starts no other word, and its code points. The engines index only letters, digits
 * and private-use characters. Each code point has six digits, so a symbol is a prefix of another only if more symbols are
 * joined to it: a family is found by its first member.
 */
function symbolWord(sign: string): string {
  let text = symbolMark;
  for (const character of sign)
    if (character !== '\u200D') text += (character.codePointAt(0) ?? 0).toString(16).padStart(6, '0');
  return shortened(text);
}

/** The words of the ASCII symbols, computed once: a text may consist of nothing else. */
const asciiSigns = new Map([...'$+<=>^`|~'].map((sign) => [sign, symbolWord(sign)]));

function shortened(part: string): string {
  return part.length <= wordCharactersMax ? part : [...part].slice(0, wordCharactersMax).join('');
}

function splitUnspaced(part: string): string[] {
  const pieces: string[] = [];
  let spaced = '';
  for (const character of part) {
    if (unspaced.test(character)) {
      if (spaced !== '') pieces.push(spaced);
      spaced = '';
      pieces.push(character);
    } else if (mark.test(character) && spaced === '' && pieces.length > 0) {
      pieces[pieces.length - 1] += character;
    } else {
      spaced += character;
    }
  }
  if (spaced !== '') pieces.push(spaced);
  return pieces;
}

/** The words of the visible texts of one item, separated by single spaces, ready for the index. */
export function searchWords(...texts: (string | null | undefined)[]): string {
  return texts.flatMap((text) => (text ? words(text) : [])).join(' ');
}

/** A term of a query: consecutive words; unless quoted, the last one may be a prefix. */
export type SearchTerm = { readonly words: readonly string[]; readonly isPrefix: boolean };

/**
 * Parses a query: each word matches as a prefix, words in double quotes as an exact phrase. Never throws. Returns undefined
 * for an empty query, which lists everything, and no terms for a query that cannot match: one without a word, or with more
 * than `searchWordsMax`.
 */
export function parseQuestion(q: string | undefined): SearchTerm[] | undefined {
  if (q === undefined || q.trim() === '') return undefined;
  return termsOf(q) ?? [];
}

/** Whether a query has more than `searchWordsMax` words and so matches nothing. */
export function isQuestionTooLong(q: string | undefined): boolean {
  return q !== undefined && termsOf(q) === undefined;
}

/** The distinct terms of a query; undefined for too many words. */
function termsOf(q: string): SearchTerm[] | undefined {
  const terms = new Map<string, SearchTerm>();
  let count = 0;
  const parts = q.split('"');
  for (const [index, part] of parts.entries()) {
    const isQuoted = index % 2 === 1 && index < parts.length - 1;
    for (const piece of isQuoted ? [part] : part.split(/\s+/)) {
      const parts = words(piece);
      count += parts.length;
      if (count > searchWordsMax) return undefined;
      for (const phrase of isQuoted && parts.length > 0 ? [parts] : phrasesOf(parts))
        terms.set(`${isQuoted} ${phrase.join(' ')}`, { words: phrase, isPrefix: !isQuoted });
    }
  }
  return [...terms.values()];
}

/** Adjacent words form a phrase; each symbol is a term of its own. */
function phrasesOf(words: readonly string[]): string[][] {
  const phrases: string[][] = [];
  let isOpen = false;
  for (const each of words) {
    const isSymbol = each.startsWith(symbolMark);
    if (isOpen && !isSymbol) phrases.at(-1)?.push(each);
    else phrases.push([each]);
    isOpen = !isSymbol;
  }
  return phrases;
}
