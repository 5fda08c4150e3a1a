import {
  type AliasedRawBuilder,
  type Compilable,
  DummyDriver,
  type Expression,
  type InferResult,
  type InsertType,
  Kysely,
  type SelectExpression,
  type Selection,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { LastUsed } from '../kernel/last-used.ts';
import { keptStatementsMax } from './kept-statements.ts';
import { insertIntoOf, PostgresCompiler } from './postgres-compiler.ts';
import type { Tables } from './tables/tables.ts';

/**
 * Statements are written with Kysely as a typed compiler, built once, or again where their shape was not used for long, and
 * bound for each call. The overhead of an ORM comes mostly from building and preparing on each call; neither
 * happens here.
 */

/** The engines that hold a store. */
export type Engine = 'sqlite' | 'postgres';

/** The types of statement parameters; an array is bound as one value and unpacked by `anyOf`. */
export type Value = string | number | Uint8Array | null | readonly number[] | readonly string[];

/** The parameters of a statement by name. */
export type Parameters = { readonly [name: string]: Value };

/** A row with these columns of some tables. */
export type RowOf<T extends keyof Tables, C extends readonly SelectExpression<Tables, T>[]> = Readonly<
  Selection<Tables, T, C[number]>
>;

/** A row of the selection that a function builds. */
export type RowFrom<F extends (...parameters: never[]) => Compilable<unknown>> = Readonly<
  InferResult<ReturnType<F>>[number]
>;

/** Stands for the parameter `name` while a statement is being built. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A compiled text and, for each of its placeholders in order, a slot of the call or a constant. */
export type Compiled = {
  readonly sql: string;
  readonly slots: readonly (Slot | Value)[];
  /** Additional facts about the statement for drivers; SQLite does not need them. */
  readonly traits: Traits;
};

/** The differences of the statement on PostgreSQL. */
export type Traits = {
  /**
   * Whether the statement searches for words. PostgreSQL then plans it for its words each time: with one plan
   * for all words, a rare word in a large app takes hundreds of milliseconds.
   */
  readonly isSearch: boolean;
  /**
   * The beginning of an insert of one row with only parameters as values, so that several inserts can become
   * one.
   */
  readonly insertInto: string | undefined;
};

/** The facts about a statement that the row cache of a store needs (`memory.ts`). */
export type Remembered<R> = {
  /** The id by which cached rows of a result are dropped. */
  readonly id: (row: R) => number;
  /**
   * Every table that the statement reads, with the column that holds this id. With null, any change of the
   * table drops all cached rows of the statement.
   */
  readonly tables: { readonly [T in keyof Tables]?: (keyof Tables[T] & string) | null };
  /**
   * Tables that need no insert trigger, because the same transaction counts each new row in another table
   * that the statement reads. A trigger makes an insert half as expensive again.
   */
  readonly countedTables?: readonly (keyof Tables)[];
  /** Whether an engine at a distance may assume that the row is as it was last (`postgres/assumed-rows.ts`). */
  readonly changesSeldom?: true;
};

/** A statement that only reads: it runs on a `Read` as well as inside a transaction. */
export type Query<P extends Parameters, R> = {
  readonly kind: 'query';
  readonly build: () => Compilable<R>;
  readonly types?: (parameters: P) => R;
  /** Present if the first row is cached for reads outside of transactions. */
  readonly remembered?: Remembered<R>;
};

/** A statement that writes: it runs only inside a transaction. */
export type Command<P extends Parameters, R> = {
  readonly kind: 'command';
  readonly build: () => Compilable<R>;
  readonly types?: (parameters: P) => R;
};

/** Names a parameter inside a builder; it has the parameter's type, so Kysely checks it against the column. */
export type Bind<P extends Parameters> = <K extends keyof P & string>(name: K) => P[K];

/** Builds statements; never executes any. */
export type Builder = Kysely<Tables>;

const builder: Builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

function bind<P extends Parameters>(): Bind<P> {
  // The slot travels through Kysely as if it were the value and comes back among the compiled parameters, where
  // `bindValues` replaces it. Without that, every statement would fail (`server/test/once/db/statements.test.ts`).
  return <K extends keyof P & string>(name: K) => new Slot(name) as unknown as P[K];
}

type Build<P extends Parameters, R> = (query: Builder, value: Bind<P>) => Compilable<R>;

/** Declares a reading statement with parameters `P`: `query<{id: number}>()((q, value) => q.selectFrom(…))`. */
export function query<P extends Parameters = Record<never, never>>() {
  return <R>(build: Build<P, R>): Query<P, R> => ({ kind: 'query', build: () => build(builder, bind<P>()) });
}

/** Declares that the first row of a statement is cached between changes, if the engine allows it. */
export function remember<P extends Parameters, R>(
  statement: Query<P, R>,
  remembered: Remembered<NoInfer<R>>,
): Query<P, R> {
  return { ...statement, remembered };
}

/** Declares a writing statement with parameters `P`; rows come back only from a `returning` clause. */
export function command<P extends Parameters = Record<never, never>>() {
  return <R>(build: Build<P, R>): Command<P, R> => ({
    kind: 'command',
    build: () => build(builder, bind<P>()),
  });
}

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

/** The values of some columns by the names of the columns in camel case. */
type Values<T extends keyof Tables, C extends keyof Tables[T]> = {
  readonly [K in C & string as Camel<K>]: Exclude<InsertType<Tables[T][K]>, undefined>;
} extends infer V extends Parameters
  ? V
  : never;

/**
 * A part of a statement on a table that is a type parameter: Kysely follows only tables that it is told by name. The
 * caller declares the part in the types of the table. `server/test/once/db/statements.test.ts` prepares every statement on
 * both engines, so a column that the table has not is noticed there.
 */
export function partOfAnyTable(part: unknown): never {
  return part as never;
}

function slotsOf(columns: readonly string[]): never {
  const camel = (column: string) => column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return partOfAnyTable(Object.fromEntries(columns.map((column) => [column, new Slot(camel(column))])));
}

/** Declares a statement that adds a row: `insertRow('stars', ['user_id', 'app_id'])` takes `userId` and `appId`. */
export function insertRow<T extends keyof Tables, const C extends keyof Tables[T] & string>(
  table: T,
  columns: readonly C[],
): Command<Values<T, C>, unknown> {
  return { kind: 'command', build: () => builder.insertInto(table).values(slotsOf(columns)) };
}

/** Rows to be inserted, before their columns are declared. */
export type InsertedRows = {
  select(columns: readonly AliasedRawBuilder<unknown, string>[]): Expression<unknown>;
};

/**
 * An insert of one row for each row of `from`: `values` has the value of each column, a parameter or an
 * expression. SQLite would parse a following `on conflict` as the condition of a join, unless `from` has a
 * condition.
 */
export function insertSelected<T extends keyof Tables>(
  q: Builder,
  table: T,
  {
    from,
    values,
  }: { readonly from: InsertedRows; readonly values: { readonly [C in keyof Tables[T] & string]?: unknown } },
) {
  const columns = Object.keys(values) as (keyof Tables[T] & string)[];
  const selected = Object.entries(values).map(([column, value]) => sql`${value}`.as(column));
  return q.insertInto(table).columns(columns).expression(from.select(selected));
}

/** A table whose rows have ids. */
export type Numbered = { [T in keyof Tables]: 'id' extends keyof Tables[T] ? T : never }[keyof Tables];

/**
 * Declares a statement that sets columns of the row with an id; takes the id and, like `insertRow`, the
 * columns.
 */
export function updateRow<T extends Numbered, const C extends keyof Tables[T] & string>(
  table: T,
  columns: readonly C[],
): Command<Values<T, C | ('id' & keyof Tables[T])>, unknown> {
  const byId = bind<{ id: number }>()('id');
  const build = () =>
    builder
      .updateTable(table as 'entries')
      .set(slotsOf(columns))
      .where('id', '=', byId);
  return { kind: 'command', build };
}

/** A statement without the types of its parameters, which were checked at the call. */
export type Statement<R> = { readonly kind: 'query' | 'command'; readonly build: () => Compilable<R> };

const compiledByStatement: { readonly [engine in Engine]: WeakMap<object, Compiled> } = {
  sqlite: new WeakMap(),
  postgres: new WeakMap(),
};

/** The compiled form of a statement for an engine, made at its first use. */
export function compile(statement: Statement<unknown>, engine: Engine): Compiled {
  const known = compiledByStatement[engine].get(statement);
  if (known !== undefined) return known;
  const built = statement.build().compile();
  const compiler = new PostgresCompiler();
  const { sql, parameters } = engine === 'sqlite' ? built : compiler.compileQuery(built.query, built.queryId);
  const compiled = {
    sql,
    slots: parameters as readonly (Slot | Value)[],
    traits: { isSearch: compiler.hasSearch, insertInto: insertIntoOf(built.query) },
  };
  compiledByStatement[engine].set(statement, compiled);
  return compiled;
}

/** The values of the placeholders in order. Throws on a missing parameter, which is a programming error. */
export function bindValues({ slots }: Compiled, parameters: Parameters): Value[] {
  const values: Value[] = [];
  for (const slot of slots) {
    const value = slot instanceof Slot ? parameters[slot.name] : slot;
    if (value === undefined) throw new TypeError(`statement parameter '${(slot as Slot).name}' is missing`);
    values.push(value);
  }
  return values;
}

/** What was built for the shapes of all lists that were used last; one limit for all, because there are many lists. */
const builtByShape = new LastUsed<string, unknown>(keptStatementsMax);
let builders = 0;

/**
 * Keeps one statement for each shape of a list (its order, filters and so on) that was used lately. Every part of `shape`
 * comes from a closed set, but together they have thousands of values.
 */
export function cachedByShape<S extends string | object, T>(build: (shape: S) => T): (shape: S) => T {
  builders += 1;
  const builder = `${builders} `;
  return (shape) => {
    const key = builder + (typeof shape === 'string' ? shape : JSON.stringify(shape));
    return builtByShape.getOr(key, () => build(shape)) as T;
  };
}
