/**
 * Fetch slots limit concurrent fetches, in total and for each caller, so that a caller who embeds slow addresses does not
 * keep others waiting.
 */
export type FetchSlots = {
  /** Waits for a slot of `caller`; returns the function that frees it, or undefined when `signal` aborts first. */
  enter(caller: number | string, signal: AbortSignal): Promise<(() => void) | undefined>;
};

type Waiting = { readonly caller: number | string; readonly start: () => void };

/** Creates the slots: `all` in total, `each` for one caller. */
export function createFetchSlots({ all, each }: { all: number; each: number }): FetchSlots {
  const running = new Map<number | string, number>();
  const waiting: Waiting[] = [];
  let total = 0;

  function hasRoom(caller: number | string): boolean {
    return total < all && (running.get(caller) ?? 0) < each;
  }

  function take(caller: number | string): () => void {
    total += 1;
    running.set(caller, (running.get(caller) ?? 0) + 1);
    return () => {
      total -= 1;
      const remaining = (running.get(caller) ?? 1) - 1;
      if (remaining === 0) running.delete(caller);
      else running.set(caller, remaining);
      const next = waiting.findIndex((one) => hasRoom(one.caller));
      if (next !== -1) waiting.splice(next, 1)[0]?.start();
    };
  }

  return {
    enter(caller, signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (hasRoom(caller)) return Promise.resolve(take(caller));
      return new Promise((resolve) => {
        const place = { caller, start: () => resolve(take(caller)) };
        waiting.push(place);
        signal.addEventListener(
          'abort',
          () => {
            const index = waiting.indexOf(place);
            if (index !== -1) waiting.splice(index, 1);
            resolve(undefined);
          },
          { once: true },
        );
      });
    },
  };
}
