import type { Answering } from '../features/answers/answering.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** Starts the loop that has agents answer. Stopping it ends their requests. */
export function startAnswering({ answering, log }: { answering: Answering; log: Log }): Loop {
  const loop: Loop = startLoop({
    name: 'answering',
    log,
    step: async () => await answering.step(() => loop.nudge()),
  });
  return {
    nudge: loop.nudge,
    async stop() {
      await loop.stop();
      await answering.stop();
    },
  };
}
