import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs of each part of a suite, each with the package of Debian that has it. */
export type Programs = { readonly [part: string]: { readonly [program: string]: string } };

/** Where programs are: servers are outside of the PATH of most users. */
export const programPath = [process.env.PATH ?? '', '/usr/local/sbin', '/usr/sbin', '/sbin'].join(delimiter);

/** Where a program is on this machine, if it is. */
export function findProgram(name: string): string | undefined {
  const places = programPath.split(delimiter).map((folder) => join(folder, name));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return false;
      throw error;
    }
  });
}

/**
 * Ends the process with 1 where a part of a suite needs a program that this machine does not have, and says what to
 * install: a suite that leaves parts out by itself proves nothing. `only` has the chosen parts, empty for all. Throws a
 * RangeError for a part that the suite does not have.
 */
export function exitWithoutPrograms(programs: Programs, only: string): void {
  const parts = only === '' ? Object.keys(programs) : only.split(',');
  const missing = parts.flatMap((part) => {
    const needed = programs[part];
    if (needed === undefined) throw new RangeError(`--only takes some of ${Object.keys(programs).join(',')}`);
    return Object.entries(needed).filter(([name]) => findProgram(name) === undefined);
  });
  if (missing.length === 0) return;
  const names = new Set(missing.map(([name]) => name));
  const packages = new Set(missing.map(([, name]) => name));
  console.error(`not on this machine: ${[...names].join(', ')}
On Debian and Ubuntu: apt-get install ${[...packages].join(' ')}
Parts that need other programs run with --only: ${Object.keys(programs).join(',')}`);
  process.exit(1);
}
