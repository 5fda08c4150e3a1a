import type { Command, Parameters, Query } from './statement.ts';

/** Reads committed data. On SQLite it is a connection that cannot write. */
export type Read = {
  /** The first row, or undefined. */
  get<P extends Parameters, R>(query: Query<P, R>, parameters: P): Promise<R | undefined>;
  /** Every row. */
  all<P extends Parameters, R>(query: Query<P, R>, parameters: P): Promise<R[]>;
};

/** What is woken after a commit that touched it: a hint that spares waiting, never the only way to find work. */
export type Topic = 'deliveries' | 'events' | 'removals' | 'presence';

/**
 * A write transaction. It sees its own writes. Between its start and its end nothing may be awaited but the
 * database, because it holds the only writer of SQLite, and it changes nothing outside, because it may run twice.
 */
export type Tx = Omit<Read, 'get' | 'all'> & {
  get<P extends Parameters, R>(statement: Query<P, R> | Command<P, R>, parameters: P): Promise<R | undefined>;
  all<P extends Parameters, R>(statement: Query<P, R> | Command<P, R>, parameters: P): Promise<R[]>;
  /** Runs a statement whose rows do not matter; answers how many rows it changed. */
  run<P extends Parameters, R>(command: Command<P, R>, parameters: P): Promise<number>;
  /**
   * Inserts one row and answers its id. The command has no `returning`: on SQLite that makes the engine keep a copy of
   * every page it touches, which costs three times the insert.
   */
  insert<P extends Parameters, R>(command: Command<P, R>, parameters: P): Promise<number>;
  /**
   * Runs a statement at the very end, after the last statement of the transaction and together with those of the
   * other transactions in its group: for the search index, which writes many entries at once far more cheaply.
   * Nothing in the transaction sees what it does, and it must be one that cannot fail.
   */
  later<P extends Parameters, R>(command: Command<P, R>, parameters: P): void;
  /** Wakes the listeners of `topic` once this transaction is on disk. */
  wake(topic: Topic): void;
};

/** The other nodes of a store that several may have open at once. */
export type Others = {
  /** Tells them something small that is kept nowhere and may be lost, such as that somebody is writing. */
  tell(text: string): void;
  /** Calls `listener` with what they tell. */
  onTold(listener: (text: string) => void): void;
};

/** The state of the store for the readiness page. */
export type Health = { readonly ok: boolean; readonly detail: string };

/** An open store. */
export type Db = {
  readonly read: Read;
  /**
   * Runs `work` in a transaction of its own and answers once it is durable. A thrown error rolls it back, alone.
   * Throws `storage_unavailable` when the store cannot take writes. Transactions run one after the other, but for those
   * that are `adding`: these only add, and decide by nothing that another of them changes, so that they may run beside
   * each other where the engine makes them wait.
   */
  write<T>(work: (tx: Tx) => Promise<T>, kind?: 'adding'): Promise<T>;
  /** Calls `listener` after each commit that woke `topic`; answers a function that stops it. */
  onCommit(topic: Topic, listener: () => void): () => void;
  /** Makes sure that `onCommit` hears of other nodes as well. It is called now and then, because the way there can break. */
  hearOthers(): Promise<void>;
  /** Absent where nobody else can have the store open: whatever a former process left there is then nobody's. */
  readonly others?: Others;
  health(): Promise<Health>;
  /** Finishes the writes that wait and closes the files. */
  close(): Promise<void>;
};
