import type pg from 'pg';
import type { LongRead, Read } from '../db.ts';
import { type LongSession, timeoutProblem } from '../long-reads.ts';
import { isCanceled, isUnavailable, type PostgresOptions, withoutJit } from './connection.ts';
import { Gatherer } from './gatherer.ts';
import { type PostgresLine, PostgresReader, unavailable } from './reader.ts';
import type { PostgresReplica } from './replica.ts';

/**
 * Long reads of PostgreSQL: connections of their own, so that no other read waits behind one, and for each statement a
 * timeout that is what is left until the deadline. It is set in the transaction of the statement, so that it holds
 * behind a pooler as well.
 */

/** How much longer than the database a read waits for an answer, in milliseconds. */
const graceMs = 1000;

/** The replica of a store, with the options of connections to it. */
export type ReplicaOfLists = { readonly chooser: PostgresReplica; readonly options: PostgresOptions };

/** The connections of one long read. */
type Place = { readonly primary: PostgresReader; readonly replica: PostgresReader | undefined };

/** Asks one statement after the other, each until the same deadline. */
class UntilDeadline {
  #deadline: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(timeoutMs: number) {
    this.#deadline = performance.now() + timeoutMs;
  }

  /** The same connection, on which each statement waits for its turn and ends at the deadline. */
  on(line: () => PostgresLine): PostgresLine {
    return {
      ask: (query) => {
        const answer = this.#last.then(() => this.#ask(line(), query));
        this.#last = answer.catch(() => undefined);
        return answer;
      },
    };
  }

  async #ask(line: PostgresLine, query: pg.QueryConfig): Promise<pg.QueryResult> {
    const leftMs = Math.ceil(this.#deadline - performance.now());
    if (leftMs <= 0) throw timeoutProblem();
    const limited = { query_timeout: leftMs + graceMs, ...query };
    try {
      // Sent as one packet.
      const [, answer] = await Promise.all([
        line.ask({
          text: `begin read only; set local statement_timeout = ${leftMs}; set local ${withoutJit}`,
        }),
        line.ask(limited),
        line.ask({ text: 'commit' }),
      ]);
      return answer;
    } catch (error) {
      if (isCanceled(error)) throw timeoutProblem(error);
      throw isUnavailable(error) ? unavailable(error) : error;
    }
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
