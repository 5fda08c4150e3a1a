import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How long after a look that found nothing the next one is, in milliseconds: a node that died leaves its work. */
const restMs = 60_000;

/** What deleted things leave behind, taken away batch by batch. */
export type Removal = {
  /** Takes away a batch of what hung on deleted things; answers whether there may be more. */
  readonly removeOrphans: () => Promise<boolean>;
  readonly apps: {
    /** A deleted app that still has rows. */
    nextDeleted(): Promise<number | undefined>;
    /** Takes away a batch of them, once the app has no entries any more. */
    purge(id: number): Promise<void>;
  };
};

/** Starts the loop that takes away what is left of deleted things. Nodes that do it at once share the work. */
export function startRemoval({ removeOrphans, apps, log }: Removal & { log: Log }): Loop {
  return startLoop({
    name: 'removal',
    log,
    async step() {
      // Looked for first: an app is marked together with its entries, so when none are found after that none are left.
      const id = await apps.nextDeleted();
      if (await removeOrphans()) return 0;
      if (id === undefined) return restMs;
      await apps.purge(id);
      return 0;
    },
  });
}

/** Starts the loop that takes away what is left of deleted webhooks; `purge` answers whether there may be more. */
export function startWebhookPurge({ purge, log }: { purge: () => Promise<boolean>; log: Log }): Loop {
  return startLoop({ name: 'webhook-purge', log, step: async () => ((await purge()) ? 0 : restMs) });
}

/** Starts the loop that takes away what was kept long enough; `sweep` answers whether there may be more. */
export function startRetention({ sweep, log }: { sweep: () => Promise<boolean>; log: Log }): Loop {
  return startLoop({ name: 'retention', log, step: async () => ((await sweep()) ? 0 : restMs) });
}
