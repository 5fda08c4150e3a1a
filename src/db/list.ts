import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { invalidCursor, type ListQuery, type NextPage, type OrderKey } from '../kernel/page.ts';
import type { Read } from './db.ts';
import { rowCount } from './dialect.ts';
import {
  afterCursor,
  isInOrder,
  isLeftOut,
  leavesOut,
  type OrderPart,
  orderOf,
  type PageParameters,
  type Place,
  type Rows,
  runsOf,
  sorted,
} from './page-place.ts';
import { type Bind, type Builder, cachedByShape, type Parameters, type Query, query } from './statement.ts';

/**
 * The one engine of lists. A list is declared: its rows, its filters and its orders. From that come the statement of a
 * page and the one that counts, each built once for the order and the filters that a client asks for.
 */

/** The values of each filter; the first applies to a list that is requested without the filter. */
export type Filters = { readonly [name: string]: readonly [Setting, ...Setting[]] };
type Setting = string | number | boolean | null;

/** How the filters of a list are set. */
export type Settings<F extends Filters> = { readonly [name in keyof F]: F[name][number] };

/**
 * How many rows are tried, at first and then, before the page of a user who sees few of them is read from the apps that this
 * user sees. A row is tried by keys, which takes PostgreSQL 3 µs and SQLite half of one.
 */
const tries = [1000, 20_000] as const;

/** Selects rows by the filters. `value` names a parameter. */
type Select<P extends Parameters, F extends Filters, R> = (
  q: Builder,
  value: Bind<P>,
  settings: Settings<F>,
) => R;

/** Rows without columns, and the id that they are found by. */
type Walked = { readonly rows: Rows<unknown>; readonly id: RawBuilder<number> };

/** What every list declares. */
type Common<F extends Filters> = {
  /** The name of its statements in `docs/sql/`. */
  readonly name: string;
  readonly filters: F;
  /** The sort parts of each order, before the id. The first order is the one that `docs/sql/` shows. */
  readonly orders: { readonly [order: string]: readonly OrderPart[] };
  /** The column that ends each order and that no two rows share. */
  readonly id: RawBuilder<number>;
};

/** A list whose page is one `select`. */
type ListOfRows<P extends Parameters, F extends Filters, R> = Common<F> & {
  /** The rows with their columns and the conditions of the filters. */
  readonly rows: Select<P, F, Rows<R>>;
  readonly byIds?: never;
};

/**
 * A list whose page is two: the ids of the page come from an index first, so skipped rows are not read. Rows without a
 * value in the column of the order come from the index of ids.
 */
type ListByIds<P extends Parameters, F extends Filters, R> = Common<F> & {
  /** The rows with the conditions of the filters, without columns. */
  readonly found: Select<P, F, Rows<unknown>>;
  /** Selects the columns of the rows with the ids of a page. */
  readonly byIds: (q: Builder, ids: Rows<{ id: number }>, value: Bind<P>) => Rows<R>;
  /**
   * The same rows as `found`, from another index that has them in the order of their ids, and the id there; undefined where
   * there is none. A list by id walks it and stops at the page.
   */
  readonly walked?: Select<P, F, Walked | undefined>;
  /** The same rows as `found`, to be counted from an index alone. */
  readonly counted?: Select<P, F, Rows<unknown>>;
  /**
   * For lists that are limited to what a user sees: the rows of all users, and a condition by keys that tells whether the
   * user sees a row. A page is first searched for among the first rows of all users (`tries`). Otherwise a page for a user
   * with many apps could read all of them, depending on the estimates of the planner.
   */
  readonly tried?: {
    readonly isFor: (settings: Settings<F>) => boolean;
    readonly rows: Select<P, F, Rows<unknown>>;
    readonly isSeen: (id: RawBuilder<number>, value: Bind<P>) => Expression<SqlBool>;
    /** The most rows that are tried, where the rows that a user sees are as quickly read as tried; all of `tries` where absent. */
    readonly rowsMax?: number;
  };
};

/** The declaration of a list with the parameters `P`, the filters `F` and rows `R`. */
export type Declaration<P extends Parameters, F extends Filters, R> =
  | ListOfRows<P, F, R>
  | ListByIds<P, F, R>;

/** The properties of a request for a list that decide the texts of its statements. */
type Shape<F extends Filters> = {
  readonly order: string;
  readonly settings: Settings<F>;
  readonly descending: boolean;
  readonly after?: Place['after'];
};

/** A declared list with its statements. Throws a TypeError for an order that it does not declare. */
export type List<P extends Parameters, F extends Filters, R> = {
  readonly name: string;
  readonly filters: F;
  readonly orders: readonly string[];
  /** The sort parts of an order, before the id. */
  readonly partsOf: (order: string) => readonly OrderPart[];
  /** The statement of one page. Each row also has the values of the parts of the order, as `key0` and so on. */
  readonly page: (shape: Shape<F>) => Query<P & PageParameters, R>;
  /**
   * The statements that search for the page among the first rows of all users, each in more rows than the one before;
   * empty unless the list declares `tried`. The first statement whose rows fill the page gives the page.
   */
  readonly tried: (shape: Shape<F>) => readonly Query<P & PageParameters, R>[];
  /** The statement that counts the rows of all pages. */
  readonly count: (settings: Settings<F>) => Query<P, { count: number }>;
};

/** Declares a list whose filters have the parameters `P`. */
export function list<P extends Parameters = Record<never, never>>() {
  return <const F extends Filters, R extends { readonly id: number }>(declared: Declaration<P, F, R>) =>
    statementsOf(declared as unknown as PlainDeclaration) as unknown as List<P, F, R>;
}

type Row = { readonly id: number; readonly [key: `key${number}`]: OrderKey };

/**
 * A declaration as the functions below read it. They are the same for every list, so they know no more of its parameters
 * and rows than every list has.
 */
type PlainDeclaration = Declaration<PageParameters, Filters, Row>;

function statementsOf(declared: PlainDeclaration): List<PageParameters, Filters, Row> {
  const { name, filters, orders, byIds } = declared;
  return {
    name,
    filters,
    orders: Object.keys(orders),
    partsOf: (order) => partsOf(declared, order),
    page: cachedByShape((shape) => pageStatement(declared, shape)),
    tried: cachedByShape((shape) => {
      if (byIds === undefined || declared.tried?.isFor(shape.settings) !== true) return [];
      const { rowsMax = Number.POSITIVE_INFINITY } = declared.tried;
      return tries.filter((rows) => rows <= rowsMax).map((rows) => pageStatement(declared, shape, rows));
    }),
    count: cachedByShape((settings) => countStatement(declared, settings)),
  };
}

function partsOf({ name, orders }: PlainDeclaration, order: string): readonly OrderPart[] {
  const parts = orders[order];
  if (parts === undefined) throw new TypeError(`the list '${name}' has no order '${order}'`);
  return parts;
}

/** A page whose statement is being built. */
type Page = Place & {
  readonly q: Builder;
  readonly settings: Settings<Filters>;
  /** The sort parts of its order. */
  readonly parts: readonly OrderPart[];
  /** How many rows of all users are tried; undefined for the page itself. */
  readonly tried: number | undefined;
};

/** The statement of a page, or one that tries to find it among so many first rows of all users. */
function pageStatement(
  declared: PlainDeclaration,
  { order, settings, descending, after }: Shape<Filters>,
  tried?: number,
): Query<PageParameters, Row> {
  const parts = partsOf(declared, order);
  return query<PageParameters>()((q, value) => {
    const page = { q, value, settings, parts, descending, after, tried, id: declared.id };
    const withKeys = (rows: Rows<Row>) =>
      parts.reduce((so, { by }, index) => so.select(by.as(`key${index}`)), rows);
    if (declared.byIds !== undefined)
      return sorted(withKeys(declared.byIds(q, idsOfPage(declared, page), value)), parts, page);
    const rows = afterCursor(withKeys(declared.rows(q, value, settings)), parts, page);
    return limited(sorted(rows, parts, page), page);
  });
}

function countStatement(declared: PlainDeclaration, settings: Settings<Filters>) {
  return query<PageParameters>()((q, value) => {
    const rows =
      declared.byIds !== undefined
        ? (declared.counted ?? declared.found)(q, value, settings)
        : declared.rows(q, value, settings).clearSelect();
    return rows.select(sql<number>`count(*)`.as('count'));
  });
}

/** The ids of a page. */
function idsOfPage(declared: ListByIds<PageParameters, Filters, Row>, page: Page): Rows<{ id: number }> {
  const { q, value, settings, parts } = page;
  if (page.tried !== undefined && declared.tried !== undefined) {
    const all = firstIds(declared.tried.rows(q, value, settings), page);
    return firstOf(sql`(${all})`, { ...page, tried: undefined }).where(
      declared.tried.isSeen(sql.ref('ids.id'), value),
    );
  }
  const walked = parts.length === 0 ? declared.walked?.(q, value, settings) : undefined;
  return walked === undefined
    ? firstIds(declared.found(q, value, settings), page)
    : firstIds(walked.rows, { ...page, id: walked.id });
}

/** The ids of the rows that a page has of some rows. Those to try come with `sorted`, which they are sorted by. */
function firstIds(rows: Rows<unknown>, page: Page): Rows<{ id: number }> {
  const { settings, parts, id, after, tried } = page;
  const [part] = parts;
  // A question or a tag is answered for each run anew, so what it finds is one run where it can be.
  const isFound = settings.hasQuestion === true || settings.hasTag === true;
  const isInRuns =
    (part !== undefined && leavesOut(part)) || (after !== undefined && parts.length === 1 && !isFound);
  if (part !== undefined && isInRuns) return firstIdsOfRuns(rows, part, page);
  const rest = afterCursor(rows, parts, page);
  const ids = limited(sorted(rest.select(id.as('id')), parts, page), page);
  return tried !== undefined && part !== undefined ? ids.select(part.by.as('sorted')) : ids;
}

/**
 * The same of rows that are some runs. Each run is in the order of an index, by `part` and the id or by the id alone, and
 * is read no further than the page.
 */
function firstIdsOfRuns(rows: Rows<unknown>, part: OrderPart, page: Page): Rows<{ id: number }> {
  const { id, value, descending, tried } = page;
  const direction = descending ? 'desc' : 'asc';
  const runs = runsOf(part, page).map(({ condition, isSorted }) => {
    const run = (isSorted ? rows.orderBy(part.by, direction) : rows)
      .where(condition)
      .select([id.as('id'), part.by.as('sorted')])
      .orderBy(id, direction)
      .limit(
        tried !== undefined
          ? sql.lit(tried)
          : sql<number>`${rowCount(value('top'))} + ${rowCount(value('skip'))}`,
      );
    return sql`select * from (${run}) as run`;
  });
  return firstOf(sql`(${sql.join(runs, sql` union all `)})`, page);
}

/** The first of some ids in the order by `sorted`, which they have in an order by more than the id and where they are tried. */
function firstOf(ids: RawBuilder<{ id: number; sorted: unknown }>, page: Page): Rows<{ id: number }> {
  const { q, parts, descending, tried } = page;
  const [part] = parts;
  const selected = q
    .selectFrom(ids.as('ids'))
    .select('ids.id')
    .$if(tried !== undefined && part !== undefined, (all) => all.select('ids.sorted'));
  const ordered = part === undefined ? selected : selected.orderBy('ids.sorted', orderOf(part, descending));
  return limited(ordered.orderBy('ids.id', descending ? 'desc' : 'asc'), page);
}

/** Selects, of sorted rows, the page or the first rows to try. */
function limited<R>(rows: Rows<R>, { value, tried }: Page): Rows<R> {
  return tried !== undefined
    ? rows.limit(sql.lit(tried))
    : rows.limit(rowCount(value('top'))).offset(rowCount(value('skip')));
}

/** How a list is asked for. `keptCount` answers how many rows there are from counts that are maintained. */
type Wanted<P extends Parameters, F extends Filters> = {
  readonly list: ListQuery;
  readonly settings: Settings<F>;
  readonly parameters: P;
  readonly keptCount?: (() => Promise<number>) | undefined;
};

/**
 * The rows of a page, how many there are on all pages where the caller wants to know, and where the list goes on. Throws
 * `invalid_query` for a cursor of another order.
 */
export async function readList<P extends Parameters, F extends Filters, R>(
  read: Read,
  statements: List<P, F, R>,
  { list: wanted, settings, parameters, keptCount }: Wanted<P, F>,
): Promise<{ rows: R[]; count: number | undefined; next: NextPage }> {
  const { order, top, skip, after, count, countOnly } = wanted;
  const parts = statements.partsOf(order.field);
  if (after !== undefined && !isInOrder(after, parts)) throw invalidCursor();
  const shape = {
    order: order.field,
    descending: order.descending,
    after: after === undefined ? undefined : isLeftOut(after.keys[0], parts[0]) ? 'left out' : 'indexed',
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
