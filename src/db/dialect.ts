import { type Expression, type SqlBool, sql } from 'kysely';
import type { SearchTerm } from '../kernel/search.ts';

/**
 * The fragments in which engines differ; nothing outside `db/` knows the dialect. Each one has a line in
 * docs/decisions/0002.
 */

/** `column` is one of the elements of an array parameter, bound as one value whatever its length. */
export function anyOf(column: Expression<unknown>, parameter: unknown): Expression<SqlBool> {
  return sql<SqlBool>`${column} in (select value from json_each(${parameter}))`;
}

/**
 * How many rows a parameter limits or skips. SQLite plans by the value of a bare `limit ?` and so prepares the
 * statement anew on each call, which costs as much as half a page of rows; a cast hides the value from its planner.
 */
export function rowCount(parameter: unknown): Expression<number> {
  return sql<number>`cast(${parameter} as integer)`;
}

/** The rows an array parameter unpacks to, as a table `name` with the columns `key` (position from 0) and `value`. */
export function elementsOf(parameter: unknown, name: string) {
  return sql<{ key: number; value: string | number }>`json_each(${parameter})`.as<string>(sql.ref(name));
}

/** The objects of a JSON array in a parameter, as a table `name` whose fields `fieldOf` reads, in their order by `key`. */
export function recordsOf(parameter: unknown, name: string) {
  return sql<{ key: number }>`json_each(${parameter})`.as<string>(sql.ref(name));
}

/** A field of the records in the table `name`; null where a record has none. */
export function fieldOf<T>(name: string, field: string) {
  return sql<T>`json_extract(${sql.ref(`${name}.value`)}, ${sql.lit(`$.${field}`)})`;
}

/** A random version 4 UUID (RFC 9562) made by the engine, one for each row of the statement. */
export const randomUuid = sql<string>`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || substr('89ab', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;

/** The full-text indexes. Each has the row id of what it indexes and one text of words (`kernel/search.ts`). */
export type SearchTable =
  | 'entry_search'
  | 'app_search'
  | 'user_search'
  | 'file_search'
  | 'directory_search'
  | 'webhook_search';

/** The row of `table` whose words match the engine's question in `parameter` (see `searchExpression`). */
export function matches(table: SearchTable, parameter: unknown): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(table)} match ${parameter}`;
}

/** Terms as a question of the engine: every term must match. `scope` is a whole word that must be there as well. */
export function searchExpression(terms: readonly SearchTerm[], scope?: string): string {
  const asked = terms.map((term) => `"${term.words.join(' ')}"${term.isPrefix ? '*' : ''}`);
  // Words hold letters, digits and marks only, so nothing in them can be read as an operator.
  return [...(scope === undefined ? [] : [`"${scope}"`]), ...asked].join(' AND ');
}

/**
 * `text`, which holds words with one space before, between and after them, matches every needle of an array parameter
 * (see `searchNeedles`): for texts that are too many for an index of their own and only ASCII.
 */
export function containsWords(text: Expression<string>, parameter: unknown): Expression<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from json_each(${parameter}) where instr(${text}, value) = 0)`;
}

/** Terms as needles of `containsWords`. */
export function searchNeedles(terms: readonly SearchTerm[]): string[] {
  return terms.map((term) => ` ${term.words.join(' ')}${term.isPrefix ? '' : ' '}`);
}

/** Whether `error` says that a row with this unique value is already there; `key` is `table.column`. */
export function isUniqueViolation(error: unknown, key: string): boolean {
  return error instanceof Error && error.message === `UNIQUE constraint failed: ${key}`;
}
