import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Read } from '../db/db.ts';
import { settingOf } from '../db/settings.ts';
import type { Clock } from '../kernel/clock.ts';

/** The note of a store about its last backup. */

/** The setting about it: its id and when it was finished, as JSON. */
export const lastBackupSetting = 'last_backup';

/** The setting with the run of shipped segments that the last backup begins from (`segment.ts`). */
export const lastRunSetting = 'last_backup_run';

/** When the last backup of a store was finished; undefined when there was none. */
export async function lastBackupAt(read: Read): Promise<UnixMs | undefined> {
  const row = await read.get(settingOf, { name: lastBackupSetting });
  if (row === undefined) return undefined;
  const { finished_at } = JSON.parse(row.value) as { finished_at: string };
  return Date.parse(finished_at);
}

/** Whether the last backup is one from which a run of shipped segments goes on; so it is where nothing is shipped. */
export async function lastBackupHasRun(read: Read, run: string | undefined): Promise<boolean> {
  return run === undefined || (await read.get(settingOf, { name: lastRunSetting }))?.value === run;
}

/** A backup is late when it is overdue by as long as it was to wait. */
const lateFactor = 2;

/** The last backup of a server that makes them by itself. */
export type BackupState = { readonly lastAt: UnixMs | undefined; readonly isLate: boolean };

/** Whether the backups of a server that makes one each `everyMs` milliseconds succeed. */
export async function backupState(read: Read, clock: Clock, everyMs: number): Promise<BackupState> {
  const lastAt = await lastBackupAt(read);
  return { lastAt, isLate: lastAt === undefined || clock.now() - lastAt > everyMs * lateFactor };
}
