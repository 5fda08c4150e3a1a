import type { StoreView } from './store-view.ts';
import type { Look, Trace } from './trace.ts';

const hours = 3_600_000;
const days = 24 * hours;

/** How long a delivery is kept after its last attempt, and how long one may wait. */
export const deliveryMs = 7 * days;

/** Rows that are kept for a while: their ids, and the times from which that counts. */
type Kept = {
  readonly name: string;
  readonly sql: string;
  readonly keptMs: number;
  /** How long after that a row may still be there, in milliseconds. */
  readonly slackMs: number;
  /** Rows that stay while they are among these, however old they are. That time begins when they leave. */
  readonly neededSql?: string;
};

/** What the settings of a run and the guides promise. Rows go one step of a loop after their time, a minute apart. */
const promises: readonly Kept[] = [
  {
    name: 'answers for retries',
    sql: 'select id, created_at as at from kept_answers',
    keptMs: days,
    slackMs: hours,
  },
  {
    name: 'response bodies',
    sql: 'select delivery_id * 100 + number as id, started_at as at from attempts where response_body is not null',
    keptMs: 2 * days,
    slackMs: hours,
  },
  {
    name: 'deliveries that ended',
    sql: 'select id, delivered_at as at from deliveries where due_at is null and delivered_at is not null',
    keptMs: deliveryMs,
    slackMs: hours,
  },
  {
    name: 'deliveries that wait',
    sql: 'select id, due_at as at from deliveries where due_at is not null',
    keptMs: deliveryMs,
    slackMs: hours,
  },
  {
    name: 'comments in the trash',
    sql: 'select id, trashed_at as at from entries where trashed_at is not null',
    keptMs: 3 * days,
    slackMs: hours,
  },
  {
    name: 'events',
    sql: 'select id, created_at as at from events',
    keptMs: 10 * days,
    // They are looked at once a day.
    slackMs: days + hours,
    // A delivery may wait for days, pause between its attempts, and is kept for days after the last.
    neededSql: 'select distinct event_id as id from deliveries',
  },
  {
    name: 'bans',
    sql: 'select id, expires_at as at from bans',
    keptMs: 0,
    slackMs: hours,
  },
  {
    name: 'codes for signing in',
    sql: 'select hex(hash) as id, expires_at as at from visitor_secrets',
    keptMs: 0,
    slackMs: hours,
  },
];

/** Checks that nothing is removed before its time, and nothing is kept long after. */
export class RetentionCheck {
  readonly #view: StoreView;
  readonly #trace: Trace;
  readonly #known = new Map<string, Map<number | string, number>>();
  /** When a row was last seen to be needed. */
  readonly #neededAt = new Map<string, number>();
  removed = 0;

  constructor({ view, trace }: { view: StoreView; trace: Trace }) {
    this.#view = view;
    this.#trace = trace;
  }

  /** Compares the rows with those of the last call. */
  sample({ now, wrongMs, wellMs }: Look): void {
    for (const { name, sql, keptMs, slackMs, neededSql } of promises) {
      if (neededSql !== undefined)
        for (const { id } of this.#view.all<{ id: number }>(neededSql))
          this.#neededAt.set(`${name} ${id}`, now);
      const rows = new Map(
        this.#view.all<{ id: number | string; at: number }>(sql).map(({ id, at }) => [id, at]),
      );
      for (const [id, at] of this.#known.get(name) ?? []) {
        if (rows.has(id)) continue;
        this.removed += 1;
        if (now - at < keptMs - wrongMs && this.#isRemoved(name, id))
          this.#trace.fail('retention', `${name}: ${id} was removed after ${hoursOf(now - at)}`);
      }
      for (const [id, at] of rows) {
        const goesAt = Math.max(at + keptMs, this.#neededAt.get(`${name} ${id}`) ?? 0);
        if (now - goesAt > slackMs + wrongMs && wellMs > slackMs)
          this.#trace.fail('retention', `${name}: ${id} is still there after ${hoursOf(now - at)}`);
      }
      this.#known.set(name, rows);
    }
  }

  /**
   * Whether a row that has left the set was removed. It can leave because it changed, as an item that was restored, or
   * because its item was deleted, with which the responses about it go.
   */
  #isRemoved(name: string, id: number | string): boolean {
    if (name === 'comments in the trash') return !this.#has('select 1 from entries where id = ?', id);
    if (name.startsWith('deliveries')) return !this.#has('select 1 from deliveries where id = ?', id);
    if (name !== 'response bodies') return true;
    return this.#has(
      `select 1 from deliveries join events on events.id = event_id join entries on entries.id = entity_id
       where deliveries.id = ?`,
      Math.floor(Number(id) / 100),
    );
  }

  #has(sql: string, id: number | string): boolean {
    return this.#view.get(sql, id) !== undefined;
  }
}

function hoursOf(ms: number): string {
  return `${(ms / hours).toFixed(2)} hours`;
}
