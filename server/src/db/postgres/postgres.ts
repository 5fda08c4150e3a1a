import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { Db, PeerTopic, Topic } from '../db.ts';
import { createGroupCommit } from '../group-commit.ts';
import { type LongReadLimits, LongReads } from '../long-reads.ts';
import { migratePostgres } from '../migrations/postgres-steps.ts';
import { AssumedRows } from './assumed-rows.ts';
import { connectionOf, type PostgresOptions } from './connection.ts';
import { PostgresLongReader } from './long-reads.ts';
import { PostgresReader } from './reader.ts';
import { PostgresReplica } from './replica.ts';
import { PostgresWriter } from './writer.ts';

/**
 * The PostgreSQL store: one connection writes, several only read, two are for long reads, and one listens for the commits
 * of other nodes.
 */

/** How many long reads run at a time. */
const longReadsMax = 2;
/** The channel on which nodes announce which topics a commit has touched. */
const channel = 'confab_commits';
/** The channels of messages between nodes. Each topic has its own, because earlier releases parse every message. */
const channels: { readonly [T in PeerTopic]: string } = {
  typing: 'confab_words',
  'answer-order': 'confab_answer_order',
  limits: 'confab_limits',
  headcount: 'confab_headcount',
  forms: 'confab_forms',
};
/** PostgreSQL rejects a payload of 8,000 bytes or more. */
const messageBytesMax = 7999;
/** The most notices that wait to be sent. */
const noticesMax = 1000;

/** The options for opening the store. */
export type PostgresStoreOptions = PostgresOptions & {
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  /** The most connections that read, and as many again from the replica. */
  readonly readersMax: number;
  /** Address of the replica that lists are read from, if there is one. */
  readonly replicaUrl?: string | undefined;
  readonly longReadLimits?: LongReadLimits | undefined;
};

/** Opens the store, making or migrating it. Throws when the database cannot be reached or is of a newer program. */
export async function openPostgres(options: PostgresStoreOptions): Promise<Db> {
  const { log } = options;
  await migratePostgres(options, options.clock);
  const reader = new PostgresReader(options, options.readersMax);
  const replica = openReplica(options, reader);
  const rows = new AssumedRows();
  const longReader = new PostgresLongReader({ primary: options, replica, placesMax: longReadsMax });
  const longReads = new LongReads({
    begin: (request, timeoutMs) => longReader.begin(request, timeoutMs),
    runningMax: longReadsMax,
    log,
    limits: options.longReadLimits,
  });
  const notices = new Notices(options, (topic) => queue.wake(topic));
  // While a group has its turn, the next reads ahead.
  const writers = [new PostgresWriter(options), new PostgresWriter(options)] as const;
  const queue = createGroupCommit({
    writers,
    log,
    metrics: options.metrics,
    announce: (topics) => notices.commit(topics),
  });
  await notices.listen();
  options.metrics?.read('confab_store_size_bytes', async () => {
    const { rows } = await reader.ask({ text: 'select pg_database_size(current_database()) as size' });
    return [{ labels: { file: 'database' }, value: Number(rows[0]?.size) }];
  });
  return {
    read: {
      get: (query, parameters) => rows.get(query, parameters, () => reader.get(query, parameters)),
      all: (query, parameters) => reader.all(query, parameters),
    },
    assuming: (work) => rows.within(work),
    confirmed: () => rows.confirmed(),
    readForList: async () => (await replica?.chooser.readForList()) ?? reader,
    readLong: (request, work) => longReads.run(request, work),
    ...(replica === undefined ? {} : { replica: replica.chooser }),
    // A group has the jobs of others as well, and wakes what reads after it.
    write: (work, kind) => rows.outside(() => queue.write(work, kind)),
    onCommit: (topic, listener) => queue.onCommit(topic, listener),
    listenToPeers: () => notices.listen(),
    peers: {
      send: (topic, text) => notices.send(topic, text),
      onMessage: (topic, listener) => notices.onMessage(topic, listener),
    },
    // Its own vacuum frees what deleted rows have left.
    forgetDeleted: async () => 'done',
    async health() {
      try {
        await reader.ask({ text: 'select 1' });
        return queue.health();
      } catch (error) {
        return { ok: false, detail: `the database does not answer: ${(error as Error).message}` };
      }
    },
    async close() {
      longReads.close();
      await queue.close();
      const readers = [reader, longReader, replica?.reader];
      await Promise.all([...writers, notices, ...readers].map((part) => part?.close()));
    },
  };
}

/** Connects nothing yet, so that a store opens without its replica. */
function openReplica(options: PostgresStoreOptions, primary: PostgresReader) {
  const { replicaUrl: url, readersMax, log } = options;
  if (url === undefined) return undefined;
  const its = { ...options, url };
  const reader = new PostgresReader(its, readersMax);
  return { reader, options: its, chooser: new PostgresReplica({ primary, reader, options: its, log }) };
}

/** Notifications between nodes. They are hints that save a delay, so losing one only costs time. */
class Notices {
  readonly #options: PostgresStoreOptions;
  readonly #onTopic: (topic: Topic) => void;
  readonly #listeners = new Map<string, (text: string) => void>();
  #client: pg.Client | undefined;
  /** Notifications that wait to be sent, in order; duplicates are merged. */
  #waiting: (readonly [channel: string, payload: string])[] = [];
  #isSending = false;
  #isClosed = false;
  /** Whether the warning that nothing can be received has been logged since the last connection. */
  #isWarned = false;

  constructor(options: PostgresStoreOptions, onTopic: (topic: Topic) => void) {
    this.#options = options;
    this.#onTopic = onTopic;
  }

  /**
   * Listens, unless it already does. Nodes poll where the database has no notifications, and behind a pooler that gives
   * each transaction another connection, because notifications would reach the wrong client.
   */
  async listen(): Promise<void> {
    if (this.#client !== undefined || this.#isClosed || !this.#options.isPrepared) return;
    const client = new pg.Client(connectionOf(this.#options));
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    client.on('notification', ({ processId, channel: heard, payload = '' }) => {
      if (processId === (client as pg.Client & { processID?: number }).processID) return;
      if (heard !== channel) this.#listeners.get(heard)?.(payload);
      else for (const topic of payload.split(',')) this.#onTopic(topic as Topic);
    });
    try {
      await client.connect();
      await client.query([channel, ...Object.values(channels)].map((each) => `listen ${each}`).join('; '));
      this.#client = client;
      this.#isWarned = false;
    } catch (error) {
      const level = this.#isWarned ? 'debug' : 'warn';
      this.#isWarned = true;
      this.#options.log[level](
        { err: error },
        'commits of other nodes are not announced and are found by polling',
      );
      this.#drop(client);
    }
  }

  /** Announces the topics of a commit to the other nodes without waiting. */
  commit(topics: ReadonlySet<Topic>): void {
    this.#notify(channel, [...topics].join(','));
  }

  /** Sends a message to the other nodes without waiting; drops one that is too long. */
  send(topic: PeerTopic, text: string): void {
    if (Buffer.byteLength(text) <= messageBytesMax) this.#notify(channels[topic], text);
  }

  /** Calls `listener` with what other nodes send about a topic, which has one listener. */
  onMessage(topic: PeerTopic, listener: (text: string) => void): void {
    this.#listeners.set(channels[topic], listener);
  }

  #notify(to: string, payload: string): void {
    if (this.#client === undefined || this.#waiting.length >= noticesMax) return;
    if (this.#waiting.some(([other, text]) => other === to && text === payload)) return;
    this.#waiting.push([to, payload]);
    if (this.#isSending) return;
    this.#isSending = true;
    void this.#sendWaiting();
  }

  /** Sends the waiting notifications, one batch after the other: a connection takes one query at a time. */
  async #sendWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const client = this.#client;
      const columns = [batch.map(([to]) => to), batch.map(([, payload]) => payload)];
      try {
        await client?.query(
          'select pg_notify(c, p) from unnest($1::text[], $2::text[]) as batch (c, p)',
          columns,
        );
      } catch (error) {
        this.#options.log.debug({ err: error }, 'other nodes could not be notified');
        if (client !== undefined) this.#drop(client);
      }
    }
    this.#isSending = false;
  }

  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined;
    client.end().catch((error: unknown) => {
      this.#options.log.debug({ err: error }, 'a lost connection could not be ended');
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }
}
