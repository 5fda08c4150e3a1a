/** The most bytes of a text (`Text` in the contract), and from how many on the rest is shown. */
export const bytesMax = 64 * 1024;
export const bytesShown = bytesMax - 2048;

/** How many bytes a text has in UTF-8; fewer than that only where it is far from the limit. */
export function bytesOf(text: string): number {
  // Short texts are far from the limit, whatever they are written in.
  return text.length * 3 < bytesShown ? text.length : new TextEncoder().encode(text).length;
}
