import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;

/** The primary result code of a SQLite error, or undefined for any other value. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

/** Whether an error says that another process has the file. */
export function isTaken(error: unknown): boolean {
  return sqliteCode(error) === sqliteBusy;
}

/**
 * Holds `file` for one process: a lock that the operating system lets go of when the process ends, however it ends.
 * Throws an Error with the message `refusal` when another process holds it.
 */
export function lockFile(file: string, refusal: string): { release(): void } {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive');
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (isTaken(error)) throw new Error(refusal, { cause: error });
    throw error;
  }
  return { release: () => database.close() };
}
