import type { Chain, Piece } from './alignment.ts';
import { type Folded, fold } from './folded.ts';

/**
 * Finds quotes again in a text that may have changed: where the quote and what was around it is as it was, or else where most
 * of both still is. A quote that nothing but likeness speaks for is placed nowhere: a comment in a wrong place is worse than
 * one that says that its place is gone.
 */

/** The words that a comment is about with some of what was before and behind them, and where they began. */
export type Quote = {
  readonly exact: string;
  readonly prefix: string;
  readonly suffix: string;
  /** The position in the text when the quote was made; undefined where it is not known. */
  readonly hint: number | undefined;
};

/** A part of a text. `isChanged`: its words are not those of the quote. */
export type Place = { readonly start: number; readonly end: number; readonly isChanged: boolean };

/** The characters of context on each side with which a quote is kept: more where the text has it more than once. */
const contextLengths = [32, 64, 128, 256];
/** The longest quote. The server refuses a longer one. */
export const quoteMax = 4096;

/** How much of the nearest context, in folded characters, speaks for a place. */
const contextLooked = 28;

/** Makes the quote of a part of a text. */
export function makeQuote(text: string, start: number, end: number, folded: Folded = fold(text)): Quote {
  const exact = text.slice(start, end);
  const around = (length: number) => ({
    exact,
    prefix: wholeCharacters(text.slice(Math.max(0, start - length), start)),
    suffix: wholeCharacters(text.slice(end, end + length)),
    hint: start,
  });
  const [first = 0, ...more] = contextLengths;
  if (isOnce(folded.text, fold(exact).text)) return around(first);
  const length = more.find((each) => isOnce(folded.text, joined(around(each)).text)) ?? more.at(-1) ?? first;
  return around(length);
}

/** Half of a surrogate pair is no character, and no server takes it. */
const wholeCharacters = (text: string) => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');

const isOnce = (text: string, part: string) => text.indexOf(part) === text.lastIndexOf(part);

/** A quote with its context, folded, and where the quote is in it. */
type Joined = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether the text had the quote more than once, so that its words alone say nothing. */
  readonly isAmbiguous: boolean;
  readonly hint: number | undefined;
};

function joined({ exact, prefix, suffix, hint }: Quote): Joined {
  const [before, own, behind] = [prefix, exact, suffix].map((each) => fold(each).text) as [
    string,
    string,
    string,
  ];
  const isAmbiguous = Math.max(prefix.length, suffix.length) > (contextLengths[0] ?? 0);
  const start = before.length;
  return { text: before + own + behind, start, end: start + own.length, isAmbiguous, hint };
}

/**
 * Finds quotes in a text; undefined for each whose place is gone. `breathe` is called often, and may resolve later to let
 * the page be drawn.
 */
export async function placeQuotes(
  text: string,
  quotes: readonly Quote[],
  breathe: () => Promise<unknown> | undefined = () => undefined,
): Promise<(Place | undefined)[]> {
  const folded = fold(text);
  await breathe();
  const all = quotes.map(joined);
  const places: (Place | undefined)[] = [];
  for (const quote of all) {
    await breathe();
    places.push(findUnchanged(folded, quote));
  }
  const rest = [...all.keys()].filter((at) => places[at] === undefined && all[at]?.start !== all[at]?.end);
  if (rest.length === 0) return places;
  // Most pages are as they were, and need none of it.
  const { align } = await import('./alignment.ts');
  const chains = await align(
    folded.text,
    rest.map((at) => all[at]?.text ?? ''),
    breathe,
  );
  const choices = rest.map((at, number) => {
    const quote = all[at] as Joined;
    const candidates = (chains[number] ?? []).flatMap((chain) => candidateOf(folded, quote, chain) ?? []);
    return { at, quote, candidates };
  });
  for (const { at, quote, candidates } of choices) places[at] = choose(folded, quote, candidates);
  await breathe();
  // Where most quotes are says where the others are to be expected, so each is chosen once more.
  const expectedFor = expectations(all, places);
  for (const { at, quote, candidates } of choices)
    places[at] = choose(folded, quote, candidates, expectedFor(quote));
  return places;
}

/** The place of a quote where nothing in it and around it has changed; of several the one that is nearest to where it was. */
function findUnchanged(folded: Folded, { text, start, end, hint = 0 }: Joined): Place | undefined {
  if (start === end) return undefined;
  let best: number | undefined;
  const distance = (at: number) => Math.abs((folded.at[at + start] ?? 0) - hint);
  for (let at = folded.text.indexOf(text); at >= 0; at = folded.text.indexOf(text, at + 1))
    if (best === undefined || distance(at) < distance(best)) best = at;
    else break;
  return best === undefined ? undefined : placeOf(folded, best + start, best + end, false);
}

function placeOf({ at }: Folded, start: number, end: number, isChanged: boolean): Place {
  return { start: at[start] ?? 0, end: (at[end - 1] ?? 0) + 1, isChanged };
}

/** A chain as evidence of a place. */
type Candidate = {
  readonly start: number;
  readonly end: number;
  /** How many characters of the quote are there, and how many of the nearest context before and behind it. */
  readonly own: number;
  readonly before: number;
  readonly behind: number;
  /** The share of the quote with all of its context that is there. */
  readonly whole: number;
};

/** Where a quote is to be expected in the text, and by how much it may begin before or behind it to be near, in characters. */
type Expected = { readonly at: number; readonly reach: number };

/** How many places on each side of a quote say by how much the text has moved there. */
const neighboursMax = 3;
/** How far from where it is expected a quote is near: more where nothing close to it says so. */
const reachMin = 150;
const reachShare = 0.1;

/** Where quotes are to be expected: where they were, moved by as much as the middle one of those that were near them. */
function expectations(
  quotes: readonly Joined[],
  places: readonly (Place | undefined)[],
): (quote: Joined) => Expected | undefined {
  const known = quotes
    .flatMap(({ hint }, at) => {
      const place = places[at];
      return hint === undefined || place === undefined ? [] : [{ hint, moved: place.start - hint }];
    })
    .toSorted((a, b) => a.hint - b.hint);
  return ({ hint }) => {
    if (hint === undefined) return undefined;
    const following = known.findIndex((each) => each.hint >= hint);
    const middle = following < 0 ? known.length : following;
    const near = known.slice(Math.max(0, middle - neighboursMax), middle + neighboursMax);
    const moved = near.map((each) => each.moved).toSorted((a, b) => a - b);
    // The beginning of the text stays where it is.
    const apart = Math.min(hint, ...near.map((each) => Math.abs(each.hint - hint)));
    return { at: hint + (moved[moved.length >> 1] ?? 0), reach: reachMin + apart * reachShare };
  };
}

/** The place that the candidates of a quote speak for, where they speak for one alone. */
function choose(
  folded: Folded,
  quote: Joined,
  candidates: readonly Candidate[],
  expected?: Expected,
): Place | undefined {
  const isNear = ({ start }: Candidate) =>
    expected !== undefined && Math.abs((folded.at[start] ?? 0) - expected.at) <= expected.reach;
  const weightOf = (each: Candidate) => weight(each) + (isNear(each) ? nearWeight : 0);
  const isOne = (each: Candidate) =>
    isNear(each)
      ? isEnoughNear(quote, each) || isEnough(quote, each)
      : isEnough(quote, each, { isFar: expected !== undefined });
  const ranked = candidates.toSorted((a, b) => weightOf(b) - weightOf(a));
  const [best, second] = ranked;
  if (best === undefined || !isOne(best)) return undefined;
  if (second !== undefined && isOne(second) && weightOf(second) > weightOf(best) * marginMax)
    return undefined;
  const isChanged = best.own < quote.end - quote.start || best.end - best.start !== best.own;
  return placeOf(folded, best.start, best.end, isChanged);
}

/** How near the evidence of a second place may come to that of the first. */
const marginMax = 0.85;
/** How much it counts that a place is where the quote is to be expected, in characters of context. */
const nearWeight = 16;

const weight = ({ own, before, behind }: Candidate) => own * 2 + before + behind;

/**
 * Whether what a place has of a quote and its context is enough to be it, where nothing says that the quote is to be expected
 * there. `isFar`: it is to be expected elsewhere. The numbers were chosen by the corpus (`elements/test/annotations/`) and real
 * revisions with some seeds, and tried with others (0189).
 */
function isEnough(
  { start, end, isAmbiguous }: Joined,
  candidate: Candidate,
  { isFar }: { readonly isFar: boolean } = { isFar: false },
): boolean {
  const { own, before, behind, whole } = candidate;
  const length = end - start;
  const isUnchanged = own === length && candidate.end - candidate.start === own;
  const share = own / length;
  const context = before + behind;
  const isBetween = Math.min(before, behind) >= 10;
  if (isAmbiguous) {
    if (isFar && own < 6 && Math.max(before, behind) < contextLooked) return false;
    if (isUnchanged && Math.max(before, behind) === contextLooked) return true;
    return share >= 0.5 && own + context >= 20 && (isBetween || context >= 24) && whole >= 0.45;
  }
  if (isUnchanged) return own >= (isFar ? 24 : 12) || isBetween || context >= 12;
  if (isBetween && share >= 0.3 && own + context >= 44) return true;
  if (share >= 0.6 && context >= 12 && own + context >= 40) return true;
  return share >= 0.5 && own >= 40;
}

/** Whether what a place has of a quote and its context is enough where the quote is to be expected. */
function isEnoughNear({ start, end, isAmbiguous }: Joined, { own, before, behind }: Candidate): boolean {
  const share = own / (end - start);
  const context = before + behind;
  if (own < 6 || share < 0.4 || own + context < 18) return false;
  return isAmbiguous ? context >= 16 : context >= 10 || share >= 0.8;
}

function candidateOf({ text }: Folded, quote: Joined, { pieces }: Chain): Candidate | undefined {
  const { start: first, end: last } = quote;
  const ownOnes = ownPieces(quote, pieces);
  const inside = (of: readonly Piece[], from: number, to: number) =>
    of.reduce(
      (sum, { inQuote, length }) =>
        sum + Math.max(0, Math.min(inQuote + length, to) - Math.max(inQuote, from)),
      0,
    );
  const own = inside(ownOnes, first, last);
  const before = inside(pieces, first - contextLooked, first);
  const behind = inside(pieces, last, last + contextLooked);
  const whole = pieces.reduce((sum, { length }) => sum + length, 0) / quote.text.length;
  const bounds = boundsOf(quote, pieces, ownOnes);
  if (bounds === undefined || own === 0) return findBetween(text, quote, pieces, { before, behind, whole });
  return { ...bounds, own, before, behind, whole };
}

/** A quote that is too short to have a piece, between what was before and behind it. */
function findBetween(
  text: string,
  quote: Joined,
  pieces: readonly Piece[],
  evidence: Pick<Candidate, 'before' | 'behind' | 'whole'>,
): Candidate | undefined {
  const left = pieces.findLast(({ inQuote, length }) => inQuote + length <= quote.start);
  const right = pieces.find(({ inQuote }) => inQuote >= quote.end);
  if (left === undefined || right === undefined) return undefined;
  const from = left.inText + left.length;
  const gap = text.slice(from, right.inText);
  const words = quote.text.slice(quote.start, quote.end);
  const at = gap.indexOf(words);
  if (at < 0 || at !== gap.lastIndexOf(words)) return undefined;
  return { ...evidence, start: from + at, end: from + at + words.length, own: words.length };
}

/** The pieces of a quote that lie so near to one another that they are one place: those with the most of it. */
function ownPieces({ start: first, end: last }: Joined, pieces: readonly Piece[]): Piece[] {
  const own = pieces.filter(({ inQuote, length }) => inQuote < last && inQuote + length > first);
  const groups: Piece[][] = [];
  for (const piece of own) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const isNear =
      before !== undefined && piece.inText - before.inText - before.length <= apartMax(last - first);
    if (group !== undefined && isNear) group.push(piece);
    else groups.push([piece]);
  }
  const lengthOf = (group: readonly Piece[]) => group.reduce((sum, { length }) => sum + length, 0);
  return groups.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0] ?? [];
}

/** How much may have been written into a quote of a length in one place. */
const apartMax = (length: number) => 60 + length * 0.75;

/** Where a quote begins and ends in the text, by the pieces of it and of its context. */
function boundsOf(
  { start: first, end: last }: Joined,
  pieces: readonly Piece[],
  own: readonly Piece[],
): { start: number; end: number } | undefined {
  const [head, tail] = [own[0], own.at(-1)];
  if (head === undefined || tail === undefined) return undefined;
  const offset = ({ inQuote, inText }: Piece) => inText - inQuote;
  // Where the beginning or the end has changed, what is between the context and what is left of the quote belongs to it.
  const left = pieces.findLast(({ inQuote, length }) => inQuote + length <= first);
  const right = pieces.find(({ inQuote }) => inQuote >= last);
  const near = apartMax(last - first);
  const tailEnd = tail.inText + tail.length;
  const leftEnd = left === undefined ? Number.NEGATIVE_INFINITY : left.inText + left.length;
  let start = head.inQuote > first ? head.inText : first + offset(head);
  if (head.inQuote > first && start - leftEnd <= near) start = leftEnd;
  let end = Math.min(tailEnd, last + offset(tail));
  if (tail.inQuote + tail.length < last && right !== undefined && right.inText - end <= near)
    end = right.inText;
  return end > start ? { start: Math.max(0, start), end } : undefined;
}
