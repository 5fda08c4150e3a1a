/** The words in which engines differ when tables are made. */
export type SchemaWords = {
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
  /** An index for looking up a text of any length in `column`, with the rows of one text by `order`. */
  longTextIndex(name: string, on: { table: string; column: string; order: string }): string;
};

/** Makes the table of the steps that were taken, unless it is there. */
export function migrationsTable({ integer, text, table }: SchemaWords): string {
  return table(
    'if not exists migrations',
    `id ${integer} primary key, name ${text} not null, applied_at ${integer} not null, ${breaksBefore(integer)}`,
  );
}

/** The column of what a step breaks; the table of an early store gets it when the next step is taken. */
export function breaksBefore(integer: string): string {
  return `breaks_before ${integer} not null default 0`;
}

/** One step forward; its statements run in one transaction. `id` counts from 1 without gaps. */
export type Migration = {
  readonly id: number;
  readonly name: string;
  /**
   * Programs whose newest step is below this one refuse the store from then on; left out where the step breaks none,
   * which is what a step is to be. See CONTRIBUTING.md.
   */
  readonly breaksBefore?: number;
  readonly up: (words: SchemaWords) => readonly string[];
};
