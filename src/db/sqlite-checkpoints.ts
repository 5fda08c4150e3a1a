import { closeSync, openSync } from 'node:fs';
import { extname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { CheckpointFile } from './sqlite-checkpoint-thread.ts';

/**
 * Copies the write-ahead log back to the database, so that it starts again. SQLite does so within a commit, for which
 * the event loop would wait: a thousand pages take 12 ms. Here a thread copies most of them while this process goes on
 * to write. What it has written meanwhile this process copies itself, after a commit, because the log can only start
 * again where nothing is left of it. The first thousand pages start the thread.
 */

/** How many pages are copied back at a time, 8 MiB: fewer, and a page that often changes is copied more often. */
const pagesPerCopy = 1000;
/** The most pages that this process copies itself: some 3 ms. */
const lastPagesMax = 250;
/** How many pages the log has before SQLite copies it back within a commit after all, because nobody else does: 2 GiB. */
export const pagesMax = 262_144;

/** What the thread may use, in MiB: it holds one page. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

/** What is to be done about the log. */
type Options = {
  readonly file: string;
  readonly writer: DatabaseSync;
  /** Called with an error of the engine; later commits try again. */
  readonly onError: (error: unknown) => void;
};

/** The copying of the log of one file. */
export class Checkpoints {
  readonly #file: string;
  readonly #onError: (error: unknown) => void;
  readonly #look: StatementSync;
  readonly #copyBack: StatementSync;
  #thread: Worker | undefined;
  #descriptor: number | undefined;
  #isCopying = false;
  /** Up to which page of the log the thread was asked to copy; 0 where it has not been asked. */
  #askedFor = 0;

  constructor({ file, writer, onError }: Options) {
    this.#file = file;
    this.#onError = onError;
    this.#look = writer.prepare('pragma wal_checkpoint(noop)');
    this.#copyBack = writer.prepare('pragma wal_checkpoint(passive)');
  }

  /** Does what there is to do; to be called after each transaction. Throws nothing. */
  afterTransaction(): void {
    if (this.#isCopying) return;
    try {
      this.#goOn();
    } catch (error) {
      this.#onError(error);
    }
  }

  #goOn(): void {
    const { log, checkpointed } = this.#look.get() as { log: number; checkpointed: number };
    if (log < this.#askedFor) this.#askedFor = 0;
    if (this.#askedFor > 0 && log - checkpointed <= lastPagesMax) {
      this.#askedFor = 0;
      this.#copyBack.get();
    } else if (log - Math.max(checkpointed, this.#askedFor) >= pagesPerCopy) {
      this.#askedFor = log;
      this.#copyApart();
    }
  }

  #copyApart(): void {
    this.#thread ??= this.#start();
    this.#isCopying = true;
    this.#thread.postMessage('copy');
  }

  #start(): Worker {
    const module = new URL(`./sqlite-checkpoint-thread${extname(import.meta.filename)}`, import.meta.url);
    this.#descriptor ??= openSync(this.#file, 'r');
    const workerData = { file: this.#file, descriptor: this.#descriptor } satisfies CheckpointFile;
    const thread = new Worker(module, { workerData, env: {}, execArgv: [], resourceLimits });
    thread.on('message', () => {
      this.#isCopying = false;
    });
    thread.on('error', (error) => {
      this.#thread = undefined;
      this.#isCopying = false;
      this.#onError(error);
    });
    thread.unref();
    return thread;
  }

  /** Ends the thread, and has the connections of this process closed. */
  async close(closeConnections: () => void): Promise<void> {
    await this.#thread?.terminate();
    closeConnections();
    // By the rules of POSIX this takes away every lock that the process has on the file, whoever took it.
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}
