import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * Reads tables of a SQLite file from another program, which an operator uploads. Nothing that the file says is run: only plain
 * tables are read, without its views, triggers, computed columns and indexes, and functions in its schema are not trusted
 * (sqlite.org/security.html). The file is opened as one that nobody changes.
 */

/** Why a file cannot be read, as half a sentence. */
export class ExternalDatabaseFault extends Error {}

/** What stands for a text of more than four bytes for each character that is read of its column. */
export const tooLong: unique symbol = Symbol('a text that is too long');

/** The columns to read of each table, with the most characters of each. */
export type ExternalColumns = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** An open database. */
export type ExternalDatabase = Disposable & {
  /**
   * The rows of a table in the order of `id`. A text is cut to its length, or is `tooLong`, and a whole number that a double
   * may change is a bigint. Throws `ExternalDatabaseFault`.
   */
  rows(table: string): Iterable<Readonly<Record<string, unknown>>>;
};

/** Opens a database that has all of some columns. Throws `ExternalDatabaseFault` for any other file. */
export function openExternalDatabase(path: string, columns: ExternalColumns): ExternalDatabase {
  assertWhole(path);
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  const close = () => database.close();
  try {
    database.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma mmap_size = 0');
    for (const [table, columnNames] of Object.entries(columns))
      assertTable(database, table, Object.keys(columnNames));
  } catch (error) {
    close();
    throw faultOf(error);
  }
  return {
    *rows(table) {
      const selected = Object.entries(columns[table] ?? {}).map(
        ([column, charactersMax]) =>
          // Cutting a text reads the whole of it, and its number of bytes only its head. A blob marks one that is too long.
          `case typeof("${column}") when 'text' then iif(octet_length("${column}") > ${4 * charactersMax},
          x'00', substr("${column}", 1, ${charactersMax})) when 'blob' then null else "${column}" end as "${column}"`,
      );
      try {
        const statement = database.prepare(
          `select ${selected.join(', ')} from "${table}" not indexed order by "id"`,
        );
        statement.setReadBigInts(true);
        for (const row of statement.iterate())
          yield Object.fromEntries(Object.entries(row).map(([column, value]) => [column, readable(value)]));
      } catch (error) {
        throw faultOf(error);
      }
    },
    [Symbol.dispose]: close,
  };
}

function readable(value: unknown): unknown {
  if (value instanceof Uint8Array) return tooLong;
  const number = typeof value === 'bigint' ? Number(value) : undefined;
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Throws for a file that is shorter than its header says (sqlite.org/fileformat.html, section 1.3). SQLite itself notices
 * only when it reads a page that is missing.
 */
function assertWhole(path: string): void {
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
    const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    // The count of pages is that of the last change only if both counters of changes agree.
    const isCurrent = header.readUInt32BE(24) === header.readUInt32BE(92);
    if (isCurrent && fstatSync(file).size < pageBytes * header.readUInt32BE(28))
      throw new ExternalDatabaseFault('it is cut off');
  } finally {
    closeSync(file);
  }
}

/** Throws unless the database has a plain table with some columns, none of which is computed. */
function assertTable(database: DatabaseSync, table: string, columnNames: readonly string[]): void {
  const schema = database
    .prepare('select type, sql from sqlite_schema where name = ? collate nocase')
    .get(table);
  if (schema === undefined) throw new ExternalDatabaseFault(`it has no table ${table}`);
  if (schema['type'] !== 'table' || !/^create table\b/i.test(String(schema['sql'])))
    throw new ExternalDatabaseFault(`${table} is no plain table`);
  const columns = database.prepare('select name, hidden from pragma_table_xinfo(?)').all(table);
  const plain = new Set(columns.filter(({ hidden }) => hidden === 0).map(({ name }) => String(name)));
  const missing = columnNames.find((column) => !plain.has(column));
  if (missing !== undefined)
    throw new ExternalDatabaseFault(`its table ${table} has no plain column ${missing}`);
}

/** An error of the engine is one of the file; any other stays as it is. */
function faultOf(error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error)) return error;
  return new ExternalDatabaseFault(`SQLite cannot read it (${error.message})`, { cause: error });
}
