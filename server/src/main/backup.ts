import { lastBackupAt } from '../backup/last-backup.ts';
import { type BackupOutcome, startBackups } from '../backup/schedule.ts';
import { type Config, othersEnvironment } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { runCommand } from './processes.ts';

/** The runs in which the log of a server is shipped. */
type Runs = {
  /** The present one; undefined before it is known. */
  readonly run: () => string | undefined;
  /** Calls `listener` whenever a run begins. */
  readonly onRun: (listener: () => void) => void;
};

/** Starts the automatic backups, if a place for them is set. */
export function startOwnBackups(
  config: Config,
  {
    db,
    clock,
    log,
    metrics,
    started,
    shipping,
    backups: { make },
  }: {
    readonly db: Db;
    readonly clock: Clock;
    readonly log: Log;
    readonly metrics: Metrics | undefined;
    readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
    readonly shipping: Runs | undefined;
    readonly backups: { readonly make: (signal: AbortSignal) => Promise<BackupOutcome> };
  },
): void {
  const { backupTo, backupEveryMs: everyMs } = config;
  if (backupTo === undefined) return;
  const { read } = db;
  metrics?.read('confab_backup_age_seconds', async () => {
    const lastAt = await lastBackupAt(read);
    return lastAt === undefined ? [] : [{ labels: {}, value: Math.max(clock.now() - lastAt, 0) / 1000 }];
  });
  const loop = startBackups({ read, clock, log, everyMs, run: shipping?.run, make });
  shipping?.onRun(loop.nudge);
  started.push({ name: 'the backup', stop: () => loop.stop() });
}

/** Makes a backup as `confab backup create` does, in a process of its own. */
export async function makeBackup(config: Config, to: string, signal: AbortSignal): Promise<BackupOutcome> {
  const args = ['backup', 'create', to, '--keep', String(config.backupKeep), '--json'];
  const { stdout, failure } = await runCommand(args, { env: backupEnvironment(config, 'error'), signal });
  return failure === undefined ? { id: (JSON.parse(stdout) as { id: string }).id } : { failure };
}

/** The environment of a backup process: the settings that it uses, from whichever source the server read them. */
export function backupEnvironment(config: Config, logLevel: string): NodeJS.ProcessEnv {
  const settings = {
    CONFAB_DATA_DIR: config.dataDir,
    CONFAB_S3_BUCKET: config.s3Bucket,
    CONFAB_S3_ENDPOINT: config.s3Endpoint,
    CONFAB_S3_REGION: config.s3Region,
    CONFAB_S3_ACCESS_KEY_ID: config.s3AccessKeyId,
    CONFAB_S3_SECRET_ACCESS_KEY: config.s3SecretAccessKey,
    CONFAB_S3_PATH_STYLE: config.s3PathStyle,
    CONFAB_SECRETS_KEY: config.secretsKey?.map(({ bytes }) => bytes.toString('base64')).join(),
    CONFAB_SECRETS_KEY_FILE: config.secretsKeyFile,
    CONFAB_BACKUP_PASSPHRASE: config.backupPassphrase,
    CONFAB_LOG_LEVEL: logLevel,
  };
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...othersEnvironment(), ...Object.fromEntries(entries) };
}
