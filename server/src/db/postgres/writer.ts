import type pg from 'pg';
import { allOf } from '../../kernel/all-of.ts';
import type { Log } from '../../kernel/log.ts';
import type { DeferredCommand } from '../db.ts';
import { compile, type Parameters, type Statement } from '../statement.ts';
import type { Beginning, Fault, Writer } from '../writer.ts';
import { batchOf } from './batch.ts';
import {
  type BoundQuery,
  isUnavailable,
  nameOf,
  type PostgresOptions,
  queryOf,
  sqlState,
  withoutJit,
} from './connection.ts';
import { Gatherer } from './gatherer.ts';
import { ReservedIds } from './reserved-ids.ts';
import { createWritingConnection } from './writing-connection.ts';

/**
 * The connection of a node that writes.
 *
 * The groups of all nodes take turns to write: from its first write to its end a group holds the lock of the one row of
 * `log_head`. The holder sees everything that was committed before, ids are given in the order of commits, and rules
 * that read before they write hold on every node. A node that stops in the middle of a group loses its session after
 * `idleMs`, and with it the lock; its group fails when it comes back.
 *
 * A turn consists of round trips to the database, so a group makes as few as possible while it holds the lock. A group
 * of jobs that run beside each other reads ahead of its turn. The packet of its first write takes the lock and repeats
 * these reads; if a result has changed, the group runs again with the lock from its beginning. The same packet reserves
 * the ids of events, so that their rows and the rows that refer to them can be sent together. A command that changes
 * something is sent and not waited for, unless the job asks how many rows it has changed.
 */

/** How long a session may be idle in a transaction, in milliseconds. */
const idleMs = 5000;
/** How long a group waits for the groups of other nodes, in milliseconds. */
const lockMs = 10_000;

/** The beginning of every group, in one packet; what it sets ends with the transaction, so that poolers can be between. */
const beginning = [
  'begin',
  // Every commit is on the disk before it is answered, whatever the server does for others.
  'set local synchronous_commit = on',
  `set local idle_in_transaction_session_timeout = ${idleMs}`,
  `set local lock_timeout = ${lockMs}`,
  `set local ${withoutJit}`,
].join('; ');

/**
 * The beginning of a group whose jobs look up few rows by their keys: to plan that each time costs more than to do it. A plan
 * that is kept must not be one that reads a whole table, from a time when the table was small.
 */
const beginningBeside = `${beginning}; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off`;

const lock = 'select id from log_head where id = 1 for update';

/** How an insert into the log begins. */
const intoEvents = 'insert into "events" (';

/** Rows that were read ahead of the turn have changed since. */
class Outdated extends Error {}

/**
 * A commit is on the disk of the primary and perhaps nowhere else: the server has stopped waiting for its synchronous
 * standby, because somebody canceled the statement. The next primary may not have it.
 */
class Unreplicated extends Error {}

/** A query of the current group with its result, to repeat and compare it. */
type GroupQuery = { readonly query: pg.QueryConfig; readonly result: Promise<pg.QueryResult> };

/** Turns an insert of one row into an insert with a given id. */
function withId({ values = [], traits, name }: BoundQuery, id: number): BoundQuery {
  const insertInto = traits.insertInto?.replace('(', '("id", ');
  const all = [id, ...(values as unknown[])];
  const text = `${insertInto} values (${all.map((_, place) => `$${place + 1}`).join(', ')})`;
  return {
    text,
    values: all,
    traits: { ...traits, insertInto },
    ...(name === undefined ? {} : { name: nameOf(text) }),
  };
}

function changesOf(results: readonly pg.QueryResult[]): number[] {
  return results.map(({ rowCount }) => rowCount ?? 0);
}

/** The writer of one node. */
export class PostgresWriter implements Writer {
  readonly isImmediate = false;
  readonly #options: PostgresOptions & { readonly log: Log };
  readonly #gatherer: Gatherer;
  readonly #connection: ReturnType<typeof createWritingConnection>;
  /** Whether it is this group's turn, and what it read ahead still holds; undefined before it is taken. */
  #turn: Promise<void> | undefined;
  #readAhead: GroupQuery[] = [];
  #eventCount = 0;
  #onTurn: (() => void) | undefined;
  /** What is sent and not waited for yet. */
  #sent: Promise<unknown>[] = [];
  /** The ids of events of this group, and the events that have one but are not sent yet. */
  #ids = new ReservedIds();
  #events: BoundQuery[] = [];

  constructor(options: PostgresOptions & { readonly log: Log }) {
    this.#options = options;
    this.#connection = createWritingConnection(options);
    this.#gatherer = new Gatherer(
      async (query, isWrite) => await (isWrite ? this.#write(query) : this.#read(query)),
      options,
    );
  }

  async begin({ readsAhead = false, events = 0, onTurn }: Beginning = {}): Promise<void> {
    await this.#connection.begin();
    this.#turn = undefined;
    this.#readAhead = [];
    this.#eventCount = events;
    this.#onTurn = onTurn;
    this.#sent = [];
    this.#ids = new ReservedIds();
    this.#events = [];
    const begun = this.#connection.send(readsAhead ? beginningBeside : beginning);
    if (!readsAhead) await Promise.all([begun, this.#takeTurn()]);
    // The queries after it do not wait for it; they fail if it fails.
    else begun.catch(() => undefined);
  }

  async runAll(commands: readonly DeferredCommand[]): Promise<readonly number[]> {
    return changesOf(await allOf(this.#sendAll(this.#queriesOf(commands))));
  }

  async commit(commands: readonly DeferredCommand[]): Promise<readonly number[]> {
    await this.#takeTurn();
    // They are made before the first is sent, because nothing may come between them and the commit.
    const [events, queries] = [
      this.#queriesOfEvents(),
      [...this.#queriesOf(commands), ...this.#ids.giveBack()],
    ];
    const results = this.#sendAll([...events, ...queries]);
    const committed = this.#connection.send('commit');
    // The error of a command says more than what its commit ends with.
    const [, { command: outcome }] = await Promise.all([allOf([...this.#sent, ...results]), committed]);
    this.#connection.committed();
    // PostgreSQL answers the commit of a transaction in which something failed as if nothing had.
    if (this.#connection.isUnreplicated())
      throw new Unreplicated('the synchronous standby has not confirmed the group');
    if (outcome !== 'COMMIT') throw new Error(`the group was not committed but ended with ${outcome}`);
    return changesOf((await Promise.all(results)).slice(events.length, events.length + commands.length));
  }

  rollback(): Promise<void> {
    return this.#connection.rollback();
  }

  async mark(): Promise<void> {
    await this.#connection.send('savepoint job');
  }

  async release(): Promise<void> {
    await allOf([...this.#sent, this.#connection.send('release savepoint job')]);
    this.#sent = [];
  }

  async undo(): Promise<void> {
    await this.#connection.send('rollback to savepoint job; release savepoint job');
    this.#sent = [];
    this.#connection.recovered();
  }

  get<R>(statement: Statement<R>, parameters: Parameters): Promise<R | undefined> {
    return this.#gatherer.get(statement, parameters);
  }

  all<R>(statement: Statement<R>, parameters: Parameters): Promise<R[]> {
    if (compile(statement, 'postgres').sql.startsWith(intoEvents)) this.#ids.pass();
    return this.#gatherer.all(statement, parameters);
  }

  async run(statement: Statement<unknown>, parameters: Parameters): Promise<void> {
    const sent = this.#write(queryOf(statement, { parameters }, this.#options));
    // It is waited for at the end.
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }

  async changed(statement: Statement<unknown>, parameters: Parameters): Promise<number> {
    return (await this.#write(queryOf(statement, { parameters }, this.#options))).rowCount ?? 0;
  }

  async insert(statement: Statement<unknown>, parameters: Parameters): Promise<number> {
    const id = await this.#reservedIdFor(compile(statement, 'postgres').traits.insertInto);
    if (id === undefined) return await this.#gatherer.insert(statement, parameters);
    this.#events.push(withId(queryOf(statement, { parameters }, this.#options), id));
    return id;
  }

  /** The id that was reserved with the turn for a row of the log; undefined for other rows, and when all are given out. */
  async #reservedIdFor(insertInto: string | undefined): Promise<number | undefined> {
    if (this.#eventCount === 0 || !insertInto?.startsWith(intoEvents)) return undefined;
    await this.#takeTurn();
    return this.#ids.take();
  }

  isUsable(): boolean {
    return this.#connection.isUsable();
  }

  faultOf(error: unknown): Fault {
    const state = sqlState(error);
    if (error instanceof Outdated || state === '40001' || state === '40P01') return 'again';
    return isUnavailable(error) || error instanceof Unreplicated ? 'storage' : 'own';
  }

  #queriesOf(commands: readonly DeferredCommand[]): pg.QueryConfig[] {
    return commands.map(({ command, parameters }) => queryOf(command, { parameters }, this.#options));
  }

  /** The statement that inserts events whose ids are known. */
  #queriesOfEvents(): pg.QueryConfig[] {
    const batch = batchOf('insert', this.#events);
    return batch === undefined ? this.#events : [batch];
  }

  /** Sends some queries in one packet. */
  #sendAll(queries: readonly pg.QueryConfig[]): Promise<pg.QueryResult>[] {
    return queries.map((query) => this.#write(query));
  }

  #read(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const result = this.#connection.send(query);
    if (this.#turn === undefined) this.#readAhead.push({ query, result });
    return result;
  }

  /** Sends what writes, behind the lock; resolves when it is also known that the group may write. */
  async #write(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const turn = this.#takeTurn();
    const [result] = await Promise.all([this.#connection.send(query), turn]);
    return result;
  }

  /** Takes the turn of this group, unless it has it. What is sent afterwards comes after the lock. */
  #takeTurn(): Promise<void> {
    if (this.#turn === undefined) {
      this.#turn = this.#lock();
      // Writes wait for it, and there may not be any yet.
      this.#turn.catch(() => undefined);
    }
    return this.#turn;
  }

  async #lock(): Promise<void> {
    const readAhead = this.#readAhead;
    const locked = this.#connection.send(lock);
    const reserve = `select nextval('events_id_seq') as id from generate_series(1, ${this.#eventCount})`;
    const ids = this.#eventCount === 0 ? undefined : this.#connection.send(reserve);
    const again = readAhead.map(({ query }) => this.#connection.send(query));
    const [before, now, results] = await Promise.all([
      Promise.all(readAhead.map(({ result }) => result)),
      Promise.all(again),
      ids,
      locked,
    ]);
    if (JSON.stringify(before.map(({ rows }) => rows)) !== JSON.stringify(now.map(({ rows }) => rows)))
      throw new Outdated('what was read ahead of the lock has changed');
    this.#ids.fill((results?.rows ?? []).map(({ id }: { id: number }) => id));
    this.#onTurn?.();
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
