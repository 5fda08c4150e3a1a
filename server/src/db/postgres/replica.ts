import { Problem } from 'confab-contract/problem.ts';
import { sql } from 'kysely';
import type { Log } from '../../kernel/log.ts';
import type { Read, ReplicaState } from '../db.ts';
import { query } from '../statement.ts';
import { type PostgresOptions, queryOf } from './connection.ts';
import { Gatherer } from './gatherer.ts';
import type { PostgresLine, PostgresReader } from './reader.ts';

/**
 * A replica that serves lists while it is as current as the primary.
 *
 * Before each list, Confab reads the newest event of both; on the primary, it does so after checking access to the list.
 * Events are in the order of commits and every change has one. So a replica that has that event has every change that was
 * committed before the access check: changes by any node, and changes of rights. A replica that is slightly behind is
 * asked again; after that, the list is read from the primary. A list is therefore never staler than on the primary,
 * however far behind the replica is; the lag only decides how often the replica can be used.
 *
 * A periodic *look* checks whether the replica can be used at all: it must follow the primary, and have the same event
 * that was the newest on the primary at the previous look. This detects a server that was promoted, belongs to another
 * store or has a history of its own. Such a server gets no reads until a later look succeeds.
 */

/** How long the replica may take to tell its newest event, in milliseconds; lists wait for it. */
const answerMs = 1000;
/** How often it is asked for a list: each time costs a round trip, in which it catches up. */
const asksMax = 3;

const newestPosition = query()((q) =>
  q.selectFrom('events').select((part) => part.fn.max<number | null>('id').as('position')),
);

const followed = query()((q) =>
  q
    .selectFrom('events')
    .select((part) => part.fn.max<number | null>('id').as('position'))
    .select(sql<number>`pg_is_in_recovery()`.as('isFollowing')),
);

const newestEvent = query()((q) =>
  q
    .selectFrom('events')
    .select(['id', 'created_at as at', 'payload'])
    .orderBy('id', 'desc')
    .limit(sql.lit(1)),
);

const eventById = query<{ id: number }>()((q, value) =>
  q.selectFrom('events').select(['id', 'created_at as at', 'payload']).where('id', '=', value('id')),
);

type Mark = { readonly id: number; readonly at: number; readonly payload: string };
type Followed = { readonly position: number; readonly isFollowing: boolean };

/** Chooses what each list is read from. */
export class PostgresReplica {
  readonly #primary: PostgresReader;
  readonly #reader: PostgresReader;
  readonly #options: PostgresOptions;
  readonly #log: Log;
  /** Why the replica is not used; undefined while it is. */
  #reason: string | undefined = 'it was not looked at yet';
  /** The newest event of the primary at the last look. */
  #mark: Mark | undefined;
  #behind = 0;
  /** The source of all lists in this turn of the event loop; their checks share one round trip. */
  #chosen: Promise<Read> | undefined;

  /** `options` are those that `reader`, which reads from the replica, was made with. */
  constructor(parts: {
    primary: PostgresReader;
    reader: PostgresReader;
    options: PostgresOptions;
    log: Log;
  }) {
    this.#primary = parts.primary;
    this.#reader = parts.reader;
    this.#options = parts.options;
    this.#log = parts.log;
  }

  /** See `Db.readForList`. */
  readForList(): Promise<Read> {
    if (this.#chosen !== undefined) return this.#chosen;
    this.#chosen = this.#choose(this.#primary, () => this.#reader.line());
    process.nextTick(() => {
      this.#chosen = undefined;
    });
    return this.#chosen;
  }

  /** Chooses between two other connections for one list, as `readForList` does. */
  readForLongList(primary: Read, replica: PostgresLine): Promise<Read> {
    return this.#choose(primary, () => replica);
  }

  async #choose(primary: Read, replica: () => PostgresLine): Promise<Read> {
    if (this.#reason !== undefined) return primary;
    const line = replica();
    const newest = this.#primary.get(newestPosition, {});
    let follower = this.#askFollowed(line);
    const needed = (await newest)?.position ?? 0;
    for (let asks = 1; ; asks += 1) {
      const progress = await follower;
      if (progress === undefined || !this.#isFollowing(progress)) return primary;
      if (progress.position >= needed) return this.#readOn(line, primary);
      if (asks === asksMax) return primary;
      follower = this.#askFollowed(line);
    }
  }

  /** How far the replica is; undefined when it does not say, which puts it aside. */
  async #askFollowed(line: PostgresLine): Promise<Followed | undefined> {
    try {
      const statement = { ...queryOf(followed, { parameters: {} }, this.#options), query_timeout: answerMs };
      const [row] = (await line.ask(statement)).rows as { position: number | null; isFollowing: number }[];
      return { position: row?.position ?? 0, isFollowing: row?.isFollowing === 1 };
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  #isFollowing({ isFollowing }: Followed): boolean {
    if (!isFollowing) this.#settle('it follows no other server: it was promoted, or never was a replica');
    return isFollowing;
  }

  /**
   * Reads on one connection, so that what a list reads later is not older than what it has read before, also where the
   * address stands for several replicas. From a failure on it is the primary that answers, which has at least as much.
   */
  #readOn(line: PostgresLine, primary: Read): Read {
    const replica = new Gatherer((statement) => line.ask(statement), this.#options);
    let isLost = false;
    const either = async <T>(read: (from: Read) => Promise<T>): Promise<T> => {
      if (!isLost)
        try {
          return await read(replica);
        } catch (error) {
          if (error instanceof Problem && error.code === 'took_too_long') throw error;
          isLost = true;
          this.#failed(error);
        }
      return await read(primary);
    };
    return {
      get: (statement, parameters) => either((from) => from.get(statement, parameters)),
      all: (statement, parameters) => either((from) => from.all(statement, parameters)),
    };
  }

  /** Finds out whether the replica can be used from here on. Throws when the primary does not answer. */
  async look(): Promise<void> {
    const mark = this.#mark ?? (await this.#primary.get(newestEvent, {}));
    const line = this.#reader.line();
    const progress = await this.#askFollowed(line);
    if (progress !== undefined && this.#isFollowing(progress)) await this.#compare(line, mark, progress);
    this.#mark = await this.#primary.get(newestEvent, {});
    this.#behind = Math.max(0, (this.#mark?.id ?? 0) - (progress?.position ?? 0));
  }

  async #compare(line: PostgresLine, mark: Mark | undefined, { position }: Followed): Promise<void> {
    if (mark === undefined) this.#settle('there is no event yet to know it by');
    else if (position < mark.id) this.#settle('it is too far behind');
    else
      try {
        const statement = {
          ...queryOf(eventById, { parameters: { id: mark.id } }, this.#options),
          query_timeout: answerMs,
        };
        const [same] = (await line.ask(statement)).rows as Mark[];
        const isSame = same?.at === mark.at && same.payload === mark.payload;
        this.#settle(isSame ? undefined : 'its events are not those of this store');
      } catch (error) {
        this.#failed(error);
      }
  }

  #failed(error: unknown): void {
    this.#settle('it does not answer as it should', error);
  }

  /** Begins or ceases to use the replica, and says so when that is a change. */
  #settle(reason: string | undefined, error?: unknown): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    if (reason === undefined) this.#log.info({ behind: this.#behind }, 'lists are read from the replica');
    else
      this.#log.warn({ reason, err: error }, 'the replica is not used, and lists are read from the primary');
  }

  /** For the readiness page: `behind` is by how many events at most it was behind at the last look. */
  state(): ReplicaState {
    const reason = this.#reason;
    return {
      is_used: reason === undefined,
      behind_events: this.#behind,
      ...(reason === undefined ? {} : { detail: reason }),
    };
  }
}
