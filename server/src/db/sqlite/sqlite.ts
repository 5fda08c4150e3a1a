import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { Db, DeferredCommand } from '../db.ts';
import { createGroupCommit, type GroupCommit } from '../group-commit.ts';
import { type LongReadLimits, LongReads } from '../long-reads.ts';
import { Memory } from '../memory.ts';
import { migrateSqlite } from '../migrations/sqlite-steps.ts';
import { SlowStatements } from '../slow-statements.ts';
import type { Parameters, Statement } from '../statement.ts';
import type { Beginning, Fault, Writer } from '../writer.ts';
import { Checkpoints, pagesMax } from './checkpoints.ts';
import { Connection, SnapshotReader } from './connection.ts';
import { isTaken, lockFile, sqliteCode } from './file-lock.ts';
import { findLogDamage, textOfLogDamage } from './log-damage.ts';
import { createLogRoom, logBytesOf } from './log-room.ts';
import { SqliteLongReader } from './long-reads.ts';
import { createTraces } from './traces.ts';

/**
 * The SQLite store: one connection that writes, one that only reads, and one in another process for long reads.
 *
 * The store answers at once, so a whole group of writes runs before the event loop turns; an immediate set at its start
 * that fires before its end therefore proves that a job awaited something else (`group-commit.ts`).
 */

/** How long one attempt waits for another process (a command, a backup) that is writing; it blocks the event loop. */
const busyTimeoutMs = 100;
/** The same while the store is opened, when nobody waits for the event loop yet. */
const busyTimeoutMsOpening = 10_000;

const sqliteIoError = 10;
const sqliteFull = 13;

/** The options for opening the store. */
export type SqliteOptions = {
  /** The folder of the store; it must exist. */
  readonly folder: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  /** Called with the text of every statement, for tests that count them. */
  readonly onStatement?: (sql: string) => void;
  /** Takes the place of `Memory`, for tests. */
  readonly memory?: typeof Memory | undefined;
  readonly longReadLimits?: LongReadLimits | undefined;
  /** Empties the write-ahead log, where another process follows it and copies it back; returns whether it did. */
  readonly emptyLog?: (() => Promise<boolean>) | undefined;
};

/**
 * 16 MiB of pages for each connection, which hold the tops of the indexes. Other pages are in the cache of the operating
 * system, from which 8 KiB cost about a microsecond (decision 0074).
 */
const cachePragma = 'pragma cache_size = -16384';

/** Opens a file for writing, so that every commit is on the disk before it is answered. */
export function openWriter(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMsOpening });
  // Set before the file has content. On pages of 4 KiB every event of a kilobyte or two starts a page of its own and
  // leaves a good part of it empty, and a commit writes whole pages.
  database.exec('pragma page_size = 8192');
  // The write-ahead log lets readers go on while a group is written.
  database.exec('pragma journal_mode = wal');
  // Every commit is on the disk before it is answered. Set by name because builds differ in what they start with.
  database.exec('pragma synchronous = full');
  database.exec('pragma foreign_keys = on');
  database.exec(cachePragma);
  database.exec('pragma temp_store = memory');
  // Deleted data is overwritten with zeros (decision 0069).
  database.exec('pragma secure_delete = on');
  return database;
}

/** Opens a file for reading. */
function openReader(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  database.exec(cachePragma);
  return database;
}

/** Throws unless commits are synced: read back after a first write, because some builds lower it there. */
function assertDurable(database: DatabaseSync): void {
  const journal = database.prepare('pragma journal_mode').get()?.journal_mode;
  const synchronous = database.prepare('pragma synchronous').get()?.synchronous;
  if (journal !== 'wal' || synchronous !== 2)
    throw new Error(`the store is not durable: journal_mode is ${journal}, synchronous is ${synchronous}`);
}

/**
 * Holds the folder for one server, until the process ends. Throws when another server has it, and when the write-ahead
 * log is damaged: SQLite would open the store without the commits that it cannot read, and overwrite them.
 */
export function lockFolder(folder: string): { release(): void } {
  const lock = lockFile(
    join(folder, 'server.lock'),
    `another Confab server is running on the data folder ${folder}`,
  );
  const file = join(folder, 'confab.db');
  const damage = findLogDamage(file);
  if (damage === undefined) return lock;
  lock.release();
  const { what, mend } = textOfLogDamage(file, damage);
  throw new Error(`${what} ${mend}`);
}

/** Has the metrics tell what is remembered, and how large the store is. */
function measure(metrics: Metrics | undefined, memory: Memory, file: string): void {
  metrics?.read('confab_remembered_reads_total', () => {
    const { hits, misses } = memory.counts();
    return [
      { labels: { result: 'hit' }, value: hits },
      { labels: { result: 'miss' }, value: misses },
    ];
  });
  metrics?.read('confab_store_size_bytes', () =>
    Object.entries({
      database: statSync(file, { throwIfNoEntry: false })?.size ?? 0,
      log: logBytesOf(file),
    }).map(([name, value]) => ({ labels: { file: name }, value })),
  );
}

/** Opens the store in `folder`, making or migrating it. Throws when it cannot be made durable. */
export function openSqlite(options: SqliteOptions): Db {
  const file = join(options.folder, 'confab.db');
  const writer = openWriter(file);
  // A thread copies the log back, or the follower of the log does.
  writer.exec(`pragma wal_autocheckpoint = ${pagesMax}`);
  migrateSqlite(writer, options.clock);
  assertDurable(writer);
  writer.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  const memory = new (options.memory ?? Memory)(writer);
  const watch = { onStatement: options.onStatement, slow: new SlowStatements(options.log) };
  const readConnection = new SnapshotReader(() => new Connection(openReader(file), watch), memory);
  const checkpoints =
    options.emptyLog === undefined
      ? new Checkpoints({
          file,
          writer,
          renew: () => readConnection.renew(),
          onError: (error) => queue.fail(error),
        })
      : undefined;
  const queue: GroupCommit = createGroupCommit({
    writers: [
      new SqliteWriter(new Connection(writer, watch), {
        // A follower of the log may hold the lock and wait for this snapshot to end.
        onBegin: options.emptyLog === undefined ? undefined : () => readConnection.renew(),
        onEnded() {
          memory.afterTransaction();
          readConnection.renew();
          checkpoints?.afterTransaction();
        },
      }),
    ],
    log: options.log,
    metrics: options.metrics,
  });
  const longReader = new SqliteLongReader({ file, log: options.log, watch });
  const copyBack = async () => {
    await longReader.released();
    return (await (checkpoints === undefined ? options.emptyLog?.() : checkpoints.copyAll())) === true;
  };
  const longReads = new LongReads({
    prepare: createLogRoom(file, copyBack),
    begin: (_asked, timeoutMs) => longReader.begin(timeoutMs),
    runningMax: 1,
    log: options.log,
    limits: options.longReadLimits,
  });
  const traces = createTraces({
    writer,
    queue,
    renew: () => readConnection.renew(),
    emptyFollowed: options.emptyLog,
  });
  measure(options.metrics, memory, file);
  return {
    read: readConnection,
    readForList: async () => readConnection,
    readLong: (request, work) => longReads.run(request, work),
    write: (work, kind) => queue.write(work, kind),
    onCommit: (topic, listener) => queue.onCommit(topic, listener),
    // Only one server has the file open. Writes by commands are found by polling.
    listenToPeers: async () => {},
    forgetDeleted: () => traces.forget(),
    health: async () => ({ ...queue.health(), log_bytes: logBytesOf(file) }),
    async close() {
      longReads.close();
      longReader.close();
      await queue.close();
      const closeConnections = () => {
        readConnection.close();
        writer.close();
      };
      if (checkpoints === undefined) closeConnections();
      else await checkpoints.close(closeConnections);
    },
  };
}

class SqliteWriter implements Writer {
  readonly isImmediate = true;
  readonly #connection: Connection;
  readonly #onBegin: (() => void) | undefined;
  readonly #onEnded: () => void;

  constructor(
    connection: Connection,
    { onBegin, onEnded }: { readonly onBegin: (() => void) | undefined; readonly onEnded: () => void },
  ) {
    this.#connection = connection;
    this.#onBegin = onBegin;
    this.#onEnded = onEnded;
  }

  async begin({ onTurn }: Beginning = {}): Promise<void> {
    this.#onBegin?.();
    this.#connection.database.exec('begin immediate');
    onTurn?.();
  }

  async runAll(commands: readonly DeferredCommand[]): Promise<readonly number[]> {
    let changes = 0;
    return commands.map(({ command, parameters, isFollowUp = false }) => {
      if (!isFollowUp || changes > 0) changes = this.#connection.run(command, parameters).changes;
      return changes;
    });
  }

  async commit(commands: readonly DeferredCommand[]): Promise<readonly number[]> {
    const changes = await this.runAll(commands);
    this.#connection.database.exec('commit');
    this.#onEnded();
    return changes;
  }

  async rollback(): Promise<void> {
    if (this.isUsable()) this.#connection.database.exec('rollback');
    this.#onEnded();
  }

  async mark(): Promise<void> {
    this.#connection.database.exec('savepoint job');
  }

  async release(): Promise<void> {
    this.#connection.database.exec('release job');
  }

  async undo(): Promise<void> {
    this.#connection.database.exec('rollback to job');
    this.#connection.database.exec('release job');
  }

  async get<R>(statement: Statement<R>, parameters: Parameters): Promise<R | undefined> {
    return this.#connection.get(statement, parameters);
  }

  async all<R>(statement: Statement<R>, parameters: Parameters): Promise<R[]> {
    return this.#connection.all(statement, parameters);
  }

  async run(statement: Statement<unknown>, parameters: Parameters): Promise<void> {
    this.#connection.run(statement, parameters);
  }

  async changed(statement: Statement<unknown>, parameters: Parameters): Promise<number> {
    return this.#connection.run(statement, parameters).changes;
  }

  async insert(statement: Statement<unknown>, parameters: Parameters): Promise<number> {
    return this.#connection.run(statement, parameters).id;
  }

  isUsable(): boolean {
    return this.#connection.database.isTransaction;
  }

  faultOf(error: unknown): Fault {
    const code = sqliteCode(error);
    if (isTaken(error)) return 'taken';
    if (code === sqliteFull) return 'storage';
    // A failed sync among them: what is on the disk is then unknown.
    return code === sqliteIoError ? 'broken' : 'own';
  }
}
