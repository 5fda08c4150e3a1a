import path from 'node:path';

let file = path.relative('', process.argv[1] ?? '');

/** The test file that runs, from the folder of the project. */
export function testFile(): string {
  return file;
}

/** Says which test file runs from here on, where a process runs several. */
export function enterTestFile(next: string): void {
  file = next;
}
