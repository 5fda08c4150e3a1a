import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { root } from 'confab-tools/places.ts';
import { poll } from './poll.ts';
import { storeSettings } from './stores/databases.ts';

const cli = resolve(root, 'server/src/cli.ts');

/** A running command, with its output so far. */
export type Started = {
  readonly child: ChildProcess;
  readonly said: { stdout: string; stderr: string };
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
};

/** Starts `confab` with arguments and no settings except the location of its store. */
export function startCommand(
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<Started> {
  return startProgram([process.execPath, cli], args, settings);
}

/** Starts `npm` or `npx` with arguments in the folder of this package, as the leader of a process group. */
export function startNpm(
  program: 'npm' | 'npx',
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<Started> {
  // Otherwise npm asks the registry for its own newest version.
  const own = { HOME: process.env.HOME ?? '', npm_config_update_notifier: 'false' };
  return startProgram([program], args, { ...own, ...settings });
}

async function startProgram(
  [program, ...first]: readonly [string, ...string[]],
  args: readonly string[],
  settings: Record<string, string>,
): Promise<Started> {
  const folder = args.includes('--data-dir') ? args[args.indexOf('--data-dir') + 1] : undefined;
  const own = folder === undefined ? {} : await storeSettings(folder);
  const child = spawn(program, [...first, ...args], {
    cwd: root,
    detached: first.length === 0,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...own, ...settings },
  });
  return watch(child);
}

/** Collects what a program says from its start to its end. */
export function watch(child: ChildProcess): Started {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const ended = new Promise<number | string>((done) => {
    child.once('close', (code, signal) => done(code ?? signal ?? 'unknown'));
  });
  return { child, said, ended };
}

/** Runs `confab` and waits for its end. */
export async function runCommand(args: readonly string[], settings: Record<string, string> = {}) {
  const { said, ended } = await startCommand(args, settings);
  const code = await ended;
  return { code, ...said };
}

/**
 * The report of `confab doctor --json`, without findings about the deliberate settings of the test
 * PostgreSQL.
 */
export async function runDoctor(args: readonly string[], settings: Record<string, string> = {}) {
  const { stdout, stderr } = await runCommand(['doctor', '--json', ...args], settings);
  if (stdout === '') throw new Error(stderr);
  const { findings, fixed } = JSON.parse(stdout) as {
    findings: { check: string; what: string; mend: string }[];
    fixed: { check: string; what: string }[];
  };
  return { findings: findings.filter(({ check }) => check !== 'durability'), fixed };
}

/** Starts `confab serve` on a free port and resolves when it has printed its address. */
export async function startServe(folder: string, args: readonly string[] = []) {
  return await listening(await startCommand(['serve', '--data-dir', folder, '--port', '0', ...args]));
}

/** Resolves when a started server has printed its address; kills one that does not. */
export async function listening(started: Started): Promise<Started & { readonly url: string }> {
  void started.ended.then((how) => {
    started.said.stderr += `(ended with ${how})`;
  });
  try {
    const address = () => {
      if (started.said.stderr.includes('(ended with')) throw new Error(started.said.stderr);
      return /listens on (http:\S+)\n/.exec(started.said.stdout)?.[1];
    };
    return { ...started, url: await poll('the address', address) };
  } catch (error) {
    // Otherwise this process would wait for it, after its tests.
    started.child.kill('SIGKILL');
    throw error;
  }
}
