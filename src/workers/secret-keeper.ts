import type { Db } from '../db/db.ts';
import { forgetEndedSecrets, sealBatch } from '../features/webhooks/secrets/secrets.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { type Loop, startLoop } from './runner.ts';

/** How often secrets that were replaced and hold no more are looked for, in milliseconds. */
const restMs = 60_000;

/**
 * Starts the loop that keeps the secrets of webhooks: it seals what an earlier program has kept readable, batch by batch
 * after a start and where `seals` says so, and forgets what was replaced once it holds no more.
 */
export function startSecretKeeper({
  db,
  clock,
  box,
  seals,
  log,
}: {
  db: Db;
  clock: Clock;
  box: SecretBox;
  seals: boolean;
  log: Log;
}): Loop {
  let after = seals ? 0 : undefined;
  return startLoop({
    name: 'secret-keeper',
    log,
    async step() {
      if (after === undefined) {
        await forgetEndedSecrets(db, clock);
        return restMs;
      }
      const { next, done } = await sealBatch(db, box, { after, isAnew: false });
      if (done > 0) log.info({ secrets: done }, 'secrets of webhooks were sealed');
      after = next;
      return 0;
    },
  });
}
