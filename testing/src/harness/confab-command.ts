import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from 'confab-tools/places.ts';
import { peakMemoryMbOf } from './process-usage.ts';

const cli = resolve(root, 'server/src/cli.ts');
/** How often the memory of a running command is measured, in milliseconds. */
const lookMs = 50;

/** What came of a command. */
export type CommandResult = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** The most memory that it used, as far as it was seen; 0 without /proc. */
  readonly peakMb: number;
};

/** Runs a command of Confab to its end, such as `['backup', 'create', place]`. No setting of the shell reaches it. */
export async function runConfab(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...settings },
  });
  let peakMb = 0;
  const looking = setInterval(() => {
    peakMb = peakMemoryMbOf(child.pid ?? 0) ?? peakMb;
  }, lookMs);
  const ended = new Promise<number | null>((resolveEnd, reject) => {
    child.once('close', resolveEnd);
    child.once('error', reject);
  });
  try {
    const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { status, stdout, stderr, seconds: (performance.now() - startedAt) / 1000, peakMb };
  } finally {
    clearInterval(looking);
  }
}

/** The same, for a command that must succeed. Throws an Error with what it printed otherwise. */
export async function mustConfab(...command: Parameters<typeof runConfab>): Promise<CommandResult> {
  const result = await runConfab(...command);
  if (result.status === 0) return result;
  throw new Error(`confab ${command[0].join(' ')} ended with ${result.status}: ${result.stderr}`);
}
