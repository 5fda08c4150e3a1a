import type { Config } from './config.ts';
import type { Db } from './db/db.ts';
import { schemaState } from './db/migrations/schema-state.ts';
import { countParked } from './features/notifications/parked.ts';
import { missingKeys } from './features/webhooks/secrets/secret-keys.ts';
import { deliveryLagMs } from './features/webhooks/sending/lanes.ts';
import { diskCheck } from './http/health.ts';
import type { Clock } from './kernel/clock.ts';
import type { SecretBox } from './kernel/secret-box.ts';
import type { BlobBucket } from './storage/bucket.ts';

/**
 * The checks of readiness. Late deliveries and the replica are reported but do not affect readiness: deliveries are
 * designed to wait, and the primary serves what the replica does not.
 */
export function readinessChecks(
  db: Db,
  {
    config,
    clock,
    bucket,
    box,
  }: { config: Config; clock: Clock; bucket: BlobBucket | undefined; box: SecretBox },
) {
  const { replica } = db;
  return {
    store: async () => db.health(),
    schema: () => schemaState(db.read),
    disk: diskCheck(config.dataDir, config.diskFreeMib * 1024 * 1024),
    secrets: async () => {
      const missing = await missingKeys(db.read, box);
      return missing.length === 0 ? { ok: true } : { ok: false, missing_keys: missing.join(', ') };
    },
    ...(bucket === undefined ? {} : { bucket: bucket.check }),
    ...(replica === undefined ? {} : { replica: async () => ({ ok: true, ...replica.state() }) }),
    deliveries: async () => ({ ok: true, lag_ms: await deliveryLagMs(db.read, clock) }),
    notifications: async () => ({ ok: true, parked_events: await countParked(db.read) }),
  };
}
