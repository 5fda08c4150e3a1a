import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Tells whether anything in the store of a server has changed, looked at from outside the server. */
export type StoreWatch = {
  /** Whether anything was written since this was last asked, be it the same as before. Costs nothing. */
  hasCommitted(): boolean;
  /** Whether a row of any table is different from the last time this was asked. */
  hasChanged(): boolean;
  /** How many rows a table has. */
  count(table: string): number;
  /** The rows of one statement, for looking at what the interface does not show. */
  rows(sql: string): Record<string, unknown>[];
  close(): void;
};

// Written on their own account by the loops of a server, not by a request.
const ownAffairs = new Set(['attempts', 'deliveries', 'event_cursors', 'notifications', 'webhooks']);
// Of these tables the rows that notifications bring with them.
const ownRows: { readonly [table: string]: string } = {
  events: "action = 'notification_created'",
  tallies: "kind in ('notification', 'unread_notification', 'delivery')",
  sqlite_sequence: "name in ('events', 'notifications', 'deliveries')",
};

/** Opens the store in `folder` for reading beside the server that writes it. */
export function watchStore(folder: string): StoreWatch {
  const database = new DatabaseSync(join(folder, 'confab.db'), { readOnly: true });
  const version = database.prepare('pragma data_version');
  const readVersion = () => Number(version.get()?.['data_version']);

  function digest(): string {
    const hash = createHash('sha256');
    const tables = database
      .prepare("select name from sqlite_master where type = 'table' and sql not like 'create virtual%'")
      .all()
      .map((row) => String(row['name']));
    for (const table of tables) {
      if (ownAffairs.has(table)) continue;
      hash.update(`\n${table}\n`);
      const rest = ownRows[table] === undefined ? '' : ` where not (${ownRows[table]})`;
      const rows = database.prepare(`select * from "${table}"${rest}`);
      // The search indexes number their pages beyond 2^53.
      rows.setReadBigInts(true);
      for (const row of rows.all()) for (const value of Object.values(row)) hash.update(`${String(value)}\0`);
    }
    return hash.digest('hex');
  }

  let committed = readVersion();
  let lastVersion = committed;
  let last = digest();
  return {
    hasCommitted() {
      const before = committed;
      committed = readVersion();
      return before !== committed;
    },
    hasChanged() {
      const now = readVersion();
      // The engine counts commits by others. A transaction that rolled back may still have rewritten a page as it was.
      if (now === lastVersion) return false;
      lastVersion = now;
      const before = last;
      last = digest();
      return before !== last;
    },
    count: (table) => Number(database.prepare(`select count(*) as n from "${table}"`).get()?.['n']),
    rows: (sql) => database.prepare(sql).all(),
    close: () => database.close(),
  };
}
