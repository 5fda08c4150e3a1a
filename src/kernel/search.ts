/**
 * How texts are cut into words for search. Both the index and the question go through here, so that every engine
 * gives the same answers: the engine only compares words, it does not decide what a word is.
 */

// Scripts written without spaces: each character is a word of its own, and a run of them is asked for as a phrase.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const word = /[\p{L}\p{N}\p{M}]+/gu;
const ascii = /^\p{ASCII}*$/u;
/** The characters by which a word is known: PostgreSQL keeps 2046 bytes of one, and no question is that long. */
export const wordCharactersMax = 400;

/** The most words of a question that are looked at; the rest are ignored. */
export const searchWordsMax = 16;
/** The most characters of a question that are looked at; the rest are ignored. */
export const searchCharactersMax = 256;

// Lower case, with the accents that people leave out (U+0300 to U+036F) folded away. Marks of other scripts are
// vowels and stay. The sigma that ends a word is the one inside a word; the index of SQLite has no other.
function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ');
}

function words(text: string): string[] {
  const found = fold(text).match(word) ?? [];
  if (ascii.test(text) || !unspaced.test(text)) return found.map(shortened);
  return found.flatMap((part) => (unspaced.test(part) ? splitUnspaced(part) : [part])).map(shortened);
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
 * Reads a question: each word must match as a prefix, words in double quotes as an exact phrase. Never throws; a
 * question without any word asks for nothing and yields undefined, which lists everything.
 */
export function parseQuestion(q: string | undefined): SearchTerm[] | undefined {
  if (q === undefined) return undefined;
  const terms: SearchTerm[] = [];
  let budget = searchWordsMax;
  q.slice(0, searchCharactersMax)
    .split('"')
    .forEach((part, index, parts) => {
      const isQuoted = index % 2 === 1 && index < parts.length - 1;
      for (const piece of isQuoted ? [part] : part.split(/\s+/)) {
        const found = words(piece).slice(0, budget);
        if (found.length === 0) continue;
        budget -= found.length;
        terms.push({ words: found, isPrefix: !isQuoted });
      }
    });
  return terms.length === 0 ? undefined : terms;
}
