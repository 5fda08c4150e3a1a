import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program of the command line. */
export const cliPath = fileURLToPath(new URL(`../cli${extname(import.meta.filename)}`, import.meta.url));

/** How a command ended: what it printed, and why it failed where its exit code is another than 0. */
export type Ended = { readonly stdout: string; readonly failure: string | undefined };

/** How a command is run. */
export type RunOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** Ends it. */
  readonly signal: AbortSignal;
};

/** Runs a command of Confab as a process of its own, so that requests do not wait for it. */
export async function runCommand(args: readonly string[], { env, signal }: RunOptions): Promise<Ended> {
  if (signal.aborted) return { stdout: '', failure: 'the server is being stopped' };
  const child = spawn(process.execPath, [cliPath, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => child.kill();
  signal.addEventListener('abort', end);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.once('error', (error) => resolve(error.message));
  child.once('close', (code, ended) =>
    resolve(code === 0 ? undefined : output.stderr.trim() || `it ended with ${ended ?? code}`),
  );
  const failure = await promise;
  signal.removeEventListener('abort', end);
  return { stdout: output.stdout, failure };
}
