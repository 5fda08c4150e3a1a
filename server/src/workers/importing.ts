import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How long to wait after a poll that found nothing: a dry run may have waited for too long. */
const restMs = 60_000;

/** Starts the loop of imports; `step` returns when the next one is due. One node at a time works on them. */
export function startImporting({
  importing,
  log,
}: {
  importing: {
    step(signal: AbortSignal): Promise<number | undefined>;
    close(): Promise<void>;
  };
  log: Log;
}): Loop {
  const loop = startLoop({
    name: 'importing',
    log,
    step: async (signal) => (await importing.step(signal)) ?? restMs,
  });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await importing.close();
    },
  };
}
