import type { Random } from 'confab-testing/harness/random.ts';

/**
 * One simulated time for everything in this process. `install` replaces the timers and clocks of the process, so that the
 * code under test runs unchanged and whatever it waits for is an entry in a queue. The time moves from entry to entry.
 *
 * Players: an *actor* is whatever could run on a machine of its own, such as a node or a receiver. A *task* is a callback
 * of an actor at a time. An actor runs its tasks in the order of their times; which of several actors goes first at one
 * moment is drawn from the seed. After each task all promises settle before the next one begins, so the whole run follows
 * from its seed.
 */

/** Something that runs by itself. It can stall, and it can end in the middle of its work. */
export class Actor {
  readonly name: string;
  /** Nothing of it runs before this moment. */
  stalledUntil = 0;
  isDead = false;
  readonly queue = new TaskQueue();

  constructor(name: string) {
    this.name = name;
  }

  /** The moment of its next task; infinite where there is none. */
  nextAt(): number {
    const task = this.isDead ? undefined : this.queue.first();
    return task === undefined ? Number.POSITIVE_INFINITY : Math.max(task.at, this.stalledUntil);
  }
}

type Task = {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
};

/** Tasks by their times, a binary heap. */
class TaskQueue {
  readonly #heap: Task[] = [];

  first(): Task | undefined {
    while (this.#heap[0]?.isCancelled === true) this.#remove();
    return this.#heap[0];
  }

  take(): Task | undefined {
    const task = this.first();
    if (task !== undefined) this.#remove();
    return task;
  }

  add(task: Task): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(task);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent] as Task;
      if (!isBefore(task, above)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = task;
  }

  #remove(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Task, heap[child] as Task)) child += 1;
      if (!isBefore(heap[child] as Task, last)) break;
      heap[place] = heap[child] as Task;
      place = child;
    }
    heap[place] = last;
  }
}

function isBefore(one: Task, other: Task): boolean {
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

/** What `setTimeout` returns while time is simulated. */
class SimulatedTimer {
  readonly task: Task;

  constructor(task: Task) {
    this.task = task;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  dateNow: Date.now,
};

/** Resolves once every promise that can has settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => real.setImmediate(resolve));
}

/** The time of a run in milliseconds since its start, and who does what when. */
export class SimulatedTime {
  /** The moment that a run starts at, in Unix milliseconds. */
  readonly startsAt: number;
  readonly #random: Random;
  readonly #actors: Actor[] = [];
  #now = 0;
  #order = 0;
  #current: Actor;
  /** What is outside of all nodes: clients, receivers, faults. */
  readonly world: Actor;
  /** How many tasks have run. */
  steps = 0;

  constructor(random: Random, startsAt: number) {
    this.#random = random;
    this.startsAt = startsAt;
    this.world = this.actor('the world');
    this.#current = this.world;
  }

  /** Milliseconds since the start. It never goes back. */
  now(): number {
    return this.#now;
  }

  /** The true time of day, in Unix milliseconds. */
  trueTime(): number {
    return this.startsAt + this.#now;
  }

  actor(name: string): Actor {
    const actor = new Actor(name);
    this.#actors.push(actor);
    return actor;
  }

  /** Ends an actor in the middle of whatever it does. */
  kill(actor: Actor): void {
    actor.isDead = true;
    const index = this.#actors.indexOf(actor);
    if (index >= 0) this.#actors.splice(index, 1);
  }

  /** Runs `work` as the actor, without waiting; what it starts belongs to the actor. */
  as<T>(actor: Actor, work: () => T): T {
    const before = this.#current;
    this.#current = actor;
    try {
      return work();
    } finally {
      this.#current = before;
    }
  }

  /** Runs `run` as the actor in so many milliseconds, unless it has ended by then. */
  after(actor: Actor, ms: number, run: () => void): Task {
    this.#order += 1;
    const task = { at: this.#now + Math.max(ms, 0), order: this.#order, run, isCancelled: false };
    if (!actor.isDead) actor.queue.add(task);
    return task;
  }

  /** Resolves for the actor in so many milliseconds; never, if it ends before. */
  sleep(actor: Actor, ms: number): Promise<void> {
    return new Promise((resolve) => this.after(actor, ms, resolve));
  }

  /** The moment of the next task of any actor. */
  nextAt(): number {
    return Math.min(...this.#actors.map((actor) => actor.nextAt()));
  }

  /** Runs what is due until `until`, and moves the time there. `isDone` ends it earlier, between two tasks. */
  async runUntil(until: number, isDone: () => boolean = () => false): Promise<void> {
    await settled();
    while (!isDone()) {
      const actor = this.#next();
      const at = actor?.nextAt() ?? Number.POSITIVE_INFINITY;
      if (actor === undefined || at > until) break;
      this.#now = Math.max(this.#now, at);
      const task = actor.queue.take();
      if (task === undefined) continue;
      this.steps += 1;
      this.#current = actor;
      task.run();
      await settled();
    }
    if (!isDone() && Number.isFinite(until)) this.#now = Math.max(this.#now, until);
  }

  /** Moves the time on although tasks are due before: whoever they belong to runs late. */
  skipTo(at: number): void {
    this.#now = Math.max(this.#now, at);
  }

  /** The actor whose task is first; of several at one moment, any. */
  #next(): Actor | undefined {
    let found: Actor | undefined;
    let foundAt = Number.POSITIVE_INFINITY;
    let ties = 1;
    for (const actor of this.#actors) {
      const at = Math.max(actor.nextAt(), this.#now);
      if (at > foundAt || at === Number.POSITIVE_INFINITY) continue;
      if (at < foundAt) ties = 1;
      else ties += 1;
      if (at < foundAt || this.#random.oneIn(ties)) found = actor;
      foundAt = at;
    }
    return found;
  }

  /** Replaces the timers and clocks of this process until the result is disposed of. */
  install(): Disposable {
    const schedule = (ms: number, run: () => void) => new SimulatedTimer(this.after(this.#current, ms, run));
    const cancel = (timer: unknown) => {
      if (timer instanceof SimulatedTimer) timer.task.isCancelled = true;
    };
    Object.assign(globalThis, {
      setTimeout: (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
        schedule(Math.max(ms, 1), () => run(...given)),
      clearTimeout: cancel,
      setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) =>
        schedule(0, () => run(...given)),
      clearImmediate: cancel,
    });
    Date.now = () => Math.floor(this.trueTime());
    Object.defineProperty(performance, 'now', { value: () => this.#now, configurable: true });
    return {
      [Symbol.dispose]() {
        const { dateNow, ...timers } = real;
        Object.assign(globalThis, timers);
        Date.now = dateNow;
        Reflect.deleteProperty(performance, 'now');
      },
    };
  }
}
