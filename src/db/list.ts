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
import type { Tables } from './tables/tables.ts';

/**
 * The one engine of lists. A list is declared: which rows it is of, by which filters, in which orders, and what it reads
 * of each row. From that come the statement of a page and the one that counts, each built once for the orders and filters
 * that it is asked with.
 */

/** The values of each filter; the first applies to a list that is requested without the filter. */
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

/**
 * How many rows are tried, at first and then, before the page of a user who sees few of them is read from the apps that this
 * user sees. A row is tried by keys, which takes PostgreSQL 3 µs and SQLite half of one.
 */
const tries = [1000, 20_000] as const;

/** The ids of a page, for a condition with `in`. */
export type PageIds = Selected<Tables, 'apps', { id: number }>;

/** The declaration of a list. `DB` and `TB` are the tables of its rows, `DB2` and `TB2` those that a page is read from by id. */
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
  /** The name of its statements in `docs/sql/`. */
  readonly name: string;
  readonly filters: F;
  /** The rows, with the conditions of the filters. */
  readonly rows: (q: Builder, value: Bind<P>, settings: Settings<F>) => Selected<DB, TB, Nothing>;
  /**
   * The same rows found by another index that has them in the order of their ids, and the id there; undefined where there
   * is none. A list by id walks it and stops at the page.
   */
  readonly walked?: (q: Builder, value: Bind<P>, settings: Settings<F>) => Found<DB, TB> | undefined;
  /** The same rows to be counted, where an index alone gives their number; undefined where none does. */
  readonly counted?: (
    q: Builder,
    value: Bind<P>,
    settings: Settings<F>,
  ) => Selected<DB, TB, Nothing> | undefined;
  /**
   * For lists that are limited to what a user sees: the rows of all users, and a condition by keys that tells whether the
   * user sees a row. A page is first searched for among the first rows of all users (`tries`). Otherwise a page for a user
   * with many apps could read all of them, depending on the estimates of the planner.
   */
  readonly tried?: {
    readonly isFor: (settings: Settings<F>) => boolean;
    readonly rows: (q: Builder, value: Bind<P>, settings: Settings<F>) => Selected<DB, TB, Nothing>;
    readonly isSeen: (id: RawBuilder<number>, value: Bind<P>) => Expression<SqlBool>;
  };
  /** The sort parts of each order, before the id. */
  readonly orders: { readonly [order in O]: readonly OrderPart[] };
  /** The column that ends each order and that no two rows share. */
  readonly id: RawBuilder<number>;
} & (
  | {
      /** The columns of each row. */
      readonly columns: (rows: Selected<DB, TB, Nothing>) => Selected<DB, TB, R>;
      readonly byIds?: never;
    }
  | {
      /**
       * Selects the rows with the ids of a page. The ids come from an index first, so skipped rows are not read. Rows
       * without a value in the column of the order come from the index of ids.
       */
      readonly byIds: (q: Builder, ids: PageIds, value: Bind<P>) => Selected<DB2, TB2, R>;
      readonly columns?: never;
    }
);

/** The properties of a request for a list that decide the texts of its statements. */
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

/** Selects, of ordered rows, the page or the first rows to try. */
function limited<DB, TB extends keyof DB, C>(
  sorted: Selected<DB, TB, C>,
  { value, tried }: { readonly value: Bind<PageParameters>; readonly tried: number | undefined },
): Selected<DB, TB, C> {
  return tried !== undefined
    ? sorted.limit(sql.lit(tried))
    : sorted.limit(rowCount(value('top'))).offset(rowCount(value('skip')));
}

function directionOf({ hasNulls }: OrderPart, descending: boolean) {
  const direction = descending ? 'desc' : 'asc';
  return hasNulls === true ? nullsLowest(direction) : direction;
}

/** The id of a row, and the value that is sorted before it. */
type SortedId = { id: number; sorted: unknown };

/** Which ids to select: the ids of a page, or the ids to try, with the values that they are sorted by. */
type Asked<F extends Filters, O extends string> = {
  readonly value: Bind<PageParameters>;
  readonly shape: Shape<F, O>;
  /** How many are tried. */
  readonly tried: number | undefined;
};

/** Rows with the conditions of filters, and the id that they are found by. */
type Found<DB, TB extends keyof DB> = {
  readonly rows: Selected<DB, TB, Nothing>;
  readonly id: RawBuilder<number>;
};

/** A declared list with its statements. */
export type List<P extends Parameters, F extends Filters, O extends string, R> = {
  readonly name: string;
  readonly filters: F;
  readonly orders: readonly O[];
  /** The sort parts of an order, before the id. */
  readonly partsOf: (order: O) => readonly OrderPart[];
  /** The statement of one page. Each row also has the values of the parts of the order, as `key0` and so on. */
  readonly page: (shape: Shape<F, O>) => Query<P & PageParameters, R>;
  /**
   * The statements that search for the page among the first rows of all users, each in more rows than the one before;
   * empty unless the list declares `tried`. The first statement whose rows fill the page gives the page.
   */
  readonly tried: (shape: Shape<F, O>) => readonly Query<P & PageParameters, R>[];
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
    type Rows = Selected<DB, TB, Nothing>;
    const { name, filters, rows, orders, id } = declared;

    function ordered<D, T extends keyof D, C>(
      selected: Selected<D, T, C>,
      { order, descending }: Pick<Shape<F, O>, 'order' | 'descending'>,
      last = id,
    ): Selected<D, T, C> {
      const direction = descending ? 'desc' : 'asc';
      return orders[order]
        .reduce((so, part) => so.orderBy(part.by, directionOf(part, descending)), selected)
        .orderBy(last, direction);
    }

    /** The first of some ids in the order by `sorted`, which they have in an order by more than the id. */
    function firstOf(q: Builder, ids: RawBuilder<SortedId>, asked: Asked<F, O>) {
      const { order, descending } = asked.shape;
      const [part] = orders[order];
      const selected = q.selectFrom(ids.as('ids')).select('ids.id');
      const sorted =
        part === undefined ? selected : selected.orderBy('ids.sorted', directionOf(part, descending));
      return limited(sorted.orderBy('ids.id', descending ? 'desc' : 'asc'), asked);
    }

    /**
     * The ids of a page that consists of the first rows of some runs. Each run is in the order of an index, by `part` and
     * the id or by the id alone, and is read no further than the page.
     */
    function idsOfRuns(q: Builder, all: Rows, { part, ...asked }: Asked<F, O> & { part: OrderPart }) {
      const { value, shape, tried } = asked;
      const direction = shape.descending ? 'desc' : 'asc';
      const runs = runsOf(part, { id, value, shape }).map(({ condition, isSorted }) => {
        const run = (isSorted ? all.orderBy(part.by, direction) : all)
          .where(condition as never)
          .select([id.as('id'), part.by.as('sorted')])
          .orderBy(id, direction)
          .limit(
            tried !== undefined
              ? sql.lit(tried)
              : sql<number>`${rowCount(value('top'))} + ${rowCount(value('skip'))}`,
          );
        return sql`select * from (${run}) as run`;
      });
      const ids = firstOf(q, sql`(${sql.join(runs, sql` union all `)})`, asked);
      return tried === undefined ? ids : ids.select('ids.sorted');
    }

    /** The ids of the first rows of all that are found. */
    function idsOf(q: Builder, { rows: all, id: its }: Found<DB, TB>, asked: Asked<F, O>): PageIds {
      const { value, shape, tried } = asked;
      const parts = orders[shape.order];
      const [part] = parts;
      const isAfter = cursorCondition(parts, { id: its, value, shape });
      // A question or a tag is answered for each run anew, so what it finds is one run where it can be.
      const isFound = shape.settings['hasQuestion'] === true || shape.settings['hasTag'] === true;
      const isInRuns = part?.hasNulls === true || (isAfter !== undefined && parts.length === 1 && !isFound);
      // Whatever tables they come from, they are numbers.
      if (part !== undefined && isInRuns) return idsOfRuns(q, all, { ...asked, part }) as unknown as PageIds;
      const rest = isAfter === undefined ? all : all.where(isAfter as never);
      const ids = limited(ordered(rest.select(its.as('id')), shape, its), asked);
      return (tried !== undefined && part !== undefined
        ? ids.select(part.by.as('sorted'))
        : ids) as unknown as PageIds;
    }

    /** The ids of a page. */
    function idsOfPage(q: Builder, value: Bind<P>, asked: Asked<F, O>): PageIds {
      const { settings, order } = asked.shape;
      const { tried, walked } = declared;
      if (asked.tried !== undefined && tried !== undefined) {
        const all = idsOf(q, { rows: tried.rows(q, value, settings), id }, asked);
        const seen = firstOf(q, sql`(${all})`, { ...asked, tried: undefined });
        return seen.where(tried.isSeen(sql.ref('ids.id'), value) as never) as unknown as PageIds;
      }
      const found = orders[order].length === 0 ? walked?.(q, value, settings) : undefined;
      return idsOf(q, found ?? { rows: rows(q, value, settings), id }, asked);
    }

    /** The statement of a page, or one that tries to find it among so many first rows of all users. */
    function pageOf(shape: Shape<F, O>, tried?: number): Query<P & PageParameters, R> {
      return query<P & PageParameters>()((q, bind) => {
        const [given, value] = [bind as unknown as Bind<P>, bind as unknown as Bind<PageParameters>];
        const parts = orders[shape.order];
        const withKeys = <D, T extends keyof D, C>(selected: Selected<D, T, C>) =>
          parts.reduce((so, { by }, index) => so.select(by.as(`key${index}`)) as never, selected);
        if (declared.byIds !== undefined) {
          const ids = idsOfPage(q, given, { value, shape, tried });
          return ordered(withKeys(declared.byIds(q, ids, given)), shape);
        }
        const isAfter = cursorCondition(parts, { id, value, shape });
        const all = rows(q, given, shape.settings);
        const rest = isAfter === undefined ? all : all.where(isAfter as never);
        return limited(ordered(withKeys(declared.columns(rest)), shape), { value, tried });
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
      page: cachedByShape((shape) => pageOf(shape)),
      tried: cachedByShape((shape) =>
        declared.tried?.isFor(shape.settings) === true ? tries.map((tried) => pageOf(shape, tried)) : [],
      ),
      count: cachedByShape(count),
    };
  };
}

/** The parts of a condition that finds where a page begins. */
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

/** Whether a row ordered by `parts` can have the values of a cursor. */
function isInOrder({ keys }: Cursor, parts: readonly OrderPart[]): boolean {
  return (
    keys.length === parts.length &&
    parts.every(({ isText, hasNulls }, index) =>
      keys[index] === null ? hasNulls === true : (typeof keys[index] === 'string') === (isText === true),
    )
  );
}

/** How a list is asked for. `keptCount` answers how many rows there are from counts that are maintained. */
type Wanted<P extends Parameters, F extends Filters> = {
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
  { list: wanted, settings, parameters, keptCount }: Wanted<P, F>,
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
  const reading = async () => {
    const asked = { ...parameters, ...place } as P & PageParameters;
    for (const tried of statements.tried(shape)) {
      const rows = await read.all(tried, asked);
      if (rows.length > top) return rows;
    }
    return await read.all(statements.page(shape), asked);
  };
  // Asked together, so that a remote engine answers both in one round trip.
  const [counted, rows] = await Promise.all([
    count ? counting() : undefined,
    // One row more than the page has, which says that the list goes on.
    countOnly ? [] : reading(),
  ]);
  const next: NextPage = (shown) => {
    if (shown === 0 || shown === rows.length) return undefined;
    const last = rows[shown - 1] as Row;
    const keys = parts.map((_, index) => last[`key${index}`] as OrderKey);
    return { keys, id: last.id, position: skip + shown };
  };
  return { rows: rows.slice(0, top), count: counted, next };
}
