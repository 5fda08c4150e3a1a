import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How long to wait after a poll that found nothing: the command line may have requested an erasure. */
const restMs = 60_000;

/** Starts the loop that erases users step by step; `step` returns when the next one is due. Nodes share the work. */
export function startErasing({
  erasing,
  log,
}: {
  erasing: { step(): Promise<number | undefined> };
  log: Log;
}): Loop {
  return startLoop({ name: 'erasing', log, step: async () => (await erasing.step()) ?? restMs });
}
