import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { wordCharactersMax } from '../../kernel/search.ts';
import { moveSetting } from '../migrations/steps.ts';
import { arraysOf } from '../sqlite/row-arrays.ts';
import { lockFolder, openWriter } from '../sqlite/sqlite.ts';
import { searchTables } from '../sqlite/traces.ts';
import {
  isSearchTable,
  type MovedColumn,
  type MovedRow,
  type MovedTable,
  type MovedValue,
  type MoveSide,
  type MoveWriter,
  quoted,
  readText,
  searchColumns,
} from './side.ts';

/** The words of an index, in a table that is thrown away with the connection. */
function wordsTable(name: string): string {
  return `temp.${quoted(`${name}_words`)}`;
}

/** The folder of a store as one end of a move. It has the folder for itself until it is closed. */
export class SqliteSide implements MoveSide {
  readonly #lock: { release(): void };
  readonly #database: DatabaseSync;
  /** The indexes of words whose words are in their table. */
  readonly #spelt = new Set<string>();

  /** Throws an Error for the operator when a server has the folder. */
  constructor(folder: string) {
    this.#lock = lockFolder(folder);
    try {
      this.#database = openWriter(join(folder, 'confab.db'));
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    // The words of a large index are sorted on the disk.
    this.#database.exec('pragma temp_store = file; pragma cache_size = -16384');
  }

  // Commands write beside a server, so the lock of the folder does not keep them away.
  async freeze(): Promise<void> {
    this.#database.exec('begin immediate');
  }

  async columns(table: string): Promise<readonly MovedColumn[]> {
    if (isSearchTable(table)) return searchColumns;
    return this.#database
      .prepare('select name, lower(type) as type from pragma_table_info(?) order by cid')
      .all(table)
      .map(({ name, type }) => ({ name: String(name), type: type as MovedColumn['type'] }));
  }

  async read(
    table: MovedTable,
    { after, limit }: { after: MovedRow | undefined; limit: number },
  ): Promise<readonly MovedRow[]> {
    const isSearch = isSearchTable(table.name);
    if (isSearch && (after === undefined || !this.#spelt.has(table.name))) this.#spell(table.name);
    const text = readText(table, {
      isFirst: after === undefined,
      placeholder: () => '?',
      ...(isSearch ? { from: wordsTable(table.name) } : {}),
    });
    const statement = this.#database.prepare(text);
    statement.setReturnArrays(true);
    return arraysOf<MovedValue>(statement, [...(after ?? []), limit]);
  }

  /**
   * Puts the words of an index together again. The index has no texts, but which word stands where in which row, and
   * words are as `kernel/search.ts` made them.
   */
  #spell(name: string): void {
    const words = wordsTable(name);
    const vocabulary = `temp.${quoted(`${name}_vocabulary`)}`;
    this.#database.exec(`
      drop table if exists ${words};
      drop table if exists ${vocabulary};
      create table ${words} (rowid integer primary key, words text not null);
      create virtual table ${vocabulary} using fts5vocab('main', ${quoted(name)}, 'instance');
      insert into ${words} select doc, group_concat(substr(term, 1, ${wordCharactersMax}), ' ' order by offset) from ${vocabulary} group by doc;
      insert or ignore into ${words} select id, '' from ${quoted(`${name}_docsize`)}`);
    this.#spelt.add(name);
  }

  async highestIds(): Promise<ReadonlyMap<string, number>> {
    const rows = this.#database.prepare('select name, seq from sqlite_sequence').all();
    return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]));
  }

  async unfinished(): Promise<string | undefined> {
    const row = this.#database.prepare('select value from settings where name = ?').get(moveSetting);
    return row?.value as string | undefined;
  }

  async write(work: (writer: MoveWriter) => Promise<void>): Promise<void> {
    this.#database.exec('begin immediate');
    try {
      await work(this.#writer);
      this.#database.exec('commit');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  readonly #writer: MoveWriter = {
    insert: async ({ name, columns }, rows) => {
      const names = columns.map((column) => quoted(column.name)).join(', ');
      const places = columns.map(() => '?').join(', ');
      const statement = this.#database.prepare(`insert into ${quoted(name)} (${names}) values (${places})`);
      for (const row of rows) statement.run(...(row as MovedValue[]));
    },
    clear: async ({ name }) => {
      this.#database.exec(`delete from ${quoted(name)}`);
    },
    advance: async ({ name }, id) => {
      // The engine has entered the highest id that was inserted; a table that is empty may have given out ids as well.
      // This one table is not strict, and would keep a number as it is bound: with a fraction.
      const sequence = this.#database.prepare('select seq from sqlite_sequence where name = ?').get(name);
      const text =
        sequence === undefined
          ? 'insert into sqlite_sequence (seq, name) values (cast(? as integer), ?)'
          : 'update sqlite_sequence set seq = max(seq, cast(? as integer)) where name = ?';
      this.#database.prepare(text).run(id, name);
    },
    note: async (before, after) => {
      const unfinished = await this.unfinished();
      if (unfinished !== before) throw new Error('another move writes to the same target');
      this.#database.prepare('delete from settings where name = ?').run(moveSetting);
      if (after !== undefined)
        this.#database.prepare('insert into settings (name, value) values (?, ?)').run(moveSetting, after);
    },
  };

  async settle(): Promise<void> {
    // Many rows in one transaction leave large parts to merge, which the first requests would do a step at a time.
    for (const table of searchTables)
      this.#database.exec(`insert into ${table} (${table}) values ('optimize')`);
    this.#database.exec('pragma wal_checkpoint(truncate)');
  }

  async close(): Promise<void> {
    this.#database.close();
    this.#lock.release();
  }
}
