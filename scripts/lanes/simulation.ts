/**
 * A simulation of processes that wait: for time to pass, for a processor, for a lock, for a disk. A process is a
 * generator that yields what it waits for, so that the order of everything depends on nothing but the model and its
 * seed. Times are milliseconds of the simulation.
 */

/** What a process waits for: calls back once it is there. */
type Wait = (resume: () => void) => void;
/** A process, or a part of one. */
export type Process<T = void> = Generator<Wait, T, void>;

/** Something that happens at a time; of those at the same time, the first that was planned comes first. */
type Plan = { readonly at: number; readonly place: number; readonly run: () => void };

function isBefore(a: Plan, b: Plan): boolean {
  return a.at < b.at || (a.at === b.at && a.place < b.place);
}

/** The clock, and what is planned. */
export class Simulation {
  now = 0;
  #place = 0;
  /** A binary heap with the earliest plan first. */
  readonly #plans: Plan[] = [];

  #plan(at: number, run: () => void): void {
    const plan = { at, place: this.#place, run };
    this.#place += 1;
    const plans = this.#plans;
    let index = plans.length;
    for (; index > 0; ) {
      const parent = (index - 1) >> 1;
      const above = plans[parent];
      if (above === undefined || isBefore(above, plan)) break;
      plans[index] = above;
      index = parent;
    }
    plans[index] = plan;
  }

  #take(): Plan | undefined {
    const plans = this.#plans;
    const [first] = plans;
    const last = plans.pop();
    if (last === undefined || plans.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [plans[child], plans[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child += 1;
      const least = plans[child];
      if (least === undefined || isBefore(last, least)) break;
      plans[index] = least;
      index = child;
    }
    plans[index] = last;
    return first;
  }

  /** Starts a process. */
  start(process: Process): void {
    const step = (): void => {
      const { done, value } = process.next();
      if (done !== true) value(step);
    };
    step();
  }

  /** Waits for time to pass. */
  *pass(ms: number): Process {
    yield (resume) => this.#plan(this.now + ms, resume);
  }

  /** Goes on until a time. */
  runUntil(end: number): void {
    for (let [next] = this.#plans; next !== undefined && next.at <= end; [next] = this.#plans) {
      this.now = next.at;
      this.#take()?.run();
    }
    this.now = end;
  }
}

/** How long a processor works for one before another has it, in milliseconds. */
const sliceMs = 1;

/** The processors of a machine, which share themselves among those who wait. */
export class Processors {
  readonly #simulation: Simulation;
  readonly #waiting: (() => void)[] = [];
  #free: number;
  /** How long all of them have worked. */
  busyMs = 0;

  constructor(simulation: Simulation, count: number) {
    this.#simulation = simulation;
    this.#free = count;
  }

  /** Uses one of them for so long, with pauses for others. */
  *use(ms: number): Process {
    for (let left = ms; left > 0; left -= sliceMs) {
      if (this.#free > 0) this.#free -= 1;
      else yield (resume) => void this.#waiting.push(resume);
      const slice = Math.min(left, sliceMs);
      yield* this.#simulation.pass(slice);
      this.busyMs += slice;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/** A lock with a fair queue: held by one, or shared by many. */
export class Lock {
  readonly #waiting: { readonly isShared: boolean; readonly resume: () => void }[] = [];
  #sharers = 0;
  #isHeld = false;

  /** Waits until it is one's own. */
  *hold(): Process {
    if (!this.#isHeld && this.#sharers === 0) this.#isHeld = true;
    else yield (resume) => void this.#waiting.push({ isShared: false, resume });
  }

  /** Waits until nobody holds it, and nobody who came before waits to. */
  *share(): Process {
    if (!this.#isHeld && this.#waiting.length === 0) this.#sharers += 1;
    else yield (resume) => void this.#waiting.push({ isShared: true, resume });
  }

  /** Gives it back, however it was had. */
  release(): void {
    if (this.#isHeld) this.#isHeld = false;
    else this.#sharers -= 1;
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#isHeld || (!next.isShared && this.#sharers > 0)) return;
      this.#waiting.shift();
      if (next.isShared) this.#sharers += 1;
      else this.#isHeld = true;
      next.resume();
    }
  }
}

/** A disk that syncs what was written before the sync began; those who come meanwhile share the next one. */
export class Disk {
  readonly #simulation: Simulation;
  readonly #syncMs: () => number;
  #waiting: (() => void)[] = [];
  #isSyncing = false;

  constructor(simulation: Simulation, syncMs: () => number) {
    this.#simulation = simulation;
    this.#syncMs = syncMs;
  }

  /** Waits until what was written before is on the disk. */
  *sync(): Process {
    yield (resume) => {
      this.#waiting.push(resume);
      if (!this.#isSyncing) this.#simulation.start(this.#syncAll());
    };
  }

  *#syncAll(): Process {
    this.#isSyncing = true;
    while (this.#waiting.length > 0) {
      const served = this.#waiting;
      this.#waiting = [];
      yield* this.#simulation.pass(this.#syncMs());
      for (const resume of served) resume();
    }
    this.#isSyncing = false;
  }
}

/** A place where a process waits until there is something to do. */
export class Signal {
  #waiting: (() => void)[] = [];

  *wait(): Process {
    yield (resume) => void this.#waiting.push(resume);
  }

  /** Wakes all who wait. */
  wake(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const resume of woken) resume();
  }
}
