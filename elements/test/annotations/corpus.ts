import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seededRandom } from 'confab-testing/harness/random.ts';

/**
 * A corpus of quotes and of what became of them: a text of the public domain is edited as people edit, by a seed, and where
 * each of its characters went is kept, so that it is known where each quote is afterwards, or that it is gone.
 */

/** The beginning of "Alice's Adventures in Wonderland": 20,000 words. */
export const alice = readFileSync(join(import.meta.dirname, 'alice.txt'), 'utf8');

/** A quote of the text, and where it is in the edited text; undefined where most of it is gone. */
export type Case = {
  readonly start: number;
  readonly end: number;
  readonly truth: { readonly start: number; readonly end: number } | undefined;
  /** How much of it is left, from 0 to 1. */
  readonly left: number;
};

/** An edited text with its quotes. */
export type Revision = {
  readonly name: string;
  readonly text: string;
  /** Where each of its characters was; -1 where it was typed. */
  readonly origins: readonly number[];
  readonly cases: readonly Case[];
};

/** Where a quote was placed. */
type Placed = { readonly start: number; readonly end: number } | undefined;

/**
 * What a place is: `found`: where most of the quote is; `partly`: where a part of it is, and not most of it, or much besides;
 * `wrong`: where nothing of it is; `missed`: nowhere, though most of it is there; `gone`: nowhere, as it is.
 */
export type Verdict = 'found' | 'partly' | 'wrong' | 'missed' | 'gone';

/** The share of a place and of where the quote is that both have in common, at least, where it was found. */
const commonMin = 0.5;

/** Judges where a quote was placed. */
export function judge({ origins }: Revision, { start, end, truth }: Case, place: Placed): Verdict {
  if (place === undefined) return truth === undefined ? 'gone' : 'missed';
  const own = origins.slice(place.start, place.end).filter((origin) => origin >= start && origin < end);
  if (own.length === 0) return 'wrong';
  if (truth === undefined) return 'partly';
  const common = Math.min(place.end, truth.end) - Math.max(place.start, truth.start);
  const all = Math.max(place.end, truth.end) - Math.min(place.start, truth.start);
  return common / all >= commonMin ? 'found' : 'partly';
}

/** How a text is edited. */
const kinds = ['typing', 'cutting', 'moving', 'markup', 'mixed'] as const;
type Kind = (typeof kinds)[number];

/** The characters from one edit to the next on average: a light revision, and a heavy one. */
const pauses = [3000, 1000, 400, 200] as const;
/** The quotes of each revision: 5 kinds × 4 densities × 50 are a thousand. */
const quotesInRevision = 50;

/** A character with where it was; -1 where it was typed. */
type Edited = { characters: string[]; origins: number[] };

/** All revisions of the corpus of a seed. */
export function makeCorpus(seed: number, text = alice): Revision[] {
  const random = seededRandom(seed);
  return kinds.flatMap((kind) => pauses.map((pause) => makeRevision(random, { text, kind, pause })));
}

function makeRevision(
  random: Random,
  { text, kind, pause }: { readonly text: string; readonly kind: Kind; readonly pause: number },
): Revision {
  const edited: Edited = { characters: [...text], origins: [...text].map((_, at) => at) };
  const others = kinds.filter((each) => each !== 'mixed');
  for (let count = Math.round(text.length / pause); count > 0; count -= 1)
    edits[kind === 'mixed' ? random.draw(others) : kind](edited, random);
  const cases = Array.from({ length: quotesInRevision }, () => caseOf(chooseQuote(text, random), edited));
  const { characters, origins } = edited;
  return { name: `${kind} every ${pause}`, text: characters.join(''), origins, cases };
}

/** A word, a few words, or some sentences of the text. */
function chooseQuote(text: string, random: Random): { start: number; end: number } {
  const start = wordAt(text, below(random, text.length - 2000));
  const words = random.draw([1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 80]);
  let end = start;
  for (let word = 0; word < words; word += 1) {
    while (/\s/.test(text[end] ?? 'x')) end += 1;
    while (/\S/.test(text[end] ?? ' ')) end += 1;
  }
  return { start, end };
}

function wordAt(text: string, from: number): number {
  const space = text.slice(from).search(/\s\S/);
  return from + space + 1;
}

/** The part of a quote that has to be left for it to be there. */
const leftMin = 0.5;

/** Where a quote is: in the part of the edited text that has the most of it, without what lies far from the rest. */
function caseOf({ start, end }: { start: number; end: number }, { characters, origins }: Edited): Case {
  const at: number[] = [];
  for (const [index, origin] of origins.entries())
    if (origin >= start && origin < end && /\S/.test(characters[index] ?? '')) at.push(index);
  const whole = end - start;
  const room = whole * 2 + 200;
  let [best, count] = [0, 0];
  for (let from = 0, to = 0; from < at.length; from += 1) {
    while (to < at.length && (at[to] ?? 0) - (at[from] ?? 0) <= room) to += 1;
    if (to - from > count) [best, count] = [from, to - from];
  }
  const letters = origins.length === 0 ? 0 : lettersOf(start, end);
  const left = letters === 0 ? 0 : count / letters;
  const [first, last] = [at[best], at[best + count - 1]];
  const truth =
    left < leftMin || first === undefined || last === undefined ? undefined : { start: first, end: last + 1 };
  return { start, end, truth, left };
}

/** A whole number from 0 up to, and without, the limit. */
const below = (random: Random, limit: number) => random.integer(0, limit - 1);

const lettersOf = (start: number, end: number) => alice.slice(start, end).replace(/\s/g, '').length;

/** The edits. */
const edits: Readonly<Record<Exclude<Kind, 'mixed'>, (edited: Edited, random: Random) => void>> = {
  /** A wrong letter, another word, or some words or a sentence more. */
  typing(edited, random) {
    const { characters } = edited;
    const at = below(random, characters.length - 3000);
    const what = below(random, 4);
    if (what === 0) replace(edited, at, 1, random.draw([...'abcdefghijklmnopqrstuvwxyz']));
    else {
      const start = nextWord(edited, at);
      const words = typed(random, random.draw(what === 1 ? [1] : [1, 2, 4, 10, 25]));
      replace(edited, start, what === 1 ? lengthOfWords(edited, start, 1) : 0, `${words} `);
    }
  },
  /** Some words, a sentence or a paragraph less. */
  cutting(edited, random) {
    const start = nextWord(edited, below(random, edited.characters.length - 6000));
    replace(edited, start, lengthOfWords(edited, start, random.draw([1, 1, 2, 3, 6, 12, 30, 90])), '');
  },
  /** A sentence or a paragraph goes somewhere else. */
  moving(edited, random) {
    const length = edited.characters.length - 8000;
    const start = nextWord(edited, below(random, length));
    const count = lengthOfWords(edited, start, random.draw([6, 12, 20, 40, 90, 150]));
    const characters = edited.characters.splice(start, count);
    const origins = edited.origins.splice(start, count);
    const to = nextWord(edited, below(random, length));
    edited.characters.splice(to, 0, ...characters);
    edited.origins.splice(to, 0, ...origins);
  },
  /** Lines are broken elsewhere, quotation marks and dashes are typeset, and spaces are kept together. */
  markup(edited, random) {
    const { characters } = edited;
    const from = below(random, characters.length - 3000);
    const what = random.draw(['space', 'marks', 'join']);
    for (let at = from; at < from + 120; at += 1) {
      const character = characters[at] ?? '';
      if (what === 'space' && /\s/.test(character)) characters[at] = random.draw(['\n', ' ', '\u00a0', '\t']);
      if (what === 'marks') characters[at] = { '`': '‘', "'": '’', '-': '–' }[character] ?? character;
      if (what === 'join' && /\s/.test(character) && /\s/.test(characters[at + 1] ?? ''))
        replace(edited, at, 1, '');
    }
  },
};

function replace({ characters, origins }: Edited, at: number, count: number, text: string): void {
  characters.splice(at, count, ...text);
  origins.splice(at, count, ...[...text].map(() => -1));
}

function nextWord({ characters }: Edited, from: number): number {
  let at = from;
  while (/\S/.test(characters[at] ?? ' ')) at += 1;
  while (/\s/.test(characters[at] ?? 'x')) at += 1;
  return at;
}

function lengthOfWords(edited: Edited, from: number, words: number): number {
  let at = from;
  for (let word = 0; word < words; word += 1) at = nextWord(edited, at);
  return at - from;
}

const vocabulary = [...new Set(alice.toLowerCase().match(/[a-z]+/g))];

function typed(random: Random, words: number): string {
  return Array.from({ length: words }, () => random.draw(vocabulary)).join(' ');
}
