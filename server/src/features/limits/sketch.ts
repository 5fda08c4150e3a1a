import { hashText } from '../../kernel/text-hash.ts';

/** How many cells each row has. */
const width = 2 ** 18;
const rows = 4;

/**
 * Counts by key in a fixed 4 MiB, however many keys there are (a count-min sketch with conservative update: Cormode and
 * Muthukrishnan 2005, Estan and Varghese 2002). A count is never too low, so nobody is forgotten. It is too high only
 * where other keys share all four cells of a key: by about the number of all counted requests divided by 2^18, at most,
 * and a node cannot serve enough requests in a minute for more than a few.
 */
export class Sketch {
  /** A page of it takes memory only from the first count there on. */
  #cells = new Uint32Array(rows * width);
  readonly #places = new Uint32Array(rows);

  /** The memory of the counts, in bytes. */
  get bytes(): number {
    return this.#cells.byteLength;
  }

  /** How often a key was added. */
  count(key: string): number {
    this.#find(key);
    return this.#least();
  }

  /** Counts a key once more and returns its count. */
  add(key: string): number {
    this.#find(key);
    const count = this.#least() + 1;
    for (const place of this.#places) if ((this.#cells[place] ?? 0) < count) this.#cells[place] = count;
    return count;
  }

  clear(): void {
    this.#cells = new Uint32Array(rows * width);
  }

  #least(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const place of this.#places) least = Math.min(least, this.#cells[place] ?? 0);
    return least;
  }

  /** Finds the cells of a key: four places from the halves of one hash (Kirsch and Mitzenmacher 2006). */
  #find(key: string): void {
    const hash = hashText(key);
    const step = (hash / 2 ** 32) | 1;
    let place = hash >>> 0;
    for (let row = 0; row < rows; row += 1) {
      this.#places[row] = row * width + (((place ^ (place >>> 14)) >>> 0) & (width - 1));
      place = (place + step) | 0;
    }
  }
}
