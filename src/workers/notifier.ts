import type { Notifying } from '../features/notifications/notifying.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How long after the last event the position is stored, when what was read told nobody. */
const restMs = 1000;
/** How often the log is looked at when nothing calls: commits do, so this finds what another process wrote unheard. */
const lookMs = 1000;

/** Starts the loop that tells people of what is new in the log. Stopping it stores how far it has come. */
export function startNotifier({ notifying, log }: { notifying: Notifying; log: Log }): Loop {
  const loop = startLoop({
    name: 'notifier',
    log,
    async step() {
      const { isIdle, hasMore, isUnstored } = await notifying.tellSome();
      if (hasMore) return 0;
      if (!isUnstored) return lookMs;
      if (!isIdle) return restMs;
      await notifying.rest();
      return lookMs;
    },
  });
  return {
    nudge: loop.nudge,
    async stop() {
      await loop.stop();
      await notifying.rest();
      await notifying.end();
    },
  };
}
