/** The most bytes of a text that are shown: a browser lays out more than that too slowly to be of use. */
export const textPreviewBytesMax = 1024 * 1024;

/** Where the shown beginning of a text ends: at its own end, or before the character that the limit cuts. */
export async function textEnd(
  read: (range: { start: number; end: number }) => Promise<Uint8Array>,
  size: number,
): Promise<number> {
  if (size <= textPreviewBytesMax) return size;
  // No character of UTF-8 has more than four bytes, so its first one is among the limit's and the three before.
  const bytes = await read({ start: textPreviewBytesMax - 3, end: textPreviewBytesMax });
  let end = textPreviewBytesMax;
  while (end > textPreviewBytesMax - 3 && isInside(bytes[end - textPreviewBytesMax + 3])) end -= 1;
  return end;
}

/** Whether a byte of UTF-8 is one of those behind the first of a character. */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Source code as existing clients take it: a fragment of HTML that they put into their page unread, so every character
 * that means something in HTML is written as an entity. The beginning of a character at the end is left out.
 */
export function codeFragment(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  return `<pre><code>${text.replaceAll(/[&<>]/g, (character) => entities[character] ?? '')}</code></pre>`;
}
