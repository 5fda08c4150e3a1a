import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ownAffairs, type Plan, type StoreContent } from './store-content.ts';

/** The steps of a statement. Full reads of subquery results and of search results are intended. */
function planOf(database: DatabaseSync, sql: string): Plan {
  const rows = database.prepare(`explain query plan ${sql.replaceAll('?', '1')}`).all();
  const steps = rows.map(({ detail }) => String(detail));
  const made = new Set(steps.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)$/.exec(step)?.[1] ?? []));
  return {
    steps,
    scans: steps.filter((step) => {
      const [, name] = /^SCAN (?!.*VIRTUAL|wanted|found|CONSTANT|\(subquery)(\w+)/.exec(step) ?? [];
      return name !== undefined && !made.has(name);
    }),
    sorts: steps.filter((step) => step.includes('TEMP B-TREE')),
  };
}

/** Reads the file of SQLite alongside the server that writes it. */
export function sqliteContent(folder: string): StoreContent {
  const { tables: left, rows: leftRows, beats } = ownAffairs;
  const file = join(folder, 'confab.db');
  const database = new DatabaseSync(file, { readOnly: true });
  const version = database.prepare('pragma data_version');
  return {
    // As objects, like those of the other engine.
    rows: (sql) =>
      database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })),
    // The engine counts commits by others. A transaction that rolled back may still have rewritten a page as it was.
    mark: () => String(version.get()?.data_version),
    digest() {
      const hash = createHash('sha256');
      const tables = database
        .prepare("select name from sqlite_master where type = 'table' and sql not like 'create virtual%'")
        .all()
        .map((row) => String(row.name));
      for (const table of tables) {
        if (left.has(table) || beats.has(table)) continue;
        hash.update(`\n${table}\n`);
        const rest = leftRows[table] === undefined ? '' : ` where not (${leftRows[table]})`;
        const rows = database.prepare(`select * from "${table}"${rest}`);
        // The search indexes number their pages beyond 2^53.
        rows.setReadBigInts(true);
        for (const row of rows.all())
          for (const value of Object.values(row)) hash.update(`${String(value)}\0`);
      }
      return hash.digest('hex');
    },
    tables: () =>
      database
        .prepare(
          "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '%_search_%'",
        )
        .all()
        .map((row) => String(row.name)),
    plan: (sql) => planOf(database, sql),
    brokenReferences: () => database.prepare('pragma foreign_key_check').all(),
    execute(sql) {
      const writer = new DatabaseSync(file, { timeout: 5000 });
      writer.exec(sql);
      writer.close();
    },
    close: () => database.close(),
  };
}
