import { sql } from 'kysely';
import type { Tx } from './db.ts';
import { command, query } from './statement.ts';

/** The server's own settings, by name: secrets, keys that were seen, and the state of ongoing work. */

/** A setting. */
export const settingOf = query<{ name: string }>()((q, value) =>
  q.selectFrom('settings').select('value').where('name', '=', value('name')),
);

/** The settings whose names begin with a text of ASCII. */
export const settingsFrom = query<{ prefix: string }>()((q, value) =>
  q
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', '>=', value('prefix'))
    .where(sql`substr(name, 1, length(cast(${value('prefix')} as text)))`, '=', value('prefix'))
    .orderBy('name'),
);

/** Adds a setting unless one of this name exists. */
export const insertSetting = command<{ name: string; value: string }>()((q, value) =>
  q
    .insertInto('settings')
    .values({ name: value('name'), value: value('value') })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Changes a setting that exists. */
export const updateSetting = command<{ name: string; value: string }>()((q, value) =>
  q
    .updateTable('settings')
    .set({ value: value('value') })
    .where('name', '=', value('name')),
);

/** Removes a setting. */
export const deleteSetting = command<{ name: string }>()((q, value) =>
  q.deleteFrom('settings').where('name', '=', value('name')),
);

/** Sets a setting, whether or not it exists. */
export async function putSetting(tx: Tx, setting: { name: string; value: string }): Promise<void> {
  if ((await tx.changed(updateSetting, setting)) === 0) await tx.changed(insertSetting, setting);
}
