import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** The rest between two batches in milliseconds, in which requests are answered. */
const restMs = 5;

/**
 * Starts the loop that makes anew what an earlier program has kept of texts, and rests for good when all is done. Each of
 * `kinds` does a batch and answers whether there may be more.
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
