import type { Db } from '../db/db.ts';
import { forgetEndedSecrets, sealBatch } from '../features/webhooks/secrets/secrets.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { type Loop, startLoop } from './runner.ts';

/** The interval between searches for expired secrets, in milliseconds. */
const restMs = 60_000;

/**
 * Starts the loop that maintains the secrets of webhooks: after a start, where `seals` is true, it seals the secrets that
 * an earlier release left readable, batch by batch; and it deletes previous secrets that have expired.
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
