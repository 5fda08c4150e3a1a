import { isAscii } from 'confab-contract/values/characters.ts';
import { foldTable } from './fold-table.ts';

/**
 * Folds texts for search, by a table that is made of the collation for searching of CLDR. Nothing here depends on the data
 * that this Node has of Unicode, so all nodes of a store find the same. Names have an order of their own (`sort-key.ts`).
 */

/** A set of code points, as ranges that include their ends; see `encodeSet` in server/generate/code-points.ts. */
function rangesOf(encoded: string): (readonly [number, number])[] {
  let before = 0;
  return encoded
    .trim()
    .split(/\s+/)
    .map((range) => {
      const [gap = '', more = '0'] = range.split('.');
      const start = before + Number.parseInt(gap, 36);
      before = start + Number.parseInt(more, 36);
      return [start, before] as const;
    });
}

function patternOf(encoded: string): string {
  const hex = (code: number) => `\\u{${code.toString(16)}}`;
  return rangesOf(encoded)
    .map(([start, end]) => (start === end ? hex(start) : `${hex(start)}-${hex(end)}`))
    .join('');
}

/** The characters of folded texts, each kind for the brackets of a pattern with the flag `u`. */
export const foldedCharacters = {
  /** All that are in words. */
  letters: patternOf(foldTable.letters),
  /** Letters that belong to the one before. */
  marks: patternOf(foldTable.marks),
  /** Letters of scripts that are written without spaces between words. */
  unspaced: patternOf(foldTable.unspaced),
  /** Those that are words by themselves. */
  symbols: patternOf(foldTable.symbols),
} as const;

/** What a joiner can follow: a symbol, or a sign that has a keycap. */
const joinedTo = new RegExp(`^[#*${foldedCharacters.symbols}]$`, 'u');

// The place in `texts` of what a character folds into; 0 for one that stays.
const inPlane0 = new Uint16Array(0x10000);
const beyond = new Map<number, number>();
const texts = ['', ''];
/** The place for the first character of a pair, which is dropped anywhere else. */
const beginsPair = 1;
const pairs = new Map<string, string>();

// The syllables of Hangul: what a lead and a vowel fold into, in the order of the code points (Unicode 17, section 3.12),
// and what a tail does. The collation takes a tail for the lead of the same sound, so 각 is 가 with ᄀ behind it.
const [syllablesFrom, syllablesTo] = [0xac00, 0xd7a3];
const [vowelsFrom, vowelCount] = [0x1161, 21];
/** What a lead and a vowel fold into, in the order of the code points, and what a tail does. */
type Syllables = { readonly open: readonly string[]; readonly tails: readonly string[] };
/** Undefined until the first text that is not ASCII: reading the table takes some megabytes, which not every process needs. */
let syllables: Syllables | undefined;
// A lead and a vowel may also come from characters of their own.
const leadAndVowel = /[\u1100-\u1112][\u1161-\u1175]/g;

/** Reads what single characters fold into. */
function readCharacters(): void {
  for (const line of foldTable.folded.trim().split('\n')) {
    const [points = '', encoded = ''] = line.split(':');
    const text =
      points === ''
        ? ''
        : String.fromCodePoint(...points.split('.').map((point) => Number.parseInt(point, 36)));
    const number = texts.push(text) - 1;
    for (const [start, end] of rangesOf(encoded))
      for (let code = start; code <= end; code += 1)
        if (code > 0xffff) beyond.set(code, number);
        else inPlane0[code] = number;
  }
}

/** Reads the pairs of characters that are read together. */
function readPairs(): void {
  for (const [start, end] of rangesOf(foldTable.pairs))
    for (let code = start; code <= end; code += 1) {
      const pair = String.fromCharCode(code);
      const parts = pair.normalize('NFKD');
      pairs.set(parts, pair);
      inPlane0[parts.charCodeAt(0)] = beginsPair;
    }
}

function readTable(): Syllables {
  readCharacters();
  readPairs();
  const leads = foldedJamo(0x1100, 19);
  const vowels = foldedJamo(vowelsFrom, vowelCount);
  const tails = ['', ...foldedJamo(0x11a8, 27)];
  for (const [index, vowel] of vowels.entries()) inPlane0[vowelsFrom + index] = texts.push(vowel) - 1;
  return { open: leads.flatMap((lead) => vowels.map((vowel) => (lead + vowel).normalize('NFC'))), tails };
}

function isVowel(code: number): boolean {
  return code >= vowelsFrom && code < vowelsFrom + vowelCount;
}

function foldedJamo(first: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => texts[inPlane0[first + index] ?? 0] || String.fromCharCode(first + index),
  );
}

function foldedSyllable({ open, tails }: Syllables, code: number): string {
  const index = code - syllablesFrom;
  return `${open[Math.floor(index / 28)]}${tails[index % 28]}`;
}

/** U+200D, the frame of a keycap, and the letters of a flag, which belong to a symbol and are dropped anywhere else. */
function isJoiner(code: number): boolean {
  return code === 0x200d || code === 0x20e3 || (code >= 0xe0020 && code <= 0xe007f);
}

function endsInSymbol(text: string): boolean {
  const half = text.codePointAt(text.length - 2) ?? 0;
  const code = half > 0xffff ? half : (text.codePointAt(text.length - 1) ?? 0);
  return isJoiner(code) || joinedTo.test(String.fromCodePoint(code));
}

// More marks in a row than any writing needs (Stream-Safe Text Format, UAX 15). NFC takes 0.4 s for 64 KiB of them, because
// its time grows with the square of a run; a text of 2,000 characters takes 2 ms.
const dropped = patternOf(/^:(.*)$/m.exec(foldTable.folded)?.[1] ?? '');
const anyMark = `[${dropped}${foldedCharacters.marks}]`;
const longRun = new RegExp(`(${anyMark}{30})${anyMark}+`, 'gu');
const longCharacters = 2000;

// The dot that Catalan writes between two l, the only sign besides letters and marks that the collation reads together with
// a letter.
const dottedL = /l\u00b7(?=l)/g;

/**
 * `text` without differences that search ignores. Words have equal results if the collation for searching of CLDR holds
 * them equal at base strength (`Intl.Collator`, `und`, `search`): case, accents, vowel signs and points, forms of letters,
 * kana and digits, and characters that nobody sees. Decision 0150 lists the exceptions, which `server/test/once/kernel/fold.test.ts`
 * tests.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  syllables ??= readTable();
  const composed = (text.length > longCharacters ? text.replace(longRun, '$1') : text).normalize('NFC');
  let folded = '';
  // The piece at the end of it, which is read faster than a text that grows.
  let last = '';
  let hasLoneVowel = false;
  let from = 0;
  const add = (piece: string) => {
    if (piece === '') return;
    folded += piece;
    last = piece;
  };
  for (let at = 0; at < composed.length; at += 1) {
    const start = at;
    const unit = composed.charCodeAt(at);
    let number = inPlane0[unit] ?? 0;
    // Neither a syllable nor half of a character.
    if (number === 0 && unit < syllablesFrom) continue;
    let code = unit;
    if (unit >= 0xd800 && unit <= 0xdbff) {
      code = composed.codePointAt(at) ?? unit;
      number = beyond.get(code) ?? 0;
      if (code > 0xffff) at += 1;
    }
    const isSyllable = code >= syllablesFrom && code <= syllablesTo;
    if (number === 0 && !isSyllable) continue;
    add(composed.slice(from, start));
    const pair = number === beginsPair ? pairs.get(composed.slice(at, at + 2)) : undefined;
    if (pair !== undefined) at += 1;
    from = at + 1;
    if (isSyllable) add(foldedSyllable(syllables, code));
    else if (isJoiner(code) && endsInSymbol(last)) add(String.fromCodePoint(code));
    else add(pair ?? texts[number] ?? '');
    hasLoneVowel ||= !isSyllable && isVowel(last.charCodeAt(0));
  }
  add(composed.slice(from));
  if (hasLoneVowel) folded = folded.replace(leadAndVowel, (both) => both.normalize('NFC'));
  return folded.includes('\u00b7') ? folded.replace(dottedL, 'l') : folded;
}
