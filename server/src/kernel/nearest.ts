/** The number of edits between two words. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const above = previous[j] ?? 0;
      const diagonal = previous[j - 1] ?? 0;
      row.push(Math.min(above + 1, (row[j - 1] ?? 0) + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** The word of `known` that is closest to `word`, by the number of edits; undefined when none is close. */
export function nearestOf(word: string, known: readonly string[]): string | undefined {
  return known.toSorted((a, b) => distance(word, a) - distance(word, b))[0];
}
