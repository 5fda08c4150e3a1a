import { type Expression, type OrderByModifiers, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SearchTerm } from '../kernel/search.ts';
import { byEngine } from './postgres-compiler.ts';

/**
 * Fragments of SQL. A fragment made by `byEngine` has one text for each engine, with the same meaning; both
 * engines understand the others. Nothing outside `db/` knows the dialect (docs/decisions/0002).
 */

/** `column` is one of the elements of an array parameter, bound as one value whatever its length. */
export function anyOf(column: Expression<unknown>, parameter: unknown): Expression<SqlBool> {
  return byEngine<SqlBool>({
    sqlite: sql`${column} in (select value from json_each(${parameter}))`,
    postgres: sql`${column} = any(${parameter})`,
  });
}

/**
 * `column` is one of the values of an array parameter, for rows that an index has for each value. SQLite reads
 * the rows value by value if `given`, the table of the values, is joined first; PostgreSQL does so by itself.
 */
export function eachOf(column: Expression<unknown>, parameter: unknown) {
  return {
    given: byEngine<{ value: number }>({
      sqlite: sql`json_each(${parameter})`,
      postgres: sql`(select 0 as value)`,
    }),
    condition: byEngine<SqlBool>({
      sqlite: sql`${column} = given.value`,
      postgres: sql`${column} = any(${parameter})`,
    }),
  };
}

/**
 * `column` is one of the values that `rows` selects. These are few or limited, and depend on an earlier table
 * of the statement. PostgreSQL would evaluate `in` for every row of the table of `column`; it reads an array
 * first and looks up its values by key.
 */
export function inLimitedRows(column: Expression<unknown>, rows: Expression<unknown>): Expression<SqlBool> {
  return byEngine<SqlBool>({
    sqlite: sql`${column} in ${rows}`,
    postgres: sql`${column} = any(array${rows})`,
  });
}

/**
 * `column` is one of the values that `rows` selects. These may be many, and depend on nothing else in the
 * statement. PostgreSQL reads them once and looks up each row among them. It would join a plain `in` and,
 * with a limit, compare each row with each value.
 */
export function inManyRows(column: Expression<unknown>, rows: Expression<unknown>): Expression<SqlBool> {
  return byEngine<SqlBool>({
    sqlite: sql`+${column} in ${rows}`,
    postgres: sql`(${column} in ${rows}) is true`,
  });
}

/**
 * A whole number to order by, for rows that another index finds. Otherwise PostgreSQL walks the index of the
 * order until enough rows match, and reads the whole table when few match. SQLite has the rows of one key in
 * the order of their ids.
 */
export function unindexedOrder(column: Expression<unknown>): Expression<number> {
  return byEngine<number>({ sqlite: sql`${column}`, postgres: sql`${column} + 0` });
}

/**
 * The rows of a table that match a condition, in place of the table. PostgreSQL finds them first, in any
 * requested order. Otherwise it walks the index of the order until enough rows match, and reads the whole
 * table when few match. On SQLite this is the table itself, and the condition is part of the `where` clause.
 * `also` repeats the other conditions of the statement that the same index covers.
 */
export function foundFirst(table: string, condition: Expression<SqlBool>, also: Expression<SqlBool>) {
  return {
    rows: byEngine<never>({
      sqlite: sql`${sql.table(table)}`,
      postgres: sql`(select * from ${sql.table(table)} where ${condition} and ${also} offset 0)`,
    }),
    condition: byEngine<SqlBool>({ sqlite: sql`${condition}`, postgres: sql`true` }),
  };
}

/**
 * How many rows a parameter limits or skips. SQLite plans by the value of a bare `limit ?` and so prepares the
 * statement anew on each call, which costs as much as half a page of rows; a cast hides the value from its planner.
 */
export function rowCount(parameter: unknown) {
  return sql<number>`cast(${parameter} as bigint)`;
}

/**
 * A whole number in a parameter, to compare with an expression. SQLite does not use an index on an expression
 * for a comparison with a cast.
 */
export function wholeNumber(parameter: unknown) {
  return byEngine<number>({
    sqlite: sql`${parameter}`,
    postgres: sql`cast(${parameter} as bigint)`,
  });
}

/** The numbers of an array parameter, as a table `name` with the columns `key` (position from 0) and `value`. */
export function numbersOf<const N extends string>(parameter: unknown, name: N) {
  return elementsOf<number>(sql`cast(${parameter} as bigint[])`, parameter).as<N>(sql.ref(name));
}

/** The texts of an array parameter, as a table `name` with the columns `key` (position from 0) and `value`. */
export function textsOf(parameter: unknown, name: string) {
  return elementsOf<string>(sql`cast(${parameter} as text[])`, parameter).as<string>(sql.ref(name));
}

function elementsOf<T>(array: RawBuilder<unknown>, parameter: unknown) {
  return byEngine<{ key: number; value: T }>({
    sqlite: sql`json_each(${parameter})`,
    postgres: sql`(select value, place - 1 as key from unnest(${array}) with ordinality as element (value, place))`,
  });
}

/**
 * The objects of a JSON array in a parameter, as a table `name` in their order by `key`, whose fields `numberIn`,
 * `textIn` and `flagIn` read.
 */
export function recordsOf<const N extends string>(parameter: unknown, name: N) {
  return byEngine<{ key: number }>({
    sqlite: sql`json_each(${parameter})`,
    postgres: sql`(select value, place - 1 as key
      from jsonb_array_elements(cast(${parameter} as jsonb)) with ordinality as element (value, place))`,
  }).as<N>(sql.ref(name));
}

/** A field with whole numbers of the records in the table `name`; null where a record has none. */
export function numberIn<T extends number | null = number>(name: string, field: string) {
  return sql<T>`cast(${sql.ref(`${name}.value`)} ->> ${sql.lit(field)} as bigint)`;
}

/** A field with text of the records in the table `name`; null where a record has none. */
export function textIn<T extends string | null = string>(name: string, field: string) {
  return sql<T>`(${sql.ref(`${name}.value`)} ->> ${sql.lit(field)})`;
}

/** A field with a boolean of the records in the table `name`, as 0 or 1; null where a record has none. SQLite reads `true` as 1. */
export function flagIn(name: string, field: string) {
  const value = sql`cast(${sql.ref(`${name}.value`)} ->> ${sql.lit(field)} as text)`;
  return sql<number>`case when ${value} in ('true', '1') then 1 when ${value} is not null then 0 end`;
}

/** `rows`, a query of one column `value`, as the text of a JSON array in the order by `order`. */
export function jsonArrayOf(
  value: Expression<string>,
  { from, order }: { from: Expression<unknown>; order: Expression<unknown> },
) {
  return byEngine<string>({
    // The rows are sorted before they are aggregated, because this aggregate guarantees no order.
    sqlite: sql`(select json_group_array(value) from (select ${value} as value from ${from} order by ${order}))`,
    postgres: sql`(select '[' || coalesce(string_agg(cast(to_json(${value}) as text), ',' order by ${order}), '') || ']'
      from ${from})`,
  });
}

/** The texts of the rows of a subquery, in its order by `id`, with commas between them; null texts are left out. */
export function joinedTexts(
  text: Expression<unknown>,
  { id, direction }: { id: Expression<unknown>; direction: 'asc' | 'desc' },
) {
  return byEngine<string | null>({
    // Unlike other aggregates it keeps the order of a subquery.
    sqlite: sql`group_concat(${text}, ',')`,
    postgres: sql`string_agg(${text}, ',' order by ${id} ${sql.raw(direction)})`,
  });
}

/**
 * The rows between an offset and a limit, with a value computed from their columns: inside the limited query,
 * or outside of it. Inside, PostgreSQL also computes it for each row that it skips. Outside, SQLite copies
 * each column once more.
 */
export function madeOfLimitedRows<R>(forms: {
  readonly within: Expression<R>;
  readonly around: Expression<R>;
}) {
  return byEngine<R>({ sqlite: sql`${forms.within}`, postgres: sql`${forms.around}` });
}

/** The text of a JSON array of some values. */
export function jsonArrayWith(values: readonly Expression<unknown>[]) {
  return byEngine<string>({
    sqlite: sql`json_array(${sql.join(values)})`,
    postgres: sql`cast(json_build_array(${sql.join(values)}) as text)`,
  });
}

/** The different texts of the rows of a subquery, in any order, with commas between them; null texts are left out. */
export function joinedOnce(text: Expression<unknown>) {
  return byEngine<string | null>({
    sqlite: sql`group_concat(distinct ${text})`,
    postgres: sql`string_agg(distinct ${text}, ',')`,
  });
}

/** A text that the program passes on without reading it: on SQLite the bytes of UTF-8. */
export function unread(text: Expression<string>) {
  return byEngine<Uint8Array | string>({ sqlite: sql`cast(${text} as blob)`, postgres: sql`${text}` });
}

/** The JSON text of an object without its braces. SQLite cuts bytes, because it would count the characters of a text. */
export function insideOfObject(text: Expression<string>) {
  return byEngine<string>({
    sqlite: sql`substr(cast(${text} as blob), 2, octet_length(${text}) - 2)`,
    postgres: sql`substr(${text}, 2, length(${text}) - 2)`,
  });
}

/** Whether a text contains the JSON text of an object without its braces, byte for byte. */
export function containsObject(text: Expression<string>, object: Expression<string>) {
  return byEngine<SqlBool>({
    sqlite: sql`instr(cast(${text} as blob), ${insideOfObject(object)}) > 0`,
    postgres: sql`strpos(${text}, ${insideOfObject(object)}) > 0`,
  });
}

/** The greater of two numbers that are not null. `parameter` may be a parameter. */
export function atLeast(parameter: unknown, least: number) {
  return greaterOf(sql`cast(${parameter} as bigint)`, sql.lit(least));
}

/** The lesser of a number that may be null and a parameter that is not. */
export function atMost(value: Expression<unknown>, parameter: unknown) {
  const most = sql`cast(${parameter} as bigint)`;
  return sql<number>`case when ${value} < ${most} then ${value} else ${most} end`;
}

/** The greater of two numbers; neither may be null. */
export function greaterOf(one: Expression<unknown>, other: Expression<unknown>) {
  return sql<number>`case when ${one} > ${other} then ${one} else ${other} end`;
}

/** What a text has before the first `mark`, one character; all of the text where it has none. */
export function beforeFirst(text: Expression<string>, mark: Expression<string>) {
  const place = byEngine<number>({
    sqlite: sql`instr(${text} || ${mark}, ${mark})`,
    postgres: sql`strpos(${text} || ${mark}, ${mark})`,
  });
  return sql<string>`substr(${text}, 1, ${place} - 1)`;
}

/** The last characters of a text that has at least as many; their number is a parameter above 0. */
export function lastCharacters(text: Expression<string>, parameter: unknown) {
  return sql<string>`substr(${text}, length(${text}) + 1 - cast(${parameter} as integer))`;
}

/**
 * A column as a value, so that the planner of SQLite uses no index for a condition on it. PostgreSQL has
 * statistics about the values and needs no such hint.
 */
export function unindexed<T>(column: Expression<T>) {
  return byEngine<T>({ sqlite: sql`+${column}`, postgres: sql`${column}` });
}

/**
 * The direction of an order by a column that may be null; null counts as the lowest value. Do not use it for
 * a column that is never null: an index of PostgreSQL has only the order of its own direction.
 */
export function nullsLowest(direction: 'asc' | 'desc'): OrderByModifiers {
  return (order) => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsFirst());
}

/**
 * A version 7 UUID (RFC 9562) made by the engine for each row of the statement: `at` in Unix milliseconds,
 * then 74 random bits. So an index of them grows at its end; each random UUID would write a page of its own.
 */
export function timedUuid(at: unknown) {
  const ms = sql`cast(${at} as bigint)`;
  return byEngine<string>({
    sqlite: sql`lower(printf('%08x-%04x-7', ${ms} >> 16, ${ms} & 65535) || substr(hex(randomblob(2)), 2) || '-' || substr('89ab', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`,
    postgres: sql`overlay(lpad(to_hex(${ms}), 12, '0') placing '-' from 9 for 0) || '-7' || substr(cast(gen_random_uuid() as text), 16)`,
  });
}

/** The full-text indexes. Each has the row id of what it indexes and one text of words (`kernel/search.ts`). */
export type SearchTable =
  | 'entry_search'
  | 'app_search'
  | 'user_search'
  | 'public_user_search'
  | 'file_search'
  | 'directory_search'
  | 'webhook_search';

/** The most words that a prefix is expanded to. Building this many terms takes SQLite some milliseconds. */
const spelledMax = 128;

/**
 * The terms of a query as one text for SQLite. A prefix is expanded to the words of the index that begin with
 * it, if there are at most `spelledMax`. For a prefix, FTS5 first collects all rows that have any of these
 * words, whatever the other terms are; that takes 60 ms for a word in a quarter of a million texts. Words it
 * reads row by row, from either end, and skips rows that another term excludes.
 */
function spelledOut(table: SearchTable, parameter: unknown): Expression<string> {
  const terms = sql.table(`${table}_terms`);
  // No word that begins with the prefix sorts after the prefix followed by this character.
  const end = sql`asked.word || char(1114111)`;
  // Each step finds the next word: to return all words at once, the index would read every row of each.
  const spelled = sql`(with recursive spelled (term) as (
      select (select term from ${terms} where term >= asked.word limit 1)
      union all
      select (select term from ${terms} where term >= spelled.term || char(1) limit 1) from spelled
        where spelled.term < ${end} limit ${sql.lit(spelledMax + 2)})
    select case when count(*) <= ${sql.lit(spelledMax)}
      then '(' || group_concat('"' || asked.head || term || '"', ' OR ') || ')' end
    from spelled where term < ${end})`;
  // A term is in double quotes; in a phrase, only the last word may be a prefix.
  return sql<string>`(select group_concat(case when isBeginning then coalesce(${spelled}, value) else value end, ' AND ')
    from (select value, isBeginning, head, substr(inside, length(head) + 1) as word
      from (select value, isBeginning, inside, rtrim(inside, replace(inside, ' ', '')) as head
        from (select value, substr(value, -1) = '*' as isBeginning, substr(value, 2, length(value) - 3) as inside
          from json_each(${parameter})))) as asked)`;
}

/**
 * Whether a page of a search in the order of ids is read row by row (1), or all matches are collected first
 * (0). The index of PostgreSQL has no order, and its planner would walk the whole store for a rare word.
 */
export const walksMatches = byEngine<number>({ sqlite: sql`1`, postgres: sql`0` });

/**
 * Whether an index of words reads all rows of the store with one of the terms in `parameter`, although another term
 * excludes most of them. SQLite does so for a prefix only.
 */
export function readsAllRows(parameter: unknown): Expression<SqlBool> {
  return byEngine<SqlBool>({
    sqlite: sql`exists (select 1 from json_each(${parameter}) where substr(value, -1) = '*')`,
    postgres: sql`cast(${parameter} as text[]) is not null`,
  });
}

/**
 * The rows of `table` with words that match the query in `parameter`, an array of terms (see
 * `searchExpression`).
 *
 * SQLite understands the terms as they are. For PostgreSQL they become a query for each word; if all words of
 * a phrase match, the phrase is then searched in the words themselves, with the spaces around them.
 */
export function matches(table: SearchTable, parameter: unknown): Expression<SqlBool> {
  const terms = sql`cast(${parameter} as text[])`;
  return byEngine<SqlBool>({
    isSearch: true,
    sqlite: sql`${sql.ref(table)} match ${spelledOut(table, parameter)}`,
    postgres: sql`(${sql.ref(`${table}.lexemes`)} @@ cast(
      replace(replace(replace(replace(array_to_string(${terms}, '&'), ' OR ', '|'), ' ', '''&'''), '"*', ''':*'), '"', '''')
      as tsquery) and not exists (
        select 1 from unnest(${terms}) as asked (term) where strpos(term, ' ') > 0 and strpos(term, '(') = 0
          and strpos(' ' || ${sql.ref(`${table}.words`)} || ' ', replace(replace(term, '"*', ''), '"', ' ')) = 0))`,
  });
}

/**
 * The same for a query that few rows match: PostgreSQL finds all of them before it checks other conditions.
 */
export function matchesFew(table: SearchTable, parameter: unknown): Expression<SqlBool> {
  const all = matches(table, parameter);
  return byEngine<SqlBool>({
    isSearch: true,
    sqlite: sql`${all}`,
    postgres: sql`${sql.ref(`${table}.rowid`)} = any(array(select rowid from ${sql.table(table)} where ${all}))`,
  });
}

/** A word that no text has: words of texts have other first characters, and scopes are longer. */
const noWord = '\uE000';

/**
 * A query for `matches`: every term must match, and without a term nothing matches. `scopes` are whole words;
 * at least one of them must match as well. Each term is in double quotes; a star after it makes it a prefix.
 */
export function searchExpression(terms: readonly SearchTerm[], scopes?: readonly string[]): string[] {
  if (terms.length === 0 || scopes?.length === 0) return [`"${noWord}"`];
  const phrases = terms.map((term) => `"${term.words.join(' ')}"${term.isPrefix ? '*' : ''}`);
  // Words hold letters, digits, marks and private characters only and no capitals, so nothing in them can be read as an operator.
  const words = scopes?.map((scope) => `"${scope}"`) ?? [];
  return [...(words.length > 1 ? [`(${words.join(' OR ')})`] : words), ...phrases];
}

/**
 * The words of the visible text of a row of `entries`, with one space before, between and after them. The
 * index of SQLite keeps no texts, so on SQLite the words are computed again: only in long reads, and for few
 * rows.
 */
export const wordsOfEntry = byEngine<string>({
  sqlite: sql`' ' || search_words(entries.content ->> '$.plain') || ' '`,
  postgres: sql`(select ' ' || words || ' ' from entry_search where entry_search.rowid = entries.id)`,
});

/**
 * `text`, which holds words with one space before, between and after them, matches every needle of an array parameter
 * (see `searchNeedles`), without an index.
 */
export function containsWords(text: Expression<string>, parameter: unknown): Expression<SqlBool> {
  return byEngine<SqlBool>({
    sqlite: sql`not exists (select 1 from json_each(${parameter}) where instr(${text}, value) = 0)`,
    postgres: sql`not exists (select 1 from unnest(cast(${parameter} as text[])) as needle (value)
      where strpos(${text}, value) = 0)`,
  });
}

/** `text` contains one of the texts of an array parameter. */
export function containsAny(text: Expression<string>, parameter: unknown): Expression<SqlBool> {
  return byEngine<SqlBool>({
    sqlite: sql`exists (select 1 from json_each(${parameter}) where instr(${text}, value) > 0)`,
    postgres: sql`exists (select 1 from unnest(cast(${parameter} as text[])) as needle (value)
      where strpos(${text}, value) > 0)`,
  });
}

/** Terms as needles for `containsWords`; without a term nothing is found. */
export function searchNeedles(terms: readonly SearchTerm[]): string[] {
  if (terms.length === 0) return [` ${noWord} `];
  return terms.map((term) => ` ${term.words.join(' ')}${term.isPrefix ? '' : ' '}`);
}

const postgresUniqueViolation = '23505';

/** Whether `error` says that a row with this unique value is already there; `key` is `table.column`. */
export function isUniqueViolation(error: unknown, key: string): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message === `UNIQUE constraint failed: ${key}`) return true;
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  // The name that the engine gives to a constraint declared with its column.
  return code === postgresUniqueViolation && constraint === `${key.replace('.', '_')}_key`;
}
