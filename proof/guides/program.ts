import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { logEnd } from 'confab-testing/harness/log-end.ts';
import { programPath } from 'confab-testing/harness/programs.ts';
import { poll } from 'confab-testing/poll.ts';

/** How to start a program that serves something. */
export type Started = {
  readonly command: readonly string[];
  readonly folder: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The file for what it says. */
  readonly log: string;
  /** Whether it serves. */
  readonly isReady: () => Promise<boolean>;
};

/**
 * Starts a program and resolves when it serves. At the end of a scope with `await using` it is ended. Throws an Error with
 * the end of its log where it ends by itself.
 */
export async function startProgram({
  command,
  folder,
  env,
  log,
  isReady,
}: Started): Promise<AsyncDisposable> {
  const [name = '', ...args] = command;
  const file = openSync(log, 'a');
  const child = spawn(name, args, {
    cwd: folder,
    stdio: ['ignore', file, file],
    env: { ...process.env, ...env, PATH: env?.['PATH'] ?? programPath },
  });
  let ended: string | undefined;
  const exited = new Promise<void>((done) => {
    const end = (how: string) => {
      ended = how;
      done();
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(`${signal ?? code}`));
  });
  await poll(`${name} to serve`, async () => {
    if (ended !== undefined) throw new Error(`${name} ended with ${ended}${logEnd(log)}`);
    return (await isReady()) || undefined;
  });
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}

/** Whether something answers at an address. */
export async function answers(url: string): Promise<boolean> {
  return await fetch(url, { redirect: 'manual' }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return true;
    },
    () => false,
  );
}
