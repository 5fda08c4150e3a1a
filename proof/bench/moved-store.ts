import { PostgresSide } from 'confab-server/src/db/move/postgres.ts';
import { keys, type MovedRow, type MovedTable, type MovedValue } from 'confab-server/src/db/move/side.ts';
import { SqliteSide } from 'confab-server/src/db/move/sqlite.ts';
import { applyMigrations } from 'confab-server/src/db/store-address.ts';
import { entryWords } from 'confab-server/src/features/entries/entry-index.ts';
import { systemClock } from 'confab-server/src/kernel/clock.ts';
import { startCluster } from 'confab-testing/stores/postgres.ts';
import pg from 'pg';

/**
 * Copies a store of SQLite into a temporary PostgreSQL. In contrast to `confab move` it cannot be resumed and compares
 * nothing, so it can write tables without indexes and make them at the end: the million comments of `bench:size` take
 * minutes.
 */

const rowsPerPage = 5000;

/** What makes the copy fast. A temporary database need not survive a crash. */
const clusterSettings = [
  ...['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'max_wal_size=8GB'],
  ...['shared_buffers=512MB', 'maintenance_work_mem=1GB', 'max_parallel_maintenance_workers=0'],
];

/** A PostgreSQL that holds what a folder held, with the settings of a server on it. */
export async function movedToPostgres(folder: string) {
  const cluster = await startCluster(clusterSettings);
  const url = await cluster.createDatabase('confab_size');
  await applyMigrations({ url, isPrepared: true }, systemClock);
  const client = new pg.Client(url);
  await client.connect();
  const indexes = await dropIndexes(client);
  // The references between rows are right already, and looking each up takes as long as writing the row.
  await client.query('alter database confab_size set session_replication_role = replica');
  const [source, target] = [new SqliteSide(folder), await PostgresSide.open({ url, isPrepared: true })];
  await copyAll(source, target);
  await client.query('alter database confab_size reset session_replication_role');
  for (const index of indexes) await client.query(index);
  await target.settle();
  await Promise.all([source.close(), target.close(), client.end()]);
  return { settings: { CONFAB_DATABASE_URL: url }, stop: () => cluster.stop() };
}

/** Drops every index that no key needs, and returns the statements that make them. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
       join pg_class on pg_class.oid = indrelid
     where relnamespace = current_schema()::regnamespace and not indisprimary
       and indexrelid not in (select conindid from pg_constraint)`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

async function copyAll(source: SqliteSide, target: PostgresSide): Promise<void> {
  for (const [name, key] of Object.entries(keys)) {
    // Its rows are made from those of entries, because reading the words of a large index takes longer than all the rest.
    if (name === 'entry_search') continue;
    const table = { name, key, columns: await source.columns(name) };
    const startedAt = performance.now();
    await target.write((writer) => writer.clear(table));
    let copied = 0;
    for await (const page of pagesOf(source, table)) {
      await target.write(async (writer) => {
        await writer.insert(table, page);
        if (name === 'entries')
          await writer.insert(
            searchTable,
            page.map((row) => wordsOf(table, row)),
          );
      });
      copied += page.length;
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    if (copied > rowsPerPage) console.error(`  copied ${copied} rows of ${name} in ${seconds} s`);
    if (table.columns[0]?.name === 'id' && copied > 0)
      await target.write((writer) => writer.advance(table, 1));
  }
}

async function* pagesOf(source: SqliteSide, table: MovedTable): AsyncGenerator<readonly MovedRow[], void> {
  let after: MovedRow | undefined;
  for (;;) {
    const page = await source.read(table, { after, limit: rowsPerPage });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < rowsPerPage) return;
    after = table.key.map((name) => columnOf(table, last, name));
  }
}

const searchTable = {
  name: 'entry_search',
  key: keys.entry_search,
  columns: [
    { name: 'rowid', type: 'integer' },
    { name: 'words', type: 'text' },
  ],
} as const satisfies MovedTable;

function wordsOf(table: MovedTable, row: MovedRow): MovedRow {
  const of = (name: string) => columnOf(table, row, name);
  const [kind, parentType] = [String(of('kind')), String(of('parent_type'))];
  const place = { kind, parentType, appId: Number(of('app_id')), parentId: Number(of('parent_id')) };
  return [of('id'), entryWords(place, JSON.parse(String(of('content'))))];
}

function columnOf({ columns }: MovedTable, row: MovedRow, name: string): MovedValue {
  return row[columns.findIndex((column) => column.name === name)] ?? null;
}
