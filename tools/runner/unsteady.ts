import path from 'node:path';

/** The most test files of a part that are run a second time. More failures than that have another cause than chance. */
const filesMax = 3;

/** A failed test: the file that Node says it is in, and what is shown of it. */
export type FailedTest = { readonly file: string | undefined; readonly text: string };

/**
 * The files of failed tests, if a second run of them says whether they fail by chance: there are few, and all of them are
 * among the test files that ran. Otherwise none, for example where the hook of a lane failed.
 */
export function filesToRunAgain(failures: readonly FailedTest[], ran: readonly string[]): string[] {
  const failed = [...new Set(failures.map(({ file }) => path.relative('', file ?? '')))];
  return failed.length <= filesMax && failed.every((file) => ran.includes(file)) ? failed : [];
}
