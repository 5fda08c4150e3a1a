import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { Problem } from 'confab-contract/problem.ts';
import type { Log } from '../../kernel/log.ts';
import type { Read } from '../db.ts';
import { closing, type LongSession, timeoutProblem } from '../long-reads.ts';
import { rowMaker } from '../rows.ts';
import { compile, type Parameters, type Query, type Statement } from '../statement.ts';
import { type StatementWatch, sqliteValues } from './connection.ts';
import type { ReaderNote, ReaderRequest, ReaderResponse } from './reader-process.ts';

/**
 * Long reads of SQLite: a process of its own reads the file (`reader-process.ts`). The engine offers no way to
 * interrupt a statement, and a thread cannot be stopped within one; a process can be killed at any time, and a reader
 * that is killed leaves nothing behind. It is started by the first long read and again after it was killed. While it
 * starts it is asked nothing, and a deadline does not end it: on a busy machine it would never be ready.
 */

// Rows pass through it, so it needs little memory for JavaScript.
const nodeFlags = ['--max-semi-space-size=1', '--max-old-space-size=128'];

type Pending = {
  readonly request: ReaderRequest;
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: Error) => void;
};

/** One process and what it was asked, in order. */
class Reader {
  readonly #child: ChildProcess;
  /** The requests that it was sent or, while it starts, will be sent. */
  readonly #pending: Pending[] = [];
  #isStarting = true;
  /** Settles when it has given its snapshot back, or is gone; undefined while it was not asked to. */
  #renewing: PromiseWithResolvers<void> | undefined;
  /** Why it takes no more questions. */
  #ended: Problem | undefined;

  constructor(file: string, log: Log) {
    const module = new URL(`./reader-process${extname(import.meta.filename)}`, import.meta.url);
    this.#child = fork(module, [file], {
      env: {},
      execArgv: nodeFlags,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (answered: ReaderResponse | ReaderNote) => {
      if (answered === 'renewed') return this.#endRenewing();
      if (answered === 'ready') {
        this.#isStarting = false;
        for (const { request } of this.#pending) this.#child.send(request);
        return;
      }
      const pending = this.#pending.shift();
      if ('error' in answered) pending?.reject(new Error(answered.error));
      else pending?.resolve(answered.rows.map(rowMaker(answered.columns)));
    });
    const fail = (cause: unknown) => {
      if (this.#ended === undefined) log.warn({ err: cause }, 'the process for long reads ended');
      this.kill(new Problem('storage_unavailable', 'The store does not answer at the moment.', { cause }));
    };
    this.#child.on('error', fail);
    this.#child.once('exit', (code, signal) => {
      this.#endRenewing();
      fail(new Error(`code ${code}, signal ${signal}`));
    });
  }

  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  get isAnswering(): boolean {
    return this.#pending.length > 0;
  }

  ask(request: ReaderRequest): Promise<unknown[]> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    this.#pending.push({ request, resolve, reject });
    if (!this.#isStarting) this.#child.send(request);
    return promise;
  }

  /** Has the next question be answered from what is committed by then. */
  renew(): void {
    if (this.#ended !== undefined || this.#isStarting) return;
    this.#renewing ??= Promise.withResolvers();
    this.#child.send('renew' satisfies ReaderRequest);
  }

  /** Resolves once it has given back the snapshot of what it was asked. */
  async renewed(): Promise<void> {
    await this.#renewing?.promise;
  }

  #endRenewing(): void {
    this.#renewing?.resolve();
    this.#renewing = undefined;
  }

  /** Fails what it was asked, for this reason, and ends it at once unless it is still starting. */
  cut(reason: Problem): void {
    if (this.#isStarting) this.#rejectAll(reason);
    else this.kill(reason);
  }

  /** Ends it at once; what it was asked, and whatever it is asked later, fails for this reason. */
  kill(reason: Problem): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    // Until it is gone, it has its snapshot.
    if (!this.#isStarting && this.#child.exitCode === null) this.#renewing ??= Promise.withResolvers();
    this.#child.kill('SIGKILL');
    this.#rejectAll(reason);
  }

  #rejectAll(reason: Problem): void {
    for (const { reject } of this.#pending.splice(0)) reject(reason);
  }
}

/** The process for long reads of a file, one at a time. */
export class SqliteLongReader {
  readonly #start: () => Reader;
  readonly #watch: StatementWatch;
  #reader: Reader | undefined;

  /** Starts nothing yet. */
  constructor(options: { file: string; log: Log; watch: StatementWatch }) {
    this.#start = () => new Reader(options.file, options.log);
    this.#watch = options.watch;
  }

  /** Begins a read, all of it in one snapshot, that is cut off after so many milliseconds. */
  begin(timeoutMs: number): LongSession {
    if (this.#reader === undefined || this.#reader.isEnded) this.#reader = this.#start();
    const reader = this.#reader;
    const limit = AbortSignal.timeout(timeoutMs);
    const cut = () => reader.cut(timeoutProblem());
    limit.addEventListener('abort', cut);
    return {
      read: this.#readOn(reader),
      end() {
        limit.removeEventListener('abort', cut);
        if (reader.isAnswering) cut();
        else reader.renew();
      },
    };
  }

  /** Resolves once no read that has ended keeps a snapshot. */
  async released(): Promise<void> {
    await this.#reader?.renewed();
  }

  #readOn(reader: Reader): Read {
    const ask = async (statement: Statement<unknown>, parameters: Parameters) => {
      const compiled = compile(statement, 'sqlite');
      const startedAt = performance.now();
      this.#watch.onStatement?.(compiled.sql);
      const rows = await reader.ask({ sql: compiled.sql, values: sqliteValues(compiled, parameters) });
      this.#watch.slow?.note(compiled.sql, startedAt);
      return rows;
    };
    return {
      get: async <P extends Parameters, R>(query: Query<P, R>, parameters: P) =>
        (await ask(query, parameters))[0] as R | undefined,
      all: async <P extends Parameters, R>(query: Query<P, R>, parameters: P) =>
        (await ask(query, parameters)) as R[],
    };
  }

  close(): void {
    this.#reader?.kill(closing());
  }
}
