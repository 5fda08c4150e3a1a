import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { Problem } from '../kernel/problem.ts';
import type { Db, Health, Read, Topic, Tx } from './db.ts';
import { migrations } from './migrations/all.ts';
import type { SchemaWords } from './migrations/migration.ts';
import { Connection, SnapshotReader } from './sqlite-connection.ts';
import type { Parameters, Statement } from './statement.ts';

/**
 * The SQLite store: one connection that writes, one that only reads, and group commit.
 *
 * Players: a *job* is one write transaction somebody waits for; a *group* is the jobs that were waiting when the event
 * loop came round. A group runs inside one SQLite transaction, one job after the other. The commit syncs the file once
 * for all of them, and only then does any job answer, so what was answered survives a power cut.
 *
 * A job that throws rolls back alone. Most refusals come before anything is written, and then there is nothing to roll
 * back. When one comes later, the group is rolled back and run again with each job in a savepoint of its own. Savepoints
 * are not the rule because SQLite sets aside a copy of every page that is first touched in one, and all jobs touch the
 * same few pages: they cost a comment a third of its statements' time.
 *
 * Jobs may await nothing but the store. The store answers at once, so a whole group runs before the event loop turns;
 * an immediate set at its start that fires before its end therefore proves that a job awaited something else.
 */

/** The most jobs in one group, so that reads are not kept waiting behind a long one. */
const groupJobsMax = 256;
/** The most jobs that may wait; more are refused with 503 rather than kept until memory runs out. */
const waitingJobsMax = 20_000;
/** How long one attempt waits for another process (a command, a backup) that is writing; it blocks the event loop. */
const busyTimeoutMs = 100;
/** The same while the store is opened, when nobody waits for the event loop yet. */
const busyTimeoutMsOpening = 10_000;
/** How often in a row the writer may be found taken before the waiting jobs are refused. */
const busyAttemptsMax = 50;

const sqliteBusy = 5;
const sqliteIoError = 10;
const sqliteFull = 13;

const words: SchemaWords = {
  id: 'id integer primary key autoincrement',
  integer: 'integer',
  blob: 'blob',
  table: (name, columns) => `create table ${name} (${columns}) strict`,
  // Contentless: the index keeps words and row ids, and the texts stay in their own table only. No accent is removed
  // here because `kernel/search.ts` has done what is to be done.
  searchIndex: (name) =>
    `create virtual table ${name} using fts5(words, content='', contentless_delete=1,
       tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'")`,
};

type Job = {
  work: (tx: Tx) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

type Deferred = { readonly command: Statement<unknown>; readonly parameters: Parameters };

type Outcome = { value: unknown } | { error: unknown };

/** What the store is opened with. */
export type SqliteOptions = {
  /** The folder of the store; it must exist. */
  readonly folder: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Called with the text of every statement, for tests that count them. */
  readonly onStatement?: (sql: string) => void;
};

/** The primary result code of a SQLite error, or undefined for any other value. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

function openWriter(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMsOpening });
  // Set before the file has content. On pages of 4 KiB every event of a kilobyte or two starts a page of its own and
  // leaves a good part of it empty, and a commit writes whole pages.
  database.exec('pragma page_size = 8192');
  // The log is copied back every 4 MiB: the requests of that moment wait for it, and longer for more.
  database.exec('pragma wal_autocheckpoint = 500');
  // The write-ahead log lets readers go on while a group is written.
  database.exec('pragma journal_mode = wal');
  // Every commit is on the disk before it is answered. Set by name because builds differ in what they start with.
  database.exec('pragma synchronous = full');
  database.exec('pragma foreign_keys = on');
  // 64 MiB of pages: the tops of the indexes stay in memory.
  database.exec('pragma cache_size = -65536');
  database.exec('pragma temp_store = memory');
  return database;
}

/** Throws unless commits are synced: read back after a first write, because some builds lower it there. */
function assertDurable(database: DatabaseSync): void {
  const journal = database.prepare('pragma journal_mode').get()?.['journal_mode'];
  const synchronous = database.prepare('pragma synchronous').get()?.['synchronous'];
  if (journal !== 'wal' || synchronous !== 2)
    throw new Error(`the store is not durable: journal_mode is ${journal}, synchronous is ${synchronous}`);
}

function migrate(database: DatabaseSync, clock: Clock): void {
  database.exec('begin immediate');
  try {
    database.exec(
      'create table if not exists migrations (id integer primary key, name text not null, applied_at integer not null) strict',
    );
    const newest = Number(database.prepare('select max(id) as id from migrations').get()?.['id'] ?? 0);
    const known = migrations.at(-1)?.id ?? 0;
    if (newest > known)
      throw new Error(`the store was written by a newer Confab (schema ${newest}, this one knows ${known})`);
    for (const migration of migrations.filter(({ id }) => id > newest)) {
      for (const statement of migration.up(words)) database.exec(statement);
      database
        .prepare('insert into migrations (id, name, applied_at) values (?, ?, ?)')
        .run(migration.id, migration.name, clock.now());
    }
    // A write of its own, so that assertDurable looks at a connection that has written.
    database.exec('update migrations set applied_at = applied_at where id = 1');
    database.exec('commit');
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/**
 * Holds the folder for one server: a lock that the operating system lets go of when the process ends, however it
 * ends. Throws when another server has it.
 */
export function lockFolder(folder: string): { release(): void } {
  const database = new DatabaseSync(join(folder, 'server.lock'), { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive');
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (sqliteCode(error) === sqliteBusy)
      throw new Error(`another Confab server is running on the data folder ${folder}`, { cause: error });
    throw error;
  }
  return { release: () => database.close() };
}

/** Opens the store in `folder`, making or migrating it. Throws when it cannot be made durable. */
export function openSqlite(options: SqliteOptions): Db {
  const file = join(options.folder, 'confab.db');
  const writer = openWriter(file);
  migrate(writer, options.clock);
  assertDurable(writer);
  writer.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  const reader = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  reader.exec('pragma cache_size = -65536');
  return new SqliteStore(
    new Connection(writer, options.onStatement),
    new SnapshotReader(new Connection(reader, options.onStatement)),
    options.log,
  );
}

class SqliteStore implements Db {
  readonly read: Read;
  readonly #writer: Connection;
  readonly #reader: SnapshotReader;
  readonly #log: Log;
  readonly #tx: Tx;
  readonly #listeners = new Map<Topic, Set<() => void>>();
  readonly #woken = new Set<Topic>();
  /** What the jobs of the running group have put off to its end. */
  #deferred: Deferred[] = [];
  /** Whether the running job has changed anything. */
  #hasWritten = false;
  #waiting: Job[] = [];
  #isScheduled = false;
  #running: Promise<void> = Promise.resolve();
  #busyAttempts = 0;
  /** Set by a failed sync: what is on the disk is then unknown, and only a restart can tell. */
  #failure: string | undefined;
  #isClosed = false;

  constructor(writer: Connection, reader: SnapshotReader, log: Log) {
    this.#writer = writer;
    this.#reader = reader;
    this.#log = log;
    this.read = reader;
    this.#tx = {
      get: async (statement, parameters) => {
        if (statement.kind === 'command') this.#hasWritten = true;
        return writer.get(statement, parameters);
      },
      all: async (statement, parameters) => {
        if (statement.kind === 'command') this.#hasWritten = true;
        return writer.all(statement, parameters);
      },
      run: async (command, parameters) => {
        const { changes } = writer.run(command, parameters);
        if (changes > 0) this.#hasWritten = true;
        return changes;
      },
      insert: async (command, parameters) => {
        this.#hasWritten = true;
        return writer.run(command, parameters).id;
      },
      later: (command, parameters) => void this.#deferred.push({ command, parameters }),
      wake: (topic) => void this.#woken.add(topic),
    };
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#failure !== undefined || this.#isClosed)
      return Promise.reject(new Problem('storage_unavailable', 'The store takes no writes at the moment.'));
    if (this.#waiting.length >= waitingJobsMax)
      return Promise.reject(
        new Problem('storage_unavailable', 'Too many writes are waiting. Try again later.'),
      );
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // One turn later, so that every request read in this turn is in the group.
    setImmediate(() => {
      this.#running = this.#runGroup();
    });
  }

  async #runGroup(): Promise<void> {
    const database = this.#writer.database;
    try {
      database.exec('begin immediate');
      this.#busyAttempts = 0;
    } catch (error) {
      this.#isScheduled = false;
      this.#beginFailed(error);
      return;
    }
    const group = this.#waiting.splice(0, groupJobsMax);
    let outcomes: Outcome[] | undefined;
    let failure: unknown;
    try {
      outcomes = await this.#runJobs(group, { isGuarded: false });
      if (outcomes === undefined) {
        database.exec('rollback');
        database.exec('begin immediate');
        outcomes = await this.#runJobs(group, { isGuarded: true });
      }
      // Outside the savepoints of the jobs, because the search index writes itself out at each of them.
      for (const { command, parameters } of this.#deferred) this.#writer.run(command, parameters);
      database.exec('commit');
    } catch (error) {
      failure = error;
      if (database.isTransaction) database.exec('rollback');
    }
    this.#isScheduled = false;
    if (failure === undefined) {
      this.#reader.renew();
      this.#settle(group, outcomes ?? []);
    } else {
      this.#groupFailed(group, failure);
    }
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Runs the jobs in turn; answers undefined when one that is not guarded failed after it had written. */
  async #runJobs(
    group: readonly Job[],
    { isGuarded }: { isGuarded: boolean },
  ): Promise<Outcome[] | undefined> {
    this.#woken.clear();
    this.#deferred = [];
    let hasTurned = false;
    const turn = setImmediate(() => {
      hasTurned = true;
    });
    try {
      const outcomes: Outcome[] = [];
      for (const job of group) {
        const outcome = isGuarded ? await this.#runGuarded(job) : await this.#runBare(job);
        if (hasTurned) throw new Error('a write transaction awaited something that is not the store');
        if (outcome === undefined) return undefined;
        outcomes.push(outcome);
      }
      return outcomes;
    } finally {
      clearImmediate(turn);
    }
  }

  /** Runs a job that is expected to succeed, or to fail before it has written anything. */
  async #runBare(job: Job): Promise<Outcome | undefined> {
    const deferredBefore = this.#deferred.length;
    this.#hasWritten = false;
    try {
      return { value: await job.work(this.#tx) };
    } catch (error) {
      this.#assertGoesOn(error);
      if (this.#hasWritten) return undefined;
      this.#deferred.length = deferredBefore;
      return { error };
    }
  }

  async #runGuarded(job: Job): Promise<Outcome> {
    const database = this.#writer.database;
    const deferredBefore = this.#deferred.length;
    database.exec('savepoint job');
    try {
      const value = await job.work(this.#tx);
      database.exec('release job');
      return { value };
    } catch (error) {
      this.#assertGoesOn(error);
      this.#deferred.length = deferredBefore;
      database.exec('rollback to job');
      database.exec('release job');
      return { error };
    }
  }

  /** Throws what ended the whole transaction or may have: a full disk or an I/O error. Then the group fails together. */
  #assertGoesOn(error: unknown): void {
    const code = sqliteCode(error);
    if (!this.#writer.database.isTransaction || code === sqliteFull || code === sqliteIoError) throw error;
  }

  #settle(group: readonly Job[], outcomes: readonly Outcome[]): void {
    group.forEach((job, index) => {
      const outcome = outcomes[index];
      if (outcome !== undefined && 'value' in outcome) job.resolve(outcome.value);
      else job.reject(outcome?.error);
    });
    for (const topic of this.#woken) for (const listener of this.#listeners.get(topic) ?? []) listener();
  }

  #beginFailed(error: unknown): void {
    const isBusy = sqliteCode(error) === sqliteBusy;
    this.#busyAttempts += 1;
    if (isBusy && this.#busyAttempts < busyAttemptsMax) {
      this.#schedule();
      return;
    }
    this.#busyAttempts = 0;
    this.#groupFailed(this.#waiting.splice(0), error);
  }

  #groupFailed(group: readonly Job[], error: unknown): void {
    const code = sqliteCode(error);
    this.#log.error({ err: error, jobs: group.length }, 'a group of writes failed');
    if (code === sqliteIoError)
      this.#failure = 'a write or sync of the store failed; restart to find out what is there';
    const isStorage = code === sqliteIoError || code === sqliteFull || code === sqliteBusy;
    for (const job of group)
      job.reject(
        isStorage
          ? new Problem('storage_unavailable', 'The store could not write this. Whether it did is unknown.', {
              cause: error,
            })
          : error,
      );
  }

  onCommit(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  health(): Health {
    if (this.#failure !== undefined) return { ok: false, detail: this.#failure };
    if (this.#isClosed) return { ok: false, detail: 'the store is closed' };
    return { ok: true, detail: `${this.#waiting.length} writes waiting` };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiting.length > 0 || this.#isScheduled) {
      await new Promise((resolve) => setImmediate(resolve));
      await this.#running;
    }
    this.#reader.close();
    this.#writer.database.close();
  }
}
