/**
 * Whether a history of one register is linearisable, by the search of Wing and Gong with the memory of Lowe: is there
 * an order of the operations in which each takes effect between its call and its response, and each read returns the
 * last write before it? https://doi.org/10.1006/jpdc.1993.1015
 */

/** One operation. A write without a response may take effect at any time after its call, or never. */
export type Operation = {
  readonly kind: 'read' | 'write';
  readonly value: string;
  readonly calledAt: number;
  /** Infinity when there was no response. */
  readonly answeredAt: number;
};

/** Whether a history that begins with `initial` is linearisable. It has at most 30 operations. */
export function isLinearizable(history: readonly Operation[], initial: string): boolean {
  if (history.length > 30) throw new RangeError('a history has at most 30 operations');
  const done = history.reduce(
    (set, { answeredAt }, index) => (answeredAt === Infinity ? set : set | (1 << index)),
    0,
  );
  const seen = new Set<string>();

  function canGoOn(taken: number, value: string): boolean {
    if ((taken & done) === done) return true;
    const key = `${taken} ${value}`;
    if (seen.has(key)) return false;
    seen.add(key);
    // The next operation to take effect was called before the response of any remaining one.
    const left = history
      .map((operation, index) => ({ ...operation, bit: 1 << index }))
      .filter(({ bit }) => (taken & bit) === 0);
    const firstAnswer = Math.min(...left.map(({ answeredAt }) => answeredAt));
    return left
      .filter(({ calledAt }) => calledAt <= firstAnswer)
      .some((next) =>
        next.kind === 'write'
          ? canGoOn(taken | next.bit, next.value)
          : next.value === value && canGoOn(taken | next.bit, value),
      );
  }
  return canGoOn(0, initial);
}
