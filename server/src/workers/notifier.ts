import type { Notifier } from '../features/notifications/notifier.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How long after the last event the position is stored, when the events had no recipients. */
const flushAfterMs = 1000;
/** How often the log is polled. Commits wake the loop, so a poll only finds what another process wrote unnoticed. */
const pollMs = 1000;

/** Starts the loop that notifies users of new events in the log. Stopping it stores the position. */
export function startNotifier({ notifier, log }: { notifier: Notifier; log: Log }): Loop {
  const loop = startLoop({
    name: 'notifier',
    log,
    async step() {
      const { isIdle, hasMore, isUnstored } = await notifier.step();
      if (hasMore) return 0;
      if (!isUnstored) return pollMs;
      if (!isIdle) return flushAfterMs;
      await notifier.flush();
      return pollMs;
    },
  });
  return {
    nudge: loop.nudge,
    async stop() {
      await loop.stop();
      await notifier.flush();
      await notifier.release();
    },
  };
}
