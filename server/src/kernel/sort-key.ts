import { isAscii } from 'confab-contract/values/characters.ts';

// Accents, variation selectors and the skin tones of emoji (as UTF-16 halves, which is twice as fast as by code points).
const left = /[\u0300-\u036f\u180B-\u180D\u180F\uFE00-\uFE0F]|\uD83C[\uDFFB-\uDFFF]|\uDB40[\uDD00-\uDDEF]/g;
// The lower-case letters that full case folding maps to others and that remain after NFKD and lower case.
const variants = /[ßς\u1C80-\u1C88]/g;

/**
 * The letters of a name for its place in a list: full case folding (Unicode, CaseFolding.txt, C and F), without
 * compatibility forms and accents (U+0300 to U+036F). It is stricter than `fold`, which is for finding: letters that a
 * search holds equal have places of their own, and marks of other scripts count.
 */
function foldedName(name: string): string {
  if (isAscii(name)) return name.toLowerCase();
  return name
    .normalize('NFKD')
    .replace(left, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(variants, (letter) => letter.toUpperCase().toLowerCase());
}

/**
 * The number of folded characters (UTF-16) in a sort key, which precede the name itself: an index row of PostgreSQL has
 * at most 2704 bytes, and a name of 256 characters alone takes up to 1024.
 */
const foldedMax = 200;

/**
 * The sort key of a name: its folded letters, then its case and accents. Both engines compare keys by code points, so
 * lists are the same on each. Never empty.
 */
export function sortKey(name: string): string {
  return `${foldedName(name).slice(0, foldedMax).toWellFormed()}\u0001${name}`;
}

/** Compares two texts by code points, as the engines do; UTF-16 order puts emoji before some other characters. */
export function compareTexts(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
