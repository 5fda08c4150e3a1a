/** Resolves to all results once all of the work has ended, so that none of it runs on. Throws the first error. */
export async function allOf<T>(runs: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(runs);
  return await Promise.all(runs);
}
