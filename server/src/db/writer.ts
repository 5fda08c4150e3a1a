import type { DeferredCommand } from './db.ts';
import type { Parameters, Statement } from './statement.ts';

/**
 * The meaning of an error of the engine. `own`: it concerns only the job. `taken`: another process is writing. `again`: the
 * engine aborted the transaction, which can run again. `storage`: the store cannot do it at the moment. `broken`: the
 * content of the disk is unknown until a restart.
 */
export type Fault = 'own' | 'taken' | 'again' | 'storage' | 'broken';

/** How a group begins. */
export type Beginning = {
  /**
   * Whether others may write until the first job does, provided that the result is the same as if they had not: all jobs
   * run beside each other.
   */
  readonly readsAhead?: boolean;
  /** How many events its jobs will append one by one, or nearly so. */
  readonly events?: number;
  /** Called once nobody else can write: before `begin` resolves, or later where the jobs run beside each other. */
  readonly onTurn?: () => void;
};

/** A writing connection of an engine. */
export type Writer = {
  /** Opens a transaction that excludes every other writer of the store. */
  begin(beginning?: Beginning): Promise<void>;
  /** Runs some commands, and answers how many rows each changed. */
  runAll(commands: readonly DeferredCommand[]): Promise<readonly number[]>;
  /** The same, and makes everything since `begin` durable. */
  commit(commands: readonly DeferredCommand[]): Promise<readonly number[]>;
  /** Undoes everything since `begin`, also after an error; throws nothing. */
  rollback(): Promise<void>;
  /** Marks where `undo` goes back to; `release` forgets the mark. */
  mark(): Promise<void>;
  release(): Promise<void>;
  undo(): Promise<void>;
  get<R>(statement: Statement<R>, parameters: Parameters): Promise<R | undefined>;
  all<R>(statement: Statement<R>, parameters: Parameters): Promise<R[]>;
  /** Runs a command, or sends it: then what follows it fails if it fails, at the latest the release of the mark or the commit. */
  run(statement: Statement<unknown>, parameters: Parameters): Promise<void>;
  /** Answers how many rows changed. */
  changed(statement: Statement<unknown>, parameters: Parameters): Promise<number>;
  /** Inserts one row and answers its id. */
  insert(statement: Statement<unknown>, parameters: Parameters): Promise<number>;
  /** Whether the transaction can go on, after an error too. */
  isUsable(): boolean;
  faultOf(error: unknown): Fault;
  /** Whether everything is answered at once, so that a whole group runs before the event loop turns. */
  readonly isImmediate: boolean;
};
