import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { poll } from './poll.ts';

const cli = resolve(import.meta.dirname, '../../src/cli.ts');

/** A command that was started, with what it has said so far. */
export type Started = {
  readonly child: ChildProcess;
  readonly said: { stdout: string; stderr: string };
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
};

/** Starts `confab` with arguments and nothing of this machine's settings. */
export function startCommand(args: readonly string[], settings: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...settings },
  });
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

/** Runs `confab` to its end. */
export async function runCommand(args: readonly string[], settings: Record<string, string> = {}) {
  const { said, ended } = startCommand(args, settings);
  const code = await ended;
  return { code, ...said };
}

/** Starts `confab serve` on a free port and answers when it has said where it listens. */
export async function startServe(folder: string, args: readonly string[] = []) {
  const started = startCommand(['serve', '--data-dir', folder, '--port', '0', ...args]);
  void started.ended.then((how) => {
    started.said.stderr += `(ended with ${how})`;
  });
  const url = await poll('the address', () => {
    if (started.said.stderr.includes('(ended with')) throw new Error(started.said.stderr);
    return /listens on (http:\S+)\n/.exec(started.said.stdout)?.[1];
  });
  return { ...started, url };
}
