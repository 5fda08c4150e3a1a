/** What an edit has changed, word by word. */

/** A piece of a text that was removed, added or kept. */
export type Piece = { readonly kind: 'kept' | 'removed' | 'added'; readonly text: string };

/** Longer texts are shown whole: the comparison takes the product of both lengths. */
const wordsMax = 1500;

/** The pieces of two versions of a text, in their order. */
export function changes(before: string, after: string): readonly Piece[] {
  const a = before.split(/(?<=\s)/);
  const b = after.split(/(?<=\s)/);
  if (a.length > wordsMax || b.length > wordsMax)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  const width = b.length + 1;
  /** The length of the longest common part of what follows, for each pair of places. */
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pieces: { kind: Piece['kind']; text: string }[] = [];
  const add = (kind: Piece['kind'], text = '') => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add('kept', a[i]);
      i += 1;
      j += 1;
    } else if (j === b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      add('removed', a[i]);
      i += 1;
    } else {
      add('added', b[j]);
      j += 1;
    }
  }
  return pieces;
}
