import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * *Lanes* are processes that share the test files of a part. Each takes the next file that nobody has taken and runs it
 * in the same process as the one before, which then finds the sources loaded and compiled: that takes longer than most
 * files do.
 */

/** The variable with the path of the list of files that the lanes of a part share. */
export const lanesVariable = 'TEST_LANES';

/** The files that lanes share. What is done is noted beside the list. */
export type Lanes = {
  readonly list: string;
  /** What Node's runner is told to run: a file for each lane. */
  readonly entries: readonly string[];
};

const program = JSON.stringify(new URL('./lane.ts', import.meta.url).href);

/** Lays out at most `countMax` lanes for the files in a folder that is empty. */
export function makeLanes(folder: string, files: readonly string[], countMax: number): Lanes {
  const list = path.join(folder, 'files');
  writeFileSync(list, files.join('\n'));
  const count = Math.min(countMax, files.length);
  const entries = Array.from({ length: count }, (_, number) => {
    const entry = path.join(folder, `lane-${number + 1}.ts`);
    // Each begins with a file of its own: to Node, a process without tests is a test.
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

/** Takes a file by making one beside the list: the operating system lets but one process be its maker. */
export function take(list: string, number: number): boolean {
  try {
    closeSync(openSync(`${list}-${number}-taken`, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Notes that the tests of a file have ended, however that was. */
export function noteEnd(list: string, number: number): void {
  writeFileSync(`${list}-${number}-ended`, '');
}

/** The files whose tests have not come to an end. */
export function unended(list: string): string[] {
  return filesOf(list).filter((_, number) => !existsSync(`${list}-${number}-ended`));
}
