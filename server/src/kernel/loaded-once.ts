/**
 * Makes a function that loads something at its first call and returns the same from then on. A failure is forgotten, so
 * the next call tries again: a file can be missing, or no descriptor free, for a moment only.
 */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
