import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import { LastUsed } from '../../kernel/last-used.ts';
import { bytesOf } from '../rows.ts';
import { bindValues, compile, type Parameters, type Query } from '../statement.ts';
import { keyOf } from './gatherer.ts';

/**
 * Rows that a request need not wait for, because they seldom change: the user of its credential, and the app with the rights
 * of that user. The request goes on at once with the row of the last time, while the engine is asked for it as ever. Before
 * the request is answered each row is compared with what the engine says; where one is another, the request is answered
 * anew with rows that were waited for. So nobody is ever answered by a row that has changed: it only saves the ways to the
 * engine one after the other (decision 0178).
 */

/** The most rows of each statement; a row takes about a kilobyte. */
const rowsMax = 2000;
/** The most bytes of a row that is assumed: with its free-form properties it can have sixty times as many. */
const rowBytesMax = 4096;

/** The rows that one request has assumed. */
type Assumptions = {
  /** Whether each of them still is what the engine has. */
  readonly checks: Promise<boolean>[];
  isOver: boolean;
};

/** A row that the request has assumed is another one, so it begins anew. */
class Outdated extends Error {}

/** The rows that requests of one store assume. */
export class AssumedRows {
  readonly #rows = new WeakMap<object, LastUsed<string, object>>();
  readonly #present = new AsyncLocalStorage<Assumptions | undefined>();

  /** Runs work that changes nothing; runs it a second time, without assumptions, where one of them was wrong. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const assumptions: Assumptions = { checks: [], isOver: false };
    const [outcome] = await Promise.allSettled([this.#present.run(assumptions, work)]);
    // What the work has begun and not awaited must not assume anything that nobody will check.
    assumptions.isOver = true;
    const checks = await Promise.all(assumptions.checks);
    if (checks.includes(false)) return await work();
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** See `Db.confirmed`. */
  async confirmed(): Promise<void> {
    const checks = await Promise.all(this.#present.getStore()?.checks ?? []);
    if (checks.includes(false)) throw new Outdated('a row that was assumed has changed');
  }

  /** Begins work that goes on for others than the request in which it begins, so that nothing in it is assumed. */
  outside<T>(work: () => T): T {
    return this.#present.run(undefined, work);
  }

  /** The first row of a query: the one of the last time where it may be assumed, or what `read` reads. */
  get<P extends Parameters, R>(
    query: Query<P, R>,
    parameters: P,
    read: () => Promise<R | undefined>,
  ): Promise<R | undefined> {
    const assumptions = this.#present.getStore();
    const isAssuming = query.remembered?.changesSeldom === true && assumptions?.isOver === false;
    if (!isAssuming) return read();
    const rows = this.#rowsOf(query);
    const key = keyOf({ values: bindValues(compile(query, 'postgres'), parameters) });
    const assumed = rows.get(key) as (R & object) | undefined;
    const reading = read().then((row) => {
      if (row === undefined || bytesOf(row as R & object) > rowBytesMax) rows.delete(key);
      else rows.set(key, Object.freeze(row as R & object));
      return row;
    });
    if (assumed === undefined) return reading;
    const check = reading.then((row) => isDeepStrictEqual(row, assumed));
    // It is awaited once the work is done.
    check.catch(() => {});
    assumptions.checks.push(check);
    return Promise.resolve(assumed);
  }

  #rowsOf(query: object): LastUsed<string, object> {
    const known = this.#rows.get(query) ?? new LastUsed<string, object>(rowsMax);
    this.#rows.set(query, known);
    return known;
  }
}
