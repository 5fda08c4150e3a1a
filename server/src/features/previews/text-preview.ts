/** The most bytes of a text that are shown: a browser is too slow with more. */
export const textPreviewBytesMax = 1024 * 1024;

/** Where the shown part of a text ends: at its own end, or before the character that the limit cuts. */
export async function textEnd(
  read: (range: { start: number; end: number }) => Promise<Uint8Array>,
  size: number,
): Promise<number> {
  if (size <= textPreviewBytesMax) return size;
  // A UTF-8 character has at most four bytes, so its first byte is at the limit or among the three bytes before.
  const bytes = await read({ start: textPreviewBytesMax - 3, end: textPreviewBytesMax });
  let end = textPreviewBytesMax;
  while (end > textPreviewBytesMax - 3 && isInside(bytes[end - textPreviewBytesMax + 3])) end -= 1;
  return end;
}

/** Whether a byte of UTF-8 continues a character. */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Source code in the form that existing clients expect: a fragment of HTML that they insert into their page unchecked,
 * so every character with a meaning in HTML is written as an entity. An incomplete character at the end is left out.
 */
export function codeFragment(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  return `<pre><code>${text.replaceAll(/[&<>]/g, (character) => entities[character] ?? '')}</code></pre>`;
}
