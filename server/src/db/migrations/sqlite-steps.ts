import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../kernel/clock.ts';
import { sqliteDialect } from '../sqlite/schema.ts';
import { breaksBefore, type Fill, filledRow, fillText, migrationsTable } from './migration.ts';
import { moveSetting, pendingSteps, refuseBroken, refuseUnfinished, type Step, stepOf } from './steps.ts';

/** The steps that the store in a file has taken; none where there is no store. Changes nothing. */
export function takenOnSqlite(database: DatabaseSync): Step[] {
  const table = database.prepare("select 1 from sqlite_master where name = 'migrations'").get();
  if (table === undefined) return [];
  return database.prepare('select * from migrations order by id').all().map(stepOf);
}

/** The note of the store about an unfinished move into it. */
function unfinishedMove(database: DatabaseSync): string | undefined {
  const table = database.prepare("select 1 from sqlite_master where name = 'settings'").get();
  if (table === undefined) return undefined;
  const row = database.prepare('select value from settings where name = ?').get(moveSetting);
  return row?.value as string | undefined;
}

function fillIndex(database: DatabaseSync, fill: Fill): void {
  const select = database.prepare(fillText(fill, '?'));
  const insert = database.prepare(`insert into ${fill.index} (rowid, words) values (?, ?)`);
  let { after } = fill;
  for (;;) {
    const rows = select.all(after).map((row) => filledRow(fill, row));
    for (const { id, words } of rows) insert.run(id, words);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/**
 * Brings the schema up to date and answers the steps that it took. Processes that do it at once follow each other. Throws
 * an Error for the operator when the store is not for this program.
 */
export function migrateSqlite(database: DatabaseSync, clock: Clock): Step[] {
  database.exec('begin immediate');
  try {
    database.exec(migrationsTable(sqliteDialect));
    const columns = database.prepare('pragma table_info(migrations)').all();
    if (!columns.some(({ name }) => name === 'breaks_before'))
      database.exec(`alter table migrations add column ${breaksBefore(sqliteDialect.integer)}`);
    const steps = takenOnSqlite(database);
    refuseBroken(steps);
    refuseUnfinished(unfinishedMove(database));
    const insert = database.prepare(
      'insert into migrations (id, name, applied_at, breaks_before) values (?, ?, ?, ?)',
    );
    for (const { id, name, up, fill, breaksBefore: broken = 0 } of pendingSteps(steps)) {
      for (const statement of up(sqliteDialect)) database.exec(statement);
      if (fill !== undefined) fillIndex(database, fill);
      insert.run(id, name, clock.now(), broken);
    }
    // A write in every case, because how durable a connection is can only be read back after one.
    database.exec('update migrations set applied_at = applied_at where id = 1');
    const after = takenOnSqlite(database);
    database.exec('commit');
    return after.slice(steps.length);
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}
