import type { Command, Parameters, Query } from './statement.ts';

/** Reads committed data. On SQLite it is a connection that cannot write. */
export type Read = {
  /** The first row, or undefined. */
  get<P extends Parameters, R>(query: Query<P, R>, parameters: P): Promise<R | undefined>;
  /** Every row. */
  all<P extends Parameters, R>(query: Query<P, R>, parameters: P): Promise<R[]>;
};

/** The topics that a commit can wake. Waking is a hint that saves a delay; listeners also poll. */
export type Topic =
  | 'deliveries'
  | 'webhooks'
  | 'events'
  | 'removals'
  | 'imports'
  | 'questions'
  | 'presence'
  | 'rules'
  | 'site'
  | 'bans';

/**
 * A write transaction. It sees its own writes. It may await nothing but the database, because it holds the only writer
 * of SQLite, and it must have no side effects outside the database, because it may run twice.
 */
export type Tx = Omit<Read, 'get' | 'all'> & {
  get<P extends Parameters, R>(statement: Query<P, R> | Command<P, R>, parameters: P): Promise<R | undefined>;
  all<P extends Parameters, R>(statement: Query<P, R> | Command<P, R>, parameters: P): Promise<R[]>;
  /**
   * Runs a command. An engine at a distance is not waited for: where it refuses the command, the transaction fails later, so
   * use `changed` where a refusal is an answer.
   */
  run<P extends Parameters, R>(command: Command<P, R>, parameters: P): Promise<void>;
  /** Runs a command and returns how many rows it changed. */
  changed<P extends Parameters, R>(command: Command<P, R>, parameters: P): Promise<number>;
  /**
   * Inserts one row and returns its id. The command has no `returning`: it would make SQLite keep a copy of every page
   * it touches, which triples the cost of the insert.
   */
  insert<P extends Parameters, R>(command: Command<P, R>, parameters: P): Promise<number>;
  /**
   * Defers work that is cheaper in bulk to the end of the group: `work` runs once with the items of all transactions of
   * the group. This transaction does not see its effects.
   */
  defer<T>(work: DeferredWork<T>, item: T): void;
  /** Wakes the listeners of `topic` once this transaction is on disk. */
  wake(topic: Topic): void;
};

/**
 * Which write transactions can run beside each other. `adding` ones only add rows, and read nothing that another `adding`
 * one changes. The others run beside those with the same `among` and another `key`: they change nothing that such a one
 * reads before it decides, but for numbers that the store itself adds to.
 */
export type JobKind =
  | 'adding'
  | {
      readonly among: string;
      readonly key: number | string;
      /** The most events that it usually appends one by one, 2 when absent. */
      readonly events?: number;
    };

/**
 * Work that a group of transactions defers to its end. The number of its commands does not depend on the
 * items.
 */
export type DeferredWork<T> = (items: readonly T[]) => readonly DeferredCommand[];

/** A command of deferred work. Nothing waits for its result, so all commands can be sent with the commit. */
export type DeferredCommand = {
  readonly command: Command<never, unknown>;
  readonly parameters: Parameters;
  /**
   * Whether an engine may skip it when the previous command changed no row, because it then has no effect.
   */
  readonly isFollowUp?: boolean;
  /** The topics to wake once a change of a row is on disk. */
  readonly wakes?: Topic;
};

/** A command with its parameters, for deferred work. */
export function deferred<P extends Parameters>(
  command: Command<P, unknown>,
  parameters: P,
  then: Pick<DeferredCommand, 'isFollowUp' | 'wakes'> = {},
): DeferredCommand {
  return { command: command as Command<never, unknown>, parameters, ...then };
}

/**
 * The subjects of messages between nodes: typing notices, the order of two responses to the reference client, shared
 * quotas of rate limits, headcounts, and the forms that access tokens are used with.
 */
export type PeerTopic = 'typing' | 'answer-order' | 'limits' | 'headcount' | 'forms';

/** The other nodes with the same store. */
export type Peers = {
  /** Sends a short message to every peer. It is not stored and may be lost. */
  send(topic: PeerTopic, text: string): void;
  /** Calls `listener` with each message that a peer sends about a topic. */
  onMessage(topic: PeerTopic, listener: (text: string) => void): void;
};

/** The state of the store for the readiness page. */
export type Health = {
  readonly ok: boolean;
  readonly detail: string;
  /** The size of the write-ahead log in bytes, on SQLite. */
  readonly log_bytes?: number;
};

/** The state of a replica for the readiness page. */
export type ReplicaState = {
  readonly is_used: boolean;
  /** The most events by which it lagged at the last check. */
  readonly behind_events: number;
  /** Why it is not used. */
  readonly detail?: string;
};

/** A read replica: a second database server that follows the store with a short delay. */
export type Replica = {
  /** Checks whether lists can be read from it. Call it every few seconds. */
  look(): Promise<void>;
  state(): ReplicaState;
};

/** The caller and the purpose of a read that can take long. */
export type LongRead = {
  /** The id of the operation, for the log. */
  readonly operation: string;
  /** Whose turn it takes: the id of a user, or the address of a client. */
  readonly caller: number | string;
  /** Whether the read may use a replica, as `Db.readForList` does. */
  readonly isForList: boolean;
};

/** An open store. */
export type Db = {
  readonly read: Read;
  /**
   * The reader for all statements of one list. Call it once per list, after checking access with `read`,
   * because it may be another server. The reader has every change that was committed with an event before the
   * call.
   */
  readForList(): Promise<Read>;
  /**
   * Runs `work` with a separate reader, for reads that can take long, so that no other request waits for them. The reader
   * has every change that was committed before the call. Few run at a time, each until a deadline, and callers take turns
   * (`long-reads.ts`). Throws `too_busy`, `took_too_long`, `storage_unavailable` and `shutting_down`.
   */
  readLong<T>(request: LongRead, work: (read: Read) => Promise<T>): Promise<T>;
  /**
   * Answers a request that changes nothing: `work` need not wait for rows that seldom change, and runs again where one of
   * them has. Absent on an engine that is near.
   */
  assuming?<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Resolves when each row that the request has assumed so far is known to be right. Throws where one is not: then the
   * request runs again, and what it would have done need not be done. For what stays although the request runs again.
   */
  confirmed?(): Promise<void>;
  /** Absent where there is none. */
  readonly replica?: Replica;
  /**
   * Runs `work` in a transaction of its own and resolves once it is durable. An error rolls back this
   * transaction alone. Throws `storage_unavailable` when the store cannot take writes. Transactions run one
   * after the other, except for those whose `kind` lets them run beside each other while they wait for the engine.
   */
  write<T>(work: (tx: Tx) => Promise<T>, kind?: JobKind): Promise<T>;
  /** Calls `listener` after each commit that woke `topic`; returns a function that stops it. */
  onCommit(topic: Topic, listener: () => void): () => void;
  /** Connects `onCommit` to the commits of other nodes. Call it repeatedly, because the connection can break. */
  listenToPeers(): Promise<void>;
  /**
   * Absent if no other process uses the store. Then this process may discard the remains of an earlier
   * process.
   */
  readonly peers?: Peers;
  /**
   * Overwrites a bounded part of the remains of deleted rows in the files of the store. Returns `more` when
   * there is more to overwrite, `busy` when a reader still uses that part, and `done` otherwise. Also returns
   * `done` on an engine that does this by itself.
   */
  forgetDeleted(): Promise<'more' | 'busy' | 'done'>;
  health(): Promise<Health>;
  /** Finishes the waiting writes and closes the store. */
  close(): Promise<void>;
};
