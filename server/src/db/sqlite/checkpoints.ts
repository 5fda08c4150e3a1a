import { closeSync, openSync } from 'node:fs';
import { extname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { CheckpointFile } from './checkpoint-thread.ts';
import { logBytesKept, logBytesOf } from './log-room.ts';

/**
 * Copies the write-ahead log back to the database, so that the log restarts. SQLite itself would do this within a commit,
 * and block the event loop: a thousand pages take 12 ms. Here a thread copies most pages while this process goes on
 * writing. This process then copies the pages that it wrote meanwhile, after a commit, because the log can only restart
 * once it is empty. The first thousand pages start the thread.
 */

/** How many pages are copied back at a time, 8 MiB: fewer, and a page that often changes is copied more often. */
const pagesPerCopy = 1000;
/** The most pages that this process usually copies itself: some 3 ms. */
const lastPagesMax = 250;
/** The pages of log (2 GiB) from which SQLite itself copies it back within a commit, as a last resort. */
export const pagesMax = 262_144;

/** The number of copies by the thread after which this process copies up to `pagesPerCopy` pages; large changes need it. */
const patientCopies = 3;
/** How often the thread copies at most, when all of the log is to be copied back. */
const copiesMax = 8;

/**
 * How many bytes a file that has grown is shortened by, each time that the log restarts. The next commit waits for that:
 * 1 GiB took 510 ms.
 */
const shortenedBytes = 32 * 1024 * 1024;

/** The memory limit of the thread in MiB; it holds one page. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

/** The next step for the log. */
type Options = {
  readonly file: string;
  readonly writer: DatabaseSync;
  /** Gives back the snapshot of the reader of this process, which would keep the log from being copied back. */
  readonly renew: () => void;
  /** Called with an error of the engine; later commits try again. */
  readonly onError: (error: unknown) => void;
};

/** The copying of the log of one file. */
export class Checkpoints {
  readonly #file: string;
  readonly #writer: DatabaseSync;
  readonly #renew: () => void;
  readonly #onError: (error: unknown) => void;
  readonly #look: StatementSync;
  readonly #copyBack: StatementSync;
  #thread: Worker | undefined;
  #descriptor: number | undefined;
  /** Settles when the thread has copied what it was asked to; undefined while it rests. */
  #copying: PromiseWithResolvers<void> | undefined;
  /** Settles when the transaction that is open ends; undefined while nothing waits for that. */
  #ended: PromiseWithResolvers<void> | undefined;
  /** Up to which page of the log the thread was asked to copy; 0 where it has not been asked. */
  #askedFor = 0;
  /** How often the thread has copied since this process copied the last pages. */
  #copies = 0;

  constructor({ file, writer, renew, onError }: Options) {
    this.#file = file;
    this.#writer = writer;
    this.#renew = renew;
    this.#onError = onError;
    this.#look = writer.prepare('pragma wal_checkpoint(noop)');
    this.#copyBack = writer.prepare('pragma wal_checkpoint(passive)');
  }

  /** Does what there is to do; to be called after each transaction. Throws nothing. */
  afterTransaction(): void {
    this.#ended?.resolve();
    this.#ended = undefined;
    if (this.#copying !== undefined) return;
    try {
      this.#goOn();
    } catch (error) {
      this.#onError(error);
    }
  }

  /**
   * Copies the whole log back, so that the next write restarts it; returns whether no reader prevented that. Never throws.
   */
  async copyAll(): Promise<boolean> {
    try {
      /** Up to which page the thread has copied what it could. */
      let copied = 0;
      for (let round = 0; round < copiesMax && this.#writer.isOpen; round += 1) {
        await this.#rest();
        if (!this.#writer.isOpen) return false;
        this.#renew();
        const { log, checkpointed } = this.#lookAt();
        // The log that the thread has copied has started again.
        if (log < copied) return true;
        if (checkpointed < copied) return false;
        if (log - checkpointed <= this.#lastPagesMax()) {
          this.#copyLast();
          const last = this.#lookAt();
          return last.log === last.checkpointed;
        }
        await this.#copyApart();
        copied = log;
      }
    } catch (error) {
      this.#onError(error);
    }
    return false;
  }

  /** Resolves when the thread rests and no transaction is open, in which copying back would fail. */
  async #rest(): Promise<void> {
    while (this.#writer.isOpen && (this.#copying !== undefined || this.#writer.isTransaction))
      await (this.#copying?.promise ?? this.#transactionEnd());
  }

  /**
   * Resolves when the transaction that is open has ended, before the next one begins: one that goes on over several turns
   * is mostly open whenever the event loop comes round.
   */
  #transactionEnd(): Promise<void> {
    this.#ended ??= Promise.withResolvers();
    return this.#ended.promise;
  }

  /** How many pages this process copies now. */
  #lastPagesMax(): number {
    return this.#copies > patientCopies ? pagesPerCopy : lastPagesMax;
  }

  /** Copies the last pages back; the next write can start the log again and shorten its file. */
  #copyLast(): void {
    this.#copies = 0;
    this.#copyBack.get();
    const excess = logBytesOf(this.#file) - logBytesKept;
    if (excess <= 0) return;
    const limit = logBytesKept + Math.max(excess - shortenedBytes, 0);
    this.#writer.exec(`pragma journal_size_limit = ${limit}`);
  }

  #lookAt(): { readonly log: number; readonly checkpointed: number } {
    return this.#look.get() as { log: number; checkpointed: number };
  }

  #goOn(): void {
    const { log, checkpointed } = this.#lookAt();
    if (log < this.#askedFor) this.#askedFor = 0;
    if (this.#askedFor > 0 && log - checkpointed <= this.#lastPagesMax()) {
      this.#askedFor = 0;
      this.#copyLast();
    } else if (log - Math.max(checkpointed, this.#askedFor) >= pagesPerCopy) {
      this.#askedFor = log;
      void this.#copyApart();
    }
  }

  /** Has the thread copy what it can; resolves when it has, or has failed. */
  #copyApart(): Promise<void> {
    this.#thread ??= this.#start();
    this.#copying = Promise.withResolvers();
    this.#copies += 1;
    this.#thread.postMessage('copy');
    return this.#copying.promise;
  }

  #endCopying(): void {
    this.#copying?.resolve();
    this.#copying = undefined;
  }

  #start(): Worker {
    const module = new URL(`./checkpoint-thread${extname(import.meta.filename)}`, import.meta.url);
    this.#descriptor ??= openSync(this.#file, 'r');
    const workerData = { file: this.#file, descriptor: this.#descriptor } satisfies CheckpointFile;
    const thread = new Worker(module, { workerData, env: {}, execArgv: [], resourceLimits });
    thread.on('message', () => {
      this.#endCopying();
      // Transactions of more than `lastPagesMax` pages leave more than that to copy at the end of each.
      if (this.#writer.isOpen && !this.#writer.isTransaction) {
        this.#renew();
        this.afterTransaction();
      }
    });
    thread.on('error', (error) => {
      this.#thread = undefined;
      this.#endCopying();
      this.#onError(error);
    });
    thread.unref();
    return thread;
  }

  /** Ends the thread, and has the connections of this process closed. */
  async close(closeConnections: () => void): Promise<void> {
    await this.#thread?.terminate();
    closeConnections();
    this.#endCopying();
    // By the rules of POSIX this takes away every lock that the process has on the file, whoever took it.
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}
