import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Problem } from 'confab-contract/problem.ts';
import type { PictureMaker } from '../features/previews/previews.ts';
import type { Log } from '../kernel/log.ts';
import type { PictureJob, PictureReply } from './picture-process.ts';
import { startLoop } from './runner.ts';

/**
 * Shrinks pictures in a separate process (`picture-process.ts`), one after the other. The first job starts the process,
 * and it ends after a while without jobs.
 *
 * A picture that takes too long or too much memory is refused. One on which the process crashes is tried once more in
 * another process, because something else may have ended the first, and is refused the second time. If the process
 * cannot begin or cannot write, the fault is the server's and the job fails.
 */

/**
 * How long one picture may take, not counting the start of the process: the slowest of 49 megapixels took 3.5 seconds.
 */
const timeLimitMsDefault = 10_000;
/** How many jobs may wait; each keeps a request waiting. */
const waitingMaxDefault = 64;
/** How long an idle process is kept: it uses about 70 MB and takes a fifth of a second to start. */
const idleMs = 30_000;
/** The pause after a process that could not begin, so that a page of pictures does not start dozens. */
const unableMs = 60_000;

/**
 * How much memory the process may hold while it works on a picture, in bytes. Ordinary pictures of 49 megapixels take 90
 * to 260 MiB. Of those within the limits of `isShrinkable` only the worst encoding, an interlaced PNG of 16 bits with
 * alpha beyond 40 megapixels, needs more than this (decision 0036).
 */
const memoryBytesMaxDefault = 512 * 1024 * 1024;
/** How often its memory is measured, in milliseconds: a decoder fills at most some 50 MB meanwhile. */
const memoryLookMs = 20;

// Memory of its own for JavaScript; the pixels are outside of it.
const nodeFlags = ['--max-old-space-size=64'];

/** A running picture maker. */
export type RunningPictureMaker = PictureMaker & {
  /** Starts the process once to test it, and logs a failure. Never throws. */
  check(): Promise<void>;
  /** Ends the process at once; jobs that wait or run fail with `shutting_down`. */
  stop(): Promise<void>;
};

type Shrinking = Parameters<PictureMaker['shrink']>[0];

/** How one attempt at a job ended: with a reply, or without one. */
type Outcome = PictureReply | { readonly state: 'too slow' | 'too large' | 'broke down' | 'not begun' };

/** Creates a picture maker. It does not start the process yet. */
export function createPictureMaker({
  log,
  timeLimitMs = timeLimitMsDefault,
  memoryBytesMax = memoryBytesMaxDefault,
  waitingMax = waitingMaxDefault,
}: {
  log: Log;
  timeLimitMs?: number;
  memoryBytesMax?: number;
  waitingMax?: number;
}): RunningPictureMaker {
  let current: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let isStopped = false;
  let idle: AbortSignal | undefined;
  let unable: AbortSignal | undefined;

  /** The process, ready for jobs; undefined if it ended before its first message. */
  async function begin(): Promise<ChildProcess | undefined> {
    if (current !== undefined) return current;
    if (unable?.aborted === false) throw cannotBegin();
    const module = new URL(`./picture-process${extname(import.meta.filename)}`, import.meta.url);
    const child = fork(module, {
      env: {},
      execArgv: nodeFlags,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('error', (error) => log.error({ err: error }, 'the process for pictures failed'));
    child.once('exit', () => leave(child));
    current = child;
    const first = await nextReply(child);
    if (first === undefined) {
      const { exitCode: code, signalCode: signal } = child;
      if (!isStopped) log.warn({ code, signal }, 'the process for pictures ended before it began');
      return undefined;
    }
    if (first.state !== 'unable') return child;
    leave(child);
    child.kill();
    unable = AbortSignal.timeout(unableMs);
    log.error({ reason: first.reason }, 'pictures cannot be made smaller: the process for them cannot begin');
    throw cannotBegin();
  }

  function leave(child: ChildProcess): void {
    if (current === child) current = undefined;
  }

  async function attempt(job: PictureJob): Promise<Outcome> {
    if (isStopped) throw stopping();
    const child = await begin();
    if (isStopped) throw stopping();
    if (child === undefined) return { state: 'not begun' };
    const limit = AbortSignal.timeout(timeLimitMs);
    const end = () => child.kill('SIGKILL');
    limit.addEventListener('abort', end);
    let isTooLarge = false;
    const watch = startLoop({
      name: 'memory of the process for pictures',
      log,
      async step() {
        isTooLarge ||= residentBytesOf(child) > memoryBytesMax;
        if (isTooLarge) end();
        return memoryLookMs;
      },
    });
    const answer = nextReply(child);
    child.send(job);
    const reply = await answer;
    await watch.stop();
    limit.removeEventListener('abort', end);
    if (reply !== undefined) return reply;
    // If the channel breaks first, the exit event follows later.
    leave(child);
    child.kill('SIGKILL');
    if (isStopped) throw stopping();
    if (isTooLarge) return { state: 'too large' };
    return { state: limit.aborted ? 'too slow' : 'broke down' };
  }

  async function run({ source, ...rest }: Shrinking): Promise<'made' | 'refused'> {
    idle = undefined;
    if (isStopped) throw stopping();
    const job: PictureJob = { ...rest, source: await source() };
    const first = await attempt(job);
    const isToBeRepeated = first.state === 'broke down' || first.state === 'not begun';
    if (isToBeRepeated) log.info({ reason: first.state }, 'a picture is tried once more');
    const outcome = isToBeRepeated ? await attempt(job) : first;
    if (current !== undefined) endWhenIdle(current);
    if (outcome.state === 'made') return 'made';
    if (outcome.state === 'not begun') throw cannotBegin();
    if (outcome.state === 'unkept')
      throw Object.assign(new Error('a smaller picture could not be written'), { code: outcome.code });
    log.info(
      { reason: outcome.state === 'refused' ? outcome.reason : outcome.state },
      'a picture was refused',
    );
    return 'refused';
  }

  function endWhenIdle(child: ChildProcess): void {
    const pause = AbortSignal.timeout(idleMs);
    idle = pause;
    pause.addEventListener('abort', () => {
      if (idle !== pause || waiting > 0) return;
      leave(child);
      child.kill();
    });
  }

  /** Waits until all earlier jobs have ended. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    waiting += 1;
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      waiting -= 1;
    }
  }

  return {
    async shrink(job) {
      if (waiting >= waitingMax) throw new Problem('too_busy', 'Too many pictures wait to be made smaller.');
      return await inTurn(() => run(job));
    },
    async check() {
      await inTurn(async () => {
        if (isStopped || current !== undefined) return;
        const child = await begin();
        if (waiting > 1 || child === undefined) return;
        leave(child);
        child.kill();
      }).catch((error: unknown) => {
        // The reason why the process could not begin is already logged; any other error is a bug.
        if (!(error instanceof Problem)) throw error;
      });
    },
    async stop() {
      isStopped = true;
      current?.kill('SIGKILL');
      await last;
    },
  };
}

function stopping(): Problem {
  return new Problem('shutting_down', 'The server is shutting down.');
}

function cannotBegin(): Problem {
  return new Problem('storage_unavailable', 'Pictures cannot be made smaller at the moment.');
}

/** The memory that a process holds, in bytes; 0 once it has ended and on a system without `/proc`, which only Linux has. */
function residentBytesOf({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+([0-9]+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    // Nothing to read; the limits on the size of pictures still apply.
    return 0;
  }
}

/** The next message of the process; undefined when it ends instead. */
async function nextReply(child: ChildProcess): Promise<PictureReply | undefined> {
  const next = Promise.withResolvers<PictureReply | undefined>();
  const onMessage = (message: unknown) => next.resolve(message as PictureReply);
  const ended = () => next.resolve(undefined);
  child.once('message', onMessage);
  child.once('exit', ended);
  child.once('error', ended);
  const reply = await next.promise;
  child.off('message', onMessage);
  child.off('exit', ended);
  child.off('error', ended);
  return reply;
}
