/**
 * How a quote with what was around it lies in a text that has changed. Pieces that both have are found for all quotes in one
 * pass over the text, and the pieces of a quote that lie in the order and at about the distance that they had are a chain. So
 * the time depends on the length of the text and not on how much of it has changed, and a sentence that was typed into a quote
 * costs a chain no more than a letter.
 */

/** A piece of a text that a quote has as well: where it is in both, and how long it is. */
export type Piece = { readonly inQuote: number; readonly inText: number; readonly length: number };

/** Pieces in the order of both, and how much they say: about the number of characters in them. */
export type Chain = { readonly pieces: readonly Piece[]; readonly score: number };

/** The least length of a piece. Shorter ones are in every text too often. */
const pieceMin = 6;
/** From how many positions of a quote pieces are looked for, and how often the text may have one, so that no text costs more. */
const seedsMax = 320;
const placesMax = 64;
/** What a gap between two pieces costs: something for being one, and more where it is of another length in the text. */
const gapCost = 2;
const shiftCost = 0.15;
const shiftCostMax = 14;
/** The longest that two neighbouring pieces lie apart in the text beyond the length of the quote. */
const apartMax = 600;

/** How many pieces before one may come before it in a chain. */
const beforesMax = 200;
const hashFactor = 0x01000193;
const slotMask = 0xffff;

/** Calls a function with the hash of each piece of a text that begins in a part of it. */
function walk(
  text: string,
  [from, to]: readonly [number, number],
  visit: (hash: number, at: number) => void,
): void {
  let power = 1;
  for (let each = 0; each < pieceMin; each += 1) power = Math.imul(power, hashFactor);
  let hash = 0;
  const end = Math.min(text.length, to + pieceMin - 1);
  for (let at = from; at < end; at += 1) {
    hash = (Math.imul(hash, hashFactor) + text.charCodeAt(at) + 1) | 0;
    if (at - from >= pieceMin) hash = (hash - Math.imul(text.charCodeAt(at - pieceMin) + 1, power)) | 0;
    if (at - from >= pieceMin - 1) visit(hash, at - pieceMin + 1);
  }
}

/** What lets the page go on. */
type Breathe = () => Promise<unknown> | undefined;

/** The pieces of quotes by their hash, so many at most, in few arrays: an object for each costs more than all else. */
function createPieces(most: number) {
  // The first piece of each slot; of each piece its hash, the next one in its slot, and how often the text has it.
  const slots = new Int32Array(slotMask + 1).fill(-1);
  const hashes = new Int32Array(most);
  const nexts = new Int32Array(most);
  const counts = new Uint32Array(most);
  // Where quotes have each piece, as one number each.
  const seeds: number[][] = [];
  const slotOf = (hash: number) => (hash ^ (hash >>> 16)) & slotMask;

  function find(hash: number): number {
    let piece = slots[slotOf(hash)] as number;
    while (piece >= 0 && hashes[piece] !== hash) piece = nexts[piece] as number;
    return piece;
  }

  return {
    find,
    counts,
    seeds,
    add(hash: number, seed: number): void {
      const known = find(hash);
      if (known >= 0) {
        seeds[known]?.push(seed);
        return;
      }
      const slot = slotOf(hash);
      const piece = seeds.push([seed]) - 1;
      hashes[piece] = hash;
      nexts[piece] = slots[slot] as number;
      slots[slot] = piece;
    },
  };
}

/**
 * Where pieces of the quotes are in the text, by quote and in the order of the text: pairs of positions in both, as one number
 * each.
 */
async function findHits(text: string, quotes: readonly string[], breathe: Breathe): Promise<number[][]> {
  const pieces = createPieces(quotes.reduce((sum, { length }) => sum + length, 0));
  for (const [quote, of] of quotes.entries()) {
    const step = Math.ceil(of.length / seedsMax);
    walk(of, [0, of.length], (hash, inQuote) => {
      if (inQuote % step === 0) pieces.add(hash, quote * inQuoteMax + inQuote);
    });
    await breathe();
  }
  const found: number[] = [];
  const places: number[] = [];
  for (let from = 0; from < text.length; from += partOfText) {
    walk(text, [from, from + partOfText], (hash, inText) => {
      const piece = pieces.find(hash);
      if (piece < 0) return;
      const count = (pieces.counts[piece] as number) + 1;
      pieces.counts[piece] = count;
      if (count > placesMax) return;
      found.push(piece);
      places.push(inText);
    });
    await breathe();
  }
  const hits: number[][] = quotes.map(() => []);
  for (const [at, piece] of found.entries()) {
    // What is everywhere says nothing.
    if ((pieces.counts[piece] as number) > placesMax) continue;
    for (const seed of pieces.seeds[piece] ?? []) {
      const inQuote = seed % inQuoteMax;
      hits[(seed - inQuote) / inQuoteMax]?.push((places[at] as number) * inQuoteMax + inQuote);
    }
    if (at % partOfText === 0) await breathe();
  }
  return hits;
}

/** How much of a text is walked at once, in characters. */
const partOfText = 8192;
/** More than the characters of a quote with its context. */
const inQuoteMax = 8192;

/** The longest pieces that the hits are part of, in the order of the text. */
function piecesOf(hits: readonly number[], quote: string, text: string): Piece[] {
  const ends = new Map<number, number>();
  const pieces: Piece[] = [];
  for (const hit of hits) {
    const inQuote = hit % inQuoteMax;
    const inText = (hit - inQuote) / inQuoteMax;
    const diagonal = inText - inQuote;
    if (inText < (ends.get(diagonal) ?? 0)) continue;
    let [from, to] = [inQuote, inQuote];
    while (to < quote.length && quote.charCodeAt(to) === text.charCodeAt(diagonal + to)) to += 1;
    while (from > 0 && quote.charCodeAt(from - 1) === text.charCodeAt(diagonal + from - 1)) from -= 1;
    // Two pieces can have one hash.
    if (to - inQuote < pieceMin) continue;
    ends.set(diagonal, diagonal + to);
    pieces.push({ inQuote: from, inText: diagonal + from, length: to - from });
  }
  return pieces.toSorted((a, b) => a.inText - b.inText);
}

/** What a piece adds to a chain that ends with another; negative infinity where it does not continue it. */
function gain(before: Piece, piece: Piece): number {
  const overlap = overlapOf(before, piece);
  if (overlap >= piece.length || piece.inQuote <= before.inQuote || piece.inText <= before.inText)
    return Number.NEGATIVE_INFINITY;
  const shift = Math.abs(piece.inQuote - before.inQuote - piece.inText + before.inText);
  return piece.length - overlap - gapCost - Math.min(shiftCostMax, shiftCost * shift);
}

/** How much of a piece the one before it in a chain has already. */
function overlapOf(before: Piece, piece: Piece): number {
  const quoteGap = piece.inQuote - before.inQuote - before.length;
  const textGap = piece.inText - before.inText - before.length;
  return Math.max(0, -quoteGap, -textGap);
}

/** The chains of a quote, best first; no two of them have a piece in common. */
function chainsOf(pieces: readonly Piece[], apart: number): Chain[] {
  const scores = new Float64Array(pieces.length);
  const befores = new Int32Array(pieces.length).fill(-1);
  let first = 0;
  for (const [at, piece] of pieces.entries()) {
    scores[at] = piece.length;
    while (first < at && (at - first > beforesMax || endOf(pieces[first] as Piece) + apart < piece.inText))
      first += 1;
    for (let each = first; each < at; each += 1) {
      const score = (scores[each] as number) + gain(pieces[each] as Piece, piece);
      if (score <= (scores[at] as number)) continue;
      scores[at] = score;
      befores[at] = each;
    }
  }
  const used = new Set<number>();
  const chains: Chain[] = [];
  const byScore = [...scores.keys()].toSorted((a, b) => (scores[b] as number) - (scores[a] as number));
  for (const end of byScore) {
    if (used.has(end) || chains.length === chainsMax) continue;
    const chain: Piece[] = [];
    for (let at = end; at >= 0; at = befores[at] as number) {
      if (used.has(at)) break;
      used.add(at);
      chain.unshift(pieces[at] as Piece);
    }
    chains.push({ pieces: withoutOverlaps(chain), score: scores[end] as number });
  }
  return chains;
}

/** How many chains of a quote are looked at. */
const chainsMax = 8;

const endOf = ({ inText, length }: Piece) => inText + length;

function withoutOverlaps(chain: readonly Piece[]): Piece[] {
  return chain.map((piece, at) => {
    const before = chain[at - 1];
    const overlap = before === undefined ? 0 : overlapOf(before, piece);
    const { inQuote, inText, length } = piece;
    return { inQuote: inQuote + overlap, inText: inText + overlap, length: length - overlap };
  });
}

/** The chains of each quote in a text, best first. `breathe` is called between two quotes. */
export async function align(text: string, quotes: readonly string[], breathe: Breathe): Promise<Chain[][]> {
  const hits = await findHits(text, quotes, breathe);
  const chains: Chain[][] = [];
  for (const [number, quote] of quotes.entries()) {
    await breathe();
    chains.push(chainsOf(piecesOf(hits[number] ?? [], quote, text), quote.length + apartMax));
  }
  return chains;
}
