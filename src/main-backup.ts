import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastBackupAt } from './backup/last-backup.ts';
import { type BackupOutcome, startBackups } from './backup/schedule.ts';
import { type Config, othersEnvironment } from './config.ts';
import type { Db } from './db/db.ts';
import type { Clock } from './kernel/clock.ts';
import type { Log } from './kernel/log.ts';
import type { Metrics } from './kernel/metrics.ts';
import type { Loop } from './workers/runner.ts';

/** The runs in which the log of a server is shipped. */
type Runs = {
  /** The present one; undefined before it is known. */
  readonly run: () => string | undefined;
  /** Calls `listener` whenever a run begins. */
  readonly onRun: (listener: () => void) => void;
};

/** Starts the backups that the server makes by itself; undefined when there are none. */
export function startOwnBackups(
  config: Config,
  {
    db,
    clock,
    log,
    metrics,
    shipping,
  }: { db: Db; clock: Clock; log: Log; metrics: Metrics | undefined; shipping: Runs | undefined },
): Loop | undefined {
  const { backupTo: to, backupEveryMs: everyMs } = config;
  if (to === undefined) return undefined;
  const { read } = db;
  metrics?.read('confab_backup_age_seconds', async () => {
    const lastAt = await lastBackupAt(read);
    return lastAt === undefined ? [] : [{ labels: {}, value: Math.max(clock.now() - lastAt, 0) / 1000 }];
  });
  const make = async (signal: AbortSignal) => await run(config, to, signal);
  const loop = startBackups({ read, clock, log, everyMs, run: shipping?.run, make });
  shipping?.onRun(loop.nudge);
  return loop;
}

/** The program of the command line. */
export const cliPath = fileURLToPath(new URL(`./cli${extname(import.meta.filename)}`, import.meta.url));

/** Runs `confab backup create` as a process of its own, so that requests do not wait for it. */
async function run(config: Config, to: string, signal: AbortSignal): Promise<BackupOutcome> {
  const args = [cliPath, 'backup', 'create', to, '--keep', String(config.backupKeep), '--json'];
  const child = spawn(process.execPath, args, {
    env: backupEnvironment(config, 'error'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  signal.addEventListener('abort', () => child.kill());
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.once('error', (error) => resolve(error.message));
  child.once('close', (code, ended) =>
    resolve(code === 0 ? undefined : said.stderr.trim() || `it ended with ${ended ?? code}`),
  );
  const failure = await promise;
  return failure === undefined ? { id: (JSON.parse(said.stdout) as { id: string }).id } : { failure };
}

/** The environment of a process for backups: what they take of the settings, wherever the server found them. */
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
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...othersEnvironment(), ...Object.fromEntries(given) };
}
