import type { Read } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from '../workers/runner.ts';
import { lastBackupAt, lastBackupHasRun } from './last-backup.ts';

/** How often the loop looks whether a backup is due, in milliseconds: commands make backups as well. */
const lookMs = 60_000;
/** How long after a failure the next attempt begins, in milliseconds. */
const retryMs = 600_000;

/** How long a starting server waits for the run in which its log is shipped, and how often it looks, in milliseconds. */
const runWaitMs = 60_000;
const runLookMs = 1000;

/** How a backup ended: its id, or why there is none. */
export type BackupOutcome = { readonly id: string } | { readonly failure: string };

/** Starts the loop that makes a backup whenever the last one is `everyMs` old. */
export function startBackups({
  read,
  clock,
  log,
  everyMs,
  run,
  make,
}: {
  readonly read: Read;
  readonly clock: Clock;
  readonly log: Log;
  readonly everyMs: number;
  /** The run in which the log is being shipped, once it is known; one that no backup begins needs one at once. */
  readonly run: (() => string | undefined) | undefined;
  /** Makes a backup; stops with `signal`. */
  readonly make: (signal: AbortSignal) => Promise<BackupOutcome>;
}): Loop {
  const runKnownBy = clock.now() + runWaitMs;
  return startLoop({
    name: 'backups',
    log,
    async step(signal) {
      // The first backup of a run has to know it.
      if (run !== undefined && run() === undefined && clock.now() < runKnownBy) return runLookMs;
      const lastAt = await lastBackupAt(read);
      const isDue = lastAt === undefined || !(await lastBackupHasRun(read, run?.()));
      const dueMs = isDue ? 0 : lastAt + everyMs - clock.now();
      if (dueMs > 0) return Math.min(dueMs, lookMs);
      const startedAt = performance.now();
      const outcome = await make(signal);
      if (signal.aborted) return undefined;
      if ('failure' in outcome) {
        log.error({ failure: outcome.failure, retry_ms: retryMs }, 'the backup failed');
        return retryMs;
      }
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      log.info({ id: outcome.id, seconds }, 'a backup was made');
      return Math.min(everyMs, lookMs);
    },
  });
}
