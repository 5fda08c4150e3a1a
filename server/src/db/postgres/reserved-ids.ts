import type pg from 'pg';

/** The ids that a group has reserved for its events with its turn, in which nobody else draws any. */
export class ReservedIds {
  readonly #ids: number[] = [];
  #arePassed = false;

  /** Takes note of them when they are known. */
  fill(ids: readonly number[]): void {
    this.#ids.push(...ids);
  }

  /** The next one; undefined when all are given out, or later ones are. */
  take(): number | undefined {
    return this.#arePassed ? undefined : this.#ids.shift();
  }

  /** Notes that many events at once get ids after these, so that what is appended after them gets later ones. */
  pass(): void {
    this.#arePassed = true;
  }

  /** The query that gives back those that no event took, so that the log has no gap. */
  giveBack(): pg.QueryConfig[] {
    const next = this.take();
    return next === undefined ? [] : [{ text: `select setval('events_id_seq', ${next}, false)` }];
  }
}
