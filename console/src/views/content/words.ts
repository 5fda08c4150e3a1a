/** The differences between two texts, by words. */

/** A piece of text that both have, or that only the later or only the earlier one has. */
export type Piece = { readonly text: string; readonly state: 'same' | 'added' | 'removed' };

/** Longer differences are shown whole: comparing them word by word would take the browser too long. */
const comparisonsMax = 2_000_000;

function wordsOf(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** The pieces that make `later` from `earlier`, in order. */
export function compareWords(earlier: string, later: string): readonly Piece[] {
  const a = wordsOf(earlier);
  const b = wordsOf(later);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const middle = between(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return joined([
    { text: a.slice(0, start).join(''), state: 'same' },
    ...middle,
    { text: a.slice(a.length - end).join(''), state: 'same' },
  ]);
}

/** The longest common subsequence of two lists of words decides what is the same. */
function between(a: readonly string[], b: readonly string[]): readonly Piece[] {
  if (a.length * b.length > comparisonsMax)
    return [
      { text: a.join(''), state: 'removed' },
      { text: b.join(''), state: 'added' },
    ];
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pieces: Piece[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length)
    if (i < a.length && j < b.length && a[i] === b[j]) {
      pieces.push({ text: a[i] ?? '', state: 'same' });
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      pieces.push({ text: a[i] ?? '', state: 'removed' });
      i += 1;
    } else {
      pieces.push({ text: b[j] ?? '', state: 'added' });
      j += 1;
    }
  return pieces;
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (piece.text === '') continue;
    if (last?.state === piece.state) found[found.length - 1] = { ...last, text: last.text + piece.text };
    else found.push(piece);
  }
  return found;
}
