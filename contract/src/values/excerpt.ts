const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The longest beginning of a text that has at most so many characters (code points) and cuts nothing in two that a reader
 * sees as one character, such as a letter with its marks, a flag or a family (extended grapheme clusters, UAX 29). Only a
 * first one that is itself longer than that is cut, between code points. The cost is that of the beginning, however long
 * the text is.
 */
export function beginningOf(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  let end = 0;
  for (let count = 0; count < charactersMax && end < text.length; count += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  if (end >= text.length) return text;
  // Whether there is a boundary depends on what stands before it and on the one code point after it.
  const around = graphemes.segment(text.slice(0, end + 2));
  return text.slice(0, around.containing(end)?.index || end);
}

/** The beginning of a text on one line, as `beginningOf`; ends with `…` beyond those characters if it was cut. */
export function excerpt(text: string, charactersMax: number): string {
  // Cut before white space is made one, so that a long text costs no more than a short one.
  const whole = text.trim();
  const start = beginningOf(whole, 8 * charactersMax);
  const line = start.replace(/\s+/g, ' ').trimEnd();
  const beginning = beginningOf(line, charactersMax);
  return beginning === line && start === whole ? line : `${beginning.trimEnd()}…`;
}
