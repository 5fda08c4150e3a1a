/**
 * How texts are cut into words for search. Both the index and the question go through here, so that every engine
 * gives the same answers: the engine only compares words, it does not decide what a word is.
 */

import { fold, isAscii } from './fold.ts';

// Scripts written without spaces: each character is a word of its own, and a run of them is asked for as a phrase.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const letters = String.raw`[\p{L}\p{N}\p{M}]+`;
// Emoji and other symbols: a flag, a keycap, or a symbol with what is joined to it. The slash of fractions is the one
// symbol that folding makes of letters: ½ is 1 and 2, as 1/2 is.
const symbols = String.raw`[\u{1F1E6}-\u{1F1FF}]{2}|[#*]\u20E3|(?!\u2044)[\p{S}\p{ExtPict}](?:\u200D[\p{S}\p{ExtPict}]|[\u{E0020}-\u{E007F}])*`;
const wordOrSymbol = new RegExp(`${letters}|${symbols}`, 'gu');
const word = new RegExp(letters, 'gu');
// The same for folded text in ASCII, which most texts in Latin letters are once their accents are gone: a third of the time.
const asciiWord = /[a-z0-9]+/g;
const asciiWordOrSymbol = /[a-z0-9]+|[$+<=>^`|~]/g;
const beginsWord = /^[\p{L}\p{N}\p{M}]/u;
const symbol = /[\p{S}\p{ExtPict}]|\u20E3/u;
// The same for texts in Latin letters, of which most have none: a tenth of the time.
const possibleSymbol = /[$+<=>^`|~\u00A2-\u00B8\u00D7\u00F7]|[^\0-\u02C1]/;
// The cap above a digit that makes it a keycap; the digit counts, as that of a circled one does.
const cappedDigit = /(?<=[0-9])\u20E3/g;
/** The characters by which a word is known: PostgreSQL keeps 2046 bytes of one, and no question is that long. */
export const wordCharactersMax = 400;

/** The most words of a question. */
export const searchWordsMax = 32;

function words(text: string): string[] {
  const known = fold(text);
  const isPlain = isAscii(known);
  const folded = isPlain ? known : known.replace(cappedDigit, '');
  const hasSymbols = possibleSymbol.test(folded) && symbol.test(folded);
  const isSpaced = isPlain || !unspaced.test(folded);
  if (!hasSymbols) return spelt(folded.match(isPlain ? asciiWord : word) ?? [], isSpaced);
  const found: string[] = [];
  // Lines are drawn with symbols, so of those that stand together each counts once.
  const together = new Set<string>();
  for (const part of folded.match(isPlain ? asciiWordOrSymbol : wordOrSymbol) ?? []) {
    if (beginsWord.test(part)) {
      together.clear();
      found.push(...spelt([part], isSpaced));
    } else if (!together.has(part)) {
      together.add(part);
      found.push(symbolWord(part));
    }
  }
  return found;
}

function spelt(parts: readonly string[], isSpaced: boolean): string[] {
  if (isSpaced) return parts.map(shortened);
  return parts.flatMap((part) => (unspaced.test(part) ? splitUnspaced(part) : [part])).map(shortened);
}

const symbolMark = '\uE001';

/**
 * The word of a symbol: U+E001, with which no other word begins, and its code points. The engines' indexes keep letters,
 * digits and private characters only. Each code point has six digits, so that one symbol begins with another only where
 * others are joined to it: a family is found by its first member.
 */
function symbolWord(sign: string): string {
  let found = symbolMark;
  for (const character of sign)
    if (character !== '\u200D') found += (character.codePointAt(0) ?? 0).toString(16).padStart(6, '0');
  return shortened(found);
}

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
    } else if (/\p{M}/u.test(character) && spaced === '' && pieces.length > 0) {
      pieces[pieces.length - 1] += character;
    } else {
      spaced += character;
    }
  }
  if (spaced !== '') pieces.push(spaced);
  return pieces;
}

/** The words of the texts a person sees of one item, separated by single spaces, ready for the index. */
export function searchWords(...texts: (string | null | undefined)[]): string {
  return texts.flatMap((text) => (text ? words(text) : [])).join(' ');
}

/** A term of a question: consecutive words; the last one may be the beginning of a word unless it was quoted. */
export type SearchTerm = { readonly words: readonly string[]; readonly isPrefix: boolean };

/**
 * Reads a question: each word must match as a prefix, words in double quotes as an exact phrase. Never throws. Undefined
 * where nothing is asked, which lists everything; no terms where nothing can be found: in a question without a word, and
 * in one with more than `searchWordsMax`.
 */
export function parseQuestion(q: string | undefined): SearchTerm[] | undefined {
  if (q === undefined || q.trim() === '') return undefined;
  return termsOf(q) ?? [];
}

/** Whether a question has more than `searchWordsMax` words, so that it finds nothing. */
export function isQuestionTooLong(q: string | undefined): boolean {
  return q !== undefined && termsOf(q) === undefined;
}

/** The terms of a question, each once; undefined for too many words. */
function termsOf(q: string): SearchTerm[] | undefined {
  const terms = new Map<string, SearchTerm>();
  let count = 0;
  const parts = q.split('"');
  for (const [index, part] of parts.entries()) {
    const isQuoted = index % 2 === 1 && index < parts.length - 1;
    for (const piece of isQuoted ? [part] : part.split(/\s+/)) {
      const found = words(piece);
      count += found.length;
      if (count > searchWordsMax) return undefined;
      for (const phrase of isQuoted && found.length > 0 ? [found] : phrasesOf(found))
        terms.set(`${isQuoted} ${phrase.join(' ')}`, { words: phrase, isPrefix: !isQuoted });
    }
  }
  return [...terms.values()];
}

/** What stands together is a phrase, but for symbols, each of which is asked for by itself. */
function phrasesOf(found: readonly string[]): string[][] {
  const phrases: string[][] = [];
  let isOpen = false;
  for (const each of found) {
    const isSymbol = each.startsWith(symbolMark);
    if (isOpen && !isSymbol) phrases.at(-1)?.push(each);
    else phrases.push([each]);
    isOpen = !isSymbol;
  }
  return phrases;
}
