import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { makeSecret } from 'confab-server/src/features/credentials/secret-text.ts';
import { storeSettings } from './stores/databases.ts';

/** The key that the servers below accept. */
export const key = makeSecret('key');
const folders: string[] = [];
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed when the tests of the file have run. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
  folders.push(folder);
  return folder;
}

/** A server in a separate process. */
export type Process = { readonly child: ChildProcess; readonly url: string };

/**
 * Starts `confab serve` on a folder as a separate process, with a limit of `blocks` 512-byte blocks for each file if
 * given.
 */
export async function serve(folder: string, blocks?: number): Promise<Process> {
  const limit = blocks === undefined ? '' : `ulimit -f ${blocks};`;
  const child = spawn('sh', ['-c', `${limit} exec "$0" server/src/cli.ts serve`, process.execPath], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      CONFAB_DATA_DIR: folder,
      CONFAB_PORT: '0',
      CONFAB_API_KEY: key,
      CONFAB_LOG_LEVEL: 'silent',
      ...(await storeSettings(folder)),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listens on (\S+)/.exec(line)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error('the server ended before it listened');
}

/** Sends a request with the key. */
export async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: any }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
