import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** The pause between two batches in milliseconds, which leaves time for requests. */
const restMs = 5;

/**
 * Starts the loop that renews what earlier releases derived from texts, and stops when all is done. Each of `kinds`
 * processes a batch and returns whether there may be more.
 */
export function startRenewal({ kinds, log }: { kinds: readonly (() => Promise<boolean>)[]; log: Log }): Loop {
  let index = 0;
  return startLoop({
    name: 'renewal',
    log,
    async step() {
      const renew = kinds[index];
      if (renew === undefined) return undefined;
      if (!(await renew())) index += 1;
      return restMs;
    },
  });
}
