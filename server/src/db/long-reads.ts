import { Problem } from 'confab-contract/problem.ts';
import type { Log } from '../kernel/log.ts';
import type { LongRead, Read } from './db.ts';

/**
 * The queue of reads that can take long, such as searches. They run separately from other reads, a few at a time, each
 * until a deadline. Callers take turns: the caller who was served longest ago goes next, so a caller with many reads
 * delays mostly their own.
 */

/** How long one may run, in milliseconds: a search for a word that is in each of a million comments takes 0.3 s. */
const runningMsMax = 5000;
/** How long one may wait to run, in milliseconds: longer than the one before it may run. */
const waitingMsMax = 10_000;
/** How many may wait; each is a request that is held. */
const waitingMax = 64;
/** How many of these may be of one caller. */
const waitingOfCallerMax = 16;

/** A reader for one long read. */
export type LongSession = {
  /** Throws `took_too_long` from the deadline on, also for a statement that runs. */
  readonly read: Read;
  /** Gives the reader back; resolves when it can be used again. */
  end(): Promise<void> | void;
};

/** The limits of the queue, where a test needs less than everyone has. */
export type LongReadLimits = {
  readonly runningMsMax?: number;
  readonly waitingMsMax?: number;
  readonly waitingMax?: number;
  readonly waitingOfCallerMax?: number;
};

type Waiting = { readonly resolve: () => void; readonly reject: (error: Problem) => void };

/** The problem of a read that was given up at its deadline. */
export function timeoutProblem(cause?: unknown): Problem {
  const detail = 'Answering this list takes too long at the moment. Ask for less, or try again later.';
  return new Problem('took_too_long', detail, { cause });
}

/** The queue of the long reads of one process. */
export class LongReads {
  readonly #prepare: (() => Promise<void>) | undefined;
  readonly #begin: (request: LongRead, timeoutMs: number) => LongSession;
  readonly #runningMax: number;
  readonly #log: Log;
  readonly #limits: Required<LongReadLimits>;
  /** The waiting reads by their callers; the caller whose turn it is comes first. */
  readonly #waiting = new Map<LongRead['caller'], Waiting[]>();
  #waitingCount = 0;
  #running = 0;
  #isClosed = false;

  /**
   * `begin` opens a reader that may be used for so many milliseconds; there are `runningMax` at a time. `prepare` is
   * waited for before.
   */
  constructor(options: {
    prepare?: (() => Promise<void>) | undefined;
    begin: (request: LongRead, timeoutMs: number) => LongSession;
    runningMax: number;
    log: Log;
    limits?: LongReadLimits | undefined;
  }) {
    this.#prepare = options.prepare;
    this.#begin = options.begin;
    this.#runningMax = options.runningMax;
    this.#log = options.log;
    this.#limits = { runningMsMax, waitingMsMax, waitingMax, waitingOfCallerMax, ...options.limits };
  }

  /**
   * Runs `work` with a reader. Throws `too_busy` when too many wait or it has waited too long, `took_too_long` when its
   * deadline passes, and `shutting_down` when the store is closed meanwhile.
   */
  async run<T>(request: LongRead, work: (read: Read) => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    try {
      await this.#turn(request);
      try {
        return await this.#read(request, work);
      } finally {
        this.#pass();
      }
    } catch (error) {
      if (error instanceof Problem && (error.code === 'too_busy' || error.code === 'took_too_long')) {
        const { operation, caller } = request;
        const ms = Math.round(performance.now() - askedAt);
        const named = typeof caller === 'number' ? { user: caller } : { client: caller };
        const fields = { operation, ...named, ms, waiting: this.#waitingCount, code: error.code };
        this.#log.warn(fields, 'a list that can take long was not answered');
      }
      throw error;
    }
  }

  async #read<T>(request: LongRead, work: (read: Read) => Promise<T>): Promise<T> {
    if (this.#prepare !== undefined) {
      await this.#prepare();
      if (this.#isClosed) throw closing();
    }
    const session = this.#begin(request, this.#limits.runningMsMax);
    try {
      return await work(session.read);
    } finally {
      await session.end();
    }
  }

  /** Waits for a turn, which is the caller's to pass on once it is over. */
  async #turn({ caller }: LongRead): Promise<void> {
    const limits = this.#limits;
    if (this.#isClosed) throw closing();
    if (this.#running < this.#runningMax) {
      this.#running += 1;
      return;
    }
    const own = this.#waiting.get(caller) ?? [];
    if (this.#waitingCount >= limits.waitingMax || own.length >= limits.waitingOfCallerMax)
      throw new Problem('too_busy', 'Too many searches and long lists are waiting.');
    const turn = Promise.withResolvers<void>();
    own.push(turn);
    this.#waiting.set(caller, own);
    this.#waitingCount += 1;
    const patience = AbortSignal.timeout(limits.waitingMsMax);
    const leave = () => {
      own.splice(own.indexOf(turn), 1);
      if (own.length === 0) this.#waiting.delete(caller);
      this.#waitingCount -= 1;
      turn.reject(new Problem('too_busy', 'Searches and long lists that came before take too long.'));
    };
    patience.addEventListener('abort', leave);
    try {
      await turn.promise;
    } finally {
      patience.removeEventListener('abort', leave);
    }
  }

  /** Ends a turn and gives it to the next that waits. */
  #pass(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#running -= 1;
      return;
    }
    const [caller, own] = first;
    const next = own.shift();
    this.#waitingCount -= 1;
    this.#waiting.delete(caller);
    // Behind everyone else who waits.
    if (own.length > 0) this.#waiting.set(caller, own);
    next?.resolve();
  }

  /** Refuses what waits and what comes. */
  close(): void {
    this.#isClosed = true;
    for (const own of this.#waiting.values()) for (const { reject } of own) reject(closing());
    this.#waiting.clear();
    this.#waitingCount = 0;
  }
}

/** The problem of a read that the end of the store has cut off. */
export function closing(): Problem {
  return new Problem('shutting_down', 'The server is shutting down.');
}
