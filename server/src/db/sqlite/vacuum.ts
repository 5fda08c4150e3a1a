import { join } from 'node:path';
import { lockFolder, openWriter } from './sqlite.ts';
import { searchTables } from './traces.ts';

/**
 * Rewrites the files of the store in a folder, so that they hold nothing of what was deleted; takes the time and the
 * space of a copy. Throws when a server runs on the folder.
 */
export function vacuumSqlite(folder: string): void {
  const lock = lockFolder(folder);
  try {
    const database = openWriter(join(folder, 'confab.db'));
    for (const table of searchTables) database.exec(`insert into ${table}(${table}) values ('optimize')`);
    database.exec('vacuum');
    database.exec('pragma wal_checkpoint(truncate)');
    database.close();
  } finally {
    lock.release();
  }
}
