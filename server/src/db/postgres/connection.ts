import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { LastUsed } from '../../kernel/last-used.ts';
import { keptStatementsMax } from '../kept-statements.ts';
import { bindValues, compile, type Parameters, type Statement, type Traits } from '../statement.ts';
import { useName } from './named-statements.ts';

/** How long a new connection may take, in milliseconds. */
const connectMs = 5000;
/** How long a statement may take before its connection is given up: the longest are batches of background work. */
const statementMs = 30_000;

/**
 * PostgreSQL compiles a statement that it takes for expensive, anew at each execution. It takes a list for expensive whose
 * page it then finds at once, so compiling takes longer than reading.
 */
export const withoutJit = 'jit = off';

const { builtins } = pg.types;

/** A whole number as it came over the wire. Throws where JavaScript would round it. */
function safeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the integers of JavaScript`);
  return value;
}

/** How values of columns become those that SQLite gives: numbers are numbers, and a truth is 1 or 0. */
const parsers: { readonly [oid: number]: (text: string) => unknown } = {
  [builtins.INT8]: safeNumber,
  [builtins.NUMERIC]: safeNumber,
  [builtins.BOOL]: (text) => (text === 't' ? 1 : 0),
};

/** The options of connections. */
export type PostgresOptions = {
  /** Address of the database, such as `postgres://user:secret@host:5432/name`. */
  readonly url: string;
  /**
   * Whether statements are prepared once for each connection. A pooler that gives each transaction another connection
   * cannot have that.
   */
  readonly isPrepared: boolean;
  /** Called with the text of every statement, for tests that count them. */
  readonly onStatement?: ((sql: string) => void) | undefined;
};

/** The settings of a connection. */
export function connectionOf(options: PostgresOptions): pg.ClientConfig {
  return {
    connectionString: options.url,
    application_name: 'confab',
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  };
}

const names = new LastUsed<string, string>(keptStatementsMax);

/** The name under which a text is prepared, the same on every connection. */
export function nameOf(sql: string): string {
  return names.getOr(sql, () => createHash('sha1').update(sql).digest('base64url'));
}

/** A statement with its values, as the driver takes it, and what else is known of it. */
export type BoundQuery = pg.QueryConfig & { readonly traits: Traits };

/** A statement with its values; `suffix` is put behind its text. A search is never prepared. */
export function queryOf(
  statement: Statement<unknown>,
  { parameters, suffix = '' }: { parameters: Parameters; suffix?: string },
  { isPrepared, onStatement }: PostgresOptions,
): BoundQuery {
  const compiled = compile(statement, 'postgres');
  const { traits } = compiled;
  onStatement?.(compiled.sql);
  const text = `${compiled.sql}${suffix}`;
  return {
    text,
    values: bindValues(compiled, parameters) as unknown[],
    traits,
    ...(isPrepared && !traits.isSearch ? { name: nameOf(text) } : {}),
  };
}

const corked = new WeakSet<Writable>();

/** Sends a query; those that one turn of the event loop sends on a connection leave together. */
export function send(client: pg.Client, query: string | pg.QueryConfig): Promise<pg.QueryResult> {
  const { stream } = client.connection as { stream: Writable };
  if (!corked.has(stream)) {
    stream.cork();
    corked.add(stream);
    process.nextTick(() => {
      corked.delete(stream);
      stream.uncork();
    });
  }
  if (typeof query !== 'string' && query.name !== undefined) useName(client, query.name);
  return client.query(query as pg.QueryConfig);
}

/** The SQLSTATE of an error that the server has answered, or undefined for any other. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether the server has canceled a statement: at its timeout, or because its operator asked for that. */
export function isCanceled(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/**
 * Whether an error says that the server or the way to it is not there, or has no room: what was asked may work later.
 * SQLSTATE classes 08, 53, 57 and 58, a session that was ended, and a server that has become a reader.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined)
    return /^(?:08|53|57|58)/.test(state) || ['25P03', '25006', '55P03'].includes(state);
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) ||
    /^(?:Connection terminated|Query read timeout|timeout e|Client has encountered a connection error|Client was closed)/.test(
      error.message,
    )
  );
}
