import type { SchemaDialect } from '../migrations/migration.ts';

/** The SQL of table definitions on SQLite. */
export const sqliteDialect: SchemaDialect = {
  id: 'id integer primary key autoincrement',
  integer: 'integer',
  text: 'text',
  blob: 'blob',
  table: (name, columns) => `create table ${name} (${columns}) strict`,
  // Contentless: the index keeps words and row ids, and the texts stay in their own table only. No accent is removed
  // here because `kernel/search.ts` has done what is to be done.
  searchIndex: (name) =>
    `create virtual table ${name} using fts5(words, content='', contentless_delete=1,
       tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'")`,
  searchTerms: (index) => [`create virtual table ${index}_terms using fts5vocab(${index}, instance)`],
  // FTS5 merges at once for every 64 pages of an index that it has written, so its step is as long as its pages are
  // large: 16 ms with 4 KiB. Merging eight parts at a time in place of four makes up for what smaller pages cost.
  shortMerges: (index) => [
    `insert into ${index} (${index}, rank) values ('pgsz', 1000)`,
    `insert into ${index} (${index}, rank) values ('automerge', 8)`,
  ],
  longTextIndex: (name, { table, column, order }) => `create index ${name} on ${table} (${column}, ${order})`,
};
