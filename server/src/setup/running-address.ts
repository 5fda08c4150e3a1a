import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where the running server is, for commands beside it: its port may come from a flag that they do not have. The server
 * leaves it in its data folder, with either store. Several nodes may share a folder; then it is the node that has started last.
 */

/** The addresses of a running server, such as `http://127.0.0.1:8080`. */
export type RunningAddress = {
  /** Where it listens. */
  readonly url: string;
  /** Where browsers reach it. */
  readonly publicUrl: string;
};

const fileIn = (folder: string): string => join(folder, 'server.address');

/** How long a server on this machine may take to answer, in milliseconds. */
const answerMs = 2000;

/** Leaves the address of a server in its data folder. The returned function removes it, unless another server has left its own. */
export function leaveAddress(folder: string, address: RunningAddress): () => void {
  const file = fileIn(folder);
  const text = JSON.stringify({ ...address, pid: process.pid, folder: realpathSync(folder) });
  const written = `${file}.${process.pid}`;
  writeFileSync(written, text, { mode: 0o600 });
  // A command never reads half of it.
  renameSync(written, file);
  return () => {
    if (textOf(file) === text) rmSync(file, { force: true });
  };
}

/**
 * The address of the server that runs on a data folder; undefined where none answers there, as after a power cut, and where
 * the folder is a copy of that of another server.
 */
export async function findRunningAddress(folder: string): Promise<RunningAddress | undefined> {
  const text = textOf(fileIn(folder));
  if (text === undefined) return undefined;
  const left = parsed(text);
  if (left === undefined || left.folder !== realpathSync(folder)) return undefined;
  const { url, publicUrl } = left;
  return (await answers(url)) ? { url, publicUrl } : undefined;
}

/** Whether a Confab server is alive at an address. */
async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(answerMs),
      redirect: 'error',
    });
    return answer.ok && typeof ((await answer.json()) as { version?: unknown }).version === 'string';
  } catch {
    return false;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What a server has left; undefined for what none has. */
function parsed(text: string): (RunningAddress & { readonly folder: string }) | undefined {
  try {
    const { url, publicUrl, folder } = JSON.parse(text);
    const isComplete = [url, publicUrl, folder].every((each) => typeof each === 'string');
    return isComplete ? { url, publicUrl, folder } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
