import { type Compilable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { ListQuery } from '../kernel/page.ts';
import type { Read } from './db.ts';
import { nullsLowest, rowCount } from './dialect.ts';
import { type Bind, type Builder, type Parameters, type Query, query } from './statement.ts';
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

/** A column or an expression that an order is by. Null counts as the lowest value where there can be one. */
type OrderPart = { readonly by: RawBuilder<unknown>; readonly hasNulls?: boolean };

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
  readonly settings: Settings<F>;
};

type PageParameters = { readonly top: number; readonly skip: number };

/** A declared list with its statements. */
export type List<P extends Parameters, F extends Filters, O extends string, R> = {
  readonly name: string;
  readonly filters: F;
  readonly orders: readonly O[];
  /** The statement of one page. */
  readonly page: (shape: Shape<F, O>) => Query<P & PageParameters, R>;
  /** The statement that counts the rows of all pages. */
  readonly count: (settings: Settings<F>) => Query<P, { count: number }>;
};

/** Declares a list whose filters have the parameters `P`. */
export function list<P extends Parameters>() {
  return <
    const F extends Filters,
    O extends string,
    R,
    DB = Tables,
    TB extends keyof DB = keyof DB,
    DB2 = Tables,
    TB2 extends keyof DB2 = keyof DB2,
  >(
    declared: Declaration<P, F, O, DB, TB, DB2, TB2, R>,
  ): List<P, F, O, R> => {
    const { name, filters, rows, orders, id } = declared;
    const pages = new Map<string, Query<P & PageParameters, R>>();
    const counts = new Map<string, Query<P, { count: number }>>();

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
     * The ids of a page by `part`, whose column may be null: the first rows with a value, from an index that holds these
     * alone, and the first without one by id. So creating a row, which has no value yet, writes to no index for the order.
     */
    function idsOfBoth(
      q: Builder,
      all: Selected<DB, TB, Nothing>,
      { part, value, descending }: { part: OrderPart; value: Bind<PageParameters>; descending: boolean },
    ): PageIds {
      const { by } = part;
      const direction = descending ? 'desc' : 'asc';
      const first = (condition: RawBuilder<boolean>, sorted: Selected<DB, TB, Nothing>) =>
        sorted
          .where(condition as never)
          .select([id.as('id'), by.as('sorted')])
          .orderBy(id, direction)
          .limit(sql<number>`${rowCount(value('top'))} + ${rowCount(value('skip'))}`);
      const valued = first(sql`${by} is not null`, all.orderBy(by, direction));
      const empty = first(sql`${by} is null`, all);
      const both = sql<{ id: number; sorted: unknown }>`
        (select * from (${valued}) as valued union all select * from (${empty}) as empty)`;
      // Whatever tables they come from, they are numbers.
      return q
        .selectFrom(both.as('both'))
        .select('both.id')
        .orderBy('both.sorted', nullsLowest(direction))
        .orderBy('both.id', direction)
        .limit(rowCount(value('top')))
        .offset(rowCount(value('skip'))) as unknown as PageIds;
    }

    function page(shape: Shape<F, O>): Query<P & PageParameters, R> {
      return query<P & PageParameters>()((q, value) => {
        const [given, paging] = [value as unknown as Bind<P>, value as unknown as Bind<PageParameters>];
        const { descending, settings } = shape;
        const [part] = orders[shape.order];
        const onPage = <C>(sorted: Selected<DB, TB, C>) =>
          sorted.limit(rowCount(paging('top'))).offset(rowCount(paging('skip')));
        const walked = part === undefined ? declared.walked?.(q, given, settings) : undefined;
        const all = walked?.rows ?? rows(q, given, settings);
        if (declared.byIds === undefined) return onPage(ordered(declared.columns(all), shape));
        const idsInOrder = () =>
          walked === undefined
            ? ordered(all.select(id.as('id')), shape)
            : all.select(walked.id.as('id')).orderBy(walked.id, descending ? 'desc' : 'asc');
        const ids =
          part?.hasNulls === true
            ? idsOfBoth(q, all, { part, value: paging, descending })
            : // Whatever tables they come from, they are numbers.
              (onPage(idsInOrder()) as unknown as PageIds);
        return ordered(declared.byIds(q, ids, given), shape);
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
      page: (shape) => known(pages, JSON.stringify(shape), () => page(shape)),
      count: (settings) => known(counts, JSON.stringify(settings), () => count(settings)),
    };
  };
}

function known<T>(statements: Map<string, T>, key: string, make: () => T): T {
  const statement = statements.get(key) ?? make();
  statements.set(key, statement);
  return statement;
}

/** How a list is asked for. `keptCount` answers how many rows there are from counts that are maintained. */
type Asked<P extends Parameters, F extends Filters> = {
  readonly list: ListQuery;
  readonly settings: Settings<F>;
  readonly parameters: P;
  readonly keptCount?: (() => Promise<number>) | undefined;
};

/** The rows of a page, and how many there are on all pages where the caller wants to know. */
export async function readList<P extends Parameters, F extends Filters, O extends string, R>(
  read: Read,
  statements: List<P, F, O, R>,
  { list: wanted, settings, parameters, keptCount }: Asked<P, F>,
): Promise<{ rows: R[]; count: number | undefined }> {
  const { order, top, skip, count, countOnly } = wanted;
  const shape = { order: order.field as O, descending: order.descending, settings };
  const counting = async () =>
    keptCount === undefined
      ? ((await read.get(statements.count(settings), parameters))?.count ?? 0)
      : await keptCount();
  // Asked together, so that a remote engine answers both in one round trip.
  const [counted, rows] = await Promise.all([
    count ? counting() : undefined,
    countOnly ? [] : read.all(statements.page(shape), { ...parameters, top, skip }),
  ]);
  return { rows, count: counted };
}
