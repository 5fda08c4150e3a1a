import {
  type Compilable,
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { type Cursor, invalidCursor, type ListQuery, type NextPage, type OrderKey } from '../kernel/page.ts';
import type { Read } from './db.ts';
import { nullsLowest, rowCount, wholeNumber } from './dialect.ts';
import { type Bind, type Builder, cachedByShape, type Parameters, type Query, query } from './statement.ts';
import type { Tables } from './tables.ts';

/**
 * The one engine of lists. A list is declared: which rows it is of, by which filters, in which orders, and what it reads
 * of each row. From that come the statement of a page and the one that counts, each built once for the orders and filters
 * that it is asked with.
 */

/** What each filter can be; the first value is that of a list which is asked for without it. */
export type Filters = { readonly [name: string]: readonly [Setting, ...Setting[]] };
type Setting = string | number | boolean | null;

/** How the filters of a list are set. */
type Settings<F extends Filters> = { readonly [name in keyof F]: F[name][number] };

/**
 * A column or an expression that an order is by: whole numbers, or text where `isText`. Null counts as the lowest value
 * where there can be one, which is in orders of one part.
 */
type OrderPart = { readonly by: RawBuilder<unknown>; readonly isText?: true; readonly hasNulls?: true };

type Selected<DB, TB extends keyof DB, R> = SelectQueryBuilder<DB, TB, R>;
type Nothing = Record<never, never>;

/** The ids of a page, for a condition with `in`. */
export type PageIds = Selected<Tables, 'apps', { id: number }>;

/** What a list is. `DB` and `TB` are the tables of its rows, `DB2` and `TB2` those that a page is read from by id. */
export type Declaration<
  P extends Parameters,
  F extends Filters,
  O extends string,
  DB,
  TB extends keyof DB,
  DB2,
  TB2 extends keyof DB2,
  R,
> = {
  /** What its statements are called where they are written out. */
  readonly name: string;
  readonly filters: F;
  /** The rows, with the conditions of the filters. */
  readonly rows: (q: Builder, value: Bind<P>, settings: Settings<F>) => Selected<DB, TB, Nothing>;
  /**
   * The same rows found by another index that has them in the order of their ids, and the id there; undefined where there
   * is none. A list by id walks it and stops at the page.
   */
  readonly walked?: (
    q: Builder,
    value: Bind<P>,
    settings: Settings<F>,
  ) => { readonly rows: Selected<DB, TB, Nothing>; readonly id: RawBuilder<number> } | undefined;
  /** The same rows to be counted, where an index alone gives their number; undefined where none does. */
  readonly counted?: (
    q: Builder,
    value: Bind<P>,
    settings: Settings<F>,
  ) => Selected<DB, TB, Nothing> | undefined;
  /** What each order is by before the id. */
  readonly orders: { readonly [order in O]: readonly OrderPart[] };
  /** The column that ends each order and that no two rows share. */
  readonly id: RawBuilder<number>;
} & (
  | {
      /** What is read of each row. */
      readonly columns: (rows: Selected<DB, TB, Nothing>) => Selected<DB, TB, R>;
      readonly byIds?: never;
    }
  | {
      /**
       * What is read of the rows with the ids of a page. The ids then come from an index first, so that what is skipped
       * is not read, and rows without a value in the column of the order come from the index of ids.
       */
      readonly byIds: (q: Builder, ids: PageIds, value: Bind<P>) => Selected<DB2, TB2, R>;
      readonly columns?: never;
    }
);

/** How a list is asked for: what decides the texts of its statements. */
type Shape<F extends Filters, O extends string> = {
  readonly order: O;
  readonly descending: boolean;
  /** Whether the page comes after a cursor, and whether that is at a row without a value in the order. */
  readonly after?: 'value' | 'null' | undefined;
  readonly settings: Settings<F>;
};

/** The place of a page. The values of a cursor are `key0` and so on; those that a statement does not use are not given. */
type PageParameters = {
  readonly top: number;
  readonly skip: number;
  readonly afterId: number;
  readonly [key: `key${number}`]: OrderKey;
};

/** A declared list with its statements. */
export type List<P extends Parameters, F extends Filters, O extends string, R> = {
  readonly name: string;
  readonly filters: F;
  readonly orders: readonly O[];
  /** What an order is by before the id. */
  readonly partsOf: (order: O) => readonly OrderPart[];
  /** The statement of one page. Each row also has the values of the parts of the order, as `key0` and so on. */
  readonly page: (shape: Shape<F, O>) => Query<P & PageParameters, R>;
  /** The statement that counts the rows of all pages. */
  readonly count: (settings: Settings<F>) => Query<P, { count: number }>;
};

/** Declares a list whose filters have the parameters `P`. */
export function list<P extends Parameters>() {
  return <
    const F extends Filters,
    O extends string,
    R extends { readonly id: number },
    DB = Tables,
    TB extends keyof DB = keyof DB,
    DB2 = Tables,
    TB2 extends keyof DB2 = keyof DB2,
  >(
    declared: Declaration<P, F, O, DB, TB, DB2, TB2, R>,
  ): List<P, F, O, R> => {
    const { name, filters, rows, orders, id } = declared;

    function ordered<D, T extends keyof D, C>(
      selected: Selected<D, T, C>,
      { order, descending }: Pick<Shape<F, O>, 'order' | 'descending'>,
    ): Selected<D, T, C> {
      const direction = descending ? 'desc' : 'asc';
      return orders[order]
        .reduce(
          (so, { by, hasNulls }) => so.orderBy(by, hasNulls === true ? nullsLowest(direction) : direction),
          selected,
        )
        .orderBy(id, direction);
    }

    /**
     * The ids of a page that consists of the first rows of some runs. Each run is in the order of an index, by `part` and
     * the id or by the id alone, and is read no further than the page.
     */
    function idsOfRuns(
      q: Builder,
      all: Selected<DB, TB, Nothing>,
      { part, value, shape }: { part: OrderPart; value: Bind<PageParameters>; shape: Shape<F, O> },
    ): PageIds {
      const { by } = part;
      const direction = shape.descending ? 'desc' : 'asc';
      const runs = runsOf(part, { id, value, shape }).map(({ condition, isSorted }) => {
        const run = (isSorted ? all.orderBy(by, direction) : all)
          .where(condition as never)
          .select([id.as('id'), by.as('sorted')])
          .orderBy(id, direction)
          .limit(sql<number>`${rowCount(value('top'))} + ${rowCount(value('skip'))}`);
        return sql`select * from (${run}) as run`;
      });
      const ids = sql<{ id: number; sorted: unknown }>`(${sql.join(runs, sql` union all `)})`;
      // Whatever tables they come from, they are numbers.
      return q
        .selectFrom(ids.as('ids'))
        .select('ids.id')
        .orderBy('ids.sorted', part.hasNulls === true ? nullsLowest(direction) : direction)
        .orderBy('ids.id', direction)
        .limit(rowCount(value('top')))
        .offset(rowCount(value('skip'))) as unknown as PageIds;
    }

    function page(shape: Shape<F, O>): Query<P & PageParameters, R> {
      return query<P & PageParameters>()((q, value) => {
        const [given, paging] = [value as unknown as Bind<P>, value as unknown as Bind<PageParameters>];
        const { descending, settings } = shape;
        const parts = orders[shape.order];
        const [part] = parts;
        const onPage = <C>(sorted: Selected<DB, TB, C>) =>
          sorted.limit(rowCount(paging('top'))).offset(rowCount(paging('skip')));
        const walked = part === undefined ? declared.walked?.(q, given, settings) : undefined;
        const all = walked?.rows ?? rows(q, given, settings);
        const isAfter = cursorCondition(parts, { id: walked?.id ?? id, value: paging, shape });
        const rest = isAfter === undefined ? all : all.where(isAfter as never);
        const withKeys = <D, T extends keyof D, C>(selected: Selected<D, T, C>) =>
          parts.reduce((so, { by }, index) => so.select(by.as(`key${index}`)) as never, selected);
        if (declared.byIds === undefined) return onPage(ordered(withKeys(declared.columns(rest)), shape));
        const idsInOrder = () =>
          walked === undefined
            ? ordered(rest.select(id.as('id')), shape)
            : rest.select(walked.id.as('id')).orderBy(walked.id, descending ? 'desc' : 'asc');
        // A question or a tag is answered for each run anew, so what it finds is one run where it can be.
        const isFound = settings['hasQuestion'] === true || settings['hasTag'] === true;
        const isInRuns = part?.hasNulls === true || (isAfter !== undefined && parts.length === 1 && !isFound);
        const ids =
          part !== undefined && isInRuns
            ? idsOfRuns(q, all, { part, value: paging, shape })
            : // Whatever tables they come from, they are numbers.
              (onPage(idsInOrder()) as unknown as PageIds);
        return ordered(withKeys(declared.byIds(q, ids, given)), shape);
      });
    }

    function count(settings: Settings<F>): Query<P, { count: number }> {
      return query<P>()(
        (q, value) =>
          // The compiler cannot see through the tables that its only column is this one.
          (declared.counted?.(q, value, settings) ?? rows(q, value, settings)).select(
            sql<number>`count(*)`.as('count'),
          ) as unknown as Compilable<{ count: number }>,
      );
    }

    return {
      name,
      filters,
      orders: Object.keys(orders) as O[],
      partsOf: (order) => orders[order],
      page: cachedByShape(page),
      count: cachedByShape(count),
    };
  };
}

/** What a condition on the place of a page is made of. */
type Place = {
  readonly id: RawBuilder<number>;
  readonly value: Bind<PageParameters>;
  readonly shape: Pick<Shape<Filters, string>, 'after' | 'descending'>;
};

/** The rows come after the cursor in an order by `parts` and the id; none of the parts is null. */
function comesAfter(parts: readonly OrderPart[], place: Place): RawBuilder<SqlBool> {
  const { id, value, shape } = place;
  const columns = sql.join([...parts.map(({ by }) => by), id]);
  const keys = parts.map((part, index) => keyOf(part, index, place));
  const values = sql.join([...keys, rowCount(value('afterId'))]);
  return shape.descending ? sql`(${columns}) < (${values})` : sql`(${columns}) > (${values})`;
}

/** Some rows of a list in the order of an index: by a part of the order and the id, or by the id alone. */
type Run = { readonly condition: RawBuilder<SqlBool>; readonly isSorted: boolean };

/**
 * The rows of a list in an order by `part`, or those after the cursor, as runs. SQLite seeks by the first value of a row
 * value alone, so the rows with the same value as the cursor are a run, which it enters by the id. An index on a column
 * that may be null holds only the rows with a value, so that creating a row, which has none yet, writes to no index for the
 * order; the rows without one are a run as well.
 */
function runsOf(part: OrderPart, place: Place): Run[] {
  const { by, hasNulls } = part;
  const { after, descending } = place.shape;
  const empty = sql<SqlBool>`${by} is null`;
  const valued = { condition: sql<SqlBool>`${by} is not null`, isSorted: true };
  if (after === undefined) return [valued, { condition: empty, isSorted: false }];
  const beyond = comesAfter([], place);
  if (after === 'null') {
    const rest = { condition: sql<SqlBool>`${empty} and ${beyond}`, isSorted: false };
    return descending ? [rest] : [valued, rest];
  }
  const key = keyOf(part, 0, place);
  const runs = [
    { condition: sql<SqlBool>`${by} = ${key} and ${beyond}`, isSorted: false },
    { condition: descending ? sql<SqlBool>`${by} < ${key}` : sql<SqlBool>`${by} > ${key}`, isSorted: true },
  ];
  return hasNulls === true && descending ? [...runs, { condition: empty, isSorted: false }] : runs;
}

/** The value of a cursor in a part of the order. */
function keyOf({ isText }: OrderPart, index: number, { value }: Place): Expression<unknown> {
  const key = value(`key${index}`);
  return isText === true ? sql`cast(${key} as text)` : wholeNumber(key);
}

/** The condition that rows come after the cursor; undefined without one. */
function cursorCondition(parts: readonly OrderPart[], place: Place): RawBuilder<SqlBool> | undefined {
  if (place.shape.after === undefined) return undefined;
  const [part] = parts;
  if (part?.hasNulls !== true) return comesAfter(parts, place);
  const runs = runsOf(part, place).map(({ condition }) => condition);
  return sql`(${sql.join(runs, sql` or `)})`;
}

/** Whether the values of a cursor can be those of a row in an order by `parts`. */
function isInOrder({ keys }: Cursor, parts: readonly OrderPart[]): boolean {
  return (
    keys.length === parts.length &&
    parts.every(({ isText, hasNulls }, index) =>
      keys[index] === null ? hasNulls === true : (typeof keys[index] === 'string') === (isText === true),
    )
  );
}

/** How a list is asked for. `keptCount` answers how many rows there are from counts that are maintained. */
type Asked<P extends Parameters, F extends Filters> = {
  readonly list: ListQuery;
  readonly settings: Settings<F>;
  readonly parameters: P;
  readonly keptCount?: (() => Promise<number>) | undefined;
};

type Row = { readonly id: number; readonly [key: `key${number}`]: OrderKey };

/**
 * The rows of a page, how many there are on all pages where the caller wants to know, and where the list goes on. Throws
 * `invalid_query` for a cursor of another order.
 */
export async function readList<P extends Parameters, F extends Filters, O extends string, R>(
  read: Read,
  statements: List<P, F, O, R>,
  { list: wanted, settings, parameters, keptCount }: Asked<P, F>,
): Promise<{ rows: R[]; count: number | undefined; next: NextPage }> {
  const { order, top, skip, after, count, countOnly } = wanted;
  const parts = statements.partsOf(order.field as O);
  if (after !== undefined && !isInOrder(after, parts)) throw invalidCursor();
  const shape = {
    order: order.field as O,
    descending: order.descending,
    after: after === undefined ? undefined : after.keys[0] === null ? 'null' : 'value',
    settings,
  } as const;
  const keysAfter = Object.fromEntries(after?.keys.map((key, index) => [`key${index}`, key]) ?? []);
  const place = { top: top + 1, skip: after === undefined ? skip : 0, afterId: after?.id ?? 0, ...keysAfter };
  const counting = async () =>
    keptCount === undefined
      ? ((await read.get(statements.count(settings), parameters))?.count ?? 0)
      : await keptCount();
  // Asked together, so that a remote engine answers both in one round trip.
  const [counted, rows] = await Promise.all([
    count ? counting() : undefined,
    // One row more than the page has, which says that the list goes on.
    countOnly ? [] : read.all(statements.page(shape), { ...parameters, ...place } as P & PageParameters),
  ]);
  const next: NextPage = (shown) => {
    if (shown === 0 || shown === rows.length) return undefined;
    const last = rows[shown - 1] as Row;
    const keys = parts.map((_, index) => last[`key${index}`] as OrderKey);
    return { keys, id: last.id, position: skip + shown };
  };
  return { rows: rows.slice(0, top), count: counted, next };
}
