// Firefox before 125 has none, and cuts between units there.
const graphemes = Intl.Segmenter && new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a text in at most so many UTF-16 units, which cuts nothing in two that a reader sees as one character. */
export function beginningOf(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text;
  // What belongs together is decided by what stands before and by the one character after.
  const around = graphemes?.segment(text.slice(0, unitsMax + 2)).containing(unitsMax);
  return text.slice(0, around?.index || unitsMax);
}
