/**
 * Writes the files that are made of the code and committed: `npm run generate`. The module
 * `generate/committed-files.ts` of each package says which. With `--check` nothing is written, and any difference fails.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assemble } from './assembly.ts';
import { type Files, filesBelow, madeFiles } from './made-files.ts';
import { root } from './places.ts';

function present(file: string): string | undefined {
  try {
    return readFileSync(path.join(root, file), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const isCheck = process.argv.includes('--check');

function settle(made: Files): void {
  for (const [file, text] of Object.entries(made)) {
    if (present(file) === text) continue;
    if (isCheck) {
      console.log(`${file} is not what the code makes of it: run npm run generate`);
      process.exitCode = 1;
    } else {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
      console.log(`wrote ${file}`);
    }
  }
}

/** Removes a file that the code makes no more. */
function leave(file: string): void {
  if (isCheck) {
    console.log(`${file} is not made by the code: run npm run generate`);
    process.exitCode = 1;
  } else {
    rmSync(path.join(root, file));
    console.log(`removed ${file}`);
  }
}

// The code of some files is made itself, so it comes first.
await assemble();
for await (const { files, folder } of madeFiles('committed')) {
  settle(files);
  if (folder !== undefined) for (const file of filesBelow(folder)) if (!(file in files)) leave(file);
}
