import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import type { ExportAnswer, ExportQuestion, ExportToRead } from './export-thread.ts';
import { ImportError } from './import-file.ts';
import type { Heads, ImportSource, Slice } from './import-source.ts';

/**
 * Reads an export in a thread of its own, which keeps the plan and hands it out slice by slice: reading 50 MiB takes
 * seconds and some 300 MiB of memory, of which the thread that answers requests has none.
 */

/** What the thread may use, in MiB; see docs/imports.md. */
const resourceLimits = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 32 };

/** A planned import in a thread. */
export type OpenExport = ImportSource & {
  /** Ends the thread; what is still asked fails. */
  close(): Promise<void>;
};

/** Reads and plans an export. Throws an `ImportError` for a file that cannot be imported; ends when `signal` is aborted. */
export async function openExport(
  file: ExportToRead,
  bytes: Readable,
  signal: AbortSignal,
): Promise<OpenExport> {
  const worker = new Worker(new URL(`./export-thread${extname(import.meta.filename)}`, import.meta.url), {
    env: {},
    execArgv: [],
    stdin: true,
    resourceLimits,
    workerData: file,
  });
  let pending: PromiseWithResolvers<ExportAnswer> | undefined = Promise.withResolvers();
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    pending?.reject(failure);
    pending = undefined;
  };
  const close = async () => {
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  };
  const onAbort = () => void worker.terminate();
  signal.addEventListener('abort', onAbort);
  worker.on('message', (answer: ExportAnswer) => {
    pending?.resolve(answer);
    pending = undefined;
  });
  worker.on('error', (error: Error & { code?: string }) => {
    const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    fail(isTooLarge ? new ImportError(file.name, tooLarge) : error);
  });
  worker.on('exit', () => fail(new Error('the thread that reads an export has ended')));

  const first = pending.promise;
  try {
    // A thread that gives up on the file reads no more of it, so its answer says what is wrong and not the pipe.
    const piped = pipeline(bytes, worker.stdin as NodeJS.WritableStream).catch(fail);
    const answer = await first;
    if ('fault' in answer) bytes.destroy();
    await piped;
    if ('fault' in answer) throw new ImportError(file.name, answer.fault, answer.position);
    if (!('report' in answer)) throw new Error('the thread that reads an export answered out of turn');
    return { report: answer.report, heads, slice, close };
  } catch (error) {
    bytes.destroy();
    await close();
    throw error;
  }

  async function ask(question: ExportQuestion): Promise<ExportAnswer> {
    if (failure !== undefined) throw failure;
    pending = Promise.withResolvers();
    const { promise } = pending;
    worker.postMessage(question);
    return await promise;
  }
  async function heads(from: number): Promise<Heads> {
    const answer = await ask({ asks: 'heads', from });
    if (!('heads' in answer)) throw new Error('the thread that reads an export answered out of turn');
    return answer.heads;
  }
  async function slice(from: number): Promise<Slice> {
    const answer = await ask({ asks: 'slice', from });
    if (!('slice' in answer)) throw new Error('the thread that reads an export answered out of turn');
    return answer.slice;
  }
}

const tooLarge =
  'reading it needs more memory than a server takes for it: import it with the command confab import';
