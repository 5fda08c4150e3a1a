import path from 'node:path';

let file = path.relative('', process.argv[1] ?? '');

/** The running test file, relative to the folder of the project. */
export function testFile(): string {
  return file;
}

/** Sets the running test file, where a process runs several. */
export function enterTestFile(next: string): void {
  file = next;
}
