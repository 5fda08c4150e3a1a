/** The words in which engines differ when tables are made. */
export type SchemaWords = {
  /** The column `id` of a table with ids of its own. */
  readonly id: string;
  readonly integer: string;
  readonly blob: string;
  /** `create table` with the engine's checks. */
  table(name: string, columns: string): string;
  /** A full-text index over words made by `kernel/search.ts`, keyed by the row id of what it indexes. */
  searchIndex(name: string): string;
};

/** One step forward; its statements run in one transaction. `id` counts from 1 without gaps. */
export type Migration = {
  readonly id: number;
  readonly name: string;
  readonly up: (words: SchemaWords) => readonly string[];
};
