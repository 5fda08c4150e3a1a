import type { Blobs } from '../features/blobs/blobs.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How long after a sweep that found little the next one looks, in milliseconds: a look reads an index that is short. */
const restMs = 60_000;

/** Starts the loop that removes the uploads nobody used in time. */
export function startBlobSweep({ blobs, log }: { blobs: Blobs; log: Log }): Loop {
  return startLoop({
    name: 'blob-sweep',
    log,
    step: async () => ((await blobs.sweep()) ? 0 : restMs),
  });
}
