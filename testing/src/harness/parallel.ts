/**
 * Calls `make` with each number from 0 to `count` - 1, at most `atOnce` at a time, and returns the results in the order
 * of the numbers. Rejects with the first failure.
 */
export async function inParallel<T>(
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
  make: (number: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let begun = 0;
  async function work(): Promise<void> {
    while (begun < count) {
      const number = begun;
      begun += 1;
      results[number] = await make(number);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
