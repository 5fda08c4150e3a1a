import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fold } from '../../elements/src/annotations/folded.ts';
import { makeQuote, placeQuotes } from '../../elements/src/annotations/place.ts';

/** What finds quotes again in a text that has changed: ours, and what others use. Each gets quotes as it makes them itself. */

/** A part of a text, in characters. */
export type Part = { readonly start: number; readonly end: number };

/** Quotes of a text that are looked for in a revision of it. */
export type Task = { readonly before: string; readonly after: string; readonly quotes: readonly Part[] };

/** Where the quotes were placed, undefined for nowhere, and the milliseconds for all, without those of making them. */
export type Placed = { readonly places: readonly (Part | undefined)[]; readonly ms: number };

/** A way of finding quotes again. */
export type Matcher = { readonly name: string; place(task: Task): Promise<Placed> };

/** The characters of context that Hypothesis and `dom-anchor-text-quote` keep with a quote on each side. */
const contextLength = 32;

const load = createRequire(import.meta.url);

/** The element of this repository. */
export const ours: Matcher = {
  name: 'this element',
  async place({ before, after, quotes }) {
    const folded = fold(before);
    const made = quotes.map(({ start, end }) => makeQuote(before, start, end, folded));
    const begun = performance.now();
    const places = await placeQuotes(after, made);
    return { places, ms: performance.now() - begun };
  },
};

/** A quote with as much context as others keep. */
function described(text: string, { start, end }: Part) {
  return {
    exact: text.slice(start, end),
    prefix: text.slice(Math.max(0, start - contextLength), start),
    suffix: text.slice(end, end + contextLength),
    hint: start,
  };
}

/** Places the quotes of a task one by one. */
function placeEach(
  { before, after, quotes }: Task,
  find: (text: string, quote: ReturnType<typeof described>) => Part | null,
): Placed {
  const made = quotes.map((quote) => described(before, quote));
  const begun = performance.now();
  const places = made.map((quote) => find(after, quote) ?? undefined);
  return { places, ms: performance.now() - begun };
}

type MatchQuote = (text: string, quote: string, context: object) => Part | null;

/**
 * The client of Hypothesis. Its package has one bundle, whose source map contains the modules as they were written, so the
 * module that finds quotes is taken from there and run as it is. The client looks at the stored position first; this
 * module is all that it has once a text has changed.
 */
export async function loadHypothesis(): Promise<Matcher> {
  const folder = join(import.meta.dirname, '../node_modules/hypothesis');
  const { version } = load('hypothesis/package.json') as { version: string };
  const map = JSON.parse(readFileSync(join(folder, 'build/scripts/annotator.bundle.js.map'), 'utf8')) as {
    readonly sources: readonly string[];
    readonly sourcesContent: readonly string[];
  };
  const source = map.sourcesContent[map.sources.findIndex((each) => each.endsWith('/match-quote.ts'))];
  if (source === undefined) throw new Error('the bundle of Hypothesis has no match-quote.ts');
  const script = stripTypeScriptTypes(source).replaceAll(
    "'approx-string-match'",
    `'${import.meta.resolve('approx-string-match')}'`,
  );
  const { matchQuote } = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as {
    matchQuote: MatchQuote;
  };
  return {
    name: `Hypothesis client ${version}`,
    place: (task) =>
      Promise.resolve(placeEach(task, (text, { exact, ...context }) => matchQuote(text, exact, context))),
  };
}

type ToTextPosition = (
  root: { textContent: string },
  quote: object,
  options: { hint: number },
) => Part | null;

/** The library from which the client of Hypothesis went on, which compares texts with `diff-match-patch`. */
export const domAnchor: Matcher = {
  name: 'dom-anchor-text-quote 4.0.2',
  place(task) {
    const { toTextPosition } = load('dom-anchor-text-quote') as { toTextPosition: ToTextPosition };
    return Promise.resolve(
      placeEach(task, (text, { hint, ...quote }) => toTextPosition({ textContent: text }, quote, { hint })),
    );
  },
};
