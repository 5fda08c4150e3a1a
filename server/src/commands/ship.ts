import { join } from 'node:path';
import type { Command } from 'commander';
import { createShipper, type ShipReport, type ShipRequest } from '../backup/shipper.ts';
import type { Config } from '../config/config.ts';
import { lockFile } from '../db/sqlite/file-lock.ts';
import { SqliteLog } from '../db/sqlite/log.ts';
import { keyTextOf } from '../features/webhooks/secrets/secret-keys.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError, exitMisused } from '../kernel/command-error.ts';
import { openShelf, withBlobs } from '../setup/places.ts';
import { createLog } from '../setup/store.ts';
import { startLoop } from '../workers/runner.ts';
import { addSettings, bucketSettings, configWith } from './command.ts';

/** The process that ships the write-ahead log for a server, which starts it with a channel for messages. */

/** How often the log is shipped, in milliseconds. */
const everyMs = 1000;

async function ship(config: Config): Promise<void> {
  const { backupTo: to } = config;
  if (to === undefined || process.send === undefined)
    throw new CommandError('a server runs this by itself: set CONFAB_BACKUP_LOG=yes', {
      exitCode: exitMisused,
    });
  const report = (value: ShipReport) => void process.send?.(value);
  const lock = lockFile(
    join(config.dataDir, 'shipping.lock'),
    `the log of ${config.dataDir} is being shipped already`,
  );
  const store = new SqliteLog(join(config.dataDir, 'confab.db'));
  const log = createLog(config);
  await withBlobs(config, async (readBlob) => {
    const source = { readBlob, keyText: () => keyTextOf(config) };
    const { backupPassphrase: passphrase } = config;
    const opened = once(async () =>
      createShipper({ ...(await openShelf(to, config)), source, store, clock: systemClock, log, passphrase }),
    );
    let isEmptying = false;
    const loop = startLoop({
      name: 'shipping the log',
      log,
      async step() {
        const shipper = await opened();
        if (isEmptying) {
          isEmptying = false;
          report({ isEmptied: await shipper.empty() });
        }
        report(await shipper.step());
        return everyMs;
      },
    });
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    process.on('message', (request: ShipRequest) => {
      if (request === 'stop') return stop();
      isEmptying = true;
      loop.nudge();
    });
    await stopped;
    await loop.stop();
    const shipper = await opened();
    await shipper.finish();
  }).catch((error: unknown) => log.error({ err: error }, 'the rest of the log was not shipped'));
  lock.release();
  // Closing the last connection would copy the log back and remove it, and a new run would begin.
  process.exit();
}

/** Keeps what `work` returns, and does it again where it failed. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: T | undefined;
  return async () => {
    done ??= await work();
    return done;
  };
}

/** Adds the verb that a server runs, which the help does not show. */
export function addShipCommand(backup: Command): void {
  const command = backup.command('ship <place>', { hidden: true });
  const settings = addSettings(command, [
    'dataDir',
    ...bucketSettings,
    'secretsKey',
    'secretsKeyFile',
    'backupPassphrase',
  ]);
  command.action(async (place: string) => {
    // The server decides when it ends; both get the signals of a terminal or a supervisor.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
    process.once('disconnect', () => process.exit());
    if (process.send !== undefined && !process.connected) return;
    await ship(configWith(place, settings()));
  });
}
