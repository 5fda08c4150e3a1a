import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** Starts the loop that stores when API keys were used, after each nudge. `write` returns whether there is more to store. */
export function startKeyUses({ write, log }: { write: () => Promise<boolean>; log: Log }): Loop {
  return startLoop({ name: 'key-uses', log, step: async () => ((await write()) ? 0 : undefined) });
}
