/**
 * Prints the text of a release, the section of CHANGELOG.md for its tag: `node scripts/release-notes.ts v0.2.0`. It exits
 * with 1 where the section is missing, or where a package says another version than the tag. A second argument is the
 * address of the files of the tag, for the links of the text.
 */

import { resolve } from 'node:path';
import { releaseNotes, withLinks } from './release/notes.ts';

const [, , tag = '', base = ''] = process.argv;
try {
  console.log(withLinks(releaseNotes(resolve(import.meta.dirname, '..'), tag), base));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
