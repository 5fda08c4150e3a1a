import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { makeSecret } from 'confab-server/src/features/credentials/secret-text.ts';
import { root } from 'confab-tools/places.ts';
import { ratesOff, ratesOutOfReach } from '../rates.ts';
import { logEnd } from './log-end.ts';

/** How to start a server as a separate process, the way an operator does. */
export type ConfabOptions = {
  /** The folder of its data (`data`) and its log; created if it does not exist. */
  readonly folder: string;
  /** The API key that it accepts, for a server that is restarted; a fresh one when absent. */
  readonly key?: string;
  /** The name of its log in the folder, `server` when absent. */
  readonly name?: string;
  /** The bug that `planted-server.ts` plants in it, or the bug and its argument. */
  readonly plant?: string | readonly string[] | undefined;
  /** The checkout of an earlier release to run instead. */
  readonly release?: string | undefined;
  /** The program to run, that of this checkout when absent. */
  readonly program?: string | undefined;
  /** Additional flags of Node. */
  readonly nodeArguments?: readonly string[];
  /** A program that runs the server as its child, with its arguments. */
  readonly under?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
};

/** A server that runs as a separate process. At the end of a scope with `await using` it is killed if it still runs. */
export type ConfabProcess = AsyncDisposable & {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
  /** From starting the process to its first response to an authenticated request. */
  readonly readyMs: number;
  /** Kills it, as `kill -9` does; resolves when it is gone, at once if it is gone already. */
  kill(): Promise<void>;
  /** Asks it to stop and resolves when it is gone; throws when it does not exit with 0. */
  stop(): Promise<void>;
};

const ownProgram = resolve(root, 'server/bin/confab');
const planted = join(import.meta.dirname, 'planted-server.ts');
/** After this time, a server that is not ready counts as failed. */
const readyMsMax = 30_000;

/** An API key to start servers with. */
export function freshKey(): string {
  return makeSecret('key');
}

/**
 * Starts a server and resolves when it has answered a request. If it does not start, throws an Error with the end of its
 * log.
 */
export async function startConfab(options: ConfabOptions): Promise<ConfabProcess> {
  const startedAt = performance.now();
  const { folder, key = freshKey(), name = 'server', release } = options;
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'a');
  const [first = ownProgram, ...others] = [...(options.under ?? []), ...commandOf(options)];
  const child = spawn(first, others, {
    stdio: ['ignore', 'pipe', log],
    env: {
      ...environment(options.nodeArguments),
      CONFAB_DATA_DIR: join(folder, 'data'),
      CONFAB_API_KEY: key,
      ...(release === undefined ? ratesOutOfReach : limitsRates(release) ? ratesOff : {}),
      ...options.settings,
    },
    // A separate process group where another program runs the server, so that both end together.
    detached: options.under !== undefined,
  });
  const exited = new Promise<string>((gone) => {
    child.once('error', (error) => gone(error.message));
    child.once('exit', (code, signal) => gone(`${signal ?? code}`));
  });
  const url = await Promise.race([
    addressOf(child),
    exited.then((how) => Promise.reject(new Error(`the server ended with ${how}${logEnd(logFile)}`))),
  ]);
  const answer = await fetch(`${url}/api/apps?count_only=true`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(readyMsMax),
  });
  if (answer.status !== 200) throw new Error(`the server answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  const { pid } = child;
  if (pid === undefined) throw new Error('the server has no process id');
  async function kill(): Promise<void> {
    if (options.under === undefined) child.kill('SIGKILL');
    else if (child.exitCode === null && child.signalCode === null) process.kill(-(pid ?? 0), 'SIGKILL');
    await exited;
  }
  return {
    url,
    key,
    pid,
    readyMs: performance.now() - startedAt,
    kill,
    [Symbol.asyncDispose]: kill,
    async stop() {
      child.kill('SIGTERM');
      const how = await exited;
      if (how !== '0') throw new Error(`the server ended with ${how}${logEnd(logFile)}`);
    },
  };
}

/** Whether a checkout limits rates, as its guide says. 0.1.0 does not, and refuses settings that it does not know. */
function limitsRates(release: string): boolean {
  return readFileSync(join(release, 'docs/configuration.md'), 'utf8').includes('CONFAB_LIMITS_PERSON');
}

function commandOf({ plant, release, program = ownProgram }: ConfabOptions): string[] {
  if (release !== undefined) {
    // The program sets flags of Node that make the server cheaper; 0.1.0 has none.
    const own = join(release, 'server/bin/confab');
    return existsSync(own) ? [own, 'serve'] : [process.execPath, join(release, 'src/cli.ts'), 'serve'];
  }
  return plant === undefined ? [program, 'serve'] : [process.execPath, planted, ...[plant].flat()];
}

// Settings of the shell do not reach the server: it runs with its defaults and the given settings.
function environment(nodeArguments: readonly string[] = []): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('CONFAB_'));
  return {
    ...Object.fromEntries(own),
    ...(nodeArguments.length === 0 ? {} : { NODE_OPTIONS: nodeArguments.join(' ') }),
    // So that `server/bin/confab` finds the Node of this process.
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    CONFAB_PORT: '0',
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const address = / listens on (http:\S+)$/.exec(line)?.[1];
    if (address !== undefined) {
      child.stdout.resume();
      return address;
    }
  }
  return await new Promise<never>(() => undefined);
}
