import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListQuery } from '../kernel/page.ts';
import { parseQuestion } from '../kernel/search.ts';
import { matches, type SearchTable, searchExpression, unindexed } from './dialect.ts';

/** A kind of item with an index of words (`SearchTable`), in the singular. */
type Searched = SearchTable extends `${infer Name}_search` ? Name : never;

/** `id` is an item that matches a search query (`searchExpression`) in the index of words. */
export function matchesSearch(
  id: Expression<unknown>,
  thing: Searched,
  question: readonly string[],
): RawBuilder<SqlBool> {
  const index: SearchTable = `${thing}_search`;
  return sql`${id} in (select rowid from ${sql.table(index)} where ${matches(index, question)})`;
}

/**
 * A query finds at most `most` items. It runs once for a statement and reads no more of the index than that.
 */
export function matchesAtMost(
  most: number,
  thing: Searched,
  question: readonly string[],
): RawBuilder<SqlBool> {
  const index: SearchTable = `${thing}_search`;
  const ids = sql`select rowid from ${sql.table(index)} where ${matches(index, question)} limit ${sql.lit(most + 1)}`;
  return sql`(select count(*) from (${ids}) as found) <= ${sql.lit(most)}`;
}

/**
 * `id` is an item with a tag. `isAlone` is false if the list has a search query as well: then SQLite walks
 * the matches of the query and looks up each of them among the items with the tag. With two lists, it would
 * walk one within the other, which took 3.5 s for 4,000 comments that match both. `appId` limits the list to
 * one app.
 */
export function matchesTag(
  id: Expression<unknown>,
  thing: 'app' | 'entry' | 'file' | 'user',
  { tag, isAlone, appId }: { tag: string; isAlone: boolean; appId?: number | undefined },
): RawBuilder<SqlBool> {
  const tagged = isAlone ? id : unindexed(id);
  const inApp = appId === undefined ? sql`` : sql`and app_id = ${appId}`;
  return sql`${tagged} in (select ${sql.ref(`${thing}_id`)} from ${sql.table(`${thing}_tags`)} where tag = ${tag} ${inApp})`;
}

/**
 * The search query and the tag of a list request, as settings of its filters and their parameters. A match
 * must have one of the words `scopes`.
 */
export function searchFilters({ q, tag }: Pick<ListQuery, 'q' | 'tag'>, scopes?: readonly string[]) {
  const terms = parseQuestion(q);
  return {
    settings: { hasQuestion: terms !== undefined, hasTag: tag !== undefined },
    parameters: {
      question: terms === undefined ? [] : searchExpression(terms, scopes),
      tag: tag ?? '',
    },
  };
}

/** Whether a query finds nothing in a list whose rows have neither words nor tags and are never in the trash. */
export function matchesNothing({ q, tag, trashed }: Pick<ListQuery, 'q' | 'tag' | 'trashed'>): boolean {
  return trashed === true || tag !== undefined || parseQuestion(q) !== undefined;
}
