import { statSync } from 'node:fs';
import type { Status } from 'confab-contract/status.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { backupState } from '../backup/last-backup.ts';
import { type Config, version } from '../config/config.ts';
import type { Db, Read } from '../db/db.ts';
import { schemaState } from '../db/migrations/schema-state.ts';
import { countParked } from '../features/notifications/parked.ts';
import { missingKeys } from '../features/webhooks/secrets/secret-keys.ts';
import { deliveryLagMs } from '../features/webhooks/sending/lanes.ts';
import { diskCheck, statesOf } from '../http/health.ts';
import { createRoom, type Room } from '../http/limits/room.ts';
import type { RefusedOrigins } from '../http/refused-origins.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { BlobBucket } from '../storage/bucket.ts';
import { startLoop } from '../workers/runner.ts';
import { engineOf, type ServerMetrics } from './metrics.ts';

/**
 * Warns of a data folder that every user of the machine can list or enter. It does not change the mode, which the
 * operator chose.
 */
export function warnOfOpenFolder(folder: string, log: Log): void {
  const mode = statSync(folder).mode & 0o777;
  if ((mode & 0o007) !== 0)
    log.warn(
      { folder, mode: mode.toString(8) },
      'every user of this machine can open the data folder: run "chmod -R go=" on it',
    );
}

/** How often the free space of the disk is checked, in milliseconds. */
const roomLookMs = 2000;

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
    disk: diskCheck(config.dataDir, freeBytesMinOf(config)),
    secrets: async () => {
      const missing = await missingKeys(db.read, box);
      return missing.length === 0 ? { ok: true } : { ok: false, missing_keys: missing.join(', ') };
    },
    ...(bucket === undefined ? {} : { bucket: bucket.check }),
    ...(replica === undefined ? {} : { replica: async () => ({ ok: true, ...replica.state() }) }),
    ...(config.backupTo === undefined ? {} : { backups: () => backupCheck(db.read, config, clock) }),
    deliveries: async () => ({ ok: true, lag_ms: await deliveryLagMs(db.read, clock) }),
    notifications: async () => ({ ok: true, parked_events: await countParked(db.read) }),
  };
}

/** Makes the function that reports the state of this node, from its checks and its activity in the last hour. */
export function createStatus(
  checks: ReturnType<typeof readinessChecks>,
  {
    config,
    clock,
    metrics,
    refusedOrigins,
  }: { config: Config; clock: Clock; metrics: ServerMetrics; refusedOrigins: RefusedOrigins },
): () => Promise<Status> {
  const startedAt = timestamp(clock.now());
  return async () => {
    const states = await statesOf(checks);
    return {
      version,
      engine: engineOf(config),
      started_at: startedAt,
      is_ready: states.every(([, { ok }]) => ok),
      checks: states.map(([name, { ok, ...figures }]) => ({ name, is_ok: ok, figures })),
      minutes: metrics.minutes(),
      refused_origins: refusedOrigins.list(),
    };
  };
}

/** A late backup is reported and does not affect readiness. */
async function backupCheck(read: Read, { backupEveryMs }: Config, clock: Clock) {
  const { lastAt, isLate } = await backupState(read, clock, backupEveryMs);
  return { ok: true, is_late: isLate, last: lastAt === undefined ? 'never' : timestamp(lastAt) };
}

/** Watches the free space of the disk that has the data folder. */
export async function watchRoom(
  config: Config,
  log: Log,
): Promise<{ readonly room: Room; readonly stop: () => Promise<void> }> {
  const room = createRoom({
    folder: config.dataDir,
    freeBytesMin: freeBytesMinOf(config),
    hasStore: config.databaseUrl === undefined,
  });
  await room.look();
  const step = async () => {
    await room.look();
    return roomLookMs;
  };
  const loop = startLoop({ name: 'the room on the disk', step, log });
  return { room, stop: loop.stop };
}

function freeBytesMinOf({ diskFreeMib }: Config): number {
  return diskFreeMib * 1024 * 1024;
}
