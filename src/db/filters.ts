import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListQuery } from '../kernel/page.ts';
import { parseQuestion } from '../kernel/search.ts';
import { matches, type SearchTable, searchExpression, unindexed } from './dialect.ts';

/** What has an index of words (`SearchTable`): its name in the singular. */
type Searched = SearchTable extends `${infer Name}_search` ? Name : never;

/** `id` is a thing of which the index of words matches a question (`searchExpression`). */
export function isFound(id: Expression<unknown>, thing: Searched, question: string): RawBuilder<SqlBool> {
  const index: SearchTable = `${thing}_search`;
  return sql`${id} in (select rowid from ${sql.table(index)} where ${matches(index, question)})`;
}

/** A question finds at most `most` things. It is answered once for a statement and reads no more of the index than that. */
export function findsAtMost(most: number, thing: Searched, question: string): RawBuilder<SqlBool> {
  const index: SearchTable = `${thing}_search`;
  const found = sql`select rowid from ${sql.table(index)} where ${matches(index, question)} limit ${sql.lit(most + 1)}`;
  return sql`(select count(*) from (${found}) as found) <= ${sql.lit(most)}`;
}

/**
 * `id` is a thing that has a tag. `isAlone` is false where the list has a question as well: SQLite walks the ids that
 * the question finds and looks each of them up among those with the tag. Given both as lists it walks the one within
 * the other, which took 3.5 s for 4,000 comments that have both.
 */
export function isTagged(
  id: Expression<unknown>,
  thing: 'app' | 'entry' | 'file' | 'user',
  { tag, isAlone }: { tag: string; isAlone: boolean },
): RawBuilder<SqlBool> {
  const tagged = isAlone ? id : unindexed(id);
  return sql`${tagged} in (select ${sql.ref(`${thing}_id`)} from ${sql.table(`${thing}_tags`)} where tag = ${tag})`;
}

/**
 * The question and the tag that a list was asked for: which of them there are, for the shape of its statement, and the
 * parameters that go with them and the page. `scope` is a word that must stand in what is found.
 */
export function filtersOf(
  { q, tag, top, skip }: Pick<ListQuery, 'q' | 'tag' | 'top' | 'skip'>,
  scope?: string,
): {
  readonly shape: { readonly hasQuestion: boolean; readonly hasTag: boolean };
  readonly parameters: { question: string; tag: string; top: number; skip: number };
} {
  const terms = parseQuestion(q);
  return {
    shape: { hasQuestion: terms !== undefined, hasTag: tag !== undefined },
    parameters: {
      question: terms === undefined ? '' : searchExpression(terms, scope),
      tag: tag ?? '',
      top,
      skip,
    },
  };
}
