/**
 * The texts of a page as plain text: one line without markup and control characters. It stays inert in a client that
 * inserts it into a page unescaped, because no `<` is left that could begin a tag.
 */

// Tags, comments and declarations. `[^<>]` cannot run past the next `<`, so the time is linear.
const markup = /<[a-z!/?][^<>]*>/gi;
const opening = /<(?=[a-z!/?])/gi;
const unseen = /[\p{Cc}\p{White_Space}\u200b\u2060\ufeff]+/gu;
// Characters that change the direction of the text around them.
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/** `text` as one line of at most `charactersMax` code points, or undefined when nothing is left of it. */
export function plainText(text: string | undefined, charactersMax: number): string | undefined {
  if (text === undefined) return undefined;
  // Far more than is kept, and far less than a page could send.
  const start = text.slice(0, charactersMax * 8).toWellFormed();
  // A space replaces a tag, so that the text around it does not form another one: `<<b>i>`.
  const inert = start.replace(turning, '').replace(markup, ' ').replace(opening, '< ');
  let plain = inert.replace(unseen, ' ').trim();
  const characters = [...plain];
  if (characters.length > charactersMax)
    plain = `${characters
      .slice(0, charactersMax - 1)
      .join('')
      .trimEnd()}…`;
  return plain === '' ? undefined : plain;
}
