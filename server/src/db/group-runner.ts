import { allOf } from '../kernel/all-of.ts';
import type { DeferredCommand, DeferredWork, Topic, Tx } from './db.ts';
import { isConcurrent, isSameKind, type Job } from './next-group.ts';
import { createTurnWatch } from './turn-watch.ts';
import type { Writer } from './writer.ts';

/** How many times a group runs again after the engine has aborted it in favour of another. */
const againMax = 3;

/** What a job resolves to, or is rejected with. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

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

/**
 * Runs groups of jobs, one group at a time, each in a transaction of the writer that has begun. It ends a transaction
 * only with a commit, so its caller rolls back after an error.
 */
export function createGroupRunner(writer: Writer) {
  const turns = createTurnWatch(writer);
  const woken = new Set<Topic>();

  /** The next jobs of a group that run beside each other: one, or consecutive ones of one kind. */
  function nextOf(group: readonly Job[], from: number): readonly Job[] {
    const kind = group[from]?.kind;
    let to = from + 1;
    // Changes on an engine that answers at once have no way to share.
    if (kind === 'adding' || isConcurrent(group[from], writer))
      while (to < group.length && isSameKind(kind, group[to]?.kind)) to += 1;
    return group.slice(from, to);
  }

  /** Runs the jobs in the transaction that was begun, and commits it. */
  async function commitGroup(group: readonly Job[]): Promise<readonly Outcome[]> {
    let isGuarded = false;
    for (let attempt = 0; ; attempt += 1)
      try {
        const outcomes = await runJobs(group, isGuarded);
        if (outcomes !== undefined) return outcomes;
        isGuarded = true;
        await beginAgain();
        return (await runJobs(group, isGuarded)) ?? [];
      } catch (error) {
        if (writer.faultOf(error) !== 'again' || attempt === againMax) throw error;
        await beginAgain();
      }
  }

  async function beginAgain(): Promise<void> {
    await writer.rollback();
    await writer.begin();
  }

  /** Runs the jobs in turn and commits; answers undefined when it takes guards to know whose doing a failure is. */
  async function runJobs(group: readonly Job[], isGuarded: boolean): Promise<Outcome[] | undefined> {
    woken.clear();
    turns.watch();
    try {
      const outcomes: Outcome[] = [];
      let putOff: PutOff = new Map();
      while (outcomes.length < group.length) {
        if (outcomes.length > 0) await runDeferred(putOff, 'more to come');
        putOff = new Map();
        const jobs = isGuarded
          ? group.slice(outcomes.length, outcomes.length + 1)
          : nextOf(group, outcomes.length);
        const done = isGuarded ? await runGuarded(jobs) : await runBeside(jobs, putOff);
        if (done === undefined || (turns.hasTurned() && !isGuarded)) return undefined;
        outcomes.push(...done);
      }
      await runDeferred(putOff, 'commit');
      return outcomes;
    } catch (error) {
      if (!isGuarded && writer.faultOf(error) === 'own') return undefined;
      throw error;
    } finally {
      turns.unwatch();
    }
  }

  async function runBeside(jobs: readonly Job[], putOff: PutOff): Promise<readonly Outcome[] | undefined> {
    const outcomes: Outcome[] = [];
    for (const outcome of await allOf(jobs.map((job) => runBare(job, putOff)))) {
      if (outcome === undefined) return undefined;
      outcomes.push(outcome);
    }
    return outcomes;
  }

  /** Runs a job that is expected to succeed, or to fail before it has written anything. */
  async function runBare({ work }: Job, shared: PutOff): Promise<Outcome | undefined> {
    const progress: Progress = { putOff: new Map(), hasWritten: false };
    try {
      const value = await work(txOf(progress));
      for (const [later, items] of progress.putOff) {
        const all = itemsOf(shared, later);
        for (const item of items) all.push(item);
      }
      return { value };
    } catch (error) {
      if (writer.faultOf(error) !== 'own') throw error;
      return progress.hasWritten || !writer.isUsable() ? undefined : { error };
    }
  }

  /** Does what was put off, and commits where it is the end of the group. */
  async function runDeferred(putOff: PutOff, then: 'commit' | 'more to come'): Promise<void> {
    const commands = [...putOff].flatMap(([work, items]) => work(items));
    const changes: number[] = [];
    // An engine that answers at once gets them one by one, so that each can wait for the next turn.
    const steps = writer.isImmediate ? stepsOf(commands) : [];
    for (const step of steps) changes.push(...(await turns.inTime(() => writer.runAll(step))));
    const rest = writer.isImmediate ? [] : commands;
    if (then === 'commit') changes.push(...(await turns.inTime(() => writer.commit(rest))));
    else changes.push(...(await writer.runAll(rest)));
    for (const [index, { wakes }] of commands.entries())
      if (wakes !== undefined && (changes[index] ?? 0) > 0) woken.add(wakes);
  }

  async function runGuarded([job]: readonly Job[]): Promise<readonly Outcome[]> {
    if (job === undefined) return [];
    const progress: Progress = { putOff: new Map(), hasWritten: false };
    await writer.mark();
    turns.watch();
    try {
      const value = await job.work(txOf(progress));
      await runDeferred(progress.putOff, 'more to come');
      if (turns.hasTurned()) throw new Error('a write transaction awaited something that is not the store');
      await writer.release();
      return [{ value }];
    } catch (error) {
      if (writer.faultOf(error) !== 'own') throw error;
      await writer.undo();
      return [{ error }];
    }
  }

  function txOf(progress: Progress): Tx {
    return {
      get: (statement, parameters) => {
        if (statement.kind === 'command') progress.hasWritten = true;
        return turns.inTime(() => writer.get(statement, parameters));
      },
      all: (statement, parameters) => {
        if (statement.kind === 'command') progress.hasWritten = true;
        return turns.inTime(() => writer.all(statement, parameters));
      },
      run: (command, parameters) => {
        progress.hasWritten = true;
        return turns.inTime(() => writer.run(command, parameters));
      },
      changed: async (command, parameters) => {
        const changes = await turns.inTime(() => writer.changed(command, parameters));
        if (changes > 0) progress.hasWritten = true;
        return changes;
      },
      insert: (command, parameters) => {
        progress.hasWritten = true;
        return turns.inTime(() => writer.insert(command, parameters));
      },
      defer: (work, item) => void itemsOf(progress.putOff, work as DeferredWork<unknown>).push(item),
      wake: (topic) => void woken.add(topic),
    };
  }

  return {
    run: commitGroup,

    /** The topics that the last group has woken. */
    woken: woken as ReadonlySet<Topic>,
  };
}
