import { LastUsed } from '../kernel/last-used.ts';
import type { Log } from '../kernel/log.ts';
import { keptStatementsMax } from './kept-statements.ts';

/** A statement that takes at least as long is logged, in milliseconds. */
const slowMs = 250;
/** For how long the same statement is not logged again, in milliseconds. */
const silentMs = 60_000;

/**
 * Logs statements that take long, without their values, so that an operator sees what keeps the store busy. PostgreSQL
 * has `log_min_duration_statement` for this; SQLite has no such log.
 */
export class SlowStatements {
  readonly #log: Log;
  readonly #loggedAt = new LastUsed<string, number>(keptStatementsMax);

  constructor(log: Log) {
    this.#log = log;
  }

  /** Notes that a statement, begun at `startedAt` in the time of `performance.now()`, has ended. */
  note(sql: string, startedAt: number): void {
    const now = performance.now();
    const ms = now - startedAt;
    if (ms < slowMs || now - (this.#loggedAt.get(sql) ?? -silentMs) < silentMs) return;
    this.#loggedAt.set(sql, now);
    this.#log.warn({ ms: Math.round(ms), statement: sql.slice(0, 1000) }, 'a statement took long');
  }
}
