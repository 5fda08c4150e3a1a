import type { Config } from '../../config/config.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';

/** A finding of a check of the doctor. */
export type Finding = {
  /** The name of the check, which stays the same from release to release. */
  readonly check: string;
  /** An error or a warning makes the command fail; a note is about something that is nobody's fault here. */
  readonly level: 'error' | 'warning' | 'note';
  /** The fault in one sentence. */
  readonly what: string;
  /** How to mend it, in one sentence. */
  readonly mend: string;
  /** Mends it beside a running server and returns a sentence about what it did; absent where a person has to decide. */
  readonly fix?: (db: Db) => Promise<string>;
};

/** The input of every check. */
export type Examined = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** The version of Node, such as `24.21.0`. */
  readonly nodeVersion: string;
  /** The warnings from reading the settings. */
  readonly warnings: readonly string[];
};

/** How a finding says that `--fix` mends it. */
export const mendedByFix = 'Run "confab doctor --fix".';

/** How many things of one kind a check looks for at a time; a fix goes on until there are none. */
export const foundMax = 200;

/** "3 counts", "1 count", or "200 counts or more" where no more were looked for. */
export function countOf(count: number, [one, many]: readonly [string, string]): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}${count >= foundMax ? ' or more' : ''}`;
}

/** The message of an error, with its code where it has no message. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
