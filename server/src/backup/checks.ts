import type { Db, Read } from '../db/db.ts';
import { putSetting, settingOf } from '../db/settings.ts';

/** The note of a store about the checks of its backups by the server, as JSON by the ids of the backups. */
const checksSetting = 'backup_checks';
/** How many are kept. */
const checksMax = 100;

/** The outcome of a check. */
export type Check = { readonly at: string; readonly is_whole: boolean; readonly faults: string[] };

type Checks = { readonly [id: string]: Check };

/** The last check of each backup. */
export async function readChecks(read: Read): Promise<Checks> {
  const row = await read.get(settingOf, { name: checksSetting });
  return row === undefined ? {} : (JSON.parse(row.value) as Checks);
}

/** Notes the check of a backup; those of the oldest backups are forgotten. */
export async function noteCheck(db: Db, id: string, check: Check): Promise<void> {
  await db.write(async (tx) => {
    const all = Object.entries({ ...(await readChecks(tx)), [id]: check });
    const latest = all.toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(-checksMax);
    await putSetting(tx, { name: checksSetting, value: JSON.stringify(Object.fromEntries(latest)) });
  });
}
