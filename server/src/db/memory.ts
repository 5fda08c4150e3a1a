import { constants, type DatabaseSync, type StatementSync } from 'node:sqlite';
import { bytesOf } from './rows.ts';
import {
  bindValues,
  type Compiled,
  compile,
  type Parameters,
  type Query,
  type Remembered,
} from './statement.ts';

/**
 * The memory of a SQLite store: rows that most requests read, such as the user of an access token or a page of comments.
 *
 * A remembered row is never outdated. The engine itself reports which columns a statement reads (the authorizer) and
 * which rows change in them (temporary triggers on the connection that writes), so writers need not report anything. Rows
 * that a transaction has changed are forgotten in the synchronous step that commits it, and a row is read and remembered
 * in one such step. `pragma data_version`, which is read with every new snapshot, reveals commits of other processes;
 * then everything is forgotten. Absent rows are not remembered.
 */

/** The most bytes that are remembered for a statement; a row beyond that makes all others forgotten. */
const bytesMax = 8 * 1024 * 1024;
/** The most bytes of a remembered row: a page of a hundred comments. */
const rowBytesMax = 128 * 1024;
/**
 * A row of more than `bytesMin` is remembered only when it is requested again before `askedMax` others were, because
 * keeping pages that are never requested again costs more than reading them. A remembered row that has changed counts
 * too.
 */
const heavy = { bytesMin: 4096, askedMax: 1000 } as const;

/** The remembered rows of one statement, by its parameters. */
class Rows {
  readonly #rows = new Map<string, unknown>();
  readonly #keysById = new Map<number, string[]>();
  /** The keys of heavy rows that were asked for and are not remembered. */
  readonly #asked = new Set<string>();
  /** The ids of the rows that the open transaction has changed; null stands for every row. */
  readonly #changed = new Set<number | null>();
  /** How many bytes were remembered since all were forgotten. */
  #bytes = 0;

  find(key: string): unknown {
    return this.#rows.get(key);
  }

  keep(key: string, row: object, id: number): void {
    const bytes = bytesOf(row);
    if (bytes > rowBytesMax || (bytes > heavy.bytesMin && !this.#isAskedAgain(key))) return;
    if (this.#bytes + bytes > bytesMax) this.forgetAll();
    this.#bytes += bytes;
    this.#rows.set(key, Object.freeze(row));
    const keys = this.#keysById.get(id);
    if (keys === undefined) this.#keysById.set(id, [key]);
    else keys.push(key);
  }

  #isAskedAgain(key: string): boolean {
    if (this.#asked.delete(key)) return true;
    this.#noteAsked(key);
    return false;
  }

  #noteAsked(key: string): void {
    if (this.#asked.size >= heavy.askedMax) this.#asked.clear();
    this.#asked.add(key);
  }

  change(id: number | null): void {
    this.#changed.add(id);
  }

  forgetChanged(): void {
    for (const id of this.#changed)
      if (id === null) this.forgetAll();
      else {
        for (const key of this.#keysById.get(id) ?? []) {
          this.#rows.delete(key);
          this.#noteAsked(key);
        }
        this.#keysById.delete(id);
      }
    this.#changed.clear();
  }

  forgetAll(): void {
    this.#rows.clear();
    this.#keysById.clear();
    this.#bytes = 0;
  }
}

function latin1Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** A text that no other parameters of the statement have. */
function keyOf(values: readonly unknown[]): string {
  let key = '';
  for (const value of values) {
    const text = value instanceof Uint8Array ? latin1Of(value) : String(value);
    key += `${text.length} ${text}`;
  }
  return key;
}

/** Changes of a table that triggers report: rows added (unless `isCounted`), deleted, or changed in some columns. */
type Watched = {
  readonly table: string;
  readonly columns: ReadonlySet<string>;
  readonly id: string | null;
  readonly isCounted: boolean;
};

/** The memory of one store. Tests derive from it a store that remembers nothing, or that forgets too little. */
export class Memory {
  readonly #writer: DatabaseSync;
  readonly #othersVersion: StatementSync;
  /** By the text of the statement, because a statement whose shape was not used for long is built again. */
  readonly #rows = new Map<string, Rows>();
  /** The listeners of the triggers, by the number that a trigger passes; statements with the same reads share one. */
  readonly #watches: { readonly key: string; readonly table: string; readonly readers: Rows[] }[] = [];
  #seenVersion: unknown;
  #hits = 0;
  #misses = 0;

  constructor(writer: DatabaseSync) {
    this.#writer = writer;
    // On the connection that writes it changes with the commits of other processes alone.
    this.#othersVersion = writer.prepare('pragma data_version');
    writer.function('remembered_changed', (watch, id) => {
      const { table, readers } = this.#watches[Number(watch)] as { table: string; readers: Rows[] };
      this.onChange(table, () => {
        for (const rows of readers) rows.change(id as number | null);
      });
      return null;
    });
  }

  /** The first row of `query`, from memory or from `read`, which must be as new as the last commit of this process. */
  get<P extends Parameters, R>(query: Query<P, R>, parameters: P, read: () => R | undefined): R | undefined {
    const { remembered } = query;
    if (remembered === undefined) return read();
    const compiled = compile(query, 'sqlite');
    const rows = this.#rows.get(compiled.sql) ?? this.#watchedRows(compiled, remembered);
    if (rows === undefined) return read();
    const key = keyOf(bindValues(compiled, parameters));
    const known = rows.find(key) as R | undefined;
    if (known !== undefined) {
      this.#hits += 1;
      return known;
    }
    this.#misses += 1;
    const row = read();
    if (row !== undefined) rows.keep(key, row as object, remembered.id(row));
    return row;
  }

  /** How many reads found their row remembered, and how many had to read it. */
  counts(): { readonly hits: number; readonly misses: number } {
    return { hits: this.#hits, misses: this.#misses };
  }

  /** Called when a row of `table` changes; `forget` notes which remembered rows the commit makes outdated. */
  protected onChange(_table: string, forget: () => void): void {
    forget();
  }

  /** Forgets what the transaction has changed. Call it in the step that commits it or rolls it back. */
  afterTransaction(): void {
    for (const rows of this.#rows.values()) rows.forgetChanged();
  }

  /** Forgets everything when another process has committed since the last call; returns whether one has. */
  hasChangedOutside(): boolean {
    const version = this.#othersVersion.get()?.data_version;
    if (version === this.#seenVersion) return false;
    this.#seenVersion = version;
    for (const rows of this.#rows.values()) rows.forgetAll();
    return true;
  }

  /** The rows of a statement; undefined while they cannot be watched yet. */
  #watchedRows(
    compiled: Compiled,
    { tables, countedTables: counted = [] }: Remembered<never>,
  ): Rows | undefined {
    // Triggers that are made in a transaction would be gone when it is rolled back.
    if (this.#writer.isTransaction) return undefined;
    const read = this.#columnsReadBy(compiled.sql);
    // Whatever is not watched would be outdated one day, so neither side may know of a table that the other does not.
    for (const table of read.keys())
      if (!(table in tables))
        throw new Error(`a remembered statement reads the table ${table}, which it does not declare`);
    const rows = new Rows();
    for (const [table, id] of Object.entries(tables)) {
      const columns = read.get(table);
      if (columns === undefined)
        throw new Error(`a remembered statement does not read the table ${table}, which it declares`);
      this.#watch(rows, { table, columns, id, isCounted: counted.includes(table as keyof typeof tables) });
    }
    this.#rows.set(compiled.sql, rows);
    return rows;
  }

  /** The columns that a statement reads, by table. */
  #columnsReadBy(sql: string): Map<string, Set<string>> {
    const read = new Map<string, Set<string>>();
    this.#writer.setAuthorizer((action, table, column) => {
      if (action === constants.SQLITE_READ && table !== null && column !== null)
        read.set(table, (read.get(table) ?? new Set()).add(column));
      return constants.SQLITE_OK;
    });
    this.#writer.prepare(sql);
    this.#writer.setAuthorizer(null);
    return read;
  }

  #watch(rows: Rows, { table, columns, id, isCounted }: Watched): void {
    const updated = [...columns]
      .map((column) => `"${column}"`)
      .sort()
      .join(', ');
    const key = `${table} ${id} ${isCounted} ${updated}`;
    const known = this.#watches.find((watch) => watch.key === key);
    if (known !== undefined) return void known.readers.push(rows);
    const watch = this.#watches.length;
    const changed = (row: 'old' | 'new') =>
      `remembered_changed(${watch}, ${id === null ? 'null' : `${row}."${id}"`})`;
    const triggers = [
      ...(isCounted ? [] : [['inserted', 'insert', changed('new')]]),
      ['updated', `update of ${updated}`, `${changed('old')}, ${changed('new')}`],
      ['deleted', 'delete', changed('old')],
    ].map(
      ([name, event, call]) =>
        `create temp trigger remembered_${watch}_${name} after ${event} on main."${table}" begin select ${call}; end`,
    );
    // All or none: the next read makes them if the database fails now.
    try {
      this.#writer.exec(`begin; ${triggers.join('; ')}; commit`);
    } catch (error) {
      if (this.#writer.isTransaction) this.#writer.exec('rollback');
      throw error;
    }
    this.#watches.push({ key, table, readers: [rows] });
  }
}
