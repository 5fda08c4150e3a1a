import { Problem } from 'confab-contract/problem.ts';
import pg from 'pg';
import type { Read } from '../db.ts';
import type { Parameters, Statement } from '../statement.ts';
import {
  connectionOf,
  isCanceled,
  isUnavailable,
  type PostgresOptions,
  send,
  withoutJit,
} from './connection.ts';
import { Gatherer } from './gatherer.ts';

/** How many reads wait on each connection before another one is opened. */
const waitingMax = 8;
/** How often a read is asked when connections are lost. */
const attemptsMax = 2;
/** How long a statement may run, in milliseconds: less than the connection waits for its answer. */
const readMs = 25_000;
/**
 * On a connection that reads, the engine refuses writes and ends statements that take too long. These settings are sent
 * after connecting, because poolers refuse them as start-up parameters. A pooler in transaction mode would pass them on
 * to other clients.
 */
const settings = `set default_transaction_read_only = on; set statement_timeout = ${readMs}; set ${withoutJit}`;

/** The problem of a read that the database does not answer. */
export function unavailable(cause: unknown): Problem {
  return new Problem('storage_unavailable', 'The store does not answer at the moment.', { cause });
}

/** A connection and how many of its reads are not answered yet. */
type Line = { readonly client: Promise<pg.Client>; waiting: number };

/** One of the connections, for reads that may not see less than those before them. */
export type PostgresLine = {
  /** Answers a query that only reads. It is asked once, and what fails is thrown as it is. */
  ask(query: pg.QueryConfig): Promise<pg.QueryResult>;
};

/**
 * Reads of committed data over a few connections. A read does not wait for the result of the previous read on its
 * connection, so the reads of one turn of the event loop leave in one packet, and their results arrive in one.
 */
export class PostgresReader implements Read {
  readonly #options: PostgresOptions;
  readonly #linesMax: number;
  readonly #gatherer: Gatherer;
  readonly #lines = new Set<Line>();
  #isClosed = false;

  constructor(options: PostgresOptions, linesMax: number) {
    this.#options = options;
    this.#linesMax = linesMax;
    this.#gatherer = new Gatherer((query) => this.ask(query), options);
  }

  get<R>(statement: Statement<R>, parameters: Parameters): Promise<R | undefined> {
    return this.#gatherer.get(statement, parameters);
  }

  all<R>(statement: Statement<R>, parameters: Parameters): Promise<R[]> {
    return this.#gatherer.all(statement, parameters);
  }

  /** Answers a query that only reads. Throws `storage_unavailable` when the database does not. */
  async ask(query: pg.QueryConfig): Promise<pg.QueryResult> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.#askOn(this.#freest(), query);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        // The connection was lost, or its server: a read can be asked again, on another one. What took too long would
        // again.
        if (attempt === attemptsMax || isCanceled(error)) throw unavailable(error);
      }
  }

  /** The connection with the fewest reads that wait. */
  line(): PostgresLine {
    const line = this.#freest();
    return { ask: (query) => this.#askOn(line, query) };
  }

  async #askOn(line: Line, query: pg.QueryConfig): Promise<pg.QueryResult> {
    line.waiting += 1;
    try {
      return await send(await line.client, query);
    } catch (error) {
      if (isUnavailable(error) && !isCanceled(error)) this.#lines.delete(line);
      throw error;
    } finally {
      line.waiting -= 1;
    }
  }

  #freest(): Line {
    let best: Line | undefined;
    for (const line of this.#lines) if (best === undefined || line.waiting < best.waiting) best = line;
    const isEnough = best !== undefined && (best.waiting < waitingMax || this.#lines.size >= this.#linesMax);
    return best !== undefined && isEnough ? best : this.#open();
  }

  #open(): Line {
    if (this.#isClosed) throw new Problem('storage_unavailable', 'The store is closed.');
    const client = new pg.Client({ ...connectionOf(this.#options), pipeline: true });
    const line: Line = { client: this.#connect(client), waiting: 0 };
    client.on('error', () => this.#lines.delete(line));
    client.on('end', () => this.#lines.delete(line));
    this.#lines.add(line);
    return line;
  }

  async #connect(client: pg.Client): Promise<pg.Client> {
    await client.connect();
    if (this.#options.isPrepared) await client.query(settings);
    return client;
  }

  /** Waits for the reads that run and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const lines = [...this.#lines];
    this.#lines.clear();
    await Promise.allSettled(lines.map(async ({ client }) => await (await client).end()));
  }
}
