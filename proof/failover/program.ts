import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { openSync, rmSync, writeFileSync } from 'node:fs';
import { logEnd } from 'confab-testing/harness/log-end.ts';
import { programPath } from 'confab-testing/harness/programs.ts';
import type { Account } from 'confab-testing/stores/postgres-programs.ts';

/** How a program of the run is started. */
export type ProgramOptions = {
  readonly command: readonly [string, ...string[]];
  /** The folder in which it runs. */
  readonly folder: string;
  readonly log: string;
  readonly account: Account | undefined;
};

/** A program that a supervisor would keep running. At the end of a scope with `await using` it is killed. */
export class Program implements AsyncDisposable {
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  start(): void {
    const { command, folder, log, account } = this.#options;
    const output = openSync(log, 'a');
    const [first, ...others] = command;
    const child = spawn(first, others, {
      cwd: folder,
      stdio: ['ignore', output, output],
      env: { PATH: programPath, HOME: folder, LANG: 'C.UTF-8' },
      ...account,
    });
    this.#child = child;
    // For the keeper of the run.
    writeFileSync(`${log}.pid`, `${child.pid ?? ''}`);
    this.#ended = new Promise((ended) => {
      child.once('error', () => ended());
      child.once('exit', () => ended());
    });
  }

  /** The process. Throws when it does not run. */
  get pid(): number {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${this.#options.command[0]} does not run${logEnd(this.#options.log)}`);
    return child.pid;
  }

  /** Ends it with a signal and resolves when it is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child?.kill(signal);
    await this.#ended;
    rmSync(`${this.#options.log}.pid`, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }
}

/** A process and all that descend from it, the process first. */
export function treeOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const parents = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [pid];
  for (const one of tree)
    for (const [child, parent] of parents) if (parent === one && child !== undefined) tree.push(child);
  return tree;
}

/** Sends a signal to processes, of which some may have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
}
