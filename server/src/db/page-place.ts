import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Cursor, OrderKey } from '../kernel/page.ts';
import { nullsLowest, rowCount, wholeNumber } from './dialect.ts';
import type { Bind } from './statement.ts';
import type { Tables } from './tables/tables.ts';

/** Where a page of a list begins and how its rows are sorted, in SQL. */

/** Rows `R` that a statement selects, whatever tables they come from. */
export type Rows<R> = SelectQueryBuilder<Tables, never, R>;

/**
 * A column or an expression that an order is by: whole numbers, or text where `isText`. Null counts as the lowest value
 * where there can be one. Where most rows have the lowest value, `lowest` is that value, and the index of the order has the
 * other rows alone. Either is in orders of one part.
 */
export type OrderPart = {
  readonly by: RawBuilder<unknown>;
  readonly isText?: true;
  readonly hasNulls?: true;
  readonly lowest?: number;
};

/** The parameters of a page. The values of a cursor are `key0` and so on; those that a statement does not use are not given. */
export type PageParameters = {
  readonly top: number;
  readonly skip: number;
  readonly afterId: number;
  readonly [key: `key${number}`]: OrderKey;
};

/** The place of a page in an order by some parts and, last, by `id`, which no two rows share. */
export type Place = {
  readonly id: RawBuilder<number>;
  readonly value: Bind<PageParameters>;
  readonly descending: boolean;
  /** Whether the page comes after a cursor, and whether that is at a row with the value that the index leaves out. */
  readonly after: 'indexed' | 'left out' | undefined;
};

/** The direction of an order by a part, with the place of null where there can be one. */
export function orderOf({ hasNulls }: OrderPart, descending: boolean) {
  const direction = descending ? 'desc' : 'asc';
  return hasNulls === true ? nullsLowest(direction) : direction;
}

/** Sorts rows by the parts of an order and, last, by the id. */
export function sorted<R>(
  rows: Rows<R>,
  parts: readonly OrderPart[],
  { id, descending }: Pick<Place, 'id' | 'descending'>,
): Rows<R> {
  return parts
    .reduce((so, part) => so.orderBy(part.by, orderOf(part, descending)), rows)
    .orderBy(id, descending ? 'desc' : 'asc');
}

/** The rows come after the cursor in an order by `parts` and the id; none of the parts is null. */
function comesAfter(parts: readonly OrderPart[], place: Place): RawBuilder<SqlBool> {
  const { id, value, descending } = place;
  const columns = sql.join([...parts.map(({ by }) => by), id]);
  const keys = parts.map((part, index) => keyOf(part, index, place));
  const values = sql.join([...keys, rowCount(value('afterId'))]);
  return descending ? sql`(${columns}) < (${values})` : sql`(${columns}) > (${values})`;
}

/** Some rows of a list in the order of an index: by a part of the order and the id, or by the id alone. */
type Run = { readonly condition: RawBuilder<SqlBool>; readonly isSorted: boolean };

/**
 * The rows of a list in an order by `part`, or those after the cursor, as runs. SQLite seeks by the first value of a row
 * value alone, so the rows with the same value as the cursor are a run, which it enters by the id. An index on a column that
 * is empty or 0 in a new row leaves such rows out, so that creating a row writes to no index for the order; the rows that
 * are left out are a run as well.
 */
export function runsOf(part: OrderPart, place: Place): Run[] {
  const { by, lowest } = part;
  const { after, descending } = place;
  const hasNulls = lowest === undefined;
  const leftOut = hasNulls ? sql<SqlBool>`${by} is null` : sql<SqlBool>`${by} = ${sql.lit(lowest)}`;
  const isIndexed = hasNulls ? sql<SqlBool>`${by} is not null` : sql<SqlBool>`${by} > ${sql.lit(lowest)}`;
  const indexed = { condition: isIndexed, isSorted: true };
  if (after === undefined) return [indexed, { condition: leftOut, isSorted: false }];
  const beyond = comesAfter([], place);
  if (after === 'left out') {
    const rest = { condition: sql<SqlBool>`${leftOut} and ${beyond}`, isSorted: false };
    return descending ? [rest] : [indexed, rest];
  }
  const key = keyOf(part, 0, place);
  // What the index has is said literally: the value of a cursor does not tell the engines.
  const also = hasNulls ? sql`` : sql` and ${isIndexed}`;
  const farther = descending ? sql`${by} < ${key}` : sql`${by} > ${key}`;
  const runs = [
    { condition: sql<SqlBool>`${by} = ${key} and ${beyond}${also}`, isSorted: false },
    { condition: sql<SqlBool>`${farther}${also}`, isSorted: true },
  ];
  return leavesOut(part) && descending ? [...runs, { condition: leftOut, isSorted: false }] : runs;
}

/** Whether the index of an order by a part leaves rows out. */
export function leavesOut({ hasNulls, lowest }: OrderPart): boolean {
  return hasNulls === true || lowest !== undefined;
}

/** Whether a value in a part of an order is the one that the index leaves out. */
export function isLeftOut(key: OrderKey | undefined, part: OrderPart | undefined): boolean {
  return key === (part?.lowest ?? null);
}

/** The value of a cursor in a part of the order. */
function keyOf({ isText }: OrderPart, index: number, { value }: Place): Expression<unknown> {
  const key = value(`key${index}`);
  return isText === true ? sql`cast(${key} as text)` : wholeNumber(key);
}

/** The rows that come after the cursor; all rows without one. */
export function afterCursor<R>(rows: Rows<R>, parts: readonly OrderPart[], place: Place): Rows<R> {
  if (place.after === undefined) return rows;
  const [part] = parts;
  if (part === undefined || !leavesOut(part)) return rows.where(comesAfter(parts, place));
  const runs = runsOf(part, place).map(({ condition }) => condition);
  return rows.where(sql<SqlBool>`(${sql.join(runs, sql` or `)})`);
}

/** Whether a row ordered by `parts` can have the values of a cursor. */
export function isInOrder({ keys }: Cursor, parts: readonly OrderPart[]): boolean {
  return (
    keys.length === parts.length &&
    parts.every(({ isText, hasNulls }, index) =>
      keys[index] === null ? hasNulls === true : (typeof keys[index] === 'string') === (isText === true),
    )
  );
}
