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
 * The one engine of lists. A list declares its rows, its filters and its orders. From this the engine builds
 * the statement of a page and the counting statement, each once for the order and the filters that a client
 * requests.
 *
 * The file follows a request to its statement: first the declaration of a list, then `readList`, which runs
 * the statements of a request, and then the building of statements, from the whole page (`pageStatement`) to
 * its ids (`idsOfPage`).
 */

/** The values of each filter; the first is the default. */
export type Filters = { readonly [name: string]: readonly [Setting, ...Setting[]] };
type Setting = string | number | boolean | null;

/** How the filters of a list are set. */
export type Settings<F extends Filters> = { readonly [name in keyof F]: F[name][number] };

/** Selects rows by the filters. `value` names a parameter. */
type Select<P extends Parameters, F extends Filters, R> = (
  q: Builder,
  value: Bind<P>,
  settings: Settings<F>,
) => R;

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
 * A list with two `select`s for a page: the ids of the page come from an index first, so skipped rows are not
 * read. Rows without a value in the column of the order come from the index of ids.
 */
type ListByIds<P extends Parameters, F extends Filters, R> = Common<F> & {
  /** The rows with the conditions of the filters, without columns. */
  readonly candidates: Select<P, F, Rows<unknown>>;
  /** Selects the columns of the rows with the ids of a page. */
  readonly byIds: (q: Builder, ids: Rows<{ id: number }>, value: Bind<P>) => Rows<R>;
  /**
   * The same rows as `candidates`, and their id, from another index that has them in the order of their ids;
   * undefined if there is none. A list by id reads that index only as far as the page.
   */
  readonly rowsInIdOrder?: Select<P, F, RowsInIdOrder | undefined>;
  /**
   * Rows that the page has besides the candidates, each from a short index or by id: none of them is a candidate. The
   * engine merges both in the order of the page, which has at most one part before the id.
   */
  readonly besides?: Select<P, F, Rows<unknown>>;
  /** The same rows as `candidates`, to be counted from an index alone. */
  readonly rowsToCount?: Select<P, F, Rows<unknown>>;
  readonly probe?: Probe<P, F>;
};

/** Rows without columns, and the id by which they are ordered. */
type RowsInIdOrder = { readonly rows: Rows<unknown>; readonly id: RawBuilder<number> };

/**
 * For lists that are limited to the items that a user sees. The page is first searched among the first rows
 * of all users (`probeSizes`). Otherwise a page for a user with many apps could read all of them, depending
 * on the estimates of the planner.
 */
type Probe<P extends Parameters, F extends Filters> = {
  readonly isFor: (settings: Settings<F>) => boolean;
  /** The rows of all users. */
  readonly rows: Select<P, F, Rows<unknown>>;
  /** Whether the user sees a row, by keys. */
  readonly isVisible: (id: RawBuilder<number>, value: Bind<P>, settings: Settings<F>) => Expression<SqlBool>;
  /**
   * The most rows to probe, if reading the rows of a user is as fast as probing; all of `probeSizes` if
   * absent.
   */
  readonly rowsMax?: number;
};

/**
 * How many rows the first and the second probe check. For a user who sees few of these rows, the page is then
 * read from the apps that the user sees. Probing a row by keys takes PostgreSQL 3 µs and SQLite half a
 * microsecond.
 */
const probeSizes = [1000, 20_000] as const;

/** The declaration of a list with the parameters `P`, the filters `F` and rows `R`. */
export type Declaration<P extends Parameters, F extends Filters, R> =
  | ListOfRows<P, F, R>
  | ListByIds<P, F, R>;

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
   * The statements that search for the page among the first rows of all users, each in more rows than the one
   * before; empty unless the list declares a `probe`. The first statement that finds enough rows for the page
   * decides it.
   */
  readonly probes: (shape: Shape<F>) => readonly Query<P & PageParameters, R>[];
  /** The statement that counts the rows of all pages. */
  readonly count: (settings: Settings<F>) => Query<P, { count: number }>;
};

/** The properties of a request for a list that decide the texts of its statements. */
type Shape<F extends Filters> = {
  readonly order: string;
  readonly settings: Settings<F>;
  readonly descending: boolean;
  readonly after?: Place['after'];
};

/**
 * Declares a list with the parameters `P` in its filters. Its statements are built from the declaration as data, through
 * which the compiler cannot follow the filters and rows of one list; `server/test/engines/lists/` reads every list with
 * every filter and order.
 */
export function list<P extends Parameters = Record<never, never>>() {
  return <const F extends Filters, R extends { readonly id: number }>(declaration: Declaration<P, F, R>) =>
    statementsOf(declaration as unknown as AnyDeclaration) as unknown as List<P, F, R>;
}

/** A request for a list. `storedCount` returns the number of rows from counts that are maintained. */
type ListRequest<P extends Parameters, F extends Filters> = {
  readonly list: ListQuery;
  readonly settings: Settings<F>;
  readonly parameters: P;
  readonly storedCount?: (() => Promise<number>) | undefined;
};

/**
 * Returns the rows of a page, the number of rows on all pages if it is requested, and where the list
 * continues. Throws `invalid_query` for a cursor of another order.
 */
export async function readList<P extends Parameters, F extends Filters, R>(
  read: Read,
  statements: List<P, F, R>,
  request: ListRequest<P, F>,
): Promise<{ rows: R[]; count: number | undefined; next: NextPage }> {
  const { order, top, skip, after, count, countOnly } = request.list;
  const parts = statements.partsOf(order.field);
  if (after !== undefined && !isInOrder(after, parts)) throw invalidCursor();
  // Sent together, so that a remote engine answers both in one round trip.
  const [total, rows] = await Promise.all([
    count ? readCount(read, statements, request) : undefined,
    // One row more than the page has, which shows that the list continues.
    countOnly ? [] : readPage(read, statements, request),
  ]);
  const next: NextPage = (length) => {
    if (length === 0 || length === rows.length) return undefined;
    const last = rows[length - 1] as Row;
    const keys = parts.map((_, index) => last[`key${index}`] as OrderKey);
    return { keys, id: last.id, position: skip + length };
  };
  return { rows: rows.slice(0, top), count: total, next };
}

async function readCount<P extends Parameters, F extends Filters, R>(
  read: Read,
  statements: List<P, F, R>,
  { settings, parameters, storedCount }: ListRequest<P, F>,
): Promise<number> {
  if (storedCount !== undefined) return await storedCount();
  return (await read.get(statements.count(settings), parameters))?.count ?? 0;
}

/** The rows of a page and, if the list continues, the row after it. */
async function readPage<P extends Parameters, F extends Filters, R>(
  read: Read,
  statements: List<P, F, R>,
  { list: { order, top, skip, after }, settings, parameters }: ListRequest<P, F>,
): Promise<R[]> {
  const [part] = statements.partsOf(order.field);
  const shape = {
    order: order.field,
    descending: order.descending,
    after: after === undefined ? undefined : isLeftOut(after.keys[0], part) ? 'left out' : 'indexed',
    settings,
  } as const;
  const keysAfter = Object.fromEntries(after?.keys.map((key, index) => [`key${index}`, key]) ?? []);
  const place = { top: top + 1, skip: after === undefined ? skip : 0, afterId: after?.id ?? 0, ...keysAfter };
  const values = { ...parameters, ...place } as P & PageParameters;
  for (const probe of statements.probes(shape)) {
    const rows = await read.all(probe, values);
    if (rows.length > top) return rows;
  }
  return await read.all(statements.page(shape), values);
}

type Row = { readonly id: number; readonly [key: `key${number}`]: OrderKey };

/**
 * A declaration as the functions below read it. They work for every list, so they know only the parameters
 * and rows that every list has.
 */
type AnyDeclaration = Declaration<PageParameters, Filters, Row>;

function statementsOf(declaration: AnyDeclaration): List<PageParameters, Filters, Row> {
  const { name, filters, orders } = declaration;
  return {
    name,
    filters,
    orders: Object.keys(orders),
    partsOf: (order) => partsOf(declaration, order),
    page: cachedByShape((shape) => pageStatement(declaration, shape)),
    probes: cachedByShape((shape) => {
      const probe = declaration.byIds === undefined ? undefined : declaration.probe;
      if (probe?.isFor(shape.settings) !== true) return [];
      return probeSizes
        .filter((rows) => rows <= (probe.rowsMax ?? Number.POSITIVE_INFINITY))
        .map((rows) => pageStatement(declaration, shape, rows));
    }),
    count: cachedByShape((settings) => countStatement(declaration, settings)),
  };
}

function partsOf({ name, orders }: AnyDeclaration, order: string): readonly OrderPart[] {
  const parts = orders[order];
  if (parts === undefined) throw new TypeError(`the list '${name}' has no order '${order}'`);
  return parts;
}

function countStatement(declaration: AnyDeclaration, settings: Settings<Filters>) {
  return query<PageParameters>()((q, value) => {
    const rows =
      declaration.byIds === undefined
        ? declaration.rows(q, value, settings).clearSelect()
        : (declaration.rowsToCount ?? declaration.candidates)(q, value, settings);
    return rows.select(sql<number>`count(*)`.as('count'));
  });
}

/** A page whose statement is being built. */
type Page = Place & {
  readonly q: Builder;
  readonly settings: Settings<Filters>;
  /** The sort parts of its order. */
  readonly parts: readonly OrderPart[];
  /** How many rows of all users are probed; undefined for the page itself. */
  readonly probeSize: number | undefined;
};

/** The statement of a page, or one that searches for it among the first `probeSize` rows of all users. */
function pageStatement(
  declaration: AnyDeclaration,
  { order, settings, descending, after }: Shape<Filters>,
  probeSize?: number,
): Query<PageParameters, Row> {
  const parts = partsOf(declaration, order);
  return query<PageParameters>()((q, value) => {
    const page = { q, value, settings, parts, descending, after, probeSize, id: declaration.id };
    const withKeys = (rows: Rows<Row>) =>
      parts.reduce((so, { by }, index) => so.select(by.as(`key${index}`)), rows);
    if (declaration.byIds !== undefined)
      return sorted(withKeys(declaration.byIds(q, idsOfPage(declaration, page), value)), parts, page);
    const rows = afterCursor(withKeys(declaration.rows(q, value, settings)), parts, page);
    return limited(sorted(rows, parts, page), page);
  });
}

/** The ids of a page. */
function idsOfPage(declaration: ListByIds<PageParameters, Filters, Row>, page: Page): Rows<{ id: number }> {
  const { q, value, settings, parts, probeSize } = page;
  const { probe, besides } = declaration;
  if (besides !== undefined) {
    const both = [declaration.candidates, besides].map((select) => select(q, value, settings));
    return firstOfRuns(
      both.flatMap((rows) => idsOfRuns(rows, page)),
      page,
    );
  }
  if (probeSize !== undefined && probe !== undefined) {
    const first = firstIds(probe.rows(q, value, settings), page);
    return firstOf(sql`(${first})`, { ...page, probeSize: undefined }).where(
      probe.isVisible(sql.ref('ids.id'), value, settings),
    );
  }
  const inIdOrder = parts.length === 0 ? declaration.rowsInIdOrder?.(q, value, settings) : undefined;
  return inIdOrder === undefined
    ? firstIds(declaration.candidates(q, value, settings), page)
    : firstIds(inIdOrder.rows, { ...page, id: inIdOrder.id });
}

/**
 * The ids of those rows that are on the page. Rows to probe also have `sorted`, the value that orders them.
 */
function firstIds(rows: Rows<unknown>, page: Page): Rows<{ id: number }> {
  const { settings, parts, id, after, probeSize } = page;
  const [part] = parts;
  const isInRuns =
    (part !== undefined && leavesOut(part)) ||
    (after !== undefined && parts.length === 1 && !isSearch(settings));
  if (isInRuns) return firstOfRuns(idsOfRuns(rows, page), page);
  const rest = afterCursor(rows, parts, page);
  const ids = limited(sorted(rest.select(id.as('id')), parts, page), page);
  return probeSize !== undefined && part !== undefined ? ids.select(part.by.as('sorted')) : ids;
}

/**
 * Whether a list has a search query or a tag. The engines search again for each run, so the results of a
 * search are one run if possible.
 */
function isSearch({ hasQuestion, search = 'none', hasTag }: Settings<Filters>): boolean {
  return hasQuestion === true || search !== 'none' || hasTag === true;
}

type Run = RawBuilder<{ id: number; sorted: unknown }>;

/**
 * The ids of rows as runs. Each run is in the order of an index, by the part of the order and the id or by the
 * id alone, and is read only as far as the page.
 */
function idsOfRuns(rows: Rows<unknown>, page: Page): Run[] {
  const { id, parts, value, descending, probeSize } = page;
  const [part] = parts;
  const direction = descending ? 'desc' : 'asc';
  const asRun = (run: Rows<unknown>) => {
    const first = run
      .select(id.as('id'))
      .$if(part !== undefined, (all) => all.select((part as OrderPart).by.as('sorted')))
      .orderBy(id, direction)
      .limit(
        probeSize !== undefined
          ? sql.lit(probeSize)
          : sql<number>`${rowCount(value('top'))} + ${rowCount(value('skip'))}`,
      );
    return sql<{ id: number; sorted: unknown }>`select * from (${first}) as run`;
  };
  if (part === undefined) return [asRun(afterCursor(rows, parts, page))];
  return runsOf(part, page).map(({ condition, isSorted }) =>
    asRun((isSorted ? rows.orderBy(part.by, direction) : rows).where(condition)),
  );
}

/** The first ids of some runs, which together have each row once. */
function firstOfRuns(runs: readonly Run[], page: Page): Rows<{ id: number }> {
  return firstOf(sql`(${sql.join(runs, sql` union all `)})`, page);
}

/**
 * The first of some ids in the order of `sorted`. Ids have `sorted` if the order has more than the id, and
 * when probed.
 */
function firstOf(ids: RawBuilder<{ id: number; sorted: unknown }>, page: Page): Rows<{ id: number }> {
  const { q, parts, descending, probeSize } = page;
  const [part] = parts;
  const first = q
    .selectFrom(ids.as('ids'))
    .select('ids.id')
    .$if(probeSize !== undefined && part !== undefined, (all) => all.select('ids.sorted'));
  const ordered = part === undefined ? first : first.orderBy('ids.sorted', orderOf(part, descending));
  return limited(ordered.orderBy('ids.id', descending ? 'desc' : 'asc'), page);
}

/** Selects, of sorted rows, the page or the first rows to probe. */
function limited<R>(rows: Rows<R>, { value, probeSize }: Page): Rows<R> {
  return probeSize !== undefined
    ? rows.limit(sql.lit(probeSize))
    : rows.limit(rowCount(value('top'))).offset(rowCount(value('skip')));
}
