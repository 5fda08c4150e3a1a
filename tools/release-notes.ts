/**
 * Prints the text of a release, the section of CHANGELOG.md for its tag: `node tools/release-notes.ts v0.2.0`. It exits
 * with 1 where the section is missing, or where a package says another version than the tag. A second argument is the
 * address of the files of the tag, for the links of the text.
 */

import { root } from './places.ts';
import { releaseNotes, withLinks } from './release/notes.ts';

const [, , tag = '', base = ''] = process.argv;
try {
  console.log(withLinks(releaseNotes(root, tag), base));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
