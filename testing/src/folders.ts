import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { dropDatabaseOf } from './stores/databases.ts';

/**
 * Returns a function that makes empty folders, for servers that start on one folder after each other. The folders and
 * their databases are removed after the tests of the file or of the enclosing `describe`.
 */
export function useFolders(): () => string {
  const folders: string[] = [];
  after(async () => {
    for (const folder of folders) {
      rmSync(folder, { recursive: true, force: true });
      await dropDatabaseOf(folder);
    }
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
    folders.push(folder);
    return folder;
  };
}
