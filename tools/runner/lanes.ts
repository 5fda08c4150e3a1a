import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * *Lanes* are processes that share the test files of a part. Each takes the next free file and runs it in the same
 * process as the one before, in which the sources are already loaded and compiled: that takes longer than most files
 * do.
 */

/** The variable with the path of the list of files that the lanes of a part share. */
export const lanesVariable = 'TEST_LANES';

/** The files that lanes share. Progress is recorded beside the list. */
export type Lanes = {
  readonly list: string;
  /** The files that Node's runner runs: one for each lane. */
  readonly entries: readonly string[];
};

const program = JSON.stringify(new URL('./lane.ts', import.meta.url).href);

/** Prepares at most `countMax` lanes for the files in an empty folder. */
export function makeLanes(folder: string, files: readonly string[], countMax: number): Lanes {
  const list = path.join(folder, 'files');
  writeFileSync(list, files.join('\n'));
  const count = Math.min(countMax, files.length);
  const entries = Array.from({ length: count }, (_, number) => {
    const entry = path.join(folder, `lane-${number + 1}.ts`);
    // Each begins with a different file, because Node counts a process without tests as a test.
    take(list, number);
    writeFileSync(entry, `import { runLane } from ${program};\nawait runLane(${number});\n`);
    return entry;
  });
  return { list, entries };
}

/** The files that lanes share. */
export function filesOf(list: string): string[] {
  return readFileSync(list, 'utf8').split('\n');
}

/** Takes a file by creating one beside the list, which the operating system permits only one process. */
export function take(list: string, number: number): boolean {
  try {
    closeSync(openSync(`${list}-${number}-taken`, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Records that the tests of a file have ended, in any way. */
export function noteEnd(list: string, number: number): void {
  writeFileSync(`${list}-${number}-ended`, '');
}

/** The files whose tests have not ended. */
export function unended(list: string): string[] {
  return filesOf(list).filter((_, number) => !existsSync(`${list}-${number}-ended`));
}
