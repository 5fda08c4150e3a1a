/** Repeatable randomness: the same seed draws the same values. */
export type Random = {
  /** An integer from `from` to `to`, inclusive. */
  integer(from: number, to: number): number;
  /** True once in this many times. */
  oneIn(times: number): boolean;
  /** One of the items, or undefined when there are none. */
  pick<T>(items: readonly T[]): T | undefined;
  /** One of the items. Throws a RangeError when there are none. */
  draw<T>(items: readonly T[]): T;
};

/** Starts drawing from a seed (mulberry32, which has a period of 2^32 and no dependencies). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    integer,
    oneIn: (times) => integer(1, times) === 1,
    pick: (items) => items[integer(0, items.length - 1)],
    draw<T>(items: readonly T[]) {
      if (items.length === 0) throw new RangeError('there is nothing to draw from');
      return items[integer(0, items.length - 1)] as T;
    },
  };
}
