/**
 * Writes the files that are made of the code and committed: `npm run generate`. The module `generate/committed-files.ts` of
 * each package says which. With `--check` nothing is written, and any difference fails.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assemble } from './assembly.ts';
import { differences } from './made-files.ts';
import { root } from './places.ts';

// Some code is made itself, so it comes first.
await assemble();
for (const { file, text } of await differences()) {
  if (process.argv.includes('--check')) {
    console.log(`${file} is not what the code makes of it: run npm run generate`);
    process.exitCode = 1;
  } else if (text === undefined) {
    rmSync(path.join(root, file));
    console.log(`removed ${file}`);
  } else {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
    console.log(`wrote ${file}`);
  }
}
