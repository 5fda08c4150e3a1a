/** The SQL for creating tables, where engines differ. */
export type SchemaDialect = {
  /** The column `id` of a table with ids of its own. */
  readonly id: string;
  readonly integer: string;
  /** Text that is compared and sorted by its code points. */
  readonly text: string;
  readonly blob: string;
  /** `create table` with the engine's checks. */
  table(name: string, columns: string): string;
  /** A full-text index over words made by `kernel/search.ts`, keyed by the row id of what it indexes. */
  searchIndex(name: string): string;
  /** A table of the words in a full-text index, for the engine that needs one to search. */
  searchTerms(index: string): readonly string[];
  /** Makes a full-text index merge its parts in many short steps, on the engine that merges them as it writes. */
  shortMerges(index: string): readonly string[];
  /** An index for looking up a text of any length in `column`, with the rows of one text by `order`. */
  longTextIndex(name: string, on: { table: string; column: string; order: string }): string;
};

/** Creates the table of the applied steps, unless it exists. */
export function migrationsTable({ integer, text, table }: SchemaDialect): string {
  return table(
    'if not exists migrations',
    `id ${integer} primary key, name ${text} not null, applied_at ${integer} not null, ${breaksBefore(integer)}`,
  );
}

/** The column for the versions that a step breaks; the table of an early store gets it with the next step. */
export function breaksBefore(integer: string): string {
  return `breaks_before ${integer} not null default 0`;
}

/** The search index entries that a step writes for existing rows. */
export type Fill = {
  readonly index: string;
  /** Has the column `id`, which is the row id in the index. */
  readonly table: string;
  /** The last id that is skipped; 0 when every row is filled in. */
  readonly after: number;
  readonly columns: readonly string[];
  /** The words of a row, of the texts in `columns`. */
  readonly words: (texts: readonly (string | null)[]) => string;
};

/** How many rows are filled in at a time. */
const fillRowsMax = 1000;

/** Selects the next rows to fill in; `placeholder` is the parameter that holds the id after which they begin. */
export function fillText({ table, columns }: Fill, placeholder: string): string {
  return `select id, ${columns.join(', ')} from ${table} where id > ${placeholder} order by id limit ${fillRowsMax}`;
}

/** A row that `fillText` selected, as the id and the words of the index. */
export function filledRow(
  { columns, words }: Fill,
  row: { readonly [column: string]: unknown },
): { readonly id: number; readonly words: string } {
  const texts = columns.map((column) => row[column] as string | null);
  return { id: Number(row.id), words: words(texts) };
}

/** One step forward; its statements run in one transaction. `id` counts from 1 without gaps. */
export type Migration = {
  readonly id: number;
  readonly name: string;
  /**
   * Programs whose newest step is below this one refuse the store from then on. Absent if the step breaks
   * none, as a step should. See server/src/README.md.
   */
  readonly breaksBefore?: number;
  readonly up: (words: SchemaDialect) => readonly string[];
  /** Runs after the statements, in their transaction. */
  readonly fill?: Fill;
};
