import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../../../kernel/folder.ts';
import { makeKeyText, readKeys, type SecretKey } from '../../../kernel/secret-box.ts';

/** The file of the keys that encrypt secrets: keys in base64 or hex, one per line, the active one first. */

/** Readable by the user that runs the server only. */
const fileMode = 0o600;

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The keys of a file; undefined when there is none. Throws an Error for the operator when it holds anything else. */
export function readKeyFile(path: string): SecretKey[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    return readKeys(text);
  } catch (error) {
    throw new Error(`the file of keys ${path} ${(error as Error).message}`, { cause: error });
  }
}

/**
 * The same, created with one key where there is none. Servers that create it concurrently get the same key. The file and
 * its name are on disk when this returns, so the store may refer to the key.
 */
export function ensureKeyFile(path: string): SecretKey[] {
  const keys = readKeyFile(path);
  if (keys === undefined) makeKeyFile(path);
  // Also for an existing file: the process that created it may have ended before this.
  syncFolder(dirname(path));
  return keys ?? readKeyFile(path) ?? [];
}

function makeKeyFile(path: string): void {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${makeKeyText()}\n`, { mode: fileMode, flush: true });
  try {
    // The link publishes the whole file atomically, and only if the name is free.
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
}
