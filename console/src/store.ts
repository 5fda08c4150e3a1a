import { useEffect, useReducer } from 'preact/hooks';

/** A value outside of components that redraws those that use it. */
export type Store<T> = {
  get(): T;
  set(value: T): void;
  /** Calls `listener` after each change, until the function that it returns is called. */
  listen(listener: () => void): () => void;
};

/** Makes a store with its first value. */
export function createStore<T>(first: T): Store<T> {
  let current = first;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (value === current) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of a store, in a component. */
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const drawn = store.get();
  useEffect(() => {
    // It may have changed between drawing and listening.
    if (store.get() !== drawn) redraw(undefined);
    return store.listen(() => redraw(undefined));
  }, [store]);
  return drawn;
}
