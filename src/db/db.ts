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
   * Puts off to the end what is cheaper for many at once: `work` is run once with the items of all transactions that
   * run beside this one. Nothing in the transaction sees what it does.
   */
  later<T>(work: Later<T>, item: T): void;
  /** Wakes the listeners of `topic` once this transaction is on disk. */
  wake(topic: Topic): void;
};

/** What is done at the end of transactions with all that they put off, in a number of statements that is fixed. */
export type Later<T> = (tx: Tx, items: readonly T[]) => Promise<void>;

/** What nodes tell each other about: who is typing, and the order of two answers to the reference client. */
export type Matter = 'typing' | 'answer-order';

/** The other nodes of a store that several may have open at once. */
export type Others = {
  /** Tells them something small that is kept nowhere and may be lost, such as that somebody is writing. */
  tell(matter: Matter, text: string): void;
  /** Calls `listener` with what they tell about a matter. */
  onTold(matter: Matter, listener: (text: string) => void): void;
};

/** The state of the store for the readiness page. */
export type Health = { readonly ok: boolean; readonly detail: string };

/** The state of a replica for the readiness page. */
export type ReplicaState = {
  readonly is_used: boolean;
  /** By how many events at most it was behind when it was last looked at. */
  readonly behind_events: number;
  /** Why it is not used. */
  readonly detail?: string;
};

/** A second server that has what the store has, mostly a moment later. */
export type Replica = {
  /** Finds out whether lists can be read from it; to be called every few seconds. */
  look(): Promise<void>;
  state(): ReplicaState;
};

/** An open store. */
export type Db = {
  readonly read: Read;
  /**
   * What one list is read from, the whole of it, when nothing in it decides about access any more: to be asked for after
   * access was settled on `read`, anew for each list. It has everything that was committed when it was asked for and
   * that appends an event, and may be another server than that of `read`.
   */
  readForList(): Promise<Read>;
  /** Absent where there is none. */
  readonly replica?: Replica;
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
