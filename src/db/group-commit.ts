import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { Problem } from '../kernel/problem.ts';
import { isTurnLong, nextTurn } from '../kernel/turn.ts';
import type { DeferredCommand, DeferredWork, Health, Topic, Tx } from './db.ts';
import type { Parameters, Statement } from './statement.ts';

/**
 * Group commit: write transactions that wait together share one transaction of the engine, and so one sync.
 *
 * Players: a *job* is one write transaction that a caller waits for; a *group* is the jobs that were waiting when the
 * event loop came round; the *writer* is the one connection of the engine that writes. A group runs inside one transaction
 * of the engine: first the jobs that only add, concurrently, then the others, one after another. The commit syncs once for
 * all of them. Only then does any job resolve, so every acknowledged write survives a power cut.
 *
 * A job that throws rolls back alone. Most refusals come before anything is written, so there is nothing to roll back. If
 * a job fails later, the group is rolled back and run again with each job in a savepoint of its own. Savepoints are not
 * the rule because they are expensive: SQLite copies every page that is first touched in one, and all jobs touch the same
 * few pages; PostgreSQL needs two more round trips.
 *
 * A job must await nothing but the store, because all others would wait for that too. Where an engine answers at once, it
 * shows: the event loop turns. Such a job fails alone as well.
 *
 * An engine that answers synchronously would block the event loop for the whole group. So in a turn that has become long,
 * the next statement waits for the next turn, in the middle of the transaction. Reads run meanwhile, and see the store as
 * it was before the transaction.
 */

/** The most jobs in one group, so that reads are not kept waiting behind a long one. */
const groupJobsMax = 256;
/** How long a group may run at least in a turn that it has waited for, however long the turn is, in milliseconds. */
const resumedMsMin = 5;
/** The most jobs that may wait; more are refused with 503 rather than kept until memory runs out. */
const waitingJobsMax = 20_000;
/** How many times in a row the writer may be taken before the waiting jobs are refused. */
const takenMax = 50;
/** How many times a group runs again after the engine has aborted it in favour of another. */
const againMax = 3;

/**
 * The meaning of an error of the engine. `own`: it concerns only the job. `taken`: another process is writing. `again`: the
 * engine aborted the transaction, which can run again. `storage`: the store cannot do it at the moment. `broken`: the
 * content of the disk is unknown until a restart.
 */
export type Fault = 'own' | 'taken' | 'again' | 'storage' | 'broken';

/** The one writing connection of an engine. */
export type Writer = {
  /**
   * Opens a transaction that excludes every other writer of the store. `adding` is the number of jobs if all of them only
   * add, else 0. With jobs that only add, others may write until the first job does, provided that the result is the same
   * as if they had not.
   */
  begin(adding: number): Promise<void>;
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
  /** Answers how many rows changed. */
  run(statement: Statement<unknown>, parameters: Parameters): Promise<number>;
  /** Inserts one row and answers its id. */
  insert(statement: Statement<unknown>, parameters: Parameters): Promise<number>;
  /** Whether the transaction can go on, after an error too. */
  isUsable(): boolean;
  faultOf(error: unknown): Fault;
  /** Whether everything is answered at once, so that a whole group runs before the event loop turns. */
  readonly isImmediate: boolean;
};

type Job = {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly kind: 'adding' | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

type Announce = (topics: ReadonlySet<Topic>) => void;

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Everything that was put off, by the work that is done on it. */
type PutOff = Map<DeferredWork<unknown>, unknown[]>;

/** The progress of a running job. */
type Progress = { readonly putOff: PutOff; hasWritten: boolean };

function itemsOf(putOff: PutOff, later: DeferredWork<unknown>): unknown[] {
  const items = putOff.get(later) ?? [];
  putOff.set(later, items);
  return items;
}

/** Deferred commands, each with those that depend on how many rows it changes. */
function stepsOf(commands: readonly DeferredCommand[]): DeferredCommand[][] {
  const steps: DeferredCommand[][] = [];
  for (const command of commands) {
    const step = steps.at(-1);
    if (command.isFollowUp === true && step !== undefined) step.push(command);
    else steps.push([command]);
  }
  return steps;
}

/** Resolves to all results once all jobs have ended, so none runs when the transaction ends. Throws the first error. */
export async function allOf<T>(runs: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(runs);
  return await Promise.all(runs);
}

/** The queue of the write transactions of one process. */
export class GroupCommit {
  readonly #writer: Writer;
  readonly #log: Log;
  readonly #metrics: Metrics | undefined;
  readonly #announce: Announce | undefined;
  readonly #listeners = new Map<Topic, Set<() => void>>();
  readonly #woken = new Set<Topic>();
  #waiting: Job[] = [];
  #isScheduled = false;
  #running: Promise<void> = Promise.resolve();
  #takenCount = 0;
  /** Notes that the event loop turns while a group runs that does not pause. */
  #watch: NodeJS.Immediate | undefined;
  #hasTurned = false;
  /** How many statements wait for the next turn, and until when those that have waited run. */
  #pausing = 0;
  #runsUntil = 0;
  #failure: string | undefined;
  #isClosed = false;

  /** `announce` tells other processes of the store which topics a commit has woken. */
  constructor({
    writer,
    log,
    metrics,
    announce,
  }: { writer: Writer; log: Log; metrics: Metrics | undefined; announce?: Announce }) {
    this.#writer = writer;
    this.#log = log;
    this.#metrics = metrics;
    this.#announce = announce;
    metrics?.read('confab_store_waiting_writes', () => [{ labels: {}, value: this.#waiting.length }]);
  }

  /** See `Db.write`. */
  write<T>(work: (tx: Tx) => Promise<T>, kind: 'adding' | undefined): Promise<T> {
    if (this.#failure !== undefined || this.#isClosed)
      return Promise.reject(new Problem('storage_unavailable', 'The store takes no writes at the moment.'));
    if (this.#waiting.length >= waitingJobsMax)
      return Promise.reject(
        new Problem('storage_unavailable', 'Too many writes are waiting. Try again later.'),
      );
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, kind, resolve: resolve as (value: unknown) => void, reject });
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
    const first = this.#waiting.slice(0, groupJobsMax);
    // Jobs can join a group until it has its turn, but a group that only adds does not wait for its turn.
    const adding = first.every(({ kind }) => kind === 'adding') ? first.length : 0;
    const startedAt = performance.now();
    try {
      await this.#writer.begin(adding);
      this.#takenCount = 0;
    } catch (error) {
      await this.#writer.rollback();
      this.#isScheduled = false;
      this.#beginFailed(error);
      return;
    }
    const taken = this.#waiting.splice(0, adding || groupJobsMax);
    // None of them has been answered, so no client relies on their order.
    const group = [
      ...taken.filter(({ kind }) => kind === 'adding'),
      ...taken.filter(({ kind }) => kind !== 'adding'),
    ];
    let outcomes: readonly Outcome[] = [];
    let failure: unknown;
    try {
      outcomes = await this.#commitGroup(group);
    } catch (error) {
      failure = error;
      await this.#writer.rollback();
    }
    this.#metrics?.observe('confab_store_group_writes', {}, group.length);
    this.#metrics?.observe('confab_store_group_duration_seconds', {}, (performance.now() - startedAt) / 1000);
    this.#isScheduled = false;
    if (failure === undefined) this.#settle(group, outcomes);
    else this.#groupFailed(group, failure);
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Runs the jobs in the transaction that was begun, and commits it. */
  async #commitGroup(group: readonly Job[]): Promise<readonly Outcome[]> {
    let isGuarded = false;
    for (let attempt = 0; ; attempt += 1)
      try {
        const outcomes = await this.#runJobs(group, isGuarded);
        if (outcomes !== undefined) return outcomes;
        isGuarded = true;
        await this.#beginAgain();
        return (await this.#runJobs(group, isGuarded)) ?? [];
      } catch (error) {
        if (this.#writer.faultOf(error) !== 'again' || attempt === againMax) throw error;
        await this.#beginAgain();
      }
  }

  async #beginAgain(): Promise<void> {
    await this.#writer.rollback();
    await this.#writer.begin(0);
  }

  /** Runs the jobs in turn and commits; answers undefined when it takes guards to know whose doing a failure is. */
  async #runJobs(group: readonly Job[], isGuarded: boolean): Promise<Outcome[] | undefined> {
    this.#woken.clear();
    this.#hasTurned = false;
    this.#watchTurn();
    try {
      const outcomes: Outcome[] = [];
      let putOff: PutOff = new Map();
      while (outcomes.length < group.length) {
        if (outcomes.length > 0) await this.#runDeferred(putOff, 'more to come');
        putOff = new Map();
        const jobs = this.#nextOf(group, outcomes.length, isGuarded);
        const done = isGuarded ? await this.#runGuarded(jobs) : await this.#runBeside(jobs, putOff);
        if (done === undefined || (this.#hasTurned && !isGuarded)) return undefined;
        outcomes.push(...done);
      }
      await this.#runDeferred(putOff, 'commit');
      return outcomes;
    } catch (error) {
      if (!isGuarded && this.#writer.faultOf(error) === 'own') return undefined;
      throw error;
    } finally {
      clearImmediate(this.#watch);
    }
  }

  /** Notes when the event loop turns because of a job: where the engine answers at once, none waits for anything. */
  #watchTurn(): void {
    if (!this.#writer.isImmediate) return;
    clearImmediate(this.#watch);
    this.#watch = setImmediate(() => {
      this.#hasTurned = true;
    });
  }

  /** Runs a statement of a job: in the next turn of the event loop where this one has gone on for long. */
  #inTime<T>(run: () => Promise<T>): Promise<T> {
    if (!this.#writer.isImmediate || !isTurnLong() || performance.now() < this.#runsUntil) return run();
    return this.#pause().then(run);
  }

  async #pause(): Promise<void> {
    this.#pausing += 1;
    clearImmediate(this.#watch);
    await nextTurn();
    this.#pausing -= 1;
    this.#runsUntil = performance.now() + resumedMsMin;
    if (this.#pausing === 0) this.#watchTurn();
  }

  /** The next jobs of a group that can run concurrently: one, or consecutive jobs that only add. */
  #nextOf(group: readonly Job[], from: number, isGuarded: boolean): readonly Job[] {
    let to = from + 1;
    // Savepoints are of one job at a time.
    if (!isGuarded && group[from]?.kind === 'adding') while (group[to]?.kind === 'adding') to += 1;
    return group.slice(from, to);
  }

  async #runBeside(jobs: readonly Job[], putOff: PutOff): Promise<readonly Outcome[] | undefined> {
    const outcomes: Outcome[] = [];
    for (const outcome of await allOf(jobs.map((job) => this.#runBare(job, putOff)))) {
      if (outcome === undefined) return undefined;
      outcomes.push(outcome);
    }
    return outcomes;
  }

  /** Runs a job that is expected to succeed, or to fail before it has written anything. */
  async #runBare({ work }: Job, shared: PutOff): Promise<Outcome | undefined> {
    const progress: Progress = { putOff: new Map(), hasWritten: false };
    try {
      const value = await work(this.#txOf(progress));
      for (const [later, items] of progress.putOff) {
        const all = itemsOf(shared, later);
        for (const item of items) all.push(item);
      }
      return { value };
    } catch (error) {
      if (this.#writer.faultOf(error) !== 'own') throw error;
      return progress.hasWritten || !this.#writer.isUsable() ? undefined : { error };
    }
  }

  /** Does what was put off, and commits where it is the end of the group. */
  async #runDeferred(putOff: PutOff, then: 'commit' | 'more to come'): Promise<void> {
    const commands = [...putOff].flatMap(([work, items]) => work(items));
    const changes: number[] = [];
    // An engine that answers at once gets them one by one, so that each can wait for the next turn.
    const steps = this.#writer.isImmediate ? stepsOf(commands) : [];
    for (const step of steps) changes.push(...(await this.#inTime(() => this.#writer.runAll(step))));
    const rest = this.#writer.isImmediate ? [] : commands;
    if (then === 'commit') changes.push(...(await this.#inTime(() => this.#writer.commit(rest))));
    else changes.push(...(await this.#writer.runAll(rest)));
    for (const [index, { wakes }] of commands.entries())
      if (wakes !== undefined && (changes[index] ?? 0) > 0) this.#woken.add(wakes);
  }

  async #runGuarded([job]: readonly Job[]): Promise<readonly Outcome[]> {
    if (job === undefined) return [];
    const progress: Progress = { putOff: new Map(), hasWritten: false };
    await this.#writer.mark();
    this.#hasTurned = false;
    this.#watchTurn();
    try {
      const value = await job.work(this.#txOf(progress));
      await this.#runDeferred(progress.putOff, 'more to come');
      if (this.#hasTurned) throw new Error('a write transaction awaited something that is not the store');
      await this.#writer.release();
      return [{ value }];
    } catch (error) {
      if (this.#writer.faultOf(error) !== 'own') throw error;
      await this.#writer.undo();
      return [{ error }];
    }
  }

  #txOf(progress: Progress): Tx {
    const writer = this.#writer;
    return {
      get: (statement, parameters) => {
        if (statement.kind === 'command') progress.hasWritten = true;
        return this.#inTime(() => writer.get(statement, parameters));
      },
      all: (statement, parameters) => {
        if (statement.kind === 'command') progress.hasWritten = true;
        return this.#inTime(() => writer.all(statement, parameters));
      },
      run: async (command, parameters) => {
        const changes = await this.#inTime(() => writer.run(command, parameters));
        if (changes > 0) progress.hasWritten = true;
        return changes;
      },
      insert: (command, parameters) => {
        progress.hasWritten = true;
        return this.#inTime(() => writer.insert(command, parameters));
      },
      defer: (work, item) => void itemsOf(progress.putOff, work as DeferredWork<unknown>).push(item),
      wake: (topic) => void this.#woken.add(topic),
    };
  }

  #settle(group: readonly Job[], outcomes: readonly Outcome[]): void {
    group.forEach((job, index) => {
      const outcome = outcomes[index];
      if (outcome !== undefined && 'value' in outcome) job.resolve(outcome.value);
      else job.reject(outcome?.error);
    });
    if (this.#woken.size > 0) this.#announce?.(this.#woken);
    for (const topic of this.#woken) this.wake(topic);
  }

  #beginFailed(error: unknown): void {
    this.#takenCount += 1;
    if (this.#writer.faultOf(error) === 'taken' && this.#takenCount < takenMax) {
      this.#schedule();
      return;
    }
    this.#takenCount = 0;
    this.#groupFailed(this.#waiting.splice(0), error);
  }

  #groupFailed(group: readonly Job[], error: unknown): void {
    const fault = this.#writer.faultOf(error);
    this.#log.error({ err: error, jobs: group.length }, 'a group of writes failed');
    if (fault === 'broken')
      this.#failure = 'a write or sync of the store failed; restart to find out what is there';
    const refusal =
      fault === 'own'
        ? error
        : new Problem('storage_unavailable', 'The store could not write this. Whether it did is unknown.', {
            cause: error,
          });
    for (const job of group) job.reject(refusal);
  }

  /** Takes note of an error of the engine outside of a group: nothing more is written where it is unknown what is on the disk. */
  fail(error: unknown): void {
    this.#groupFailed([], error);
  }

  /** See `Db.onCommit`. */
  onCommit(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Calls the listeners of a topic: also when another process of the store has committed. */
  wake(topic: Topic): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }

  /** The state of the queue. */
  health(): Health {
    if (this.#failure !== undefined) return { ok: false, detail: this.#failure };
    if (this.#isClosed) return { ok: false, detail: 'the store is closed' };
    return { ok: true, detail: `${this.#waiting.length} writes waiting` };
  }

  /** Takes no more jobs and resolves when those that wait are done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiting.length > 0 || this.#isScheduled) {
      await new Promise((resolve) => setImmediate(resolve));
      await this.#running;
    }
  }
}
