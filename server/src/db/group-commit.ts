import { Problem } from 'confab-contract/problem.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Health, JobKind, Topic, Tx } from './db.ts';
import { createGroupRunner, type Outcome } from './group-runner.ts';
import { eventsOf, isConcurrent, type Job, nextGroup } from './next-group.ts';
import type { Writer } from './writer.ts';

/**
 * Group commit: write transactions that wait together share one transaction of the engine, and so one sync.
 *
 * Players: a *job* is one write transaction that a caller waits for; a *group* is jobs that were waiting when the event
 * loop came round; a *writer* is a connection of the engine that writes. A group runs inside one transaction of the
 * engine, and the commit syncs once for all of its jobs. Only then does any job resolve, so every acknowledged write
 * survives a power cut.
 *
 * An engine that answers at once has one writer, and a group has every job: first those that only add, then the others,
 * one after another. An engine that answers after a while has two, and a group has jobs of one kind, which share the time
 * that they wait: jobs that can run beside each other do so, and read ahead of the group's turn, in which nobody else can
 * write; the others run one after another in theirs. While one writer has its turn, the other reads ahead.
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
 * the next statement waits for the next turn, in the middle of the transaction (`turn-watch.ts`). Reads run meanwhile, and
 * see the store as it was before the transaction.
 *
 * The queue is here: which jobs wait, and whether the store takes any. `next-group.ts` chooses from them, and
 * `group-runner.ts` runs a group.
 */

/** The most jobs that may wait; more are refused with 503 rather than kept until memory runs out. */
const waitingJobsMax = 20_000;
/** How many times in a row the writer may be taken before the waiting jobs are refused. */
const takenMax = 50;

/** The dependencies of the queue. */
export type GroupCommitOptions = {
  /** The connections that write: groups of the one take turns with those of the others. */
  readonly writers: readonly [Writer, ...Writer[]];
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  /** Tells other processes of the store which topics a commit has woken. */
  readonly announce?: (topics: ReadonlySet<Topic>) => void;
};

/** A connection that writes, and how far its group is: `reads` until it has its turn, where it reads ahead of that. */
type Lane = {
  readonly writer: Writer;
  readonly runner: ReturnType<typeof createGroupRunner>;
  state: 'free' | 'reads' | 'writes';
  running: Promise<void>;
};

/** The queue of the write transactions of one process. */
export type GroupCommit = ReturnType<typeof createGroupCommit>;

/** An empty queue. */
export function createGroupCommit({ writers, log, metrics, announce }: GroupCommitOptions) {
  const lanes = writers.map(
    (writer): Lane => ({
      writer,
      runner: createGroupRunner(writer),
      state: 'free',
      running: Promise.resolve(),
    }),
  );
  const listenersOf = new Map<Topic, Set<() => void>>();
  let waiting: Job[] = [];
  let takenCount = 0;
  /** Why nothing more is written until a restart. */
  let brokenBy: string | undefined;
  let isClosed = false;

  metrics?.read('confab_store_waiting_writes', () => [{ labels: {}, value: waiting.length }]);

  /** Begins a group unless one reads: what comes before that has its turn joins the one after it. */
  function schedule(): void {
    const lane = lanes.find(({ state }) => state === 'free');
    if (lane === undefined || waiting.length === 0 || lanes.some(({ state }) => state === 'reads')) return;
    lane.state = 'reads';
    // One turn of the event loop later, so that every request read in this turn is in the group.
    setImmediate(() => {
      lane.running = runGroup(lane);
    });
  }

  /** Takes jobs out of the queue that can be in one group. */
  function take(writer: Writer): readonly Job[] {
    const group = nextGroup(waiting, writer);
    const taken = new Set(group);
    waiting = waiting.filter((job) => !taken.has(job));
    return group;
  }

  async function runGroup(lane: Lane): Promise<void> {
    const { writer, runner } = lane;
    // Jobs can join a group until it has its turn, but those that run beside each other do not wait for it.
    const canRead = isConcurrent(waiting[0], writer);
    let group = canRead ? take(writer) : [];
    const startedAt = performance.now();
    const onTurn = () => {
      if (!canRead) group = take(writer);
      lane.state = 'writes';
      schedule();
    };
    try {
      await writer.begin({ readsAhead: canRead, events: eventsOf(group), onTurn });
      takenCount = 0;
    } catch (error) {
      await writer.rollback();
      lane.state = 'free';
      beginFailed(writer, [...group, ...waiting.splice(0)], error);
      return;
    }
    let outcomes: readonly Outcome[] = [];
    let failure: unknown;
    try {
      outcomes = await runner.run(group);
    } catch (error) {
      failure = error;
      await writer.rollback();
    }
    metrics?.observe('confab_store_group_writes', {}, group.length);
    metrics?.observe('confab_store_group_duration_seconds', {}, (performance.now() - startedAt) / 1000);
    lane.state = 'free';
    if (failure === undefined) settle(runner.woken, group, outcomes);
    else groupFailed(writer, group, failure);
    schedule();
  }

  function settle(woken: ReadonlySet<Topic>, group: readonly Job[], outcomes: readonly Outcome[]): void {
    group.forEach((job, index) => {
      const outcome = outcomes[index];
      if (outcome !== undefined && 'value' in outcome) job.resolve(outcome.value);
      else job.reject(outcome?.error);
    });
    if (woken.size > 0) announce?.(woken);
    for (const topic of woken) wake(topic);
  }

  function beginFailed(writer: Writer, jobs: readonly Job[], error: unknown): void {
    takenCount += 1;
    if (writer.faultOf(error) === 'taken' && takenCount < takenMax) {
      waiting = [...jobs, ...waiting];
      schedule();
      return;
    }
    takenCount = 0;
    groupFailed(writer, jobs, error);
  }

  function groupFailed(writer: Writer, group: readonly Job[], error: unknown): void {
    const fault = writer.faultOf(error);
    log.error({ err: error, jobs: group.length }, 'a group of writes failed');
    if (fault === 'broken')
      brokenBy = 'a write or sync of the store failed; restart to find out what is there';
    const refusal =
      fault === 'own'
        ? error
        : new Problem('storage_unavailable', 'The store could not write this. Whether it did is unknown.', {
            cause: error,
          });
    for (const job of group) job.reject(refusal);
  }

  /** Calls the listeners of a topic: also when another process of the store has committed. */
  function wake(topic: Topic): void {
    for (const listener of listenersOf.get(topic) ?? []) listener();
  }

  return {
    wake,

    /** See `Db.write`. */
    write<T>(work: (tx: Tx) => Promise<T>, kind: JobKind | undefined): Promise<T> {
      if (brokenBy !== undefined || isClosed)
        return Promise.reject(new Problem('storage_unavailable', 'The store takes no writes at the moment.'));
      if (waiting.length >= waitingJobsMax)
        return Promise.reject(
          new Problem('storage_unavailable', 'Too many writes are waiting. Try again later.'),
        );
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, kind, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      });
    },

    /** Takes note of an error of the engine outside of a group: nothing more is written where it is unknown what is on the disk. */
    fail(error: unknown): void {
      groupFailed(writers[0], [], error);
    },

    /** See `Db.onCommit`. */
    onCommit(topic: Topic, listener: () => void): () => void {
      const listeners = listenersOf.get(topic) ?? new Set();
      listenersOf.set(topic, listeners.add(listener));
      return () => void listeners.delete(listener);
    },

    /** The state of the queue. */
    health(): Health {
      if (brokenBy !== undefined) return { ok: false, detail: brokenBy };
      if (isClosed) return { ok: false, detail: 'the store is closed' };
      return { ok: true, detail: `${waiting.length} writes waiting` };
    },

    /** Takes no more jobs and resolves when those that wait are done. */
    async close(): Promise<void> {
      isClosed = true;
      while (waiting.length > 0 || lanes.some(({ state }) => state !== 'free')) {
        await new Promise((resolve) => setImmediate(resolve));
        await Promise.all(lanes.map(({ running }) => running));
      }
    },
  };
}
