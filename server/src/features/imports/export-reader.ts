import { extname } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { Problem } from 'confab-contract/problem.ts';
import { ImportError } from 'confab-importers/import-file.ts';
import { startTimer } from '../../kernel/timer.ts';
import type { ExportAnswer, ExportQuestion, ExportToRead } from './export-thread.ts';
import type { Heads, ImportSource, Slice } from './import-source.ts';

/**
 * Reads an export in a separate thread, which keeps the plan and returns it slice by slice. Reading 50 MiB takes seconds
 * and some 300 MiB of memory; the thread that answers requests spends neither.
 *
 * The reader waits only for responses of the thread, never for the end of the file: a thread that gives up stops reading,
 * so the pipe to it may neither end nor fail.
 */

/** The memory limit of the thread in MiB; see docs/imports.md. */
const resourceLimits = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 32 };
/**
 * How long a thread may take for its next step, in milliseconds: some bytes of the file, the plan, or an answer. An
 * export of 47 MiB takes 17 s of processor time for all its steps together (decision 0084).
 */
const stalledMs = 120_000;

/** A planned import in a thread. */
export type OpenExport = ImportSource & {
  /** Ends the thread; what is still asked fails. */
  close(): Promise<void>;
};

/**
 * Reads and plans an export. Throws an `ImportError` for a file that cannot be imported, and for one whose thread dies or
 * makes no progress for two minutes. Ends with the reason of `signal` when that is aborted, also later.
 */
export async function openExport(
  file: ExportToRead,
  bytes: Readable,
  signal: AbortSignal,
): Promise<OpenExport> {
  const thread = startThread(file);
  const onAbort = () => thread.fail(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  const close = async () => {
    signal.removeEventListener('abort', onAbort);
    bytes.destroy();
    await thread.end();
  };
  const ask = async (question: ExportQuestion): Promise<ExportAnswer> => {
    const answer = thread.nextAnswer();
    thread.ask(question);
    return await answer;
  };
  try {
    signal.throwIfAborted();
    const answer = thread.nextAnswer();
    bytes.on('data', thread.continues);
    bytes.on('error', (error) => thread.fail(unreadable(error, file)));
    pipeline(bytes, thread.stdin, () => undefined);
    const { report } = checked(await answer, 'report', file);
    return {
      report,
      close,
      heads: async (from): Promise<Heads> => checked(await ask({ asks: 'heads', from }), 'heads', file).heads,
      slice: async (from): Promise<Slice> => checked(await ask({ asks: 'slice', from }), 'slice', file).slice,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** An answer of the kind that was asked for. Throws an `ImportError` for a fault of the file. */
function checked<K extends 'report' | 'heads' | 'slice'>(
  answer: ExportAnswer,
  kind: K,
  { name }: ExportToRead,
) {
  if ('fault' in answer) throw new ImportError(name, answer.fault, answer.position);
  if (!(kind in answer)) throw new Error('the thread that reads an export answered out of turn');
  return answer as Extract<ExportAnswer, { readonly [_ in K]: unknown }>;
}

/** A storage that is away may come back; any other fault of reading stays. */
function unreadable(error: Error, { name }: ExportToRead): Error {
  return error instanceof Problem ? error : faultOf(name, 'the server cannot read the file it keeps', error);
}

function faultOf(name: string, sentence: string, cause: Error): ImportError {
  return Object.assign(new ImportError(name, sentence), { cause });
}

/** Starts the thread for a file. It answers one question at a time; the first answer is the report. */
function startThread(file: ExportToRead) {
  const worker = new Worker(new URL(`./export-thread${extname(import.meta.filename)}`, import.meta.url), {
    env: {},
    execArgv: [],
    stdin: true,
    resourceLimits,
    workerData: file,
  });
  let pending: PromiseWithResolvers<ExportAnswer> | undefined;
  let failure: Error | undefined;
  let deadline: ReturnType<typeof startTimer> | undefined;

  function settle(): typeof pending {
    deadline?.stop();
    const settled = pending;
    pending = undefined;
    return settled;
  }
  function fail(error: Error): void {
    failure ??= error;
    settle()?.reject(failure);
  }
  function continues(): void {
    deadline?.stop();
    if (pending !== undefined)
      deadline = startTimer(stalledMs, () => fail(new ImportError(file.name, stalled)));
  }

  worker.on('message', (answer: ExportAnswer) => settle()?.resolve(answer));
  worker.on('error', (error: Error & { code?: string }) => {
    const sentence = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge : died;
    fail(faultOf(file.name, sentence, error));
  });
  worker.on('exit', () => fail(new Error('the thread that reads an export has ended')));

  return {
    stdin: worker.stdin as NodeJS.WritableStream,
    /** The thread has made progress. */
    continues,
    fail,
    ask: (question: ExportQuestion) => worker.postMessage(question),
    nextAnswer(): Promise<ExportAnswer> {
      if (failure !== undefined) throw failure;
      pending = Promise.withResolvers();
      continues();
      return pending.promise;
    },
    async end(): Promise<void> {
      fail(new Error('the thread that reads an export was ended'));
      await worker.terminate();
    },
  };
}

const tooLarge =
  'reading it needs more memory than a server takes for it: import it with the command confab import';
const stalled = `reading it made no progress for ${stalledMs / 1000} seconds`;
const died = 'a fault of the server ended the reading of this file, as its log says';
