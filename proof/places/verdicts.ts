import type { Verdict } from '../../elements/test/annotations/corpus.ts';
import type { Part } from './matchers.ts';

/** What became of quotes, counted. */

/** The share of a place that has to be in the verse of its quote. */
const insideMin = 0.5;
/** The share of the words of a quote that have to be in its verse, in their order, for the quote to be there at all. */
const leftMin = 0.5;

/** A quote that was placed wrongly, to be read. */
export type Wrong = {
  readonly task: string;
  readonly quote: string;
  /** What is at the place, and what is where the quote has to be. */
  readonly placed: string;
  readonly expected: string;
};

/**
 * Judges where a quote was placed by the verse in which it has to be found: `found`: mostly in the verse; `partly`: a part of it
 * is; `wrong`: in other verses; `missed`: nowhere, though the verse has half of its words in their order; `gone`: nowhere, as
 * they are. What is placed in the verse at the wrong words of it counts as found, because a number says no more.
 */
export function judgeVerse(
  { before, after }: { readonly before: string; readonly after: string },
  { start, end, truth }: Part & { readonly truth: Part },
  place: Part | undefined,
): Verdict {
  if (place === undefined) {
    const share = sharedWords(before.slice(start, end), after.slice(truth.start, truth.end));
    return share < leftMin ? 'gone' : 'missed';
  }
  const inside = Math.min(place.end, truth.end) - Math.max(place.start, truth.start);
  if (inside <= 0) return 'wrong';
  return inside >= (place.end - place.start) * insideMin ? 'found' : 'partly';
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The share of the words of a quote that a text has in their order: their longest common subsequence. */
function sharedWords(quote: string, text: string): number {
  const [own, others] = [wordsOf(quote), wordsOf(text)];
  let row = new Array<number>(others.length + 1).fill(0);
  for (const word of own) {
    const next = [0];
    for (const [at, other] of others.entries())
      next.push(word === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return (row.at(-1) ?? 0) / Math.max(1, own.length);
}

/** The verdicts on one way of finding quotes, and how long it took in all, in milliseconds. */
export type Tally = { readonly counts: Record<Verdict, number>; ms: number };

/** Starts counting. */
export function emptyTally(): Tally {
  return { counts: { found: 0, partly: 0, wrong: 0, missed: 0, gone: 0 }, ms: 0 };
}

/** The tallies as a table in Markdown, with the name of the corpus as its title. */
export function tableOf(title: string, tallies: ReadonlyMap<string, Tally>): string {
  const rows = [...tallies].map(([name, { counts, ms }]) => {
    const cells = [counts.found, counts.partly, counts.wrong, counts.missed, counts.gone, Math.round(ms)];
    return `| ${[name, ...cells.map((cell) => cell.toLocaleString('en'))].join(' | ')} |`;
  });
  return [
    `| ${title} | Found | In part | Wrong | Missed | Gone | ms for all |`,
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
