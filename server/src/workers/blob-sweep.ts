import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How long the sweep rests when nothing is left to remove, in milliseconds: a step then reads one short index. */
const restMs = 60_000;

/** Starts the loop that removes the uploads that nothing used in time. `sweep` returns whether there may be more. */
export function startBlobSweep({ sweep, log }: { sweep: () => Promise<boolean>; log: Log }): Loop {
  return startLoop({ name: 'blob-sweep', log, step: async () => ((await sweep()) ? 0 : restMs) });
}
