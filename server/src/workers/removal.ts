import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How long to wait after a poll that found nothing: a node that died leaves its work to the others. */
const restMs = 60_000;

/** Starts the loop that removes what deleted items leave behind; `remove` returns whether there may be more. */
export function startRemoval({ remove, log }: { remove: () => Promise<boolean>; log: Log }): Loop {
  return startLoop({ name: 'removal', log, step: async () => ((await remove()) ? 0 : restMs) });
}

/** Starts the loop that removes what deleted webhooks leave behind; `purge` returns whether there may be more. */
export function startWebhookPurge({ purge, log }: { purge: () => Promise<boolean>; log: Log }): Loop {
  return startLoop({ name: 'webhook-purge', log, step: async () => ((await purge()) ? 0 : restMs) });
}

/** Starts the loop that deletes rows past their retention; each of `sweeps` returns whether there may be more. */
export function startRetention({
  sweeps,
  log,
}: {
  sweeps: readonly (() => Promise<boolean>)[];
  log: Log;
}): Loop {
  return startLoop({
    name: 'retention',
    log,
    async step() {
      let hasMore = false;
      for (const sweep of sweeps) hasMore = (await sweep()) || hasMore;
      return hasMore ? 0 : restMs;
    },
  });
}
