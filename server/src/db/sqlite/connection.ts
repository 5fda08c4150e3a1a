import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LastUsed } from '../../kernel/last-used.ts';
import { isTurnLong, nextTurn } from '../../kernel/turn.ts';
import type { Read } from '../db.ts';
import { keptStatementsMax } from '../kept-statements.ts';
import type { Memory } from '../memory.ts';
import { rowMaker } from '../rows.ts';
import type { SlowStatements } from '../slow-statements.ts';
import {
  bindValues,
  type Compiled,
  compile,
  type Parameters,
  type Query,
  type Statement,
} from '../statement.ts';
import { arrayOf, arraysOf } from './row-arrays.ts';

type Prepared = {
  readonly compiled: Compiled;
  readonly handle: StatementSync;
  readonly toRow: ReturnType<typeof rowMaker>;
};

/** Callbacks for statements: one before each statement, for tests that count them, and one after slow statements. */
export type StatementWatch = {
  readonly onStatement?: ((sql: string) => void) | undefined;
  readonly slow?: SlowStatements;
};

/** The values of a statement as SQLite takes them. */
export function sqliteValues(compiled: Compiled, parameters: Parameters): SQLInputValue[] {
  const values = bindValues(compiled, parameters) as unknown[];
  for (let index = 0; index < values.length; index += 1)
    if (Array.isArray(values[index])) values[index] = JSON.stringify(values[index]);
  return values as SQLInputValue[];
}

/** One connection with the statements prepared on it. */
export class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new LastUsed<Statement<unknown>, Prepared>(keptStatementsMax);
  readonly #watch: StatementWatch;
  #prepared = 0;

  constructor(database: DatabaseSync, watch: StatementWatch) {
    this.database = database;
    this.#watch = watch;
  }

  /**
   * Whether so many statements were prepared that it should be closed, which frees them. `node:sqlite` frees one that nobody
   * has only when V8 collects its small handle, and V8 does not know that up to a megabyte depends on it.
   */
  get isFull(): boolean {
    return this.#prepared >= keptStatementsMax;
  }

  #find(statement: Statement<unknown>): Prepared {
    const prepared = this.#statements.getOr(statement, () => {
      const compiled = compile(statement, 'sqlite');
      const handle = this.database.prepare(compiled.sql);
      handle.setReturnArrays(true);
      const columns = handle.columns();
      this.#prepared += 1;
      return { compiled, handle, toRow: rowMaker(columns.map(({ name }) => name)) };
    });
    this.#watch.onStatement?.(prepared.compiled.sql);
    return prepared;
  }

  get<R>(statement: Statement<R>, parameters: Parameters): R | undefined {
    const startedAt = performance.now();
    const { compiled, handle, toRow } = this.#find(statement);
    const values = sqliteValues(compiled, parameters);
    const row = arrayOf(handle, values);
    this.#watch.slow?.note(compiled.sql, startedAt);
    return row === undefined ? undefined : (toRow(row) as R);
  }

  all<R>(statement: Statement<R>, parameters: Parameters): R[] {
    const startedAt = performance.now();
    const { compiled, handle, toRow } = this.#find(statement);
    const values = sqliteValues(compiled, parameters);
    const rows = arraysOf(handle, values);
    this.#watch.slow?.note(compiled.sql, startedAt);
    return rows.map((row) => toRow(row) as R);
  }

  /** Answers how many rows changed and the id of the newest row, which means something after an insert only. */
  run(statement: Statement<unknown>, parameters: Parameters): { changes: number; id: number } {
    const startedAt = performance.now();
    const { compiled, handle } = this.#find(statement);
    // The search index inserts rows with ids beyond 2^53. Node 26 throws where it would round the id of the newest row,
    // which each change answers, even if it inserts nothing. Rows that another call reads have numbers.
    handle.setReadBigInts(true);
    try {
      const { changes, lastInsertRowid } = handle.run(...sqliteValues(compiled, parameters));
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    } finally {
      handle.setReadBigInts(false);
      this.#watch.slow?.note(compiled.sql, startedAt);
    }
  }
}

/** A connection with the statements by which it takes a snapshot and gives it back. */
type Line = {
  readonly connection: Connection;
  readonly begin: StatementSync;
  readonly version: StatementSync;
  readonly end: StatementSync;
};

function lineOf(connection: Connection): Line {
  const { database } = connection;
  return {
    connection,
    begin: database.prepare('begin'),
    version: database.prepare('pragma data_version'),
    end: database.prepare('commit'),
  };
}

/**
 * Reads of committed data. They are synchronous; the promise is for the interface that both engines share. The reads of
 * one turn of the event loop share a snapshot, because taking and releasing the lock costs more than most look-ups. A
 * commit calls `renew`, so that later reads see it. In a turn that has become long, statements whose rows are not
 * remembered wait for the next turn, so that many of them, or a few long ones, do not block all other requests.
 *
 * A connection that is full is replaced before the next snapshot, in less than a millisecond. It loses no pages by that that
 * it would not lose at the next commit.
 */
export class SnapshotReader implements Read {
  readonly #connect: () => Connection;
  readonly #memory: Memory;
  #line: Line;
  #isOpen = false;

  constructor(connect: () => Connection, memory: Memory) {
    this.#connect = connect;
    this.#memory = memory;
    this.#line = lineOf(connect());
  }

  async get<P extends Parameters, R>(query: Query<P, R>, parameters: P): Promise<R | undefined> {
    if (query.remembered === undefined) {
      if (isTurnLong()) await nextTurn();
      this.#open();
      return this.#line.connection.get(query, parameters);
    }
    this.#open();
    return this.#memory.get(query, parameters, () => this.#line.connection.get(query, parameters));
  }

  async all<P extends Parameters, R>(query: Query<P, R>, parameters: P): Promise<R[]> {
    if (isTurnLong()) await nextTurn();
    this.#open();
    return this.#line.connection.all(query, parameters);
  }

  /** Gives the snapshot back; the next read takes a new one. */
  renew(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#line.end.run();
  }

  close(): void {
    this.renew();
    this.#line.connection.database.close();
  }

  #open(): void {
    if (this.#isOpen) return;
    // The turn is counted from its first read, remembered or not.
    isTurnLong();
    if (this.#line.connection.isFull) this.#reconnect();
    this.#line.begin.run();
    this.#isOpen = true;
    try {
      this.#takeSnapshot();
    } catch (error) {
      this.renew();
      throw error;
    }
    setImmediate(() => {
      if (this.#line.connection.database.isOpen) this.renew();
    });
  }

  /** Takes the snapshot: what the memory keeps from here on belongs to it. */
  #takeSnapshot(): void {
    // A transaction has its snapshot from its first read on.
    const { begin, version, end } = this.#line;
    version.get();
    while (this.#memory.hasChangedOutside()) {
      end.run();
      begin.run();
      version.get();
    }
  }

  #reconnect(): void {
    const { database } = this.#line.connection;
    this.#line = lineOf(this.#connect());
    database.close();
  }
}
