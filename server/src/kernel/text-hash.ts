// Drawn for each process, so that nobody can choose texts that have the same hashes.
const [seedOne = 0, seedOther = 0] = crypto.getRandomValues(new Uint32Array(2));

/** A hash of a text, of 53 bits. It is fast, differs from process to process, and is no proof of anything. */
export function hashText(text: string): number {
  let one = seedOne;
  let other = seedOther;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x85ebca6b);
    one ^= one >>> 13;
    other = Math.imul(other ^ code, 0xc2b2ae35);
    other ^= other >>> 16;
  }
  one = Math.imul(one ^ (other >>> 15), 0x2c1b3c6d);
  other = Math.imul(other ^ (one >>> 13), 0x297a2d39);
  return (other & 0x1fffff) * 2 ** 32 + (one >>> 0);
}
