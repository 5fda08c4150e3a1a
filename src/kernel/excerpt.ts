/** The beginning of a text in at most so many characters (code points), on one line; ends with `…` if it was cut. */
export function excerpt(text: string, charactersMax: number): string {
  // Cut before splitting into characters, so that a long text costs no more than a short one.
  const start = text
    .slice(0, 8 * charactersMax)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...start];
  if (characters.length <= charactersMax) return start;
  return `${characters.slice(0, charactersMax).join('').trimEnd()}…`;
}
