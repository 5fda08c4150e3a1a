import type pg from 'pg';
import type { LongRead, Read } from '../db.ts';
import { type LongSession, timeoutProblem } from '../long-reads.ts';
import { isCanceled, isUnavailable, type PostgresOptions, withoutJit } from './connection.ts';
import { Gatherer } from './gatherer.ts';
import { type PostgresLine, PostgresReader, unavailable } from './reader.ts';
import type { PostgresReplica } from './replica.ts';

/**
 * Long reads of PostgreSQL: connections of their own, so that no other read waits behind one, and for each statement a
 * timeout that is what is left until the deadline. It is set in the transaction of the statements that are sent together,
 * so that it holds behind a pooler as well.
 */

/** How much longer than the database a read waits for an answer, in milliseconds. */
const graceMs = 1000;
/** Leaves to the next statement of a transaction what the ones before have left of its milliseconds, and at least one. */
const timeoutOfRest = `select set_config('statement_timeout', greatest(1,
  $1 - cast(extract(epoch from clock_timestamp() - transaction_timestamp()) * 1000 as integer))::text, true)`;

/** The replica of a store, with the options of connections to it. */
export type ReplicaOfLists = { readonly chooser: PostgresReplica; readonly options: PostgresOptions };

/** The connections of one long read. */
type Place = { readonly primary: PostgresReader; readonly replica: PostgresReader | undefined };

/** A statement that waits to be sent. */
type Asked = {
  readonly query: pg.QueryConfig;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: unknown) => void;
};

/** What is told of an error of a statement. */
function problemOf(error: unknown): unknown {
  if (isCanceled(error)) return timeoutProblem(error);
  return isUnavailable(error) ? unavailable(error) : error;
}

/** Asks statements until a deadline, those together that are asked while none of the ones before has its answer. */
class UntilDeadline {
  #deadline: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(timeoutMs: number) {
    this.#deadline = performance.now() + timeoutMs;
  }

  /** The same connection, on which each statement waits for its turn and ends at the deadline. */
  on(line: () => PostgresLine): PostgresLine {
    let waiting: Asked[] = [];
    const askWaiting = async () => {
      const asked = waiting;
      waiting = [];
      try {
        await this.#askTogether(line(), asked);
      } catch (error) {
        // There is no connection, because the store was closed.
        for (const { reject } of asked) reject(error);
      }
    };
    return {
      ask: (query) => {
        const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
        waiting.push({ query, resolve, reject });
        if (waiting.length === 1) this.#last = this.#last.then(askWaiting);
        return promise;
      },
    };
  }

  /** Sends statements as one packet, in a transaction of their own. */
  async #askTogether(line: PostgresLine, asked: readonly Asked[]): Promise<void> {
    const leftMs = Math.ceil(this.#deadline - performance.now());
    if (leftMs <= 0) {
      for (const { reject } of asked) reject(timeoutProblem());
      return;
    }
    const limited = { query_timeout: leftMs + graceMs };
    const text = `begin read only; set local statement_timeout = ${leftMs}; set local ${withoutJit}`;
    const sent = [line.ask({ text })];
    let failure: unknown;
    for (const [index, { query, resolve, reject }] of asked.entries()) {
      if (index > 0) sent.push(line.ask({ text: timeoutOfRest, values: [leftMs] }));
      const answer = line.ask({ ...limited, ...query });
      answer.then(resolve, (error: unknown) => {
        // What comes after one that failed, in its transaction, fails for that reason.
        failure ??= problemOf(error);
        reject(failure);
      });
      sent.push(answer);
    }
    sent.push(line.ask({ text: 'commit' }));
    await Promise.allSettled(sent);
  }

  /** Asks nothing more; resolves when nothing runs. */
  async end(): Promise<void> {
    this.#deadline = 0;
    await this.#last;
  }
}

/** The connections for long reads. */
export class PostgresLongReader {
  readonly #primary: PostgresOptions;
  readonly #replica: ReplicaOfLists | undefined;
  readonly #places: readonly Place[];
  readonly #free: Place[];

  /** Makes room for so many reads at a time. Connects nothing yet. */
  constructor(options: {
    primary: PostgresOptions;
    replica: ReplicaOfLists | undefined;
    placesMax: number;
  }) {
    const { primary, replica, placesMax } = options;
    this.#primary = primary;
    this.#replica = replica;
    this.#places = Array.from({ length: placesMax }, () => ({
      primary: new PostgresReader(primary, 1),
      replica: replica && new PostgresReader(replica.options, 1),
    }));
    this.#free = [...this.#places];
  }

  /** Begins a read that ends after so many milliseconds. There must be room for it. */
  begin(request: LongRead, timeoutMs: number): LongSession {
    const place = this.#free.pop();
    if (place === undefined) throw new Error('there is no room for another long read');
    const asking = new UntilDeadline(timeoutMs);
    let chosen: Promise<Read> | undefined;
    const reader = () => {
      chosen ??= this.#choose(request, place, asking);
      return chosen;
    };
    return {
      read: {
        get: async (query, parameters) => await (await reader()).get(query, parameters),
        all: async (query, parameters) => await (await reader()).all(query, parameters),
      },
      end: async () => {
        await asking.end();
        this.#free.push(place);
      },
    };
  }

  async #choose({ isForList }: LongRead, place: Place, asking: UntilDeadline): Promise<Read> {
    const onPrimary = asking.on(() => place.primary.line());
    const primary = new Gatherer((query) => onPrimary.ask(query), this.#primary);
    if (!isForList || this.#replica === undefined || place.replica === undefined) return primary;
    const line = place.replica.line();
    return await this.#replica.chooser.readForLongList(
      primary,
      asking.on(() => line),
    );
  }

  /** Waits for the reads that run and closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.#places.flatMap(({ primary, replica }) => [primary.close(), replica?.close()]));
  }
}
