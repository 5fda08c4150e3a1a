// White space, control characters and format characters, such as U+200B and marks of writing direction.
const blank = /^[\p{White_Space}\p{Cc}\p{Cf}]*$/u;

/** The text, or null when it is absent or has no visible character: such a name counts as none. */
export function visibleText(text: string | null | undefined): string | null {
  return text === null || text === undefined || blank.test(text) ? null : text;
}
