import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How long to wait after a poll that found nothing: a node that died leaves its work to the others. */
const restMs = 60_000;

/** Removes what deleted items leave behind, batch by batch. */
export type Removal = {
  /** Removes a batch of the children of deleted items; returns whether there may be more. */
  readonly removeOrphans: () => Promise<boolean>;
  readonly apps: {
    /** A deleted app that still has rows. */
    nextDeleted(): Promise<number | undefined>;
    /** Removes a batch of its rows, once the app has no entries. */
    purge(id: number): Promise<void>;
  };
};

/** Starts the loop that removes what deleted items leave behind. Nodes share the work. */
export function startRemoval({ removeOrphans, apps, log }: Removal & { log: Log }): Loop {
  return startLoop({
    name: 'removal',
    log,
    async step() {
      // Read first: an app is marked together with its entries, so if none are found afterwards, none are left.
      const id = await apps.nextDeleted();
      if (await removeOrphans()) return 0;
      if (id === undefined) return restMs;
      await apps.purge(id);
      return 0;
    },
  });
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
